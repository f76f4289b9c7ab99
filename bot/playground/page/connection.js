// One socket to the stand-in for one person: requests with their answers, events, and connecting again.
const FIRST_WAIT = 400; // milliseconds before the first attempt to connect again; doubled each time
const LONGEST_WAIT = 5000;
const ANSWER_WAIT = 20000; // the stand-in itself gives up on a bot much earlier

export class Connection {
  /** `onEvent(type, data)` for every event that answers no request; `onState("connecting" | "open" | "lost")`. */
  constructor(userId, onEvent, onState) {
    this.userId = userId;
    this.onEvent = onEvent;
    this.onState = onState;
    this.waiting = new Map(); // nonce -> function that takes the answer
    this.attempts = 0;
    this.nonces = 0;
    this.closed = false;
    this.connect();
  }

  connect() {
    const address = new URL("/page/socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.userId) address.searchParams.set("as", this.userId);
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => (this.attempts = 0);
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => this.lost(socket);
  }

  receive({ t: type, d: data }) {
    const answer = data?.nonce && this.waiting.get(data.nonce);
    if (answer) answer(type, data);
    else this.onEvent(type, data ?? {});
    if (type === "READY") this.onState("open");
  }

  lost(socket) {
    if (socket !== this.socket) return;
    for (const answer of [...this.waiting.values()]) answer("FAILED", { reason: "lost" });
    if (this.closed) return;
    this.onState("lost");
    this.timer = setTimeout(() => this.connect(), Math.min(FIRST_WAIT * 2 ** this.attempts, LONGEST_WAIT));
    this.attempts += 1;
  }

  /** Sends one request; resolves to `{type, data}` of its first answer, FAILED included. Never rejects. */
  request(op, fields = {}) {
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        resolve({ type: "FAILED", data: { reason: "lost" } });
        return;
      }
      const nonce = `${Date.now()}-${(this.nonces += 1)}`;
      const timer = setTimeout(() => answer("FAILED", { reason: "timeout" }), ANSWER_WAIT);
      const answer = (type, data) => {
        clearTimeout(timer);
        this.waiting.delete(nonce);
        resolve({ type, data });
      };
      this.waiting.set(nonce, answer);
      this.socket.send(JSON.stringify({ op, nonce, ...fields }));
    });
  }

  /** Sends without waiting for any answer. */
  tell(op, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ op, nonce: `${Date.now()}-${(this.nonces += 1)}`, ...fields }));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
