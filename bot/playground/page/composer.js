// The box at the foot of a channel: plain messages, the `/` menu, and a command with its options.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { Avatar } from "./people.js";
import { OPTION, choicesFor, fitting, leavesOf, localised, meanings, typedOut } from "./slash.js";

const ASK_AFTER = 120; // milliseconds of rest before the bot is asked for choices

export function Composer({ client }) {
  const { channel } = client;
  const [leaf, setLeaf] = useState(null);
  const leaves = leavesOf(client.commands, channel, client.locale);
  const write = (text) => {
    client.drafts.set(channel.id, text);
    client.changed();
  };
  useEffect(() => setLeaf(null), [channel.id]);
  client.wantCommand = ({ name }) => {
    const found = leaves.find((other) => other.plain === name);
    if (found) setLeaf(found);
    else write(`/${name}`);
  };
  const cameFromCommand = useRef(false);
  const leave = (text = "") => {
    cameFromCommand.current = true;
    setLeaf(null);
    write(text);
  };
  const current = leaf && leaves.find((other) => other.plain === leaf.plain && other.command.id === leaf.command.id);
  if (current)
    return html`<${CommandLine} key=${`${channel.id} ${current.plain}`} client=${client} leaf=${current} leave=${leave} />`;
  return html`<${PlainLine}
      key=${channel.id}
      client=${client}
      leaves=${leaves}
      write=${write}
      choose=${setLeaf}
      takesFocus=${cameFromCommand}
    />`;
}

// --- a message, or the search for a command ------------------------------------------------------------------------------
function PlainLine({ client, leaves, write, choose, takesFocus }) {
  const { channel, words } = client;
  const text = client.drafts.get(channel.id) ?? "";
  const [at, setAt] = useState(0);
  const [shut, setShut] = useState(false);
  const field = useRef(null);
  const searching = text.startsWith("/") && !text.includes("\n") && !shut;
  const found = searching ? fitting(leaves, text.slice(1)) : [];
  const listId = `commands-${client.me.id}-${channel.id}`;
  const place = Math.min(at, Math.max(0, found.length - 1));

  useLayoutEffect(() => {
    if (takesFocus.current) field.current.focus();
    takesFocus.current = false;
  }, []);
  useLayoutEffect(() => {
    field.current.style.height = "auto";
    field.current.style.height = `${Math.min(field.current.scrollHeight, 160)}px`;
  }, [text]);
  const take = (leaf) => {
    write("");
    choose(leaf);
  };
  const onInput = (event) => {
    const leaf = typedOut(leaves, event.target.value);
    setShut(false);
    setAt(0);
    if (leaf) take(leaf);
    else write(event.target.value);
  };
  const send = () => {
    if (!text.trim()) return;
    client.say(channel.id, text.trim());
    write("");
  };
  const openMenu = () => {
    write("/");
    setShut(false);
    field.current.focus();
  };
  const keys = {
    ArrowDown: () => found.length && setAt((place + 1) % found.length),
    ArrowUp: () => found.length && setAt((place - 1 + found.length) % found.length),
    Tab: () => found.length && take(found[place]),
    Enter: () => (found.length ? take(found[place]) : searching || send()),
    Escape: () => setShut(true),
  };
  const onKeyDown = (event) => {
    if (event.isComposing || event.shiftKey) return;
    if (!searching && event.key !== "Enter") return;
    if (event.key === "Tab" && !found.length) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  };
  const placeholder = words("Message {name}", {
    name: channel.type === 1 ? `@${client.titleOf(channel)}` : `#${channel.name}`,
  });
  return html`<div class="composer">
    ${
      searching &&
      html`<${Popup}
          id=${listId}
          title=${words("Commands")}
          empty=${words("No command fits")}
          at=${place}
          setAt=${setAt}
          items=${found}
          take=${take}
          draw=${(leaf) => html`<${CommandRow} client=${client} leaf=${leaf} />`}
        />`
    }
    <div class="composer-line">
      <button
        type="button"
        class="round"
        aria-label=${words("Open the command menu")}
        title=${words("Open the command menu")}
        onClick=${openMenu}
      >
        /
      </button>
      <textarea
        ref=${field}
        rows="1"
        value=${text}
        placeholder=${placeholder}
        aria-label=${placeholder}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded=${searching}
        aria-controls=${listId}
        aria-activedescendant=${searching && found.length ? `${listId}-${place}` : undefined}
        maxlength="4000"
        data-testid="composer"
        onInput=${onInput}
        onKeyDown=${onKeyDown}
      ></textarea>
      <button
        type="button"
        class="round send"
        aria-label=${words("Send")}
        disabled=${!text.trim() || searching}
        onClick=${send}
      >
        <${Icon} name="send" />
      </button>
    </div>
  </div>`;
}

