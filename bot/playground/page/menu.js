// Select menus of all kinds, in messages and in forms: a button that opens a list.
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { Emoji } from "./markdown.js";
import { Avatar } from "./people.js";

const SELECT = { STRING: 3, USER: 5, ROLE: 6, MENTIONABLE: 7, CHANNEL: 8 };
const FILTER_FROM = 9; // with fewer options a field to filter them is more in the way than of help
const GAP = 4; // pixels between a menu and its list
const NARROWEST = 220; // pixels of a list in style.css
const SHEET = "(max-width: 520px)"; // where style.css makes the list a sheet at the window's foot

export const isSelect = (component) => Object.values(SELECT).includes(component.type);

/** What can be chosen: `[{value, label, description, emoji, user, icon}]`. */
export function optionsOf(client, component) {
  const people = () =>
    [...client.people.values()].map((user) => ({
      value: user.id,
      label: client.nameOf(user),
      description: user.username,
      user,
    }));
  const roles = () => (client.guild.roles ?? []).map((role) => ({ value: role.id, label: role.name, icon: "at" }));
  const channels = () =>
    [...client.channels.values()]
      .filter(
        (channel) =>
          channel.type !== 1 && (!component.channel_types?.length || component.channel_types.includes(channel.type)),
      )
      .map((channel) => ({
        value: channel.id,
        label: channel.name,
        icon: channel.parent_id && channel.type >= 10 ? "thread" : "hash",
      }));
  const kinds = {
    [SELECT.STRING]: () => component.options ?? [],
    [SELECT.USER]: people,
    [SELECT.ROLE]: roles,
    [SELECT.MENTIONABLE]: () => [...people(), ...roles()],
    [SELECT.CHANNEL]: channels,
  };
  return kinds[component.type]();
}

/** The values that the bot chose beforehand. */
export function defaultsOf(component) {
  if (component.type === SELECT.STRING)
    return (component.options ?? []).filter((option) => option.default).map((option) => option.value);
  return (component.default_values ?? []).map((value) => value.id);
}

const sameValues = (one, other) => one.length === other.length && one.every((value) => other.includes(value));

function countSentence(words, min, max) {
  if (min === max) return words("Choose exactly {min}", { min });
  return min > 0 ? words("Choose {min} to {max}", { min, max }) : words("Choose up to {max}", { max });
}

/** `values` are those chosen now; `onValues(values)` is called when others are chosen, never for the same ones. */
export function Menu({ client, component, values, onValues, label, waiting = false, invalid = false, describedBy }) {
  const [open, setOpen] = useState(false);
  const button = useRef(null);
  const options = optionsOf(client, component);
  const shown = options.filter((option) => values.includes(option.value));
  const { words } = client;
  const close = (focus = true) => {
    setOpen(false);
    if (focus) button.current?.focus();
  };
  const take = (chosen) => {
    close();
    if (!sameValues(chosen, values)) onValues(chosen);
  };
  return html`<div class="menu">
    <button
      ref=${button}
      type="button"
      class="menu-button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded=${open}
      aria-controls=${`list-${component.custom_id}`}
      aria-label=${label ?? component.placeholder ?? words("Choose…")}
      aria-invalid=${invalid}
      aria-describedby=${describedBy}
      aria-busy=${waiting}
      disabled=${component.disabled || waiting}
      data-testid="menu"
      data-custom-id=${component.custom_id}
      onClick=${() => setOpen(!open)}
      onKeyDown=${(event) => ["ArrowDown", "ArrowUp"].includes(event.key) && (event.preventDefault(), setOpen(true))}
    >
      <span class="menu-shown">
        ${shown.length ? shown.map((option) => html`<${Shown} client=${client} option=${option} many=${shown.length > 1} />`) : html`<span class="placeholder">${component.placeholder ?? words("Choose…")}</span>`}
      </span>
      ${waiting ? html`<span class="dots" aria-hidden="true"></span>` : html`<${Icon} name="down" />`}
    </button>
    ${open && html`<${MenuList}
        client=${client}
        component=${component}
        options=${options}
        values=${values}
        anchor=${button}
        label=${label ?? component.placeholder ?? words("Choose…")}
        take=${take}
        close=${close}
      />`}
  </div>`;
}

