import { html } from "./html.js";

/** The first character of a name, whole even where it takes two code units. */
const initialOf = (name) => ([...name.trim()][0] ?? "?").toUpperCase();

/** A person's picture: their initial on their colour, the triangle for the bot. */
export function Avatar({ client, user, size = "medium" }) {
  const style = { "--own": client.colourOf(user?.id) };
  if (user && user.id === client.bot?.id) {
    return html`<img class="avatar ${size}" src="/page/static/icon.svg" alt="" />`;
  }
  return html`<span class="avatar ${size}" style=${style} data-initial=${initialOf(client.nameOf(user))} aria-hidden="true"></span>`;
}
