// The one thing to do now, always in sight above the bar at the bottom, however long the page is.

import { h, fill } from "./dom.js";
import { t } from "./i18n.js";
import { send } from "./live.js";
import { mySeat } from "./me.js";
import { pausedText } from "./moment.js";
import { enterByTaps } from "./taps.js";
import { toast } from "./toast.js";

// How high the bar of pages is: what sticks to it keeps off it.
export function measureBar(nav) {
  const tell = () => document.documentElement.style.setProperty("--bar", `${nav.offsetHeight}px`);
  new ResizeObserver(tell).observe(nav);
  tell();
}

export function actionBar(slot, state, actions) {
  const game = state.game;
  const what = actionOf(state);
  const seat = what === "tap" ? toTap(game) : null;
  fill(slot, [game.id, what, game.phase, game.plays_itself, seat, seat !== null && [game.seats[seat], state.camera.state, seesDice(state)]], () => what && BUILD[what](game, actions, seat, state));
}

// Whether a camera looks at the dice of this game.
function seesDice({ camera, game }) {
  return ["watching", "cannot_see", "starting"].includes(camera.state) && camera.simulated === game.simulated;
}

// Whose dice are to be tapped in next: those of whoever holds this phone first.
function toTap(game) {
  const waiting = game.seats.filter((seat) => seat.rolls !== null && !["asks", "count"].includes(seat.state)).map((seat) => seat.seat);
  const mine = mySeat(game);
  return waiting.includes(mine) ? mine : waiting[0] ?? null;
}

function actionOf(state) {
  const game = state.game;
  if (game.phase === "ended") return "again";
  // with a camera the dice of a round are tapped in below, at each player
  if (!game.plays_itself) return ["scored", "reroll", ...(seesDice(state) ? [] : ["roll"])].includes(game.phase) && toTap(game) !== null ? "tap" : null;
  if (!["scored", "roll", "reroll"].includes(game.phase)) return null; // people trade and choose here
  if (game.plays_itself.paused) return "paused";
  return game.phase === "scored" ? "next" : "playing";
}

const BUILD = {
  again: (game, actions) => [h("button", { class: "big", "data-focus": "again", onclick: actions.newGame }, t("Play again"))],
  tap: (game, actions, number, state) => {
    const seat = game.seats[number];
    const button = (kind, ...text) => h("button", { class: kind, "data-focus": "tap", onclick: () => enterByTaps(seat) }, text);
    // where the camera sees it, nobody has to tap
    if (seesDice(state) && state.camera.state !== "cannot_see")
      return [h("p", {}, t("The camera reads the next roll.")), button("link", seat.expected === 1 ? t("tap it in") : t("tap them in"), " ", h("span", { class: "sr" }, seat.name))];
    return [button(seesDice(state) ? "quiet" : "big", t("Tap in the dice of {name}", { name: seat.name }))];
  },
  next: (game) => [
    game.plays_itself.comes ? h("p", { role: "status" }, t("The next round begins …")) : h("button", { class: "big", "data-focus": "next", onclick: () => tell({ next: true }) }, t("Next round")),
    pause(),
  ],
  playing: () => [h("p", {}, t("It plays on by itself.")), pause()],
  // while a round is rolled a question may be open: that is the thing to do then
  paused: (game) => [h("p", {}, pausedText(game)), goOn(game.phase === "scored" ? "big" : "quiet")],
};

function pause() {
  return h("button", { class: "quiet", "data-focus": "pause", onclick: () => tell({ paused: true }) }, t("Pause"));
}

function goOn(kind) {
  return h("button", { class: kind, "data-focus": "pause", onclick: () => tell({ paused: false }) }, t("Go on"));
}

// "Go on" comes up where "Pause" was: the second tap of a double tap means the same as the first.
const DOUBLE_TAP_MS = 700;
let told_at = -Infinity;

function tell(body) {
  if (performance.now() - told_at < DOUBLE_TAP_MS) return;
  told_at = performance.now();
  send("/api/simulated", body).catch((problem) => toast(problem.message));
}
