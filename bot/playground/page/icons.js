import { html } from "./html.js";

const PATHS = {
  hash: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  thread: "M6 4v9a3 3 0 0 0 3 3h9M14.5 12.5 18 16l-3.5 3.5",
  at: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.5 7.1",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  down: "M6 9.5l6 6 6-6",
  bottom: "M12 5v14M6 13l6 6 6-6",
  panes: "M4 5h16v14H4zM12 5v14",
  addPane: "M13 5H4v14h9zM18 9v6M15 12h6",
  reset: "M5 12a7 7 0 1 0 2.2-5.1L4.5 9.5M4.5 4.5v5h5",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  light:
    "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  dark: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  send: "M4 12 20 4.5 15.5 20l-4-6.5zM11.5 13.5 20 4.5",
  file: "M7 3.5h7l4 4V20.5H7zM14 3.5v4h4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  outside: "M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9",
  warning: "M12 4 21.5 20h-19ZM12 10v4.5M12 17v.5",
};

/** A line drawing of 24 × 24 units, in the colour of the text around it, silent to screen readers. */
export function Icon({ name, size = 18 }) {
  return html`<svg class="icon" width=${size} height=${size} viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
