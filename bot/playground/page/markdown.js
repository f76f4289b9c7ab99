// Discord's markdown, as far as a bot uses it: text -> a tree of plain values -> nodes of the page (never HTML text).
import { html, useEffect, useReducer, useState } from "./html.js";

// --- reading ---------------------------------------------------------------------------------------------------------
const SAFE_LINK = /^https?:\/\//i;

// Tried in this order at each place; every expression is sticky.
const INLINE = [
  [/\\([^0-9A-Za-z\s])/y, (m) => m[1]],
  [/(`+)([^]*?[^`])\1(?!`)/y, (m) => ({ is: "code", text: m[2].trim() || m[2] })],
  [/<@!?(\d+)>/y, (m) => ({ is: "user", id: m[1] })],
  [/<@&(\d+)>/y, (m) => ({ is: "role", id: m[1] })],
  [/<#(\d+)>/y, (m) => ({ is: "channel", id: m[1] })],
  [/<\/([^:>\n]+):(\d+)>/y, (m) => ({ is: "command", name: m[1], id: m[2] })],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, (m) => ({ is: "time", seconds: Number(m[1]), style: m[2] ?? "f" })],
  [/<(a?):(\w+):(\d+)>/y, (m) => ({ is: "emoji", name: m[2], id: m[3], animated: Boolean(m[1]) })],
  [/@(everyone|here)\b/y, (m) => ({ is: "everyone", name: m[0] })],
  [/<(https?:\/\/[^\s>]+)>/iy, (m) => ({ is: "link", to: m[1], inner: [m[1]] })],
  [/\[((?:\\[^]|[^\]\\\n])+)\]\(<?([^\s)>]+)>?(?:\s+"[^"\n]*")?\)/y, (m) => masked(m)],
  [/https?:\/\/[^\s<]*[^\s<.,:;"'\])]/iy, (m) => ({ is: "link", to: m[0], inner: [m[0]] })],
  [/\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y, (m) => ({ is: "strong", inner: readInline(m[1]) })],
  [/__((?:\\[^]|[^\\])+?)__(?!_)/y, (m) => ({ is: "u", inner: readInline(m[1]) })],
  [/~~([^]+?)~~/y, (m) => ({ is: "s", inner: readInline(m[1]) })],
  [/\|\|([^]+?)\|\|/y, (m) => ({ is: "spoiler", inner: readInline(m[1]) })],
  [/\*(?![\s*])((?:\*\*|\\[^]|[^*\\])+?)(?<!\s)\*(?!\*)/y, (m) => ({ is: "em", inner: readInline(m[1]) })],
  [/\b_((?:__|\\[^]|[^\\_])+?)_\b/y, (m) => ({ is: "em", inner: readInline(m[1]) })],
];
const PLAIN = /[^][^\\`<@[h*_~|]*/y;

function masked(match) {
  const inner = readInline(match[1]);
  return SAFE_LINK.test(match[2]) ? { is: "link", to: match[2], inner } : match[0];
}

function readInline(text) {
  const nodes = [];
  for (let at = 0; at < text.length;) {
    const [node, end] = readOne(text, at);
    if (typeof node === "string" && typeof nodes.at(-1) === "string") nodes[nodes.length - 1] += node;
    else nodes.push(node);
    at = end;
  }
  return nodes;
}

function readOne(text, at) {
  for (const [pattern, make] of INLINE) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return [make(match), at + match[0].length];
  }
  PLAIN.lastIndex = at;
  return [PLAIN.exec(text)[0], PLAIN.lastIndex];
}

const HEADING = /^(#{1,3})\s+(\S.*)$/;
const SUBTEXT = /^-#\s+(\S.*)$/;
const QUOTE = /^>\s(.*)$/;
const ITEM = /^(\s*)(?:([-*])|(\d{1,9})\.)\s+(\S.*)$/;

function readLines(text) {
  const lines = text.split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length;) at = readBlock(lines, at, blocks);
  return blocks;
}

function readBlock(lines, at, blocks) {
  const line = lines[at];
  const heading = HEADING.exec(line);
  const subtext = SUBTEXT.exec(line);
  if (heading) blocks.push({ is: `h${heading[1].length}`, inner: readInline(heading[2]) });
  else if (subtext) blocks.push({ is: "small", inner: readInline(subtext[1]) });
  else if (line.startsWith(">>> ")) {
    blocks.push({ is: "quote", blocks: read([line.slice(4), ...lines.slice(at + 1)].join("\n")) });
    return lines.length;
  } else if (QUOTE.test(line)) return readRun(lines, at, QUOTE, (run) => blocks.push(quoteOf(run)));
  else if (ITEM.test(line)) return readRun(lines, at, ITEM, (run) => blocks.push(...listsOf(run)));
  else addText(blocks, line);
  return at + 1;
}

function readRun(lines, at, pattern, take) {
  let end = at;
  while (end < lines.length && pattern.test(lines[end]) && !SUBTEXT.test(lines[end])) end += 1;
  take(lines.slice(at, end).map((line) => pattern.exec(line)));
  return end;
}

const quoteOf = (run) => ({ is: "quote", blocks: read(run.map((match) => match[1]).join("\n")) });

function listsOf(run) {
  const lists = [];
  const open = []; // lists still growing, outermost first
  for (const [, indent, bullet, number, text] of run) {
    const depth = Math.min(Math.floor(indent.length / 2), open.length);
    const item = { inner: readInline(text), lists: [] };
    const list = open[depth];
    open.length = Math.min(open.length, depth + 1);
    if (list && list.ordered === !bullet) list.items.push(item);
    else {
      const made = { is: "list", ordered: !bullet, start: Number(number ?? 1), items: [item] };
      if (depth) open[depth - 1].items.at(-1).lists.push(made);
      else lists.push(made);
      open[depth] = made;
    }
  }
  return lists;
}

function addText(blocks, line) {
  const last = blocks.at(-1);
  if (last?.is === "text") last.text += `\n${line}`;
  else blocks.push({ is: "text", text: line });
}

const FENCE = /```(?:([\w+.#-]*)\n)?([^]*?)```\n?/g;

/** The blocks of a text: headings, quotes, lists, code blocks, and text with its inline nodes. */
export function read(text) {
  const blocks = [];
  let at = 0;
  for (const match of text.matchAll(FENCE)) {
    if (!match[2].trim()) continue;
    const before = text.slice(at, match.index);
    if (before) blocks.push(...readLines(before.endsWith("\n") ? before.slice(0, -1) : before));
    blocks.push({ is: "fence", language: match[1] ?? "", text: match[2].replace(/^\n+|\n+$/g, "") });
    at = match.index + match[0].length;
  }
  if (at < text.length) blocks.push(...readLines(text.slice(at)));
  return blocks.map((block) => (block.is === "text" ? { is: "text", inner: readInline(block.text) } : block));
}

const remembered = new Map();

function readOnce(text) {
  if (!remembered.has(text)) {
    if (remembered.size > 500) remembered.clear();
    remembered.set(text, read(text));
  }
  return remembered.get(text);
}

// --- showing ---------------------------------------------------------------------------------------------------------
/** Markdown as a person sees it; `inline` leaves out headings, quotes and lists. */
export function Markdown({ client, text, inline = false }) {
  if (inline) return html`<span class="markdown">${showInline(client, readInline(text))}</span>`;
  return html`<div class="markdown">${readOnce(text).map((block) => showBlock(client, block))}</div>`;
}

function showBlock(client, block) {
  if (block.is === "text") return html`<div class="text">${showInline(client, block.inner)}</div>`;
  if (block.is === "fence") return html`<pre><code>${block.text}</code></pre>`;
  if (block.is === "quote")
    return html`<blockquote>${block.blocks.map((inner) => showBlock(client, inner))}</blockquote>`;
  if (block.is === "list") return showList(client, block);
  if (block.is === "small") return html`<div class="subtext">${showInline(client, block.inner)}</div>`;
  const level = Number(block.is[1]) + 2; // the pane's own headings are levels 1 and 2
  return html`<div class=${block.is} role="heading" aria-level=${level}>${showInline(client, block.inner)}</div>`;
}

function showList(client, list) {
  const items = list.items.map(
    (item) => html`<li>${showInline(client, item.inner)}${item.lists.map((inner) => showList(client, inner))}</li>`,
  );
  return list.ordered ? html`<ol start=${list.start}>${items}</ol>` : html`<ul>${items}</ul>`;
}

function showInline(client, nodes) {
  return nodes.map((node) => (typeof node === "string" ? node : SHOW[node.is](client, node)));
}

const SHOW = {
  strong: (client, node) => html`<strong>${showInline(client, node.inner)}</strong>`,
  em: (client, node) => html`<em>${showInline(client, node.inner)}</em>`,
  u: (client, node) => html`<u>${showInline(client, node.inner)}</u>`,
  s: (client, node) => html`<s>${showInline(client, node.inner)}</s>`,
  code: (client, node) => html`<code class=${node.text.length <= 24 ? "short" : ""}>${node.text}</code>`,
  spoiler: (client, node) => html`<${Spoiler} client=${client}>${showInline(client, node.inner)}<//>`,
  link: (client, node) => html`<${Link} client=${client} to=${node.to}>${showInline(client, node.inner)}<//>`,
  user: (client, node) => html`<${PersonMention} client=${client} id=${node.id} />`,
  role: (client, node) => {
    const role = client.guild?.roles?.find((other) => other.id === node.id);
    const own = client.myRoles().includes(node.id);
    return html`<span class=${own ? "mention own" : "mention"}>
        @
        ${role?.name.replace(/^@/, "") ?? client.words("unknown")}
      </span>`;
  },
  everyone: (client, node) => html`<span class="mention own">${node.name}</span>`,
  channel: (client, node) => html`<${ChannelMention} client=${client} id=${node.id} />`,
  command: (client, node) =>
    html`<${InText} command=${true} act=${() => client.wantCommand?.(node)}>/${node.name}<//>`,
  time: (client, node) => html`<${Time} client=${client} seconds=${node.seconds} style=${node.style} />`,
  emoji: (client, node) => html`<${Emoji} emoji=${node} />`,
};

function PersonMention({ client, id }) {
  const own = client.isMe(id);
  const name = client.nameOf(client.person(id));
  return html`<span class=${own ? "mention own" : "mention"} data-user=${id}>@${name}</span>`;
}

function ChannelMention({ client, id }) {
  const channel = client.channels.get(id);
  if (!channel) return html`<span class="mention">#${client.words("unknown-channel")}</span>`;
  return html`<${InText} act=${() => client.look(id)}>#${client.titleOf(channel)}<//>`;
}

/** A button in a sentence. A real one would stand as a box, with the sentence's full stop alone on the next line. */
function InText({ act, command = false, children }) {
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
  return html`<span
    class=${command ? "mention command" : "mention"}
    role="button"
    tabindex="0"
    onClick=${act}
    onKeyDown=${onKeyDown}
  >${children}</span>`;
}

const CHANNEL_LINK =
  /^https?:\/\/(?:\w+\.)?(?:discord\.com|discordapp\.com|127\.0\.0\.1:\d+|localhost:\d+)\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/;

function Link({ client, to, children }) {
  const place = CHANNEL_LINK.exec(to);
  const channel = place && client.channels.get(place[1]);
  if (!channel) return html`<a href=${to} target="_blank" rel="noopener noreferrer nofollow">${children}</a>`;
  const bare = children.length === 1 && children[0] === to;
  const shown = bare ? `#${client.titleOf(channel)}` : children;
  return html`<${InText} act=${() => client.look(channel.id)}>${shown}<//>`;
}

function Spoiler({ client, children }) {
  const [open, setOpen] = useState(false);
  if (open) return html`<span class="spoiler open">${children}</span>`;
  return html`<button type="button" class="spoiler" aria-label=${client.words("Show spoiler")} onClick=${() => setOpen(true)}>
    <span aria-hidden="true" inert>${children}</span>
  </button>`;
}

/** A custom emoji's picture, or the character itself. `emoji` is Discord's `{id, name}`. */
export function Emoji({ emoji }) {
  if (!emoji.id) return html`<span class="emoji">${emoji.name}</span>`;
  const picture = `/cdn/emojis/${emoji.id}.${emoji.animated ? "gif" : "png"}`;
  return html`<img class="emoji" src=${picture} alt=${`:${emoji.name}:`} title=${`:${emoji.name}:`} />`;
}

// --- moments -----------------------------------------------------------------------------------------------------------
const CLOCK_STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

function fromNow(seconds, locale) {
  const away = seconds - Date.now() / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.trunc(away / length), unit);
}

function Time({ client, seconds, style }) {
  const [, tick] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    if (style !== "R") return undefined;
    const near = Math.abs(seconds - Date.now() / 1000) < 3600;
    const timer = setInterval(tick, near ? 1000 : 60000);
    return () => clearInterval(timer);
  }, [style, seconds]);
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return html`<span class="time">${String(seconds)}</span>`;
  const full = new Intl.DateTimeFormat(client.locale, CLOCK_STYLES.F).format(moment);
  const shown =
    style === "R"
      ? fromNow(seconds, client.locale)
      : new Intl.DateTimeFormat(client.locale, CLOCK_STYLES[style]).format(moment);
  return html`<time class="time" datetime=${moment.toISOString()} title=${full}>${shown}</time>`;
}
