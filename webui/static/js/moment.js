// What happens now: the headline of the table, and between two rounds the steps in their order.

import { h } from "./dom.js";
import { t, tn, signed } from "./i18n.js";
import { leads } from "./crown.js";
import { totalsTable } from "./games/shared.js";

export function momentData(game) {
  return [game.phase, game.round, game.rounds, game.questions.length, game.seats.map((seat) => [seat.state, seat.name, seat.color]), game.token, game.turn, game.next, game.tray, game.phase === "scored" && game.hands];
}

// The total as the players would say it: this round's points count in as soon as the dice are read.
export function totalNow(game, seat) {
  return seat.running + (["roll", "reroll"].includes(game.phase) && seat.scores && !seat.rerolls ? seat.scores.total : 0);
}

export function momentText(game) {
  const waiting = game.seats.filter((seat) => seat.state !== "rolled");
  if (game.phase === "ended") return t("The game is over.");
  if (game.phase === "scored") return game.plays_itself ? t("All dice are counted. The computer goes on with:") : t("All dice are counted. Now, one after the other:");
  if (game.phase === "trade") return t("Trade, in turn.");
  if (game.phase === "pool" || game.phase === "draft") return t("Choose a die, in turn.");
  if (game.tray !== null && game.seats[game.tray].state !== "rolled") return t("{name} rolls into the tray.", { name: game.seats[game.tray].name });
  if (game.phase === "reroll" && game.options.reroll === "tied") return t("Yellow is tied. Roll the yellow dice again: {names}", { names: waiting.map((seat) => seat.name).join(", ") });
  if (game.phase === "reroll") return t("Yellow is tied: everybody rolls the yellow dice again.");
  if (waiting.length && waiting.every((seat) => seat.state === "asks" || seat.state === "count")) return t("The camera is not sure: please help.");
  if (waiting.length === game.seats.length) return tn("Everybody rolls {n} die.", "Everybody rolls {n} dice.", game.round);
  if (waiting.length === 1) return t("Still to roll: {name}", { name: waiting[0].name });
  return waiting.length ? t("{n} players still to roll", { n: waiting.length }) : "";
}

// Whether a round has just been counted: then who got what comes first, and what happens next under it.
function isBetween(game) {
  return game.phase === "scored" && Boolean(game.next);
}

export function momentShown(game) {
  return [momentData(game), isBetween(game) && [game.leaders, game.seats.map((seat) => [seat.running, seat.scores?.total])]];
}

export function moment(game) {
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : t("Round {n} of {all}", { n: game.round, all: game.rounds })),
    isBetween(game) ? totals(game) : lead(game),
  ];
}

export function steps(game) {
  return isBetween(game) ? [lead(game), between(game)] : null;
}

function lead(game) {
  return h("p", { class: "lead" }, momentText(game));
}

// Who got what in this round, best first.
function totals(game) {
  const points = ({ scores }) => (scores ? `${scores.total < 0 ? "" : "+"}${signed(scores.total)}` : "\u2013");
  const rows = [
    { title: t("Round"), values: game.seats.map(points) },
    { title: t("Total"), values: game.seats.map((seat) => seat.running), sum: true },
  ];
  const order = [...game.seats].sort((a, b) => b.running - a.running || a.seat - b.seat);
  return h("div", { class: "totals" }, totalsTable(game, t("Standings"), rows, { seats: order, sign: (seat) => game.leaders.includes(seat.seat) && leads() }));
}

// At the simulated table nobody has to roll: it is said, so that nobody wonders whose dice these are.
export function simulatedText(state) {
  const { camera, game } = state;
  if (!camera.simulated || (game && game.kind !== "panda-royale") || game?.winners) return "";
  return game && !game.plays_itself ? t("The camera shows a simulated table: its dice do not count in this game.") : t("Simulated table: the computer rolls.");
}

// At the simulated table, while its players wait: what is in the air when somebody taps falls, and is read.
export function pausedText(game) {
  if (!game.plays_itself?.paused || game.winners) return "";
  return game.phase === "scored" ? t("Paused: the next round waits.") : t("Paused: nobody rolls. Dice already thrown still count.");
}

// Who gets pink and why, who may trade, who chooses when, and what is rolled then.
export function between(game) {
  const { pity, trade_order: trades, draft_order: drafts } = game.next;
  const traders = trades.filter((seat) => game.hands[seat].includes("clear-d6"));
  return h(
    "ol",
    { class: "between" },
    step(pity.length > 1 ? t("Pink dice") : t("Pink die"), names(game, pity, "+"), pityWhy(game, pity)),
    traders.length
      ? step(t("Trade"), names(game, traders), t("a clear die for any other; the Panda is last"))
      : step(t("Trade"), t("Nobody has a clear die: no trades."), ""),
    step(t("New die"), names(game, drafts), t("{n} dice from the bag, each takes one; most yellow first", { n: drafts.length + 1 })),
    step(t("Roll"), t("everybody, {n} dice", { n: game.round + 1 }), pity.length > 1 ? t("and the pink dice") : t("and the pink die")),
  );
}

// Fewest points; among equals, whoever is first the other way round from the holder of the Panda.
function pityWhy(game, pity) {
  const points = game.seats.map((seat) => seat.scores?.total);
  const isTied = pity.some((seat) => points.some((other, index) => !pity.includes(index) && other === points[seat]));
  return isTied ? t("fewest points this round; on a tie, who is next counter-clockwise from the Panda") : t("fewest points this round");
}

function step(title, what, why) {
  return h("li", {}, h("b", {}, title), h("span", { class: "what" }, what), why && h("small", {}, why));
}

function names(game, seats, mark = "\u203a") {
  return seats.flatMap((seat, index) => [
    index > 0 && h("span", { class: "then", "aria-hidden": "true" }, mark),
    h("span", { class: "who-turn", style: { "--seat": `var(--seat-${game.seats[seat].color})` } }, game.seats[seat].name),
  ]);
}
