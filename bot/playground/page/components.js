// A message's components, one function a kind, and the older content, embeds and attachments.
import { html, useState } from "./html.js";
import { Icon } from "./icons.js";
import { Emoji, Markdown } from "./markdown.js";
import { Menu, defaultsOf, isSelect, optionsOf } from "./menu.js";

const LINK_STYLE = 5;
const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", [LINK_STYLE]: "link", 6: "primary" };

/** A Discord colour (a number) as CSS. */
const cssColour = (colour) => `#${colour.toString(16).padStart(6, "0")}`;

export function Components({ client, message, components }) {
  return components.map(
    (component, index) =>
      html`<${AnyComponent} key=${component.id ?? index} client=${client} message=${message} component=${component} />`,
  );
}

function AnyComponent({ client, message, component }) {
  if (isSelect(component)) return html`<${MessageMenu} client=${client} message=${message} component=${component} />`;
  const kind = KINDS[component.type];
  if (!kind) return html`<em class="dim">${client.words("(a component of a kind this page does not know)")}</em>`;
  return html`<${kind} client=${client} message=${message} component=${component} />`;
}

const KINDS = {
  1: ActionRow,
  2: Button,
  9: Section,
  10: TextDisplay,
  11: Thumbnail,
  12: MediaGallery,
  13: FileCard,
  14: Separator,
  17: Container,
};

function ActionRow({ client, message, component }) {
  return html`<div class="row">
      <${Components} client=${client} message=${message} components=${component.components} />
    </div>`;
}

function ButtonFace({ component, waiting }) {
  return html`<span class=${waiting ? "face hidden" : "face"}>
      ${component.emoji && html`<${Emoji} emoji=${component.emoji} />`}
      ${component.label && html`<span>${component.label}</span>`}
      ${component.style === LINK_STYLE && html`<${Icon} name="outside" size=${14} />`}
    </span>
    ${waiting && html`<span class="dots" aria-hidden="true"></span>`}`;
}

function Button({ client, message, component }) {
  const look = `button ${BUTTON_STYLES[component.style] ?? "secondary"}`;
  if (component.url) {
    const channel = channelIn(client, component.url);
    if (channel)
      return html`<button type="button" class=${look} disabled=${component.disabled} onClick=${() => client.look(channel)}>
          <${ButtonFace} component=${component} />
        </button>`;
    return html`<a
        class=${look}
        href=${component.url}
        target="_blank"
        rel="noopener noreferrer"
        aria-disabled=${component.disabled}
      >
        <${ButtonFace} component=${component} />
      </a>`;
  }
  const waiting = client.waiting.has(`${message.id}:${component.custom_id}`);
  return html`<button
    type="button"
    class=${look}
    disabled=${component.disabled}
    aria-busy=${waiting}
    aria-label=${component.label ? undefined : component.emoji?.name}
    data-custom-id=${component.custom_id}
    onClick=${() => client.press(message, component.custom_id)}
  ><${ButtonFace} component=${component} waiting=${waiting} /></button>`;
}

const CHANNEL_LINK = /\/channels\/(?:\d+|@me)\/(\d+)/;

/** The id of a channel that this address leads to and this person knows, else null. */
function channelIn(client, address) {
  const match = CHANNEL_LINK.exec(address);
  return match && client.channels.has(match[1]) ? match[1] : null;
}

function MessageMenu({ client, message, component }) {
  const key = `${message.id}:${component.custom_id}`;
  const kept = client.chosen.get(key);
  const offered = kept && optionsOf(client, component).map((option) => option.value);
  const values = kept?.every((value) => offered.includes(value)) ? kept : defaultsOf(component);
  return html`<${Menu}
    client=${client}
    component=${component}
    values=${values}
    waiting=${client.waiting.has(key)}
    onValues=${(chosen) => client.select(message, component.custom_id, chosen)}
  />`;
}

function Section({ client, message, component }) {
  return html`<div class="section">
    <div class="section-text">
      <${Components} client=${client} message=${message} components=${component.components} />
    </div>
    <div class="accessory">
      <${AnyComponent} client=${client} message=${message} component=${component.accessory} />
    </div>
  </div>`;
}

function TextDisplay({ client, component }) {
  return html`<${Markdown} client=${client} text=${component.content} />`;
}

function Separator({ component }) {
  return html`<hr class=${`separator${component.divider === false ? " bare" : ""}${component.spacing === 2 ? " large" : ""}`} />`;
}

function Container({ client, message, component }) {
  const accent = component.accent_color;
  const known = accent !== null && accent !== undefined;
  const box = html`<div class=${known ? "container accented" : "container"} style=${known ? { "--accent": cssColour(accent) } : {}} data-testid="container">
    <${Components} client=${client} message=${message} components=${component.components} />
  </div>`;
  return component.spoiler ? html`<${Cover} client=${client}>${box}<//>` : box;
}

