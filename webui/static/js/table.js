// The table: who has rolled what, each colour, the total; the open question first.

import { h, fill, fillList } from "./dom.js";
import { t, tn, signed } from "./i18n.js";
import { COLORS, colorName, shortColor, dieSvg, dieLabel } from "./dice.js";
import { why } from "./why.js";
import { correct } from "./correct.js";
import { questionCard } from "./question.js";
import { enterByTaps } from "./taps.js";
import { strictCard } from "./strict.js";
import { state as current } from "./live.js";
import { meCard, meData, mySeat } from "./me.js";
import { moment, momentData, momentShown, steps, totalNow } from "./moment.js";
import { historyRow } from "./history_row.js";
import { ownZone, refreshBoxes, showsZone } from "./own_zone.js";
import { endCard } from "./end.js";
import { crown, leadersOf, leads } from "./crown.js";
import { actionBar } from "./action.js";
import { piratePage } from "./games/pirate.js";
import { boxPage } from "./games/box.js";
import { pandoraPage } from "./games/pandora.js";

// whose "why" was opened or closed by hand; else it is open for the own dice only
const whys = new Map();
let shown = { moment: "", question: "" };

export function tableView(main, state, actions) {
  const game = state.game;
  if (game.kind !== "panda-royale") return handPage(main, state, actions);
  if (!main.querySelector(".moment")) {
    main.replaceChildren(
      h("div", { class: "moment" }),
      h("div", { class: "ending" }),
      h("div", { class: "strict" }),
      h("div", { class: "questions" }),
      h("div", { class: "who" }),
      h("div", { class: "steps" }),
      h("div", { class: "mine" }),
      h("ul", { class: "seats", "data-item": "li" }),
      h("div", { class: "signs" }),
      h("div", { class: "after" }),
      h("div", { class: "action" }),
    );
  }
  fill(main.querySelector(".moment"), momentShown(game), () => moment(game));
  fill(main.querySelector(".steps"), [momentData(game), game.plays_itself], () => steps(game));
  fill(main.querySelector(".who"), meData(game), () => meCard(game, () => tableView(main, current(), actions)));
  fill(main.querySelector(".ending"), game.winners && [game.winners, game.seats.map((seat) => seat.running)], () =>
    game.winners ? endCard(game) : null,
  );
  fill(main.querySelector(".strict"), [game.phase, game.turn, game.hands, game.pool, game.id], () => strictCard(game));
  const mine = mySeat(game);
  const first = game.questions.find((question) => question.seat === mine) ?? game.questions[0];
  fill(main.querySelector(".questions"), [first, game.questions.length], () =>
    first ? questionCard(game, first, game.questions.length) : null,
  );
  showMoment(game, first && (mine < 0 || first.seat === mine) ? first : null);
  const seats = game.seats.map((seat) => ({
    ...seat,
    running: totalNow(game, seat),
    round: game.round,
    leads: leadersOf(game).includes(seat.seat),
    token: game.token === seat.seat,
    gameId: game.id,
    ended: game.phase === "ended",
    byComputer: Boolean(game.plays_itself && !game.plays_itself.paused),
    mine: seat.seat === mine,
    pens: hasPens(state),
  }));
  drawZone(main.querySelector(".mine"), state, mine);
  if (mine > 0) seats.unshift(...seats.splice(mine, 1));
  fillList(main.querySelector("ul.seats"), seats, (seat) => seat.seat, seatCard);
  fill(main.querySelector(".signs"), signsOf(state), () => signs(state));
  fill(main.querySelector(".after"), [game.story, game.can_undo, game.undoes, game.can_redo, game.last.seq, game.id], () => historyRow(game));
  actionBar(main.querySelector(".action"), state, actions);
}

// A new round, or a question to whoever holds this phone, begins at the top of the page.
function showMoment(game, question) {
  const now = { moment: JSON.stringify([game.id, game.round, game.phase]), question: question ? `${question.reading} ${question.die}` : "" };
  const isNew = shown.moment && (now.moment !== shown.moment || (now.question && now.question !== shown.question));
  shown = now;
  if (isNew && window.scrollY > 0 && !document.querySelector("dialog[open]")) window.scrollTo(0, 0);
}

function drawZone(slot, state, mine) {
  const shown = mine >= 0 && !state.game.winners && showsZone(state, mine);
  fill(slot, shown && [mine, state.game.id, state.settings, state.camera.mats], () => (shown ? ownZone(state, mine) : null));
  if (shown) refreshBoxes(slot, state, mine);
}

// The games that are played by hand: drawn anew on every change.
const HAND_PAGES = { "pirate-box": piratePage, box: boxPage, "pandoras-box": pandoraPage };
let drawn = 0;

function handPage(main, state, actions) {
  const game = state.game;
  const redraw = () => {
    drawn += 1;
    handPage(main, state, actions);
  };
  fill(main, [game, drawn], () => HAND_PAGES[game.kind](game, redraw, actions.newGame));
}

function status(seat) {
  // dice and total say it already
  if (seat.ended || (seat.state === "rolled" && seat.dice.length)) return null;
  const texts = {
    waiting: t("to roll"),
    moving: t("rolling …"),
    reading: t("reading …"),
    asks: t("question"),
    count: t("look again"),
    rolled: t("rolled"),
  };
  return h("span", { class: `chip chip-${seat.state}` }, texts[seat.state] ?? seat.state);
}

