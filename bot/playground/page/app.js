// The page: the bar that says what this is, and up to four panes beside each other.
import { html, render, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { keepInside } from "./form.js";
import { wordsFor } from "./words.js";

import { Pane } from "./pane.js";

const MOST_PANES = 4;
const THEMES = ["auto", "light", "dark"];
const THEME_WORDS = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };

let keys = 0;
const paneFor = (userId) => ({ key: (keys += 1), userId });

function panesFromAddress() {
  const people = new URLSearchParams(location.search).getAll("as").slice(0, MOST_PANES);
  return (people.length ? people : [null]).map(paneFor);
}

function rememberPanes(panes) {
  // The first visit names nobody: its address stays bare until there is something to remember.
  if (panes.length === 1 && !panes[0].userId) return;
  const people = panes.map((pane) => pane.userId ?? pane.known).filter(Boolean);
  const search = new URLSearchParams(people.map((id) => ["as", id]));
  history.replaceState(null, "", `${location.pathname}?${search}`);
}

function storedTheme() {
  const theme = localStorage.getItem("theme");
  return THEMES.includes(theme) ? theme : "auto";
}

function useTheme() {
  const [theme, setTheme] = useState(storedTheme);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  return [theme, () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])];
}

function App() {
  const [panes, setPanes] = useState(panesFromAddress);
  const [generation, setGeneration] = useState(0);
  const [picture, setPicture] = useState(null);
  const [asking, setAsking] = useState(false);
  const [clients, setClients] = useState(new Map()); // pane key -> {client, locale, personas}
  const [theme, nextTheme] = useTheme();
  const stage = useMemo(() => ({ showPicture: setPicture, restart: () => setGeneration((count) => count + 1) }), []);
  useEffect(() => rememberPanes(panes), [panes]);
  const known = clients.get(panes[0].key);
  const words = wordsFor(known?.locale ?? navigator.language);
  useEffect(() => {
    document.documentElement.lang = known?.locale ?? "en";
  }, [known?.locale]);

  const be = (key, userId) => setPanes((all) => all.map((pane) => (pane.key === key ? { ...pane, userId } : pane)));
  const add = (userId) => setPanes((all) => (all.length < MOST_PANES ? [...all, paneFor(userId)] : all));
  const remove = (key) => setPanes((all) => all.filter((pane) => pane.key !== key));
  const onKnown = (pane, client) => {
    setClients((all) => new Map(all).set(pane.key, { client, locale: client.locale, personas: client.personas }));
    if (!pane.userId)
      setPanes((all) => all.map((other) => (other.key === pane.key ? { ...other, known: client.me.id } : other)));
  };
  const played = panes.map((pane) => pane.userId ?? pane.known);
  const free = known?.personas.find((persona) => !played.includes(persona.id));
  const more = panes.length < MOST_PANES;
  return html`
    <header class="bar">
      <img src="/page/static/icon.svg" alt="" width="24" height="24" />
      <p class="bar-words">
        <b>
          Trigon · ${words("Playground")}
        </b> <span>
          ${words("This is not Discord.")}
        </span> <span class="wide-only">
          ${words("Everything here stays on this machine.")}
        </span>
      </p>
      <button
        type="button"
        class="bar-button"
        disabled=${!more || !free}
        onClick=${() => add(free.id)}
        data-testid="add-pane"
        title=${words("Open another pane")}
        aria-label=${words("Open another pane")}
      >
        <${Icon} name="addPane" />
      </button>
      <button
        type="button"
        class="bar-button"
        onClick=${nextTheme}
        title=${words(THEME_WORDS[theme])}
        aria-label=${words(THEME_WORDS[theme])}
        data-testid="theme"
      >
        <${Icon} name=${theme} />
      </button>
      <button
        type="button"
        class="bar-button"
        onClick=${() => setAsking(true)}
        title=${words("Reset")}
        aria-label=${words("Reset")}
        data-testid="reset"
      >
        <${Icon} name="reset" />
      </button>
    </header>
    <main class="panes" data-count=${panes.length}>
      ${panes.map(
        (pane) => html`<${Pane}
          key=${pane.key}
          userId=${pane.userId}
          generation=${generation}
          stage=${stage}
          others=${played.filter((id) => id !== (pane.userId ?? pane.known))}
          onKnown=${(client) => onKnown(pane, client)}
          be=${(id) => be(pane.key, id)}
          beside=${more ? add : null}
          close=${panes.length > 1 ? () => remove(pane.key) : null}
        />`,
      )}
    </main>
    ${picture && html`<${Lightbox} picture=${picture} close=${() => setPicture(null)} />`}
    ${asking && html`<${AskReset} words=${words} close=${() => setAsking(false)} reset=${() => known.client.reset()} />`}
  `;
}

/** A dialog over the whole page, which the browser itself keeps the keyboard in. */
function useDialog(close) {
  const dialog = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element.showModal();
    return () => {
      element.close(); // an open one keeps the rest of the page from the focus
      if (before?.isConnected) before.focus();
    };
  }, []);
  const onCancel = (event) => {
    event.preventDefault();
    close();
  };
  return { ref: dialog, onCancel, onKeyDown: (event) => event.key === "Tab" && keepInside(event, dialog.current) };
}

function Lightbox({ picture, close }) {
  const dialog = useDialog(close);
  const { url, description, words } = picture;
  return html`<dialog class="lightbox" ...${dialog} aria-label=${description || words("Picture")} onClick=${close} data-testid="lightbox">
    <figure>
      <img src=${url} alt=${description} />
      <figcaption>
        ${description && html`<span>${description}</span>`}
        <a href=${url} target="_blank" rel="noopener noreferrer" onClick=${(event) => event.stopPropagation()}>
          ${words("Open the file itself")}
        </a>
      </figcaption>
    </figure>
    <button type="button" class="round" aria-label=${words("Close")} onClick=${close}>
      <${Icon} name="close" size=${22} />
    </button>
  </dialog>`;
}

function AskReset({ words, close, reset }) {
  const dialog = useDialog(close);
  const go = () => {
    reset();
    close();
  };
  return html`<dialog class="ask" ...${dialog} aria-labelledby="ask-title" data-testid="ask-reset">
    <h2 id="ask-title">${words("Reset the playground?")}</h2>
    <p>${words("All messages, threads and tables are forgotten, and everybody starts anew.")}</p>
    <footer>
      <button type="button" class="button secondary" onClick=${close}>${words("Cancel")}</button>
      <button type="button" class="button danger" onClick=${go}>${words("Reset")}</button>
    </footer>
  </dialog>`;
}

render(html`<${App} />`, document.getElementById("app"));
