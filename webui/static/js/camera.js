// What the camera sees: the live picture and the last reading with its boxes.

import { h, fill } from "./dom.js";
import { t, tn, signed } from "./i18n.js";
import { send } from "./live.js";
import { KINDS, dieSvg, kindName } from "./dice.js";
import { liveBoxes } from "./boxes.js";
import { calibration } from "./calibrate.js";
import { hasPicture, keepLive } from "./live_picture.js";
import { lookedAt } from "./looked_at.js";
import { said } from "./said.js";
import { editZones, grid, zoneName } from "./zones.js";

export function cameraView(main, state) {
  if (!main.querySelector(".live")) {
    main.replaceChildren(
      h("h1", {}, t("Camera")),
      h("div", { class: "facts" }),
      h("figure", { class: "live boxed" }, h("p", { class: "hint" }, t("No picture yet")), h("img", { alt: t("live picture of the table"), width: 640, height: 360 }), h("svg", { viewBox: "0 0 1600 900", preserveAspectRatio: "none", class: "zones", "aria-hidden": "true" }), h("svg", { viewBox: "0 0 1600 900", class: "boxes", preserveAspectRatio: "none", "aria-hidden": "true" })),
      h("div", { class: "advice" }, h("button", { class: "quiet", "data-focus": "advice", onclick: () => advise(main.querySelector(".advice ul")) }, t("Does the camera hang well?")), h("ul", { "aria-live": "polite" })),
      h("div", { class: "last" }),
      h("div", { class: "photo" }),
      h("div", { class: "setup" }),
      h("div", { class: "lens" }),
    );
    const image = main.querySelector(".live img");
    const blank = (isBlank) => image.parentElement.classList.toggle("blank", isBlank);
    blank(!hasPicture(state));
    keepLive(image, 400, () => blank(false), () => blank(true));
  }
  main.querySelector(".advice").hidden = !hasPicture(state);
  fill(main.querySelector(".facts"), [state.camera, state.look?.at_s], () => facts(state));
  fill(main.querySelector(".live svg.boxes"), state.boxes, () => liveBoxes(state));
  fill(main.querySelector(".live svg.zones"), [state.settings, state.camera.mats, state.game?.seats.map((seat) => [seat.name, seat.color])], () => outlines(state));
  fill(main.querySelector(".last"), state.look, () => (state.look ? last(state.look) : null));
  fill(main.querySelector(".setup"), [state.settings, state.game?.id], () => setup(state));
  fill(main.querySelector(".lens"), [state.camera.calibration, state.settings.paper], () => calibration(state));
  fill(main.querySelector(".photo"), [state.game?.id, state.game?.seats.map((seat) => seat.name)], () => photo(state.game));
}

// Whose dice are whose: zones without a printer, mats with one.
function setup(state) {
  const seats = state.game ? "" : "seats=4&";
  return h(
    "section",
    { class: "card list" },
    h("h2", {}, t("Whose dice are whose?")),
    h("button", { class: "quiet", "data-focus": "zones", onclick: () => editZones(state) }, t("Whose part of the table is where?")),
    h("a", { class: "button quiet", href: `/mats.pdf?${seats}paper=a4` }, t("Mats to print (A4)")),
    h("a", { class: "button quiet", href: `/mats.pdf?${seats}paper=letter` }, t("Mats to print (Letter)")),
  );
}

function facts(state) {
  const camera = state.camera;
  const words = {
    starting: t("starting"), watching: t("watching"), no_camera: t("no camera"), cannot_see: t("cannot see"),
    error: t("error"), lost: t("lost"),
  };
  return h(
    "p",
    { class: "lead" },
    h("span", { class: camera.state === "no_camera" && !camera.message ? "chip" : `chip chip-camera-${camera.state}` }, words[camera.state] ?? camera.state),
    ` ${said(camera.source)}`,
    camera.frames_per_s ? ` · ${tn("{n} picture a second", "{n} pictures a second", Math.round(camera.frames_per_s))}` : "",
  );
}

