// One message: who wrote it and when, what it answers, its content, and what went wrong with it.
import { Attachments, Components, Embeds } from "./components.js";
import { CHANNEL, FLAG, isThread } from "./client.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Markdown } from "./markdown.js";
import { Avatar } from "./people.js";
import { timeOfId } from "./snowflake.js";

const KIND = { PLAIN: 0, RENAMED: 4, PINNED: 6, THREAD_CREATED: 18, REPLY: 19, SLASH: 20, THREAD_STARTER: 21 };
const ORDINARY = [KIND.PLAIN, KIND.REPLY, KIND.SLASH, 23];
const COMMAND = 2;
const EXCERPT = 120; // characters of a message that fill the line of an answer to it

const isPrivate = (message) => Boolean(message.flags & FLAG.EPHEMERAL);
const isLoading = (message) => Boolean(message.flags & FLAG.LOADING);

/** The command that a message answers as `{name, user}`, else null. */
export function commandOf(message) {
  const data = message.interaction_metadata ?? message.interaction;
  if (data?.type !== COMMAND || message.type === KIND.REPLY) return null;
  const name = message.interaction_metadata?.name ?? message.interaction?.name;
  return name && data.user ? { name, user: data.user } : null;
}

export const isOrdinary = (message) => ORDINARY.includes(message.type ?? KIND.PLAIN);

export const isReply = (message) => message.type === KIND.REPLY;

function clock(client, message, full) {
  const style = full ? { dateStyle: "full", timeStyle: "short" } : { timeStyle: "short" };
  return new Intl.DateTimeFormat(client.locale, style).format(timeOfId(message.id));
}

/** `follows`: the message above is by the same person, so name and picture are left out. */
export function Message({ client, message, follows }) {
  if (message.type === KIND.THREAD_STARTER) return html`<${ThreadStarter} client=${client} message=${message} />`;
  if (!isOrdinary(message)) return html`<${SystemLine} client=${client} message=${message} />`;
  const command = commandOf(message);
  const marks = [
    "message",
    follows && "follows",
    isPrivate(message) && "private",
    client.mentionsMe(message) && "to-me",
  ];
  const { author } = message;
  return html`<article
    class=${marks.filter(Boolean).join(" ")}
    data-testid="message"
    data-message-id=${message.id}
    data-private=${isPrivate(message)}
    aria-label=${`${client.nameOf(author)}, ${clock(client, message)}`}
    tabindex="-1"
  >
    ${command && html`<div class="used">
        <${Avatar} client=${client} user=${command.user} size="tiny" />
        <span>
          <${UsedLine} client=${client} command=${command} />
        </span>
      </div>`}
    ${isReply(message) && html`<${Quoted} client=${client} message=${message} />`}
    ${
      follows
        ? html`<time class="gutter-time" datetime=${new Date(timeOfId(message.id)).toISOString()}>
            ${clock(client, message)}
          </time>`
        : html`<${Avatar} client=${client} user=${author} />
          <div class="message-head">
            <span class="name" style=${{ "--own": client.colourOf(author.id) }}>${client.nameOf(author)}</span>
            ${author.bot && html`<span class="tag">${client.words("APP")}</span>`}
            <time datetime=${new Date(timeOfId(message.id)).toISOString()} title=${clock(client, message, true)}>
              ${clock(client, message)}
            </time>
          </div>`
    }
    <div class="message-body">
      ${isLoading(message) ? html`<${Thinking} client=${client} user=${author} />` : html`<${Content} client=${client} message=${message} />`}
      ${message.edited_timestamp && html`<small class="edited">${client.words("(edited)")}</small>`}
      ${message.thread && !isThread(client.channel ?? {}) && html`<${ThreadCard} client=${client} thread=${message.thread} />`}
      ${client.failures.has(message.id) && html`<p class="failure" role="alert">
          <${Icon} name="warning" size=${15} />
          ${client.failures.get(message.id)}
        </p>`}
      ${isPrivate(message) && !isLoading(message) && html`<${PrivateFoot} client=${client} message=${message} />`}
    </div>
  </article>`;
}

