// Everything else: join, big screen, language, sound, new game.

import { h, fill } from "./dom.js";
import { t, language } from "./i18n.js";

const LANGUAGES = { en: "English", pt_BR: "Português (Brasil)", es: "Español", de: "Deutsch", fr: "Français" };

export function moreView(main, state, actions) {
  fill(main, ["more", state.join, Boolean(state.game), state.version], () => [
    h("h1", {}, t("More")),
    h(
      "section",
      { class: "card join" },
      h("h2", {}, t("More phones")),
      h("img", { src: "/join.svg", alt: t("QR code of {url}", { url: state.join }), width: 200, height: 200 }),
      h("p", {}, t("Scan this with another phone in the same network, or type:")),
      h("p", { class: "address" }, state.join),
    ),
    h(
      "section",
      { class: "card list" },
      state.game && h("button", { class: "quiet", onclick: actions.newGame }, t("New game")),
      h("a", { class: "button quiet", href: "/table" }, t("Big screen")),
      h("label", {}, h("span", {}, t("Language")), h("select", { onchange: (event) => { location.href = `/language/${event.target.value}`; } },
        Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === language }, name)))),
      toggle("speak", t("Say new scores aloud")),
      toggle("large", t("Large type"), () => document.documentElement.classList.toggle("large", localStorage.getItem("large") === "yes")),
    ),
    h("p", { class: "hint" }, `Tablesight ${state.version} · `, t("Nothing leaves the house.")),
  ]);
}

function toggle(key, text, changed = null) {
  return h(
    "label",
    {},
    h("span", {}, text),
    h("input", {
      type: "checkbox", role: "switch", checked: localStorage.getItem(key) === "yes",
      onchange: (event) => { localStorage.setItem(key, event.target.checked ? "yes" : "no"); changed?.(); },
    }),
  );
}
