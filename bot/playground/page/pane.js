// One pane: everything that one person sees.
import { CHANNEL, Client, isThread } from "./client.js";
import { Composer } from "./composer.js";
import { Form } from "./form.js";
import { html, useEffect, useMemo, useReducer, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { Messages } from "./messages.js";
import { Avatar } from "./people.js";
import { Sidebar } from "./sidebar.js";
import { LANGUAGES } from "./words.js";

/** The client of one person for as long as the pane is theirs; draws anew when something changed. */
function useClient(userId, generation, stage) {
  const [, draw] = useReducer((count) => count + 1, 0);
  const client = useMemo(() => new Client(userId, stage), [userId, generation]);
  useEffect(() => {
    const unsubscribe = client.subscribe(draw);
    draw();
    return () => {
      unsubscribe();
      client.close();
    };
  }, [client]);
  return client;
}

/** `onKnown(client)` when it is clear whose pane this is; `be(id)` and `beside(id)` change who is played. */
export function Pane({ userId, generation, stage, others, onKnown, be, beside, close }) {
  const client = useClient(userId, generation, stage);
  const [drawer, setDrawer] = useState(false);
  useEffect(() => {
    if (client.ready) onKnown(client);
  }, [client, client.ready, client.locale, client.personas]);
  const { words } = client;
  if (!client.ready) {
    return html`<section class="pane" data-testid="pane">
        <p class="centre dim">
          ${words(client.state === "lost" ? "Connection lost. Trying again…" : "Connecting…")}
        </p>
      </section>`;
  }
  const name = client.nameOf(client.me);
  const onKeyDown = (event) => event.key === "Escape" && drawer && setDrawer(false);
  return html`<section
    class=${drawer ? "pane drawer-open" : "pane"}
    style=${{ "--own": client.colourOf(client.me.id) }}
    lang=${client.locale}
    aria-label=${words("{name}'s pane", { name })}
    data-testid="pane"
    data-user=${client.me.id}
    onKeyDown=${onKeyDown}
  >
    <${Sidebar} client=${client} went=${() => setDrawer(false)} close=${() => setDrawer(false)} />
    <div class="drawer-veil" onClick=${() => setDrawer(false)}></div>
    <div class="main">
      <header class="pane-head">
        <button
          type="button"
          class="round drawer-only"
          aria-label=${words("Show channels")}
          aria-expanded=${drawer}
          data-testid="drawer-button"
          onClick=${() => setDrawer(true)}
        >
          <${Icon} name="menu" />
          <${NewsDot} client=${client} />
        </button>
        <${Title} client=${client} />
        <${PersonaButton} client=${client} others=${others} be=${be} beside=${beside} />
        ${close && html`<button
            type="button"
            class="round"
            aria-label=${words("Close this pane")}
            title=${words("Close this pane")}
            onClick=${close}
          >
            <${Icon} name="close" />
          </button>`}
      </header>
      ${client.state === "lost" && html`<p class="lost" role="status">${words("Connection lost. Trying again…")}</p>`}
      ${client.channel && html`<${Messages} key=${client.me.id} client=${client} />`}
      ${client.channel && html`<${TypingLine} client=${client} />`}
      ${client.channel && html`<${Composer} client=${client} />`}
    </div>
    ${client.form && html`<${Form} key=${client.form.nonce} client=${client} form=${client.form} />`}
  </section>`;
}

/** Says beside the drawer's button that something waits in another channel. */
function NewsDot({ client }) {
  const elsewhere = [...client.channels.values()].filter((channel) => channel.id !== client.open);
  const loud = elsewhere.some(
    (channel) => client.mentions[channel.id] || (channel.type === CHANNEL.DIRECT && client.unread[channel.id]),
  );
  return loud ? html`<span class="news-dot"></span>` : null;
}

function Title({ client }) {
  const { channel } = client;
  if (!channel) return html`<h1 class="title"></h1>`;
  const parent = isThread(channel) ? client.channels.get(channel.parent_id) : null;
  const icon = channel.type === CHANNEL.DIRECT ? "at" : parent ? "thread" : "hash";
  return html`<h1 class="title">
    ${parent && html`<button type="button" class="plain parent" onClick=${() => client.look(parent.id)}>
        <${Icon} name="hash" size=${16} />
        ${parent.name}
      </button>
      <span class="dim" aria-hidden="true">
        ›
      </span>`}
    <${Icon} name=${icon} /><span class="title-name">${client.titleOf(channel)}</span>
    ${channel.thread_metadata?.archived && html`<span class="tag">${client.words("archived")}</span>`}
    ${channel.topic && html`<small class="topic">${channel.topic}</small>`}
  </h1>`;
}

function TypingLine({ client }) {
  const people = [...(client.typing.get(client.open)?.keys() ?? [])].filter((id) => !client.isMe(id));
  const names = people.map((id) => client.nameOf(client.person(id))).join(", ");
  return html`<p class="typing dim small" role="status">
      ${names && client.words("{name} is typing…", { name: names })}
    </p>`;
}

// --- who is played -------------------------------------------------------------------------------------------------------
function PersonaButton({ client, others, be, beside }) {
  const [open, setOpen] = useState(false);
  const frame = useRef(null);
  const { words } = client;
  const name = client.nameOf(client.me);
  useEffect(() => {
    if (!open) return undefined;
    const look = (event) => !frame.current.contains(event.target) && setOpen(false);
    document.addEventListener("pointerdown", look);
    return () => document.removeEventListener("pointerdown", look);
  }, [open]);
  const shut = () => {
    setOpen(false);
    frame.current.querySelector("button").focus();
  };
  const onKeyDown = (event) => {
    if (event.key === "Escape" && open) shut();
    else if (["ArrowDown", "ArrowUp"].includes(event.key) && open)
      step(frame.current, event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="persona" ref=${frame} onKeyDown=${onKeyDown}>
    <button
      type="button"
      class="persona-button"
      aria-haspopup="dialog"
      aria-expanded=${open}
      aria-label=${words("You are {name}. Change person, language or direct messages", { name })}
      data-testid="persona"
      onClick=${() => setOpen(!open)}
    >
      <${Avatar} client=${client} user=${client.me} size="small" />
      <span class="persona-name">
        ${name}
      </span>
      <${Icon} name="down" size=${16} />
    </button>
    ${open && html`<${PersonaCard} client=${client} others=${others} shut=${shut} be=${be} beside=${beside} />`}
  </div>`;
}

function step(frame, direction) {
  const all = [...frame.querySelectorAll(".card button, .card input")];
  const at = all.indexOf(document.activeElement);
  all[(at + direction + all.length) % all.length]?.focus();
}

function PersonaCard({ client, others, shut, be, beside }) {
  const { words } = client;
  const name = client.nameOf(client.me);
  return html`<div class="card" role="dialog" aria-label=${words("Be somebody else")} data-testid="persona-card">
    <h2>${words("Be somebody else")}</h2>
    <ul>
      ${client.personas.map((persona) => {
        const shown = client.nameOf(persona);
        const own = client.isMe(persona.id);
        const elsewhere = !own && others.includes(persona.id);
        return html`<li key=${persona.id} class="person">
          <button
            type="button"
            class="entry"
            aria-current=${own}
            disabled=${own}
            data-persona-id=${persona.id}
            onClick=${() => (shut(), be(persona.id))}
          >
            <${Avatar} client=${client} user=${persona} size="small" />
            <span class="entry-name">
              ${shown} ${own && html`<span class="dim">${words("(you)")}</span>`}
              ${elsewhere && html`<span class="dim">${words("(open beside)")}</span>`}
            </span>
          </button>
          ${!own && !elsewhere && beside && html`<button
              type="button"
              class="plain beside"
              aria-label=${words("Open {name} in a pane beside this one", { name: shown })}
              data-beside-id=${persona.id}
              onClick=${() => (shut(), beside(persona.id))}
            >
              <${Icon} name="addPane" size=${16} />
              ${words("Beside")}
            </button>`}
        </li>`;
      })}
    </ul>
    <h2 id=${`language-${client.me.id}`}>${words("Language")}</h2>
    <div class="segments" role="radiogroup" aria-labelledby=${`language-${client.me.id}`}>
      ${LANGUAGES.map((language) => html`<label key=${language.locale}>
          <input
            type="radio"
            name=${`language-${client.me.id}`}
            value=${language.locale}
            checked=${client.locale === language.locale}
            onChange=${() => client.speak(language.locale)}
          />
          <span lang=${language.locale}>
            ${language.name}
          </span>
        </label>`)}
    </div>
    <label class="switch">
      <span>${words("Direct messages closed")}<small>${words("The bot cannot write to {name}", { name })}</small></span>
      <input
        type="checkbox"
        role="switch"
        checked=${Boolean(client.me.dm_closed)}
        data-testid="dm-closed"
        onChange=${(event) => client.closeDirect(event.target.checked)}
      />
    </label>
  </div>`;
}
