// The channel list of one person: text channels with their threads, and direct messages with the bot.
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Avatar } from "./people.js";

export function Sidebar({ client, went, close }) {
  const { words } = client;
  const go = (id) => {
    client.look(id);
    went();
  };
  const direct = client.directChannels();
  return html`<nav class="sidebar" aria-label=${words("Channels")} data-testid="sidebar">
    <div class="sidebar-head">
      <strong>${client.guild?.name}</strong>
      <button type="button" class="round drawer-only" aria-label=${words("Close the channel list")} onClick=${close}>
        <${Icon} name="close" />
      </button>
    </div>
    <div class="sidebar-list">
      <h2>${words("Channels")}</h2>
      <ul>
        ${client.textChannels().map((channel) => html`<${ChannelItem} key=${channel.id} client=${client} channel=${channel} go=${go} />`)}
      </ul>
      <h2>${words("Direct messages")}</h2>
      <ul>
        ${direct.map((channel) => html`<li key=${channel.id}>
            <${Entry} client=${client} channel=${channel} go=${go}>
              <${Avatar} client=${client} user=${client.bot} size="small" />
            <//>
          </li>`)}
        ${!direct.length && html`<li>
            <button type="button" class="entry" onClick=${() => (client.openDirect(), went())}>
              <${Avatar} client=${client} user=${client.bot} size="small" />
              <span class="entry-name">
                ${words("Write to {name}", { name: client.nameOf(client.bot) })}
              </span>
            </button>
          </li>`}
      </ul>
    </div>
  </nav>`;
}

function ChannelItem({ client, channel, go }) {
  const threads = client.threadsOf(channel.id);
  const archived = threads.filter((thread) => thread.thread_metadata?.archived && thread.id !== client.open);
  const living = threads.filter((thread) => !archived.includes(thread));
  const list = (some) =>
    some.map(
      (thread) =>
        html`<li key=${thread.id}>
            <${Entry} client=${client} channel=${thread} go=${go}>
              <${Icon} name="thread" size=${16} />
            <//>
          </li>`,
    );
  return html`<li>
    <${Entry} client=${client} channel=${channel} go=${go}><${Icon} name="hash" /><//>
    ${living.length > 0 && html`<ul class="threads">${list(living)}</ul>`}
    ${archived.length > 0 && html`<details class="threads">
        <summary>
          ${client.words("Archived threads")} (
          ${archived.length}
          )
        </summary>
        <ul>
          ${list(archived)}
        </ul>
      </details>`}
  </li>`;
}

function Entry({ client, channel, go, children }) {
  const { words } = client;
  const here = channel.id === client.open;
  const unread = client.unread[channel.id] ?? 0;
  const badge = channel.type === 1 ? unread : (client.mentions[channel.id] ?? 0);
  const news = badge
    ? words(channel.type === 1 ? "{count} unread" : "{count} mentions", { count: badge })
    : unread
      ? words("{count} unread", { count: unread })
      : "";
  const title = client.titleOf(channel);
  return html`<button
    type="button"
    class=${["entry", here && "here", unread > 0 && "unread"].filter(Boolean).join(" ")}
    aria-current=${here ? "page" : undefined}
    aria-label=${news ? `${title}, ${news}` : title}
    data-channel-id=${channel.id}
    data-unread=${unread}
    title=${title}
    onClick=${() => go(channel.id)}
  >
    ${children}
    <span class="entry-name">
      ${title}
    </span>
    ${badge > 0 && html`<span class="badge">${badge > 99 ? "99+" : badge}</span>`}
  </button>`;
}
