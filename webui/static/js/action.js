// The one thing to do now, always in sight above the bar at the bottom, however long the page is.

import { h, fill } from "./dom.js";
import { t } from "./i18n.js";
import { send } from "./live.js";
import { toast } from "./toast.js";

// How high the bar of pages is: what sticks to it keeps off it.
export function measureBar(nav) {
  const tell = () => document.documentElement.style.setProperty("--bar", `${nav.offsetHeight}px`);
  new ResizeObserver(tell).observe(nav);
  tell();
}

export function actionBar(slot, game, actions) {
  const what = actionOf(game);
  fill(slot, [game.id, what, game.plays_itself], () => what && BUILD[what](game, actions));
}

function actionOf(game) {
  if (game.phase === "ended") return "again";
  if (!game.plays_itself) return null;
  if (game.phase === "scored") return "next";
  if (!["roll", "reroll"].includes(game.phase)) return null; // people trade and choose here
  return game.plays_itself.paused ? "paused" : "playing";
}

const BUILD = {
  again: (game, actions) => [h("button", { class: "big", "data-focus": "again", onclick: actions.newGame }, t("Play again"))],
  next: (game) => [
    h("button", { class: "big", "data-focus": "next", onclick: () => tell({ next: true }) }, t("Next round")),
    game.plays_itself.paused ? goOn() : pause(),
  ],
  playing: () => [h("p", {}, t("It plays on by itself.")), pause()],
  paused: () => [h("p", {}, t("Paused")), goOn()],
};

function pause() {
  return h("button", { class: "quiet", "data-focus": "pause", onclick: () => tell({ paused: true }) }, t("Pause"));
}

function goOn() {
  return h("button", { class: "quiet", "data-focus": "pause", onclick: () => tell({ paused: false }) }, t("Go on"));
}

function tell(body) {
  send("/api/simulated", body).catch((problem) => toast(problem.message));
}
