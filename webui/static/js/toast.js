// A short message at the bottom, with at most one action.

import { h } from "./dom.js";

let timer = null;

export function toast(text, action = null) {
  const slot = document.getElementById("toast");
  clearTimeout(timer);
  slot.replaceChildren(
    h("span", {}, text),
    action && h("button", { onclick: () => { slot.hidden = true; action.run(); } }, action.label),
  );
  for (const child of [...slot.childNodes]) if (child.nodeType === 3 && child.data === "null") child.remove();
  slot.hidden = false;
  timer = setTimeout(() => { slot.hidden = true; }, action ? 9000 : 6000);
}