function CommandRow({ client, leaf }) {
  const shown = leaf.options.slice(0, 6).map((option) => localised("name", option, client.locale));
  return html`<${Avatar} client=${client} user=${client.bot} size="small" />
    <span class="popup-words">
      <span>
        <b>
          /
          ${leaf.shown}
        </b> ${shown.map((name) => html`<span class="option-name">${name}</span>`)}
      </span>
      <small>
        ${leaf.description}
      </small>
    </span>
    `;
}

/** A list above the composer, driven by the field's keys. */
function Popup({ id, title, empty, items, at, setAt, take, draw, note, error }) {
  const list = useRef(null);
  useLayoutEffect(() => list.current?.querySelector(".at")?.scrollIntoView({ block: "nearest" }), [at, items?.length]);
  return html`<div class="popup" data-testid="popup">
    <div class=${error ? "popup-title failure" : "popup-title"} role=${error ? "alert" : undefined}>
      <span>
        ${title}
      </span>
      ${note && html`<span class="popup-note">${note}</span>`}
    </div>
    ${
      items &&
      (items.length > 0 || empty) &&
      html`<div class="popup-list" role="listbox" id=${id} aria-label=${typeof title === "string" ? title : undefined} ref=${list}>
      ${items.map(
        (item, index) => html`<div
          key=${item.plain ?? `${item.name} ${item.value}`}
          id=${`${id}-${index}`}
          role="option"
          aria-selected=${index === at}
          class=${index === at ? "popup-item at" : "popup-item"}
          onPointerMove=${() => setAt(index)}
          onPointerDown=${(event) => event.preventDefault()}
          onClick=${() => take(item)}
        >${draw(item)}</div>`,
      )}
      ${!items.length && empty && html`<div class="popup-empty">${empty}</div>`}
    </div>`
    }
  </div>`;
}

// --- a command being filled in -------------------------------------------------------------------------------------------
const REST = ""; // the name under which the field after the last option has the focus