function seatCard(seat) {
  const name = h("h2", {}, h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1), seat.name);
  return h(
    "article",
    { class: `seat is-${seat.state}`, style: { "--seat": `var(--seat-${seat.color})` }, "aria-label": seat.name },
    h(
      "header",
      {},
      name,
      seat.token && panda(),
      seat.leads && leads(),
      status(seat),
      h("span", { class: "running" }, h("small", {}, t("Total")), signed(seat.running)),
    ),
    dice(seat),
    seat.scores && scores(seat),
  );
}

function dice(seat) {
  if (!seat.dice.length) {
    return h(
      "p",
      { class: "empty" },
      seat.expected === null ? "" : seat.pink ? tn("{n} die and the pink die", "{n} dice and the pink die", seat.expected - 1) : tn("{n} die", "{n} dice", seat.expected),
      !seat.byComputer && !seat.ended && h("button", { class: "link", "data-focus": `taps-${seat.seat}`, onclick: () => enterByTaps(seat) }, seat.expected === 1 ? t("tap it in") : t("tap them in")),
      seat.before !== null && h("span", { class: "before" }, t("last round: {n}", { n: signed(seat.before) })),
    );
  }
  return h(
    "div",
    { class: "dice" },
    seat.dice.map((die) =>
      h(
        "button",
        {
          class: `die-button${die.question ? " asks" : ""}${seat.rerolls && die.kind.startsWith("yellow") ? " again" : ""}`,
          "aria-label": t("{die}: tap to correct", { die: dieLabel(die.kind, die.value) }),
          "data-focus": `die-${seat.seat}-${die.index}`,
          onclick: () => correct(seat, die),
        },
        dieSvg(die.kind, die.question ? null : die.value, { label: false }),
        die.corrected && seat.pens && h("span", { class: "pen", "aria-hidden": "true" }, "\u270e"),
      ),
    ),
  );
}

// The seven columns of the paper sheet and the total; the why underneath.
function scores(seat) {
  const reasons = COLORS.map((color) => [color, why(color, seat.dice, seat.scores[color])]).filter(([, text]) => text);
  const key = `${seat.gameId}-${seat.seat}`;
  return h(
    "div",
    { class: "scored" },
    h(
      "dl",
      { class: "columns" },
      COLORS.map((color) =>
        h(
          "div",
          { class: `column die-${color}${has(seat.dice, color) ? "" : " none"}` },
          h("dt", { title: colorName(color) }, h("span", { "aria-hidden": "true" }, shortColor(color)), h("span", { class: "sr" }, colorName(color))),
          points(has(seat.dice, color) ? (seat.rerolls && color === "yellow" ? "?" : signed(seat.scores[color])) : "\u2013"),
        ),
      ),
      h("div", { class: "column total" }, h("dt", {}, t("Round")), h("dd", {}, seat.rerolls ? "?" : signed(seat.scores.total))),
    ),
    h(
      "details",
      {
        class: "why",
        open: whys.get(key) ?? seat.mine,
        ontoggle: (event) => whys.set(key, event.target.open),
      },
      h("summary", {}, t("Why?")),
      h(
        "ul",
        {},
        reasons.map(([color, text]) => h("li", {}, h("b", {}, `${colorName(color)}: `), text)),
      ),
    ),
  );
}

// "-16" in a column of a small phone.
function points(text) {
  return h("dd", { class: text.length > 2 ? "long" : null }, text);
}

function has(all, color) {
  return all.some((die) => die.kind?.startsWith(`${color}-`) || (color === "blue" && die.kind === "glitter-d6"));
}

// Where no camera reads dice, a person tells them all: it need not be said of each.
function hasPens({ camera, game }) {
  return game.simulated || camera.state !== "no_camera";
}

// What the little signs mean, as far as they are to be seen.
function signsOf(state) {
  const { game } = state;
  const corrected = hasPens(state) && game.seats.some((seat) => seat.dice.some((die) => die.corrected));
  return [game.token !== null, leadersOf(game).length > 0, corrected];
}

function signs(state) {
  const [held, led, corrected] = signsOf(state);
  const shown = [
    held && [panda(), t("holds the Panda")],
    led && [h("span", { class: "crown", "aria-hidden": "true" }, crown()), t("leads")],
    corrected && [h("span", { class: "pen", "aria-hidden": "true" }, "\u270e"), t("told by a person")],
  ].filter(Boolean);
  return shown.length ? h("p", { class: "hint legend" }, shown.map((sign) => h("span", {}, sign))) : null;
}

function panda() {
  return h(
    "svg",
    { viewBox: "0 0 24 24", class: "panda", role: "img", "aria-label": t("holds the Panda") },
    h("circle", { cx: 6, cy: 6, r: 3.6, class: "dark" }),
    h("circle", { cx: 18, cy: 6, r: 3.6, class: "dark" }),
    h("circle", { cx: 12, cy: 13, r: 9, class: "light" }),
    h("ellipse", { cx: 8.4, cy: 12, rx: 2.3, ry: 3, class: "dark" }),
    h("ellipse", { cx: 15.6, cy: 12, rx: 2.3, ry: 3, class: "dark" }),
    h("ellipse", { cx: 12, cy: 16.4, rx: 1.5, ry: 1.1, class: "dark" }),
  );
}
