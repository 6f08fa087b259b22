// Everything else: join, who am I, big screen, language, sound; and what the owner of the house needs.

import { h, fill } from "./dom.js";
import { t, tn, language } from "./i18n.js";
import { send, refresh, state as current } from "./live.js";
import { said } from "./said.js";
import { toast } from "./toast.js";
import { chime } from "./announce.js";
import { copyText } from "./copy.js";
import { chooseColor, host, myName, refreshMe, seatButton, sitDown } from "./me.js";
import { history } from "./past.js";
import { ownDice } from "./own_dice.js";
import { editZones } from "./zones.js";

const LANGUAGES = { en: "English", pt_BR: "Português (Brasil)", es: "Español", de: "Deutsch", fr: "Français" };
let drawn = 0;
let ownerIsOpen = false;

export function moreView(main, state, actions) {
  const redraw = () => {
    drawn += 1;
    moreView(main, current(), actions); // a drawing that answers a change shows the state after it
  };
  fill(main, ["more", state.join, state.game?.id, state.game?.seats.map((seat) => [seat.name, seat.color]), state.version, state.settings, host, drawn], () => [
    h("h1", {}, t("More")),
    h(
      "section",
      { class: "card join" },
      h("h2", {}, t("More phones")),
      h("img", { src: "/join.svg", alt: t("QR code of {url}", { url: state.join }), width: 200, height: 200 }),
      h("p", {}, t("Scan this with another phone in the same network, or type:")),
      h("p", { class: "address" }, state.join),
      h("button", { class: "link", "data-focus": "copy", onclick: async () => toast((await copyText(state.join)) ? t("Copied.") : t("Copying is not possible here: type it.")) }, t("Copy the address")),
    ),
    state.game && me(state, redraw),
    h(
      "section",
      { class: "card list" },
      state.game && h("button", { class: "quiet", onclick: actions.newGame }, t("New game")),
      h("button", { class: "quiet", "data-focus": "history", onclick: history }, t("Earlier games")),
      h("a", { class: "button quiet", href: "/table" }, t("Big screen")),
      h(
        "label",
        {},
        h("span", {}, t("Language")),
        h(
          "select",
          { onchange: (event) => { location.href = `/language/${event.target.value}`; } },
          Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === language.replace("-", "_") }, name)),
        ),
      ),
      toggle("sound", t("Sounds"), () => localStorage.getItem("sound") === "yes" && chime([523, 659])),
      toggle("speak", t("Say new scores aloud")),
      toggle("large", t("Large type"), () => document.documentElement.classList.toggle("large", localStorage.getItem("large") === "yes")),
    ),
    owner(state, redraw),
    h("p", { class: "hint" }, `Tablesight ${state.version} · `, t("Nothing leaves the house.")),
  ]);
  if (!main.dataset.me) {
    main.dataset.me = "asked";
    refreshMe().then((is) => is && redraw());
  }
}

function me(state, redraw) {
  const name = myName();
  const seat = state.game.seats.find((one) => one.name === name);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("Who holds this phone?")),
    h(
      "div",
      { class: "row", role: "group", "aria-label": t("Who holds this phone?") },
      state.game.seats.map((seat) => seatButton(seat, seat.name === name, () => { sitDown(seat.name === name ? "" : seat.name); refresh(); redraw(); })),
    ),
    seat && h("p", {}, t("Colour")),
    seat && chooseColor(state.game, seat),
    h("p", { class: "hint" }, t("Your dice then come first on this phone.")),
  );
}