function CommandLine({ client, leaf, leave }) {
  const { channel, words, locale } = client;
  const required = leaf.options.filter((option) => option.required).map((option) => option.name);
  const [names, setNames] = useState(required); // the options in the line, in order
  const [given, setGiven] = useState({}); // name -> {text, value}
  const [focus, setFocus] = useState(required[0] ?? REST);
  const [errors, setErrors] = useState({});
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [moved, setMoved] = useState(false);
  const [shut, setShut] = useState(false);
  const line = useRef(null);
  const listId = `choices-${client.me.id}-${channel.id}`;
  const option = leaf.options.find((other) => other.name === focus) ?? null;
  const offers = useChoices(client, leaf, option, given);
  const unused = leaf.options.filter((other) => !names.includes(other.name));
  const rest = unused.filter(
    (other) =>
      localised("name", other, locale).toLowerCase().includes(query.toLowerCase()) ||
      other.name.includes(query.toLowerCase()),
  );
  const items = option ? offers.items : rest;
  const place = Math.min(at, Math.max(0, (items?.length ?? 0) - 1));
  const popupOpen = !shut && Boolean(items?.length);

  useLayoutEffect(() => {
    line.current.querySelector(`[data-option="${CSS.escape(focus)}"]`)?.focus();
  }, [focus, names.length]);

  const goTo = (name) => {
    setFocus(name);
    setAt(0);
    setMoved(false);
    setShut(false);
  };
  const goOn = (from, known) => {
    const after = [...names.slice(names.indexOf(from) + 1), ...names].find(
      (name) => name !== from && !known[name]?.text,
    );
    goTo(after ?? REST);
  };
  const give = (name, value) => {
    const known = { ...given, [name]: value };
    setGiven(known);
    setErrors({ ...errors, [name]: undefined });
    return known;
  };
  const add = (other) => {
    setNames([...names, other.name]);
    setQuery("");
    goTo(other.name);
  };
  const remove = (name) => {
    setNames(names.filter((other) => other !== name));
    setGiven({ ...given, [name]: undefined });
    goTo(names[names.indexOf(name) - 1] ?? REST);
  };
  const takeItem = (item) => {
    if (!option) return add(item);
    return goOn(option.name, give(option.name, { text: item.name, value: item.value, user: item.user }));
  };
  const submit = () => {
    const { values, errors: wrong } = meanings(client, leaf, given);
    setErrors(wrong);
    const first = leaf.options.find((other) => wrong[other.name]);
    if (first) {
      if (!names.includes(first.name)) setNames([...names, first.name]);
      goTo(first.name);
      setShut(true);
      return;
    }
    client.slash(channel.id, leaf.command, leaf.path, values, leaf.shown);
    leave();
  };
  const undecided = option ? given[option.name]?.value === undefined : moved || query !== "";
  const chooses = popupOpen && undecided;
  const keys = {
    ArrowDown: () =>
      items?.length &&
      (setShut(false), setMoved(true), setAt(shut ? 0 : (place + (option || moved ? 1 : 0)) % items.length)),
    ArrowUp: () => items?.length && (setShut(false), setMoved(true), setAt((place - 1 + items.length) % items.length)),
    Enter: () => (chooses ? takeItem(items[place]) : submit()),
    Tab: () => {
      if (popupOpen && (undecided || !option)) takeItem(items[place]);
      else if (option) goOn(option.name, given);
      else return false;
      return true;
    },
    Escape: () => (popupOpen && option ? setShut(true) : leave()),
  };
  const onKeyDown = (event) => {
    if (event.isComposing || event.shiftKey || event.target.tagName === "BUTTON") return;
    const { target } = event;
    if (event.key === "Backspace" && target.value === "") {
      event.preventDefault();
      if (option && !option.required) remove(option.name);
      else if (!option && names.length) goTo(names.at(-1));
      else if (!option || names[0] === option.name) leave(`/${leaf.shown}`);
      return;
    }
    if (!keys[event.key] || keys[event.key]() === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const error = option && errors[option.name];
  const title = option
    ? (error ?? html`<b>${localised("name", option, locale)}</b> ${localised("description", option, locale)}`)
    : unused.length
      ? words("Options")
      : leaf.description;
  return html`<div class="composer">
    <${Popup}
      id=${listId}
      title=${title}
      note=${option ? (error ? null : words(option.required ? "required" : "optional")) : unused.length ? leaf.description : null}
      error=${Boolean(error)}
      items=${shut ? null : items}
      empty=${offers.empty}
      at=${option || moved || query ? place : -1}
      setAt=${setAt}
      take=${takeItem}
      draw=${(item) => (option ? html`<${ChoiceRow} client=${client} item=${item} />` : html`<span class="popup-words"><b>${localised("name", item, locale)}</b><small>${localised("description", item, locale)}</small></span>`)}
    />
    <div
      class="composer-line"
      ref=${line}
      onKeyDown=${onKeyDown}
      role="group"
      aria-label=${`/${leaf.shown}`}
      data-testid="command-line"
    >
      <button
        type="button"
        class="round"
        aria-label=${words("Leave the command")}
        title=${words("Leave the command")}
        onClick=${() => leave()}
      >
        <${Icon} name="close" size=${16} />
      </button>
      <div class="command-fields">
        <span class="command-title">/${leaf.shown}</span>
        ${names.map((name) => {
          const own = leaf.options.find((other) => other.name === name);
          return html`<${OptionField}
              key=${name}
              client=${client}
              option=${own}
              given=${given[name]}
              wrong=${errors[name]}
              listId=${listId}
              active=${focus === name && popupOpen ? `${listId}-${place}` : undefined}
              give=${(value) => (give(name, value), setAt(0), setShut(false))}
              goTo=${goTo}
            />`;
        })}
        <input
          class="rest"
          data-option=""
          value=${query}
          size=${unused.length ? 10 : 2}
          placeholder=${unused.length ? words("+{count} more", { count: unused.length }) : ""}
          aria-label=${words("Options")}
          role="combobox"
          aria-expanded=${popupOpen && !option}
          aria-controls=${listId}
          aria-activedescendant=${popupOpen && !option && (moved || query) ? `${listId}-${place}` : undefined}
          autocomplete="off"
          onFocus=${() => focus !== REST && goTo(REST)}
          onInput=${(event) => (setQuery(event.target.value), setAt(0))}
        />
      </div>
      <button type="button" class="round send" aria-label=${words("Send")} onClick=${submit}>
        <${Icon} name="send" />
      </button>
    </div>
  </div>`;
}

function ChoiceRow({ client, item }) {
  return html`${item.user && html`<${Avatar} client=${client} user=${item.user} size="small" />`}<span class="popup-words"><span>${item.name}</span>${item.note && html`<small>${item.note}</small>`}</span>`;
}

function OptionField({ client, option, given, wrong, listId, active, give, goTo }) {
  const name = localised("name", option, client.locale);
  const look = `option${wrong ? " wrong" : ""}`;
  const focused = () => goTo(option.name);
  if (option.type === OPTION.ATTACHMENT) {
    return html`<label class=${look}>
        <span class="option-label">
          ${name}
        </span>
        <${UploadField} client=${client} option=${option} given=${given} give=${give} focused=${focused} />
      </label>`;
  }
  const text = given?.text ?? "";
  const width = [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 2);
  return html`<label class=${look}>
    <span class="option-label">${name}</span>
    <input
      value=${text}
      size=${Math.min(Math.max(width, 4), 40)}
      data-option=${option.name}
      role="combobox"
      aria-expanded=${Boolean(active)}
      aria-controls=${listId}
      aria-activedescendant=${active}
      aria-invalid=${Boolean(wrong)}
      aria-label=${name}
      aria-required=${Boolean(option.required)}
      autocomplete="off"
      inputmode=${option.type === OPTION.INTEGER ? "numeric" : option.type === OPTION.NUMBER ? "decimal" : "text"}
      onInput=${(event) => give({ text: event.target.value })}
      onFocus=${focused}
    />
  </label>`;
}

function UploadField({ client, option, given, give, focused }) {
  const [state, setState] = useState("");
  const take = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    setState(client.words("Uploading…"));
    try {
      const stored = await client.upload(file);
      give({ text: file.name, value: stored.id });
      setState("");
    } catch {
      setState(client.words("The upload failed"));
    }
  };
  return html`<span class="upload">
      <input
        type="file"
        data-option=${option.name}
        aria-label=${localised("name", option, client.locale)}
        onFocus=${focused}
        onChange=${take}
      />
      <span>
        ${state || given?.text || client.words("Choose a file")}
      </span>
    </span>`;
}

/** What the focused option offers: `{items: [{name, value}] | null, empty}`; the bot is asked where the option says so. */
function useChoices(client, leaf, option, given) {
  const [answer, setAnswer] = useState({ key: null, items: [] });
  const { channel, words } = client;
  const own = option && given[option.name];
  const text = own?.text ?? "";
  const key = option?.autocomplete ? `${option.name} ${own?.value === undefined ? text : ""}` : null;
  useEffect(() => {
    if (key === null) return undefined;
    let wanted = true;
    const timer = setTimeout(async () => {
      const { values } = meanings(client, leaf, { ...given, [option.name]: undefined });
      const typed = own?.value === undefined ? text : "";
      const items = await client.autocomplete(
        channel.id,
        leaf.command,
        leaf.path,
        { ...values, [option.name]: typed },
        option.name,
      );
      if (wanted) setAnswer({ key, items });
    }, ASK_AFTER);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  if (!option) return { items: null };
  if (option.autocomplete) {
    const known = answer.key === key;
    if (known && answer.items === null) return { items: [], empty: words("Loading options failed") };
    return {
      items: known ? answer.items : [],
      empty: known ? words("No options match your search") : words("Loading…"),
    };
  }
  const choices = choicesFor(client, option);
  if (!choices) return { items: null };
  const query = own?.value === undefined ? text.replace(/^[@#]/, "").toLowerCase() : "";
  const items = choices.filter((choice) => `${choice.name} ${choice.note ?? ""}`.toLowerCase().includes(query));
  return { items, empty: words("No options match your search") };
}