function UsedLine({ client, command }) {
  const name = html`<b style=${{ "--own": client.colourOf(command.user.id) }} class="name">
      ${client.nameOf(command.user)}
    </b>`;
  const used = html`<code class="command-name">/${command.name}</code>`;
  const [before, between, after] = client.words("{name} used {command}", { name: "\0", command: "\0" }).split("\0");
  return [before, name, between, used, after];
}

function Content({ client, message }) {
  return [
    message.content && html`<${Markdown} client=${client} text=${message.content} />`,
    message.embeds?.length > 0 && html`<${Embeds} client=${client} embeds=${message.embeds} />`,
    message.attachments?.length > 0 &&
      !(message.flags & FLAG.COMPONENTS_V2) &&
      html`<${Attachments} client=${client} attachments=${message.attachments} />`,
    message.components?.length > 0 &&
      html`<div class="components">
          <${Components} client=${client} message=${message} components=${message.components} />
        </div>`,
  ];
}

function Thinking({ client, user }) {
  return html`<p class="dim thinking" data-testid="thinking">
      <span class="dots" aria-hidden="true">
      </span> ${client.words("{name} is thinking…", { name: client.nameOf(user) })}
    </p>`;
}

function PrivateFoot({ client, message }) {
  return html`<p class="private-foot">
    <${Icon} name="eye" size=${15} /> ${client.words("Only you can see this")} ·
    <button type="button" class="plain" onClick=${() => client.dismiss(message)}>
      ${client.words("Dismiss message")}
    </button>
  </p>`;
}

/** The first lines of a message in one: never a part of a line, which might end in the middle of a name or an emoji. */
function excerpt(message) {
  const texts = (components) =>
    components.flatMap((part) => [part.content, ...texts(part.components ?? [])]).filter(Boolean);
  const text = message.content || texts(message.components ?? []).join("\n") || "…";
  const lines = text.replace(/^(#{1,3}|-#|>|-)\s+/gm, "").split("\n");
  let shown = "";
  while (lines.length && shown.length < EXCERPT) shown += `${lines.shift()} `;
  return shown.trim();
}

function Quoted({ client, message }) {
  const original = message.referenced_message;
  if (!original) return html`<div class="used"><em>${client.words("Original message was deleted")}</em></div>`;
  return html`<div class="used">
    <${Avatar} client=${client} user=${original.author} size="tiny" />
    <b class="name" style=${{ "--own": client.colourOf(original.author.id) }}>${client.nameOf(original.author)}</b>
    <span class="excerpt"><${Markdown} client=${client} text=${excerpt(original)} inline=${true} /></span>
  </div>`;
}

function ThreadCard({ client, thread }) {
  const known = client.channels.get(thread.id) ?? thread;
  return html`<button type="button" class="thread-card" onClick=${() => client.look(thread.id)} disabled=${!client.channels.has(thread.id)}>
    <${Icon} name="thread" /><span><b>${known.name}</b><small>${client.words("Open the thread")}</small></span>
  </button>`;
}

function ThreadStarter({ client, message }) {
  const original = message.referenced_message;
  return original ? html`<${Message} client=${client} message=${original} />` : null;
}

function systemSentence(client, message) {
  const name = client.nameOf(message.author);
  if (message.type === KIND.THREAD_CREATED)
    return client.words("{name} started a thread: {thread}", { name, thread: message.content });
  if (message.type === KIND.PINNED) return client.words("{name} pinned a message", { name });
  if (message.type === KIND.RENAMED)
    return client.words("{name} changed the channel name: {title}", { name, title: message.content });
  return client.words("(a message of a kind this page does not know)");
}

function SystemLine({ client, message }) {
  const thread = message.type === KIND.THREAD_CREATED && (message.message_reference?.channel_id ?? message.thread?.id);
  return html`<article class="message system" data-testid="message" data-message-id=${message.id} tabindex="-1">
    <span class="system-mark"><${Icon} name=${thread ? "thread" : "at"} size=${16} /></span>
    <p>
      ${systemSentence(client, message)} <time>${clock(client, message)}</time>
      ${thread && client.channels.has(thread) && html` · <button type="button" class="plain" onClick=${() => client.look(thread)}>${client.words("Open the thread")}</button>`}
    </p>
  </article>`;
}

export const isDirect = (channel) => channel.type === CHANNEL.DIRECT;
