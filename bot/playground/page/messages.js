// The messages of one channel: older ones above on demand, always at the newest unless somebody scrolled away.
import { FLAG } from "./client.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { Message, commandOf, isDirect, isOrdinary, isReply } from "./message.js";
import { timeOfId } from "./snowflake.js";

const NEAR = 48; // pixels from the end that still count as at the end
const TOGETHER = 7 * 60 * 1000; // milliseconds within which messages of one person stand together

function follows(message, before) {
  return Boolean(
    before &&
    before.author.id === message.author.id &&
    isOrdinary(before) &&
    isOrdinary(message) &&
    !commandOf(message) &&
    !isReply(message) &&
    (before.flags & FLAG.EPHEMERAL) === (message.flags & FLAG.EPHEMERAL) &&
    timeOfId(message.id) - timeOfId(before.id) < TOGETHER,
  );
}

/** Whether this person waits for the message: their own, or an answer to what they just did. */
function isAnswer(client, message) {
  const forMe = client.isMe(message.author.id) || client.isMe(commandOf(message)?.user.id);
  return forMe || Boolean(message.flags & FLAG.EPHEMERAL);
}

const dayOf = (message) => new Date(timeOfId(message.id)).toDateString();

function dayName(client, message) {
  const moment = timeOfId(message.id);
  const today = new Date().toDateString();
  const yesterday = new Date(Date.now() - 86400000).toDateString();
  if (dayOf(message) === today) return client.words("Today");
  if (dayOf(message) === yesterday) return client.words("Yesterday");
  return new Intl.DateTimeFormat(client.locale, { dateStyle: "long" }).format(moment);
}

export function Messages({ client }) {
  const { channel, words } = client;
  const room = client.room(channel.id);
  const box = useRef(null);
  const inside = useRef(null);
  const stuck = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);
  const [missed, setMissed] = useState(0);
  const firstUnread = useFirstUnread(client, channel, room);
  const newest = room.messages.at(-1)?.id;

  const toEnd = () => (box.current.scrollTop = box.current.scrollHeight);
  const readHere = () => stuck.current && document.visibilityState === "visible" && client.read(channel.id);

  useLayoutEffect(() => {
    stuck.current = true;
    setAway(false);
    toEnd();
    const watch = new ResizeObserver(() => stuck.current && toEnd());
    watch.observe(inside.current);
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [channel.id]);
  useLayoutEffect(() => {
    const last = room.messages.at(-1);
    if (last && isAnswer(client, last)) stuck.current = true;
    if (stuck.current) toEnd();
    else setMissed((count) => count + 1);
  }, [newest]);
  useEffect(() => {
    readHere();
    document.addEventListener("visibilitychange", readHere);
    return () => document.removeEventListener("visibilitychange", readHere);
  });

  // The event's own box: a last event may come when the ref has let go of it.
  const onScroll = ({ currentTarget }) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    const atEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    // A picture that grows moves the end away, not the reader: only going up leaves it.
    if (atEnd) stuck.current = true;
    else if (scrollTop < lastTop.current) stuck.current = false;
    lastTop.current = scrollTop;
    setAway(!stuck.current);
    if (stuck.current) {
      setMissed(0);
      readHere();
    }
    if (scrollTop < 200 && room.more && !room.loading) keepPlace(currentTarget, () => client.loadOlder(channel.id));
  };
  const jump = () => {
    stuck.current = true;
    box.current.scrollTo({ top: box.current.scrollHeight, behavior: "smooth" });
    setAway(false);
    setMissed(0);
  };
  return html`<div class="messages-frame">
    <div
      class="messages"
      ref=${box}
      onScroll=${onScroll}
      role="log"
      aria-live="polite"
      aria-relevant="additions text"
      aria-busy=${!room.loaded}
      aria-label=${words("Messages in {name}", { name: client.titleOf(channel) })}
      tabindex="0"
      data-testid="messages"
    >
      <div class="messages-inside" ref=${inside}>
        ${room.loaded && !room.more && html`<${Beginning} client=${client} channel=${channel} />`}
        ${!room.loaded && html`<p class="dim centre">${words("Loading…")}</p>`}
        ${room.messages.map((message, index) => {
          const before = room.messages[index - 1];
          const newDay = !before || dayOf(before) !== dayOf(message);
          const isNew = message.id === firstUnread;
          return html`<${Row}
              key=${message.id}
              client=${client}
              message=${message}
              follows=${!newDay && !isNew && follows(message, before)}
              day=${newDay ? dayName(client, message) : null}
              isNew=${isNew}
            />`;
        })}
        <${LocalRows} client=${client} channel=${channel} />
      </div>
    </div>
    ${away && html`<button type="button" class="jump" onClick=${jump}>
        <${Icon} name="bottom" size=${16} />
        ${words("Jump to newest")}
        ${missed > 0 ? html`<span class="badge">${missed}</span>` : null}
      </button>`}
  </div>`;
}

