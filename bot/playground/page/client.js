// What one person's chat client knows, and what that person can do. Views only read it and call its methods.
import { Connection } from "./connection.js";
import { compareIds } from "./snowflake.js";
import { wordsFor } from "./words.js";

const TYPING_LASTS = 9000; // milliseconds
export const CHANNEL = { TEXT: 0, DIRECT: 1, NEWS_THREAD: 10, PUBLIC_THREAD: 11, PRIVATE_THREAD: 12 };
export const FLAG = { EPHEMERAL: 1 << 6, LOADING: 1 << 7, COMPONENTS_V2: 1 << 15 };
const PERSON_COLOURS = 6; // --person-0 … --person-5 in style.css

export const isThread = (channel) => channel.type >= CHANNEL.NEWS_THREAD && channel.type <= CHANNEL.PRIVATE_THREAD;
const emptyRoom = () => ({ messages: [], more: false, loaded: false, loading: null });

export class Client {
  /** `stage` shows what covers the whole page: `stage.showPicture({url, description})`. */
  constructor(userId, stage) {
    this.stage = stage;
    this.listeners = new Set();
    this.state = "connecting";
    this.ready = false;
    this.me = null;
    this.open = null; // id of the channel looked at
    this.rooms = new Map(); // channel id -> {messages, more, loaded, loading}
    this.drafts = new Map(); // channel id -> text not sent yet
    this.chosen = new Map(); // "message:custom_id" -> values this person chose in that menu
    this.waiting = new Set(); // "message:custom_id" of controls pressed and not answered
    this.failures = new Map(); // message id -> what went wrong with the last press there
    this.notices = []; // {id, channelId, text} told only here
    this.running = []; // {id, channelId, command} slash commands without an answer
    this.form = null; // the modal that is open
    this.forgetServer();
    this.connection = new Connection(
      userId,
      (type, data) => this.receive(type, data),
      (state) => this.connected(state),
    );
  }

  forgetServer() {
    this.personas = [];
    this.members = new Map();
    this.people = new Map();
    this.channels = new Map();
    this.commands = [];
    this.unread = {};
    this.mentions = {};
    this.typing = new Map();
  }

  close() {
    this.listeners.clear();
    this.connection.close();
  }

  // --- telling the views ---------------------------------------------------------------------------------------------
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  connected(state) {
    this.state = state;
    if (state === "lost") this.running = [];
    this.changed();
  }

  receive(type, data) {
    const handler = EVENTS[type];
    if (handler) handler(this, data);
    this.changed();
  }

  // --- who and what there is -----------------------------------------------------------------------------------------
  get locale() {
    return this.me?.locale ?? "en-US";
  }

  get words() {
    return wordsFor(this.locale);
  }

  get channel() {
    return this.channels.get(this.open) ?? null;
  }

  know(user) {
    if (user) this.people.set(user.id, { ...this.people.get(user.id), ...user });
  }

  person(id) {
    return this.people.get(id) ?? null;
  }

  nameOf(user) {
    if (!user) return this.words("unknown");
    return this.members.get(user.id)?.nick ?? user.global_name ?? user.username;
  }

  /** A CSS colour for a person: the same in every pane. */
  colourOf(id) {
    const seat = this.personas.findIndex((persona) => persona.id === id);
    if (seat >= 0) return `var(--person-${seat % PERSON_COLOURS})`;
    return id === this.bot?.id ? "var(--bot)" : "var(--stranger)";
  }

  isMe(id) {
    return id === this.me?.id;
  }

  myRoles() {
    return this.members.get(this.me?.id)?.roles ?? [];
  }

  mentionsMe(message) {
    if (message.author.id === this.me.id) return false;
    return (
      message.mention_everyone ||
      (message.mentions ?? []).some((user) => user.id === this.me.id) ||
      (message.mention_roles ?? []).some((role) => this.myRoles().includes(role))
    );
  }

  titleOf(channel) {
    if (channel.type !== CHANNEL.DIRECT) return channel.name;
    return this.nameOf(this.person(channel.recipients?.find((user) => !this.isMe(user.id))?.id) ?? this.bot);
  }

  textChannels() {
    const byPlace = (a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id);
    return [...this.channels.values()].filter((channel) => channel.type === CHANNEL.TEXT).sort(byPlace);
  }

  threadsOf(channelId) {
    const threads = [...this.channels.values()].filter(
      (channel) => isThread(channel) && channel.parent_id === channelId,
    );
    return threads.sort((a, b) => compareIds(b.id, a.id));
  }

  directChannels() {
    return [...this.channels.values()].filter((channel) => channel.type === CHANNEL.DIRECT);
  }

  room(channelId) {
    if (!this.rooms.has(channelId)) this.rooms.set(channelId, emptyRoom());
    return this.rooms.get(channelId);
  }

