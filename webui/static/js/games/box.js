// BOX: dots on a growing lattice. After each card the new dots are tapped in; squares are found by the referee.

import { h } from "../dom.js";
import { t, tn } from "../i18n.js";
import { colorSign } from "../dice.js";
import { toast } from "../toast.js";
import { openDialog } from "../dialog.js";
import { againBar, action, play, undoRow, seatName } from "./shared.js";

const COLORS = { red: "#d2322d", blue: "#2468c9", green: "#1c7f45", yellow: "#ffd23f", purple: "#7b3fa8", orange: "#e07b00", gray: "#8a8a8a" };
// One lattice step in the picture's units: browsers draw letters of less than one unit badly.
const STEP = 20;
const edits = new Map();
let pen = "red";
// a square that is being claimed: by whom, and its first corner
let claim = { team: 0, corner: null };

function colorName(color) {
  return { red: t("red"), blue: t("blue"), green: t("green"), yellow: t("yellow"), purple: t("purple"), orange: t("orange"), gray: t("gray") }[color] ?? color;
}

// Two letters, another pair for each colour in every language; gray is nobody's.
function sign(color) {
  if (color === "gray") return "\u2013";
  return color === "orange" ? t("Or") : colorSign(color);
}

export function boxPage(game, redraw, newGame) {
  const view = game.view;
  const draft = edits.get(`${game.id}-${game.last.seq}`) ?? new Map();
  edits.set(`${game.id}-${game.last.seq}`, draft);
  const editing = game.phase === "start" || game.phase === "play";
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : game.phase === "start" ? t("Starting card") : t("Card {n} of 24", { n: Math.min(view.plays + 1, 24) })),
    h("p", { class: "lead" }, ...lead(game)),
    editing && palette(draft, redraw),
    game.phase === "claim" && claimers(game, redraw),
    board(game, draft, editing, redraw),
    !editing && dotsHint(game),
    game.phase === "reveal" && reveal(game),
    view.teams.length > 0 && results(game),
    undoRow(game, moveName),
    editing && action(h("button", { class: "big", disabled: game.phase === "start" && !draft.size, onclick: () => laid(game, draft) }, t("The card lies like this"))),
    game.phase === "claim" && action(h("button", { class: "big", "data-focus": "claims-ended", onclick: () => play(game, { type: "claims_ended" }) }, t("No more squares"))),
    againBar(game, newGame),
  ];
}

function lead(game) {
  const view = game.view;
  if (game.phase === "start") return [t("Tap the dots of the starting card onto the lattice.")];
  if (game.phase === "play") return [seatName(game, view.turn), " ", t("lays a card: tap its dots onto the lattice.")];
  if (game.phase === "reveal") return [t("All cards lie. Which secret colour had each team?")];
  if (game.winners) return [t("{name} wins!", { name: game.winners.map((team) => teamName(game, team)).join(", ") })];
  return [t("Claim your squares: who, then two opposite corners.")];
}

function dotsHint(game) {
  return game.phase !== "claim" && h("p", { class: "hint" }, t("A dot is wrong? Tap it."));
}

function claimers(game, redraw) {
  return h(
    "div",
    { class: "row", role: "group", "aria-label": t("Whose square?") },
    game.view.teams.map(({ team }) => h("button", { class: "quiet", "aria-pressed": claim.team === team ? "true" : "false", "data-focus": `claim-${team}`, onclick: () => { claim = { team, corner: null }; redraw(); } }, teamName(game, team))),
  );
}

// The second of two opposite corners makes a square.
async function corner(game, x, y, redraw) {
  if (!claim.corner) {
    claim.corner = [x, y];
    redraw();
    return;
  }
  const [left, top] = claim.corner;
  const wide = Math.abs(x - left);
  claim.corner = null;
  if (wide > 0 && wide === Math.abs(y - top)) await play(game, { type: "claimed", team: claim.team, square: [Math.min(x, left), Math.min(y, top), wide + 1] });
  else toast(t("These are no opposite corners of a square."));
  redraw();
}

// A dot put right after the last card.
function correctDot(game, x, y, now) {
  openDialog(t("Which colour is this dot?"), (body, close) => {
    const tell = async (colour) => { if (await play(game, { type: "corrected", x, y, colour })) close(); };
    body.append(colors(now, tell));
  });
}

export function moveName(type) {
  return { started: t("Starting card"), placed: t("a card laid"), board_read: t("a card laid"), revealed: t("the secret colours"), claimed: t("a square claimed"), claims_ended: t("the end of the claims") }[type];
}

function teamName(game, team) {
  const all = game.view.teams[team]?.seats ?? [team];
  return all.map((seat) => game.seats[seat].name).join(" + ");
}

function colors(chosen, choose) {
  return h(
    "div",
    { class: "swatches", role: "group", "aria-label": t("colour of the next dot") },
    [...Object.keys(COLORS), null].map((color) =>
      h(
        "button",
        { type: "button", "aria-pressed": chosen === color ? "true" : "false", "aria-label": color ? colorName(color) : t("no dot"), "data-focus": `pen-${color}`, style: { "--dot": color ? COLORS[color] : "transparent" }, onclick: () => choose(color) },
        h("span", { class: `dot${color ? "" : " none"}`, "aria-hidden": "true" }, color ? sign(color) : "\u2715"),
      ),
    ),
  );
}

