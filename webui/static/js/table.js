// The table: who has rolled what, each colour, the total; the open question first.

import { h, fill, fillList } from "./dom.js";
import { t, signed } from "./i18n.js";
import { COLORS, LETTERS, colorName, dieSvg, dieLabel, kindName } from "./dice.js";
import { why } from "./why.js";
import { correct } from "./correct.js";
import { questionCard } from "./question.js";
import { enterByTaps } from "./taps.js";
import { strictCard } from "./strict.js";
import { mySeat } from "./me.js";
import { endCard } from "./end.js";
import { piratePage } from "./games/pirate.js";
import { boxPage } from "./games/box.js";
import { pandoraPage } from "./games/pandora.js";

const opened = new Set();

export function tableView(main, state, actions) {
  const game = state.game;
  if (game.kind !== "panda-royale") return handPage(main, state);
  if (!main.querySelector(".moment")) {
    main.replaceChildren(
      h("div", { class: "moment" }),
      h("div", { class: "ending" }),
      h("div", { class: "strict" }),
      h("div", { class: "questions" }),
      h("ul", { class: "seats", "data-item": "li" }),
      h("div", { class: "after" }),
    );
  }
  fill(main.querySelector(".moment"), momentData(game), () => moment(game));
  fill(main.querySelector(".ending"), game.winners && [game.winners, game.seats.map((seat) => seat.running)], () =>
    game.winners ? endCard(game, actions) : null,
  );
  fill(main.querySelector(".strict"), [game.phase, game.turn, game.hands, game.pool, game.id], () => strictCard(game));
  const first = game.questions[0];
  fill(main.querySelector(".questions"), [first, game.questions.length], () =>
    first ? questionCard(game, first, game.questions.length) : null,
  );
  const seats = game.seats.map((seat) => ({
    ...seat,
    round: game.round,
    leads: game.leaders.includes(seat.seat),
    token: game.token === seat.seat,
    gameId: game.id,
    ended: game.phase === "ended",
  }));
  const mine = mySeat(game);
  if (mine > 0) seats.unshift(...seats.splice(mine, 1));
  fillList(main.querySelector("ul.seats"), seats, (seat) => seat.seat, seatCard);
  fill(main.querySelector(".after"), [game.story, game.can_undo, game.can_redo, game.last, game.id], () => after(game));
}

// The games that are played by hand: drawn anew on every change.
const HAND_PAGES = { "pirate-box": piratePage, box: boxPage, "pandoras-box": pandoraPage };
let drawn = 0;

function handPage(main, state) {
  const game = state.game;
  const redraw = () => {
    drawn += 1;
    handPage(main, state);
  };
  fill(main, [game, drawn], () => HAND_PAGES[game.kind](game, redraw));
}

function momentData(game) {
  return [game.phase, game.round, game.rounds, game.questions.length, game.seats.map((seat) => [seat.state, seat.name]), game.token, game.turn, game.next, game.tray];
}

function moment(game) {
  const waiting = game.seats.filter((seat) => seat.state !== "rolled");
  let text = "";
  if (game.phase === "ended") text = t("The game is over.");
  else if (game.phase === "scored") text = t("All dice are counted. Trade, choose a die, then roll {n}.", { n: game.round + 1 });
  else if (game.phase === "trade") text = t("Trade, in turn.");
  else if (game.phase === "pool" || game.phase === "draft") text = t("Choose a die, in turn.");
  else if (game.tray !== null && game.phase !== "scored" && game.seats[game.tray].state !== "rolled") text = t("{name} rolls into the tray.", { name: game.seats[game.tray].name });
  else if (game.phase === "reroll") text = t("Yellow is tied: everybody rolls the yellow dice again.");
  else if (waiting.length && waiting.every((seat) => seat.state === "asks" || seat.state === "count")) text = t("The camera is not sure: please help.");
  else if (waiting.length === game.seats.length)
    text = game.round === 1 ? t("Everybody rolls one die.") : t("Everybody rolls {n} dice.", { n: game.round });
  else if (waiting.length === 1) text = t("Still to roll: {name}", { name: waiting[0].name });
  else if (waiting.length) text = t("{n} players still to roll", { n: waiting.length });
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : t("Round {n} of {all}", { n: game.round, all: game.rounds })),
    h("p", { class: "lead" }, text),
    game.phase === "scored" && game.next && between(game),
  ];
}