  // --- looking around ------------------------------------------------------------------------------------------------
  look(channelId) {
    this.open = channelId;
    this.load(channelId);
    this.changed();
  }

  async load(channelId) {
    const room = this.room(channelId);
    if (!room.loaded) await this.fetch(channelId, room, {});
  }

  async loadOlder(channelId) {
    const room = this.room(channelId);
    if (room.more && room.messages.length) await this.fetch(channelId, room, { before: room.messages[0].id });
  }

  async fetch(channelId, room, where) {
    if (room.loading) return;
    room.loading = this.connection.request("history", { channel_id: channelId, ...where });
    const { type, data } = await room.loading;
    room.loading = null;
    if (type === "HISTORY") {
      for (const message of data.messages) this.put(room, message);
      room.more = data.more;
      room.loaded = true;
    }
    this.changed();
  }

  /** Puts a message where it belongs by its id, in place of an older version of it. */
  put(room, message) {
    this.know(message.author);
    for (const user of message.mentions ?? []) this.know(user);
    const known = room.messages.findIndex((other) => other.id === message.id);
    const others = known < 0 ? room.messages : room.messages.toSpliced(known, 1);
    const place = others.findLastIndex((other) => compareIds(other.id, message.id) < 0) + 1;
    room.messages = others.toSpliced(place, 0, message);
  }

  read(channelId) {
    if (!this.unread[channelId] && !this.mentions[channelId]) return;
    this.unread[channelId] = 0;
    this.mentions[channelId] = 0;
    this.connection.tell("read", { channel_id: channelId });
    this.changed();
  }

  // --- doing things --------------------------------------------------------------------------------------------------
  reasonFor(reason, late) {
    const { words } = this;
    if (reason === "lost") return words("The connection is lost");
    if (reason === "timeout") return words(late);
    if (!reason || reason === "error") return words("This interaction failed");
    return reason[0].toUpperCase() + reason.slice(1);
  }

  notice(channelId, text) {
    this.notices.push({ id: `notice-${Date.now()}-${this.notices.length}`, channelId, text });
  }

  dismissNotice(id) {
    this.notices = this.notices.filter((notice) => notice.id !== id);
    this.changed();
  }

  async say(channelId, content) {
    const { type, data } = await this.connection.request("say", { channel_id: channelId, content });
    if (type !== "FAILED") return;
    const known = ["lost", "timeout", "error", undefined].includes(data.reason);
    const reason =
      known && data.reason !== "lost" ? this.words("This message could not be sent") : this.reasonFor(data.reason, "");
    this.notice(channelId, `${reason}: ${content}`);
    this.changed();
  }

  async slash(channelId, command, path, options, shown) {
    const run = { id: `run-${Date.now()}-${this.running.length}`, channelId, command: shown };
    this.running = [...this.running, run];
    this.changed();
    const { type, data } = await this.connection.request("slash", {
      channel_id: channelId,
      command_id: command.id,
      path,
      options,
    });
    this.running = this.running.filter((other) => other !== run);
    if (type === "MODAL") this.form = data;
    if (type === "FAILED")
      this.notice(channelId, `/${shown}: ${this.reasonFor(data.reason, "The application did not respond")}`);
    this.changed();
  }

  /** Resolves to the choices the bot offers, or null where it failed to. */
  async autocomplete(channelId, command, path, options, focused) {
    const fields = { channel_id: channelId, command_id: command.id, path, options, focused };
    const { type, data } = await this.connection.request("autocomplete", fields);
    return type === "CHOICES" ? data.choices : null;
  }

  press(message, customId) {
    return this.act("press", message, customId, {});
  }

  /** Sends nothing where the menu already shows exactly this choice: neither does Discord. */
  select(message, customId, values) {
    this.chosen.set(`${message.id}:${customId}`, values);
    return this.act("select", message, customId, { values });
  }

  async act(op, message, customId, fields) {
    const key = `${message.id}:${customId}`;
    if (this.waiting.has(key)) return;
    this.waiting.add(key);
    this.failures.delete(message.id);
    this.changed();
    const place = { channel_id: message.channel_id, message_id: message.id, custom_id: customId };
    const { type, data } = await this.connection.request(op, { ...place, ...fields });
    this.waiting.delete(key);
    if (type === "MODAL") this.form = data;
    if (type === "FAILED") this.failures.set(message.id, this.reasonFor(data.reason, "This interaction failed"));
    this.changed();
  }

  closeForm() {
    this.form = null;
    this.changed();
  }

