// The one place that knows which library draws the page.
import { h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);
export { render };
export { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "./vendor/preact-hooks.js";