function owner(state, redraw) {
  const facts = h("p", { class: "hint" });
  fetch("/api/system").then((answer) => answer.json()).then((system) => {
    const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;
    facts.textContent = [
      t("Pictures: {size}", { size: gigabytes(system.stills_bytes) }),
      t("free: {size}", { size: gigabytes(system.free_bytes) }),
      system.temperature_c === null ? "" : `${system.temperature_c} °C`,
      tn("{n} screen", "{n} screens", system.listeners),
    ].filter(Boolean).join(" · ");
  }).catch(() => {});
  const change = (values) => send("/api/settings", values).then(redraw).catch((problem) => { toast(problem.message); redraw(); });
  const file = h("input", { type: "file", accept: ".zip,.sqlite,application/zip", class: "sr", id: "backup-file", onchange: () => restore(file) });
  const camera = h("input", { value: state.settings.camera, placeholder: "auto", autocapitalize: "off", autocomplete: "off", spellcheck: "false", "aria-label": t("Camera") });
  return h(
    "details",
    { class: "card owner", open: ownerIsOpen, ontoggle: (event) => { if (event.target.isConnected) ownerIsOpen = event.target.open; } },
    h("summary", { onclick: (event) => { ownerIsOpen = !event.currentTarget.parentElement.open; } }, h("h2", {}, t("For the owner"))),
    h(
      "div",
      { class: "list" },
      h("p", {}, host ? t("This phone is the host.") : t("The host's PIN is shown where the server was started.")),
      !host && pinForm(redraw),
      h(
        "label",
        {},
        h("span", {}, t("Only the host starts and takes back; players change their own dice")),
        h("input", { type: "checkbox", role: "switch", checked: state.settings.locked, onchange: (event) => change({ locked: event.target.checked }) }),
      ),
      h(
        "label",
        {},
        h("span", {}, t("Show the chances to win")),
        h("input", { type: "checkbox", role: "switch", checked: state.settings.chances, onchange: (event) => change({ chances: event.target.checked }) }),
      ),
      h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); change({ camera: camera.value }); } }, camera, h("button", { class: "quiet" }, t("Use this camera"))),
      h("p", { class: "hint" }, t("auto, picamera2, v4l2:0, the address of a network camera, simulated, none; empty: as started")),
      h(
        "label",
        {},
        h("span", {}, t("Whose dice are whose?")),
        h(
          "select",
          { onchange: (event) => change({ way: event.target.value }) },
          [["zones", t("own part of the table")], ["mats", t("printed mats")], ["tray", t("one tray, in turn")]].map(([value, text]) => h("option", { value, selected: value === state.settings.way }, text)),
        ),
      ),
      state.settings.way === "mats" &&
        h(
          "label",
          {},
          h("span", {}, t("Paper of the mats")),
          h("select", { onchange: (event) => change({ paper: event.target.value }) }, [["a4", "A4"], ["letter", "Letter"]].map(([value, text]) => h("option", { value, selected: value === state.settings.paper }, text))),
        ),
      state.settings.way === "zones" && h("button", { class: "quiet", "data-focus": "zones", onclick: () => editZones(state) }, t("Whose part of the table is where?")),
      h("a", { class: "button quiet", href: `/mats.pdf${state.game ? "" : "?seats=4"}` }, t("Mats to print (A4)")),
      h("a", { class: "button quiet", href: `/mats.pdf?paper=letter${state.game ? "" : "&seats=4"}` }, t("Mats to print (Letter)")),
      ownDice(state, change),
      h("a", { class: "button quiet", href: "/api/backup", download: "" }, t("Save a backup")),
      h("label", { class: "button quiet", for: "backup-file" }, t("Put a backup back")),
      file,
      h("a", { class: "button quiet", href: "/api/log.jsonl", download: "tablesight-log.jsonl" }, t("Download the log")),
      facts,
    ),
  );
}

function pinForm(redraw) {
  const pin = h("input", { inputmode: "numeric", autocomplete: "off", maxlength: 8, size: 6, "aria-label": t("Host PIN"), placeholder: t("PIN") });
  return h(
    "form",
    { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      try {
        await send("/api/host", { pin: pin.value.trim() });
        await refreshMe();
        redraw();
      } catch (problem) {
        toast(problem.message);
      }
    } },
    pin,
    h("button", { class: "quiet" }, t("Become the host")),
  );
}

async function restore(file) {
  if (!file.files.length) return;
  const form = new FormData();
  form.append("backup", file.files[0]);
  try {
    const answer = await fetch("/api/restore", { method: "POST", body: form });
    const reply = await answer.json();
    toast(answer.ok ? tn("The backup is back: {n} entry.", "The backup is back: {n} entries.", reply.entries) : said(reply.error));
  } catch {
    toast(t("The table cannot be reached. Nothing was changed; try again in a moment."));
  }
  file.value = "";
  refresh();
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