  /** Resolves to null when the form was taken, else to what went wrong. */
  async submit(form, components) {
    const { type, data } = await this.connection.request("submit", {
      custom_id: form.custom_id,
      components,
      modal_nonce: form.nonce,
    });
    if (type === "FAILED") {
      const known = ["timeout", "error", undefined].includes(data.reason);
      return known ? this.words("Something went wrong. Try again.") : this.reasonFor(data.reason, "");
    }
    if (this.form === form) this.closeForm();
    return null;
  }

  /** Resolves to `{id, filename, size}`; throws where the stand-in refuses the file. */
  async upload(file) {
    const body = new FormData();
    body.append("file", file);
    const answer = await fetch("/page/upload", { method: "POST", body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  dismiss(message) {
    this.connection.tell("dismiss", { message_id: message.id });
    this.drop(message.channel_id, message.id);
    this.changed();
  }

  drop(channelId, messageId) {
    const room = this.rooms.get(channelId);
    if (room) room.messages = room.messages.filter((message) => message.id !== messageId);
    this.failures.delete(messageId);
  }

  async openDirect() {
    const known = this.directChannels()[0];
    if (known) return this.look(known.id);
    const { type, data } = await this.connection.request("open_dm");
    return type === "DONE" && this.look(data.channel_id);
  }

  speak(locale) {
    this.me = { ...this.me, locale };
    this.connection.tell("persona", { locale });
    this.changed();
  }

  closeDirect(closed) {
    this.me = { ...this.me, dm_closed: closed };
    this.connection.tell("persona", { dm_closed: closed });
    this.changed();
  }

  reset() {
    this.connection.tell("reset");
  }
}

// --- what the stand-in tells -------------------------------------------------------------------------------------------
function ready(client, data) {
  client.forgetServer();
  client.ready = true;
  client.rooms = new Map();
  client.waiting = new Set();
  client.running = [];
  client.bot = data.bot;
  client.guild = data.guild;
  client.unread = { ...data.unread };
  client.mentions = { ...data.mentions };
  client.commands = data.commands;
  for (const member of data.guild.members ?? []) {
    client.members.set(member.user.id, member);
    client.know(member.user);
  }
  client.know(data.bot);
  setPersonas(client, data.personas, data.user);
  for (const channel of data.channels) putChannel(client, channel);
  const first = client.textChannels()[0] ?? data.channels[0];
  client.look(client.channels.has(client.open) ? client.open : (first?.id ?? null));
}

function setPersonas(client, personas, me) {
  client.personas = personas;
  personas.forEach((persona) => client.know(persona));
  client.me = { ...me, ...personas.find((persona) => persona.id === me.id) };
}

function putChannel(client, channel) {
  for (const user of channel.recipients ?? []) client.know(user);
  client.channels.set(channel.id, { ...client.channels.get(channel.id), ...channel });
}

function dropChannel(client, channel) {
  client.channels.delete(channel.id);
  client.rooms.delete(channel.id);
  if (client.open !== channel.id) return;
  client.look(client.channels.has(channel.parent_id) ? channel.parent_id : (client.textChannels()[0]?.id ?? null));
}

function created(client, message) {
  client.know(message.author);
  client.typing.get(message.channel_id)?.delete(message.author.id);
  const room = client.rooms.get(message.channel_id);
  if (room) client.put(room, message);
  if (client.mentionsMe(message)) {
    client.mentions[message.channel_id] = (client.mentions[message.channel_id] ?? 0) + 1;
  }
}

function updated(client, message) {
  const room = client.rooms.get(message.channel_id);
  if (room?.messages.some((other) => other.id === message.id)) client.put(room, message);
  client.failures.delete(message.id);
}

function typing(client, { channel_id: channelId, user_id: userId }) {
  if (!client.typing.has(channelId)) client.typing.set(channelId, new Map());
  const people = client.typing.get(channelId);
  clearTimeout(people.get(userId));
  people.set(
    userId,
    setTimeout(() => (people.delete(userId), client.changed()), TYPING_LASTS),
  );
}

const EVENTS = {
  READY: ready,
  MESSAGE_CREATE: created,
  MESSAGE_UPDATE: updated,
  MESSAGE_DELETE: (client, { channel_id: channelId, id }) => client.drop(channelId, id),
  CHANNEL_CREATE: putChannel,
  CHANNEL_UPDATE: putChannel,
  CHANNEL_DELETE: dropChannel,
  THREAD_CREATE: putChannel,
  THREAD_UPDATE: putChannel,
  THREAD_DELETE: dropChannel,
  TYPING: typing,
  UNREAD(client, { channel_id: channelId, count, mentions }) {
    client.unread[channelId] = count;
    if (!count) client.mentions[channelId] = 0;
    else if (mentions !== undefined) client.mentions[channelId] = mentions;
  },
  COMMANDS: (client, { commands }) => (client.commands = commands),
  PERSONAS: (client, { personas }) => setPersonas(client, personas, client.me),
  RESET: (client) => client.stage.restart(),
};
