// What somebody has changed: a correction, something taken back or brought back. It stands on every page of every phone
// until it was seen for a while, is closed there, or until the next round; after that it is in the list of changes.

import { h, fill } from "./dom.js";
import { t, signed } from "./i18n.js";
import { rememberChange } from "./changes.js";
import { totalNow } from "./moment.js";
import { moveName as boxMove } from "./games/box.js";
import { anyName as pandoraMove } from "./games/pandora.js";
import { moveName as pirateMove } from "./games/pirate.js";

const MOVES = { "pirate-box": pirateMove, box: boxMove, "pandoras-box": pandoraMove };
const TOLD = "news";
const SEEN_S = 12;
let news = null;
let before = null;
let seen_s = 0;
let timer = null;

export function showNews(slot, game) {
  const last = before;
  before = game && { id: game.id, seq: game.last.seq, totals: totals(game) };
  if (!game || (news && (news.id !== game.id || roundOf(game) > news.round))) news = null;
  if (game && last?.seq !== game.last.seq && newsText(game) && read() !== key(game)) {
    news = { id: game.id, key: key(game), round: roundOf(game), text: newsText(game), lines: lines(game, last?.id === game.id ? last.totals : null) };
    rememberChange(game.id, { key: news.key, text: news.text, lines: news.lines });
    clearInterval(timer);
    seen_s = 0;
    timer = setInterval(() => look(slot), 1000);
  }
  show(slot);
}

function show(slot) {
  const height = heightOf(slot);
  fill(slot, news, () => news && card(slot));
  // where the browser does not do it, what is being read stays where it is
  if (window.scrollY > 0 && !CSS.supports("overflow-anchor", "auto")) window.scrollBy({ top: heightOf(slot) - height, behavior: "instant" });
}

function heightOf(slot) {
  return [...slot.children].reduce((sum, part) => sum + part.offsetHeight, 0);
}

// Once a second: what was in sight long enough goes, unless somebody is about to close it.
function look(slot) {
  if (news && !document.hidden && !slot.contains(document.activeElement)) seen_s += 1;
  if (news && seen_s < SEEN_S) return;
  clearInterval(timer);
  if (news) close(slot);
}

function close(slot) {
  keep(news.key);
  news = null;
  show(slot);
}

// The sentence stays in sight however far down one reads; what follows from it stands below it, once, at the top.
function card(slot) {
  return [
    h(
      "section",
      { class: "news", "aria-label": t("What was changed") },
      h("p", {}, news.text),
      h("button", { class: "remove", "aria-label": t("Close"), "data-focus": "close-news", onclick: () => close(slot) }, "\u00d7"),
    ),
    news.lines.length > 0 && h("ul", { class: "news-lines" }, news.lines.map((line) => h("li", {}, line))),
  ];
}

// One sentence on the last entry of the log; "" where the game simply went on.
export function newsText(game) {
  const { type, event, turned } = game.last;
  if (type === "corrected") {
    const name = game.seats[event.seat]?.name;
    return game.kind === "panda-royale" && name ? t("Corrected: a die of {name} in round {n}.", { name, n: event.round }) : t("Something was corrected.");
  }
  if (!turned) return "";
  const what = stepName(game, turned);
  return type === "undone" ? t("Taken back: {what}", { what }) : t("Brought back: {what}", { what });
}

function stepName(game, { type, seat }) {
  const name = game.seats[seat]?.name;
  if (game.kind !== "panda-royale") {
    const what = type === "corrected" ? t("the correction") : MOVES[game.kind]?.(type);
    return what ? (name ? `${what} (${name})` : what) : t("the last step");
  }
  if (!name) return t("the last step");
  if (["seat_rolled", "seat_rerolled", "hand_accepted"].includes(type)) return t("the roll of {name}", { name });
  return { corrected: t("the correction of a die of {name}", { name }), traded: t("the trade of {name}", { name }), drafted: t("the die that {name} chose", { name }) }[type] ?? t("the last step");
}

function totals(game) {
  return game.seats.map((seat) => (game.kind === "panda-royale" ? totalNow(game, seat) : seat.running));
}

function roundOf(game) {
  return game.round ?? game.view?.round ?? 0;
}

// What is different now, for each player whom it concerns.
function lines(game, was) {
  const now = totals(game);
  const points = (was ?? []).flatMap((total, seat) => (total === now[seat] ? [] : [t("{name}: now {after} in all, before {before}", { name: game.seats[seat].name, before: signed(total), after: signed(now[seat]) })]));
  if (game.last.type !== "corrected") return points;
  return [...game.last.changes.map((change) => changed(game, change)).filter(Boolean), ...(game.last.changes.some(({ what }) => what === "score") ? [] : points)];
}

function changed(game, change) {
  const people = (seats) => seats.map((seat) => game.seats[seat]?.name).join(", ");
  switch (change.what) {
    case "score":
      return t("{name}, round {n}: {before} is now {after}", { name: game.seats[change.seat].name, n: change.round, before: signed(change.before[0]), after: signed(change.after[0]) });
    case "token":
      return t("The Panda of round {n} goes to {names}", { n: change.round, names: people(change.after) });
    case "pity":
      return t("The pink dice after round {n} go to {names}", { n: change.round, names: people(change.after) });
    case "draft_order":
      return t("Choosing after round {n}: {names}", { n: change.round, names: people(change.after) });
    default:
      return "";
  }
}

function key(game) {
  return `${game.id} ${game.last.seq}`;
}

// A page that is opened again does not tell once more what was closed.
function read() {
  try {
    return sessionStorage.getItem(TOLD);
  } catch {
    return null; // private mode: it is told again
  }
}

function keep(told) {
  try {
    sessionStorage.setItem(TOLD, told);
  } catch {
    // private mode
  }
}