// Whose part is where, over the live picture.
function outlines(state) {
  const count = state.game?.seats.length ?? 0;
  if (!count || state.settings.way === "tray") return [];
  const zones = state.settings.way === "mats" ? state.camera.mats?.zones ?? [] : state.settings.zones[count] ?? grid(count);
  return zones.flatMap((zone) => {
    const top = Math.min(...zone.polygon.map((point) => point[1]));
    return [
      h("polygon", { points: zone.polygon.map(([x, y]) => `${x * 1600},${y * 900}`).join(" "), class: "zone thin", style: { "--seat": `var(--seat-${state.game.seats[zone.seat]?.color ?? zone.seat})` } }),
      zoneName(state.game.seats[zone.seat]?.name ?? "", zone.polygon, 46, Math.max(0, top) * 900 + 70),
    ];
  });
}

async function advise(slot) {
  slot.replaceChildren(h("li", {}, t("Looking …")));
  try {
    const { items } = await send("/api/advice");
    slot.replaceChildren(...items.map((item) => h("li", { class: `grade-${item.grade}` }, h("b", {}, topic(item.topic)), " ", said(item.sentence) || t("good"))));
  } catch (problem) {
    slot.replaceChildren(h("li", { class: "error" }, problem.message));
  }
}

function topic(name) {
  return { scale: t("Size of the dice:"), sharpness: t("Sharpness:"), light: t("Light:"), glare: t("Glare:"), tilt: t("Tilt:") }[name] ?? `${name}:`;
}

function last(look) {
  return h(
    "figure",
    { class: "read" },
    h("figcaption", {}, t("Last reading: {dice} in {ms} ms", { dice: tn("{n} die", "{n} dice", look.dice.length), ms: Math.round(look.ms?.total ?? 0) })),
    lookedAt(look),
    h("ul", { class: "lying" }, inOrder(look.dice).map((die) => h("li", {}, dieSvg(die.kind, die.value, { label: false }), h("span", {}, kindName(die.kind), ": ", h("b", {}, signed(die.value)), !die.accepted && ` (${t("not sure")})`)))),
    look.dice.length > 0 && h("p", { class: "hint" }, t("d6, d8, d12, d20: how many sides the die has.")),
  );
}

// As the columns of the sheet.
function inOrder(dice) {
  const place = ({ kind }) => (KINDS.indexOf(kind) + KINDS.length + 1) % (KINDS.length + 1);
  return [...dice].sort((a, b) => place(a) - place(b) || b.value - a.value);
}

function photo(game) {
  const result = h("div", { "aria-live": "polite" });
  const seat = game && h("select", { "aria-label": t("Whose dice?") }, h("option", { value: "" }, t("just read")), game.seats.map((one) => h("option", { value: one.seat }, one.name)));
  const input = h("input", {
    type: "file", accept: "image/*,.heic,.heif", capture: "environment", id: "photo-file", class: "sr",
    onchange: async () => {
      if (!input.files.length) return;
      result.replaceChildren(h("p", {}, t("Reading the photo …")));
      const form = new FormData();
      form.append("photo", input.files[0]);
      if (seat?.value) form.append("seat", seat.value);
      try {
        const answer = await fetch("/api/photos", { method: "POST", body: form, headers: { "X-Tablesight": "1" } });
        const reply = await answer.json();
        if (!answer.ok) throw new Error(said(reply.error));
        result.replaceChildren(last(reply));
      } catch (problem) {
        result.replaceChildren(h("p", { class: "error", role: "alert" }, problem.message));
      }
      input.value = "";
    },
  });
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("Photo from this phone")),
    h("p", {}, t("Take a picture of the dice: it is read like the camera's.")),
    h("div", { class: "row" }, seat, h("label", { class: "button", for: "photo-file" }, t("Take a photo")), input),
    result,
  );
}