function palette(draft, redraw) {
  return h(
    "div",
    { class: "palette" },
    colors(pen, (color) => { pen = color; redraw(); }),
    h("button", { class: "quiet", "data-focus": "clear-dots", disabled: !draft.size, onclick: () => { draft.clear(); redraw(); } }, t("Start over")),
  );
}

function merged(game, draft) {
  const dots = new Map(game.view.dots.map(([x, y, color]) => [`${x},${y}`, color]));
  for (const [place, color] of draft) {
    if (color === null) dots.delete(place);
    else dots.set(place, color);
  }
  return dots;
}

function board(game, draft, editing, redraw) {
  const dots = merged(game, draft);
  const places = [...dots.keys()].map((key) => key.split(",").map(Number));
  const xs = places.map(([x]) => x), ys = places.map(([, y]) => y);
  const margin = editing ? 3 : 1;
  const left = Math.min(0, ...xs) - margin, right = Math.max(3, ...xs) + margin;
  const top = Math.min(0, ...ys) - margin, bottom = Math.max(3, ...ys) + margin;
  const cells = [];
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const key = `${x},${y}`;
      const color = dots.get(key);
      const put = () => {
        if (editing) {
          draft.set(key, dots.get(key) === pen ? null : pen);
          redraw();
        } else if (game.phase === "claim") corner(game, x, y, redraw);
        else correctDot(game, x, y, color);
      };
      const isCorner = claim.corner && game.phase === "claim" && claim.corner[0] === x && claim.corner[1] === y;
      cells.push(
        h(
          "g",
          editing || color
            ? { role: "button", tabindex: 0, "data-focus": `dot-${key}`, "aria-label": t("column {x}, row {y}: {what}", { x, y, what: color ? colorName(color) : t("empty") }), onclick: put, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); put(); } } }
            : {},
          h("rect", { x: (x - 0.5) * STEP, y: (y - 0.5) * STEP, width: STEP, height: STEP, fill: "transparent" }),
          h("circle", { cx: x * STEP, cy: y * STEP, r: color ? 7.5 : 1.4, class: color ? `dot${draft.has(key) || isCorner ? " new" : ""}` : "hole", style: color ? { fill: COLORS[color] ?? "#777" } : {} }),
          color && h("text", { x: x * STEP, y: y * STEP + 2.6, "text-anchor": "middle", "font-size": 7.5, class: "dot-letter" }, sign(color)),
        ),
      );
    }
  }
  const squares = (game.view.teams ?? []).flatMap((team) =>
    team.squares.map(([x, y, side]) => h("rect", { x: x * STEP, y: y * STEP, width: (side - 1) * STEP, height: (side - 1) * STEP, class: "square", style: { stroke: COLORS[team.colour] ?? "#777" } })),
  );
  const box = h("div", { class: "scroller lattice", tabindex: 0, role: "region", "aria-label": t("the lattice of dots"), "data-left": left, "data-game": game.id },
    h("svg", { viewBox: [left - 0.6, top - 0.6, right - left + 1.2, bottom - top + 1.2].map((unit) => unit * STEP).join(" "), style: { "min-width": `${(right - left + 1) * 1.9}rem` } }, ...cells, ...squares));
  keepScrolled(box, right - left + 1.2);
  return box;
}

// The lattice is drawn anew at every tap, and may have grown to the left: what is in sight stays in sight.
function keepScrolled(box, columns) {
  const before = document.querySelector(".lattice");
  if (before?.dataset.game !== box.dataset.game) return;
  const [at, left] = [before.scrollLeft, Number(before.dataset.left)];
  queueMicrotask(() => { box.scrollLeft = at + ((left - Number(box.dataset.left)) * box.scrollWidth) / columns; });
}

async function laid(game, draft) {
  const dots = [...merged(game, draft)].map(([key, color]) => [...key.split(",").map(Number), color]);
  const event = game.phase === "start" ? { type: "started", dots } : { type: "board_read", dots };
  if (await play(game, event)) draft.clear();
}

function reveal(game) {
  const teams = game.view.legal.find((move) => move.type === "revealed").teams;
  const colors = [...new Set(game.view.dots.map(([, , color]) => color))].filter((color) => color !== "gray");
  const chosen = Array.from({ length: teams }, () => "");
  return h(
    "form",
    { class: "card list", onsubmit: (event) => { event.preventDefault(); play(game, { type: "revealed", colours: chosen }); } },
    chosen.map((_, team) =>
      h("label", {}, h("span", {}, game.seats.filter((seat) => seat.seat % teams === team).map((seat) => seat.name).join(" + ")),
        h("select", { required: true, onchange: (event) => { chosen[team] = event.target.value; } }, h("option", { value: "" }, "\u2026"), colors.map((color) => h("option", { value: color }, colorName(color))))),
    ),
    h("button", { class: "big" }, t("Count the squares")),
  );
}

function results(game) {
  return h("ul", { class: "seats" }, game.view.teams.map((team) =>
    h("li", {}, h("article", { class: "seat", style: { "--seat": COLORS[team.colour] ?? "#777" } },
      h("header", {}, h("h2", {}, teamName(game, team.team)), h("span", { class: "chip" }, colorName(team.colour)), h("span", { class: "running" }, team.score)),
      h("p", { class: "hint" }, tn("{n} square", "{n} squares", team.squares.length))))));
}
