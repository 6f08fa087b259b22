// Who holds this phone: a name, remembered here and told to the server for each new game.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { refresh, send } from "./live.js";
import { colorDots } from "./colors.js";
import { toast } from "./toast.js";

let told = "";
let greeting = "";
export let host = false;

// The names that were typed on this phone on the start page, by row: where it was one only, it is the phone's.
export const typedHere = new Map();
let lastGame = "";

function remembered(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function myName() {
  return remembered("me");
}

export function mySeat(game) {
  const name = myName();
  return name ? game.seats.findIndex((seat) => seat.name === name) : -1;
}

export function sitDown(name) {
  try {
    localStorage.setItem("me", name);
  } catch {
    // private mode: the phone forgets
  }
  told = "";
}

function watch(game) {
  try {
    localStorage.setItem("watching", game.id);
  } catch {
    // private mode: asked again next time
  }
}

// Once for each game: the seat with the remembered name is mine.
export async function tellSeat(state) {
  const game = state.game;
  if (!game) return;
  if (game.id !== lastGame) {
    lastGame = game.id;
    const names = [...typedHere.values()].map((name) => name.trim()).filter(Boolean);
    if (names.length === 1 && mySeat(game) < 0 && game.seats.some((seat) => seat.name === names[0])) sitDown(names[0]);
    typedHere.clear();
  }
  const seat = mySeat(game);
  const key = `${state.boot} ${game.id} ${seat}`;
  if (seat < 0 || key === told) return;
  told = key;
  try {
    await send("/api/me", { seat });
  } catch {
    told = "";
  }
}

export async function refreshMe() {
  try {
    const answer = await fetch("/api/me");
    host = (await answer.json()).host === true;
  } catch {
    host = false;
  }
  return host;
}

// What the card below depends on.
export function meData(game) {
  return [game.id, game.seats.map((seat) => [seat.name, seat.color]), myName(), remembered("watching"), greeting, isFolded(game)];
}

// Once a round is scored the game comes first: the question is one line, to be opened.
function isFolded(game) {
  return game.round > 1 || game.phase === "scored";
}

let opened = false;

function card(game, title, ...parts) {
  if (!isFolded(game)) return h("section", { class: "card me" }, h("h2", {}, title), parts);
  return h("details", { class: "card me", open: opened, ontoggle: (event) => { opened = event.target.open; } }, h("summary", {}, h("h2", {}, title)), parts);
}

// Asked once on a phone that is new to the game: whose is it, and in which colour?
export function meCard(game, redraw) {
  const seat = mySeat(game);
  if (seat >= 0 && greeting === game.id) return colorCard(game, game.seats[seat], redraw);
  if (seat >= 0 || remembered("watching") === game.id || game.winners) return null;
  return card(
    game,
    t("Who holds this phone?"),
    h(
      "div",
      { class: "row", role: "group", "aria-label": t("Who holds this phone?") },
      game.seats.map((one) => seatButton(one, false, () => { sitDown(one.name); greeting = game.id; refresh(); redraw(); })),
      h("button", { class: "link", onclick: () => { watch(game); redraw(); window.scrollTo(0, 0); } }, t("Nobody: just watching")),
    ),
  );
}

export function seatButton(seat, pressed, onclick) {
  return h(
    "button",
    { class: "quiet seat-choice", style: { "--seat": `var(--seat-${seat.color})` }, "aria-pressed": pressed ? "true" : "false", "data-focus": `me-${seat.seat}`, onclick },
    h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1),
    seat.name,
  );
}

function colorCard(game, seat, redraw) {
  const close = () => {
    greeting = "";
    redraw();
    window.scrollTo(0, 0);
  };
  return card(
    game,
    t("Hello {name}! Your colour:", { name: seat.name }),
    chooseColor(game, seat, close),
    h("button", { class: "quiet", "data-focus": "colour-done", onclick: close }, t("Done")),
  );
}

export function chooseColor(game, seat, after = () => {}) {
  const taken = new Map(game.seats.filter((one) => one.seat !== seat.seat).map((one) => [one.color, one.name]));
  return colorDots(seat.color, taken, (color) => send("/api/me", { seat: seat.seat, color }).then(after, (problem) => toast(problem.message)));
}