/** Hides what is inside until it is asked for. */
function Cover({ client, children }) {
  const [open, setOpen] = useState(false);
  if (open) return children;
  return html`<button type="button" class="cover" aria-label=${client.words("Show spoiler")} onClick=${() => setOpen(true)}>
    <span class="covered" aria-hidden="true" inert>
      ${children}
    </span>
    <span class="cover-word">
      ${client.words("Spoiler")}
    </span>
  </button>`;
}

const TALLEST = 560; // pixels of a picture in the text

/** Attributes that keep a picture's place while it loads. */
function sizeOf({ width, height }, look) {
  if (!width || !height || look !== "picture") return {};
  return { width, height, style: { width: `${Math.min(width, Math.round((TALLEST * width) / height))}px` } };
}

export function Picture({ client, media, description, spoiler, look = "picture" }) {
  const alt = description ?? media.description ?? "";
  const size = sizeOf(media, look);
  const open = () => client.stage.showPicture({ url: media.url, description: alt, words: client.words });
  const picture = html`<button type="button" class=${look} onClick=${open} aria-label=${client.words("Open picture: {description}", { description: alt || client.words("Picture") })}>
    <img
      src=${media.proxy_url && sameOrigin(media.proxy_url) ? media.proxy_url : media.url}
      alt=${alt}
      ...${size}
      loading="lazy"
    />
  </button>`;
  return spoiler ? html`<${Cover} client=${client}>${picture}<//>` : picture;
}

const sameOrigin = (address) => new URL(address, location.href).origin === location.origin;

function Thumbnail({ client, component }) {
  return html`<${Picture}
      client=${client}
      media=${component.media}
      description=${component.description}
      spoiler=${component.spoiler}
      look="picture thumbnail"
    />`;
}

function MediaGallery({ client, component }) {
  const { items } = component;
  return html`<div class=${`gallery many-${Math.min(items.length, 4)}`}>
    ${items.map((item) => html`<${Picture} client=${client} media=${item.media} description=${item.description} spoiler=${item.spoiler} />`)}
  </div>`;
}

const sizeWords = (bytes) =>
  bytes >= 1048576
    ? `${(bytes / 1048576).toFixed(1)} MB`
    : bytes >= 1024
      ? `${(bytes / 1024).toFixed(1)} kB`
      : `${bytes} B`;

function FileBox({ name, url, size }) {
  return html`<div class="file">
      <${Icon} name="file" size=${28} />
      <span>
        <a href=${url} download=${name}>
          ${name}
        </a>
        ${size ? html`<small>${sizeWords(size)}</small>` : null}
      </span>
    </div>`;
}

function FileCard({ client, component }) {
  const { file } = component;
  const name = component.name ?? decodeURIComponent(new URL(file.url, location.href).pathname.split("/").at(-1));
  const box = html`<${FileBox} name=${name} url=${file.url} size=${component.size ?? file.size} />`;
  return component.spoiler ? html`<${Cover} client=${client}>${box}<//>` : box;
}

// --- before Components V2 ------------------------------------------------------------------------------------------------
export function Attachments({ client, attachments }) {
  return attachments.map((attachment) => {
    const picture = attachment.content_type?.startsWith("image/") || (attachment.width && attachment.height);
    const spoiler = attachment.filename.startsWith("SPOILER_");
    if (picture)
      return html`<div class="gallery many-1" key=${attachment.id}>
          <${Picture} client=${client} media=${attachment} spoiler=${spoiler} />
        </div>`;
    return html`<${FileBox} key=${attachment.id} name=${attachment.filename} url=${attachment.url} size=${attachment.size} />`;
  });
}

export function Embeds({ client, embeds }) {
  return embeds.map((embed) => html`<${Embed} client=${client} embed=${embed} />`);
}

function Embed({ client, embed }) {
  const known = embed.color !== undefined && embed.color !== null;
  const text = (value) => html`<${Markdown} client=${client} text=${value} />`;
  return html`<div class="container accented embed" style=${known ? { "--accent": cssColour(embed.color) } : {}}>
    ${embed.author && html`<div class="embed-author">${embed.author.name}</div>`}
    ${embed.title && html`<div class="embed-title">
        ${embed.url ? html`<a href=${embed.url} target="_blank" rel="noopener noreferrer">
            ${embed.title}
          </a>` : html`<${Markdown} client=${client} text=${embed.title} inline=${true} />`}
      </div>`}
    ${embed.description && text(embed.description)}
    ${embed.fields?.length > 0 && html`<dl class="embed-fields">
        ${embed.fields.map((field) => html`<div class=${field.inline ? "inline" : ""}>
            <dt>
              ${field.name}
            </dt>
            <dd>
              ${text(field.value)}
            </dd>
          </div>`)}
      </dl>`}
    ${embed.image && html`<${Picture} client=${client} media=${embed.image} />`}
    ${embed.thumbnail && html`<${Picture} client=${client} media=${embed.thumbnail} look="picture thumbnail" />`}
    ${embed.footer && html`<div class="subtext">${embed.footer.text}</div>`}
  </div>`;
}
