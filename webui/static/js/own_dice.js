// The owner's part about the own dice: teach them, and keep what players corrected.

import { h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { said } from "./said.js";
import { send } from "./live.js";
import { toast } from "./toast.js";

export function ownDice(state, change) {
  const keeps = state.settings.keep_corrections;
  const kept = h("div", { class: "list", "aria-live": "polite" });
  if (keeps) fetch("/api/corrections").then((answer) => answer.json()).then((reply) => show(kept, reply)).catch(() => {});
  return [
    h("a", { class: "button quiet", href: "/teach", "data-focus": "teach" }, t("Teach my dice")),
    h(
      "label",
      {},
      h("span", {}, t("Keep corrected rolls"), h("small", { class: "hint" }, ` ${t("(their pictures, here in the house: what the dice models can learn from)")}`)),
      h("input", { type: "checkbox", role: "switch", checked: keeps, onchange: (event) => change({ keep_corrections: event.target.checked }) }),
    ),
    keeps && kept,
  ];
}

function show(kept, { rolls, dice, corrected }) {
  const forget = async () => {
    if (!confirm(t("Throw the pictures of all corrected rolls away? The games stay."))) return;
    try {
      await send("/api/corrections/forget");
      show(kept, await (await fetch("/api/corrections")).json());
    } catch (problem) {
      toast(said(problem.message));
    }
  };
  kept.replaceChildren(
    ...[
      h("p", { class: "hint" }, rolls ? t("{rolls} with {dice}, {corrected} of them read wrong", { rolls: tn("{n} corrected roll", "{n} corrected rolls", rolls), dice: tn("{n} die", "{n} dice", dice), corrected }) : t("No corrected roll of real dice yet.")),
      rolls > 0 && h("a", { class: "button quiet", href: "/api/corrections.zip", download: "" }, t("Save the corrected rolls")),
      rolls > 0 && h("button", { class: "quiet", "data-focus": "forget-corrections", onclick: forget }, t("Throw their pictures away")),
    ].filter(Boolean),
  );
}
