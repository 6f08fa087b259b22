// What was changed in this game since this phone looks at it: what the news told stays here to be read again.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const KEPT = "changes";
const MOST = 20;
let kept = null;

// `change` has key, text and lines.
export function rememberChange(gameId, change) {
  const rows = changesOf(gameId).filter(({ key }) => key !== change.key);
  kept = { id: gameId, rows: [change, ...rows].slice(0, MOST) };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // private mode: until the page is closed
  }
}

export function changesOf(gameId) {
  kept ??= stored();
  return kept?.id === gameId ? kept.rows : [];
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

export function changesList(gameId) {
  const rows = changesOf(gameId);
  if (!rows.length) return null;
  return h(
    "details",
    { class: "why changes" },
    h("summary", {}, t("What was changed")),
    h("ul", {}, rows.map(({ text, lines }) => h("li", {}, h("b", {}, text), " ", lines.join("; ")))),
  );
}