// Between two rounds: who gets pink and why, who trades when, who chooses when.
function between(game) {
  const names = (seats) =>
    seats.flatMap((seat, index) => [
      index > 0 && h("span", { class: "then", "aria-hidden": "true" }, "\u203a"),
      h("span", { class: "who-turn", style: { "--seat": `var(--seat-${seat})` } }, game.seats[seat].name),
    ]);
  const line = (title, seats, reason) =>
    h("div", {}, h("dt", {}, title), h("dd", {}, names(seats), h("small", {}, reason)));
  return h(
    "dl",
    { class: "between" },
    line(game.next.pity.length > 1 ? t("Pink dice") : t("Pink die"), game.next.pity, t("fewest points this round")),
    line(t("Trade"), game.next.trade_order, t("the Panda is last")),
    line(t("Choose"), game.next.draft_order, t("most yellow first")),
  );
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
      seat.leads && h("span", { class: "crown", role: "img", "aria-label": t("leads") }, crown()),
      status(seat),
      h("span", { class: "running" }, h("small", {}, t("game")), signed(seat.running)),
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
      seat.expected === null ? "" : seat.pink ? t("{n} dice and the pink die", { n: seat.expected - 1 }) : seat.expected === 1 ? t("1 die") : t("{n} dice", { n: seat.expected }),
      !seat.ended && h("button", { class: "link", "data-focus": `taps-${seat.seat}`, onclick: () => enterByTaps(seat) }, t("tap them in")),
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
        die.corrected && h("span", { class: "pen", "aria-hidden": "true" }, "\u270e"),
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
          h("dt", { title: colorName(color) }, h("span", { "aria-hidden": "true" }, LETTERS[color]), h("span", { class: "sr" }, colorName(color))),
          h("dd", {}, has(seat.dice, color) ? (seat.rerolls && color === "yellow" ? "?" : signed(seat.scores[color])) : "\u2013"),
        ),
      ),
      h("div", { class: "column total" }, h("dt", {}, t("Round")), h("dd", {}, seat.rerolls ? "?" : signed(seat.scores.total))),
    ),
    h(
      "details",
      {
        class: "why",
        open: opened.has(key),
        ontoggle: (event) => (event.target.open ? opened.add(key) : opened.delete(key)),
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

function has(all, color) {
  return all.some((die) => die.kind?.startsWith(`${color}-`) || (color === "blue" && die.kind === "glitter-d6"));
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

function crown() {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M3 7l5 5 4-8 4 8 5-5-2 12H5z" }));
}

function after(game) {
  return h(
    "div",
    { class: "history" },
    ...lastChange(game),
    game.story.length > 0 && howHandsCame(game),
    game.can_undo && h("button", { class: "quiet", onclick: () => act(game, "undo") }, t("Undo")),
    game.can_redo && h("button", { class: "quiet", onclick: () => act(game, "redo") }, t("Redo")),
  );
}

// Watching: nobody types trades and drafts; this is what the referee makes of the hands it sees.
function howHandsCame(game) {
  return h(
    "details",
    { class: "why" },
    h("summary", {}, t("How did the hands of this round come about?")),
    h(
      "ul",
      {},
      game.story.map((line) =>
        h(
          "li",
          {},
          h("b", {}, game.seats[line.seat].name),
          ": ",
          [
            ...line.takes.map((take) => t("a clear die for {kind} of {name}", { kind: kindName(take.kind), name: game.seats[take.other].name })),
            t("chose {kind}", { kind: kindName(line.draft) }),
          ].join(", "),
        ),
      ),
    ),
  );
}

// What a correction changed, for everybody.
function lastChange(game) {
  const event = game.last.event;
  if (event.type !== "corrected") return [];
  const name = game.seats[event.seat]?.name;
  const lines = game.last.changes.map((change) => {
    const seatName = change.seat === null ? "" : game.seats[change.seat].name;
    const people = (seats) => seats.map((seat) => game.seats[seat]?.name).join(", ");
    switch (change.what) {
      case "score":
        return t("{name}, round {n}: {before} is now {after}", { name: seatName, n: change.round, before: signed(change.before[0]), after: signed(change.after[0]) });
      case "token":
        return t("The Panda of round {n} goes to {names}", { n: change.round, names: people(change.after) });
      case "pity":
        return t("The pink dice after round {n} go to {names}", { n: change.round, names: people(change.after) });
      case "draft_order":
        return t("Choosing after round {n}: {names}", { n: change.round, names: people(change.after) });
      default:
        return "";
    }
  });
  return [
    h("p", {}, t("Corrected: a die of {name} in round {n}.", { name, n: event.round })),
    h("ul", {}, lines.filter(Boolean).map((line) => h("li", {}, line))),
  ];
}

async function act(game, what) {
  const { send } = await import("./live.js");
  const { toast } = await import("./toast.js");
  try {
    await send(`/api/games/${game.id}/${what}`);
  } catch (problem) {
    toast(problem.message);
  }
}