function Row({ client, message, follows: together, day, isNew }) {
  return [
    day && html`<div class="divider" role="separator"><span>${day}</span></div>`,
    isNew && html`<div class="divider new" role="separator"><span>${client.words("New")}</span></div>`,
    html`<${Message} client=${client} message=${message} follows=${together} />`,
  ];
}

/** Adds older messages above without moving those in sight. */
async function keepPlace(box, load) {
  const fromEnd = box.scrollHeight - box.scrollTop;
  await load();
  requestAnimationFrame(() => (box.scrollTop = box.scrollHeight - fromEnd));
}

/** The id of the first message that was unread when this channel was opened. */
function useFirstUnread(client, channel, room) {
  const mark = useRef({ channelId: null, id: null });
  const count = client.unread[channel.id] ?? 0;
  if (mark.current.channelId !== channel.id) mark.current = { channelId: channel.id, id: null, count };
  if (room.loaded && mark.current.count) {
    const others = room.messages.filter((message) => !client.isMe(message.author.id));
    mark.current.id = others.at(-mark.current.count)?.id ?? others[0]?.id ?? null;
    mark.current.count = 0;
  }
  return mark.current.id;
}

function Beginning({ client, channel }) {
  const { words } = client;
  const name = client.titleOf(channel);
  const empty = client.room(channel.id).messages.length === 0;
  if (isDirect(channel)) {
    return html`<div class="beginning">
      <h2>${name}</h2>
      <p>${words("This is the beginning of your direct messages with {name}.", { name })}</p>
      ${empty && html`<p>${words("{name} writes here when something is for your eyes only.", { name })}</p>`}
    </div>`;
  }
  const hint = words("Type / and choose {command}. Nobody else here? With its option “house” you play against a program.");
  const [before, after] = hint.split("{command}");
  return html`<div class="beginning">
    <h2>${channel.parent_id && channel.type >= 10 ? name : words("Welcome to {name}", { name: `#${name}` })}</h2>
    ${empty && html`<p class="hint">
        ${before}
        <button type="button" class="mention command" onClick=${() => client.wantCommand?.({ name: "triggle new" })}>
          /triggle new
        </button>
        ${after}
      </p>`}
  </div>`;
}

/** What only this page says: commands on their way, and what went wrong. */
function LocalRows({ client, channel }) {
  const here = (row) => row.channelId === channel.id;
  return [
    client.running
      .filter(here)
      .map(
        (run) =>
          html`<p key=${run.id} class="local dim">
              <span class="dots" aria-hidden="true">
              </span> ${client.words("Sending command…")} <code>
                /
                ${run.command}
              </code>
            </p>`,
      ),
    client.notices
      .filter(here)
      .map(
        (notice) =>
          html`<p key=${notice.id} class="local failure" role="alert" data-testid="notice">
              <${Icon} name="warning" size=${15} />
              <span>
                ${notice.text}
              </span>
              <button type="button" class="plain" onClick=${() => client.dismissNotice(notice.id)}>
                ${client.words("Dismiss")}
              </button>
            </p>`,
      ),
  ];
}