function Shown({ client, option, many }) {
  return html`<span class=${many ? "shown-value many" : "shown-value"}>
      <${Mark} client=${client} option=${option} small=${true} />
      ${option.label}
    </span>`;
}

function Mark({ client, option, small = false }) {
  if (option.emoji) return html`<${Emoji} emoji=${option.emoji} />`;
  if (option.user) return html`<${Avatar} client=${client} user=${option.user} size=${small ? "tiny" : "small"} />`;
  return option.icon ? html`<${Icon} name=${option.icon} size=${16} />` : null;
}

function MenuList({ client, component, options, values, anchor, label, take, close }) {
  const min = component.min_values ?? 1;
  const max = Math.min(component.max_values ?? 1, options.length || 1);
  const [picked, setPicked] = useState(values);
  const [query, setQuery] = useState("");
  const list = useRef(null);
  const { words } = client;
  const fitting = options.filter((option) =>
    `${option.label} ${option.description ?? ""}`.toLowerCase().includes(query.toLowerCase()),
  );
  const [at, setAt] = useState(
    Math.max(
      0,
      options.findIndex((option) => values.includes(option.value)),
    ),
  );
  const enough = picked.length >= min && picked.length <= max;
  const place = usePlace(anchor, list);
  useSheet(anchor, list);
  const single = max === 1;
  const listId = `list-${component.custom_id}`;
  const active = fitting[at] ? `${listId}-${at}` : undefined;

  const leave = () => (!single && enough ? take(picked) : close(false));
  useOutside(list, anchor, leave);
  useLayoutEffect(() => {
    const filter = matchMedia("(pointer: fine)").matches && list.current.querySelector("input");
    (filter || list.current.querySelector("[role=listbox]")).focus();
  }, []);
  useLayoutEffect(() => list.current.querySelector(".at")?.scrollIntoView({ block: "nearest" }), [at, query]);

  const toggle = (option) => {
    if (single) return take([option.value]);
    const without = picked.filter((value) => value !== option.value);
    if (without.length === picked.length && picked.length >= max) return undefined;
    return setPicked(without.length === picked.length ? [...picked, option.value] : without);
  };
  const move = (step) => fitting.length && setAt((at + step + fitting.length) % fitting.length);
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => setAt(0),
    End: () => setAt(fitting.length - 1),
    Enter: () => fitting[at] && toggle(fitting[at]),
    Escape: () => close(),
    Tab: () => (!single && enough ? take(picked) : close()),
  };
  const onKeyDown = (event) => {
    if (event.target.closest(".menu-foot") && event.key === "Enter") return;
    const act = event.key === " " && event.target.tagName !== "INPUT" ? keys.Enter : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return html`<div
    class="menu-list"
    popover="manual"
    ref=${(element) => ((list.current = element), element && !element.matches(":popover-open") && element.showPopover())}
    style=${place}
    onKeyDown=${onKeyDown}
  >
    ${!single && html`<div class="menu-note">${countSentence(words, min, max)}</div>`}
    ${
      options.length >= FILTER_FROM &&
      html`<input
      class="menu-filter"
      role="combobox"
      aria-expanded="true"
      aria-controls=${listId}
      aria-activedescendant=${active}
      placeholder=${words("Filter")}
      aria-label=${words("Filter")}
      value=${query}
      onInput=${(event) => (setQuery(event.target.value), setAt(0))}
    />`
    }
    <div
      class="menu-options"
      id=${listId}
      role="listbox"
      tabindex="-1"
      aria-label=${label}
      aria-multiselectable=${!single}
      aria-activedescendant=${active}
    >
      ${fitting.map((option, index) => {
        const chosen = picked.includes(option.value);
        return html`<div
          key=${option.value}
          id=${`${listId}-${index}`}
          role="option"
          aria-selected=${chosen}
          data-value=${option.value}
          class=${`menu-option${index === at ? " at" : ""}${chosen ? " chosen" : ""}`}
          onPointerMove=${() => setAt(index)}
          onClick=${() => toggle(option)}
        >
          <${Mark} client=${client} option=${option} />
          <span class="menu-words">
            <span>
              ${option.label}
            </span>
            ${option.description && html`<small>${option.description}</small>`}
          </span>
          ${!single ? html`<span class="tick box">
              ${chosen && html`<${Icon} name="check" size=${14} />`}
            </span>` : chosen && html`<span class="tick"><${Icon} name="check" /></span>`}
        </div>`;
      })}
      ${!fitting.length && html`<div class="menu-note">${words("Nothing fits")}</div>`}
    </div>
    ${
      (!single || (min === 0 && values.length > 0)) &&
      html`<div class="menu-foot">
      ${min === 0 && html`<button type="button" class="plain" onClick=${() => take([])}>${words("Clear")}</button>`}
      ${!single && html`<button type="button" class="button primary" disabled=${!enough} onClick=${() => take(picked)}>
          ${words("Done")}
        </button>`}
    </div>`
    }
  </div>`;
}

