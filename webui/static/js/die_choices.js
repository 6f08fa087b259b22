// Buttons to say which kind a die is and what it shows.

import { h } from "./dom.js";
import { KINDS, dieLabel, dieSvg, kindName, kindSvg, values } from "./dice.js";

export function kindChoices(choose, kinds = KINDS) {
  const button = (kind) => h("button", { type: "button", "aria-label": kindName(kind), onclick: () => choose(kind) }, kindSvg(kind), h("small", {}, kindName(kind)));
  return h("div", { class: "choices kinds" }, kinds.map(button));
}

// `now`: the value that is taken for right so far.
export function valueChoices(kind, now, choose) {
  const button = (value) =>
    h("button", { type: "button", class: value === now ? "now" : null, "aria-label": dieLabel(kind, value), onclick: () => choose(value) }, dieSvg(kind, value, { label: false }));
  return h("div", { class: `choices values${values(kind).length > 12 ? " many" : ""}` }, values(kind).map(button));
}
