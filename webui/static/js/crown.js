// Who is in front.

import { h } from "./dom.js";
import { t } from "./i18n.js";

// The seats in front, by whole rounds: while a round is rolled nobody is in front, not even by what is counted so far.
export function leadersOf(game) {
  const isOpen = game.kind === "panda-royale" && ["roll", "reroll"].includes(game.phase) && game.seats.some((seat) => seat.scores || seat.dice.length);
  return isOpen ? [] : (game.leaders ?? []);
}

export function crown() {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M3 7l5 5 4-8 4 8 5-5-2 12H5z" }));
}

export function leads() {
  return h("span", { class: "crown", role: "img", "aria-label": t("leads") }, crown());
}