/** Calls `leave` at a press anywhere but in the list or on its button. */
function useOutside(list, anchor, leave) {
  const latest = useRef(leave);
  latest.current = leave;
  useLayoutEffect(() => {
    const look = (event) =>
      !list.current?.contains(event.target) && !anchor.current?.contains(event.target) && latest.current();
    document.addEventListener("pointerdown", look, true);
    return () => document.removeEventListener("pointerdown", look, true);
  }, []);
}

/** Moves a message up whose menu has become a sheet over it, so that the picture above the menu stays in sight. */
function useSheet(anchor, list) {
  useLayoutEffect(() => {
    const messages = anchor.current.closest(".messages");
    if (!messages || !matchMedia(SHEET).matches) return undefined;
    const { top } = list.current.getBoundingClientRect();
    messages.style.paddingBottom = `${Math.max(0, messages.getBoundingClientRect().bottom - top)}px`;
    messages.scrollTop += Math.max(0, anchor.current.getBoundingClientRect().bottom + GAP - top);
    return () => (messages.style.paddingBottom = "");
  }, []);
}

/** Where a list that opens upwards stands beside its message, so as not to hide the board that it asks about. */
function besideBoard(anchor) {
  const container = anchor.closest(".container");
  if (!container?.querySelector(".gallery")) return null;
  const left = container.getBoundingClientRect().right + GAP;
  const width = anchor.closest(".pane").getBoundingClientRect().right - left - 3 * GAP;
  return width < NARROWEST ? null : { left, width };
}

/** A style that keeps the list at its button, above it where there is more room; the window's foot on phones is left to CSS. */
function usePlace(anchor, list) {
  const [place, setPlace] = useState({});
  useLayoutEffect(() => {
    const settle = () => {
      if (!anchor.current || !list.current) return;
      const box = anchor.current.getBoundingClientRect();
      const below = window.innerHeight - box.bottom;
      const above = box.top;
      const up = below < Math.min(list.current.scrollHeight, 260) && above > below;
      const beside = up ? besideBoard(anchor.current) : null;
      const foot = beside ? box.bottom : box.top - GAP;
      setPlace({
        "--left": `${beside?.left ?? box.left}px`,
        "--width": `${Math.min(box.width, beside?.width ?? box.width)}px`,
        "--top": up ? "auto" : `${box.bottom + GAP}px`,
        "--bottom": up ? `${window.innerHeight - foot}px` : "auto",
        "--room": `${Math.max(140, (up ? above : below) - 3 * GAP)}px`,
      });
    };
    settle();
    window.addEventListener("resize", settle);
    document.addEventListener("scroll", settle, true);
    return () => {
      window.removeEventListener("resize", settle);
      document.removeEventListener("scroll", settle, true);
    };
  }, []);
  return place;
}
