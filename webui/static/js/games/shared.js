// What the pages of the hand-played games share: sending an event, undo, the end.

import { h } from "../dom.js";
import { t, signed } from "../i18n.js";
import { changesList } from "../changes.js";
import { send } from "../live.js";
import { toast } from "../toast.js";

export async function play(game, event) {
  try {
    await send(`/api/games/${game.id}/events`, event);
    return true;
  } catch (problem) {
    toast(problem.message);
    return false;
  }
}

// The one thing to do now, always in sight at the bottom.
export function action(button) {
  return h("div", { class: "action" }, button);
}

// A game that is over: the next one.
export function againBar(game, newGame) {
  return game.winners && action(h("button", { class: "big", "data-focus": "again", onclick: newGame }, t("Play again")));
}

// `nameOf` says in a few words what an event of this type is: it is what undo takes back.
export function undoRow(game, nameOf) {
  const act = (what, body) => send(`/api/games/${game.id}/${what}`, body).catch((problem) => toast(problem.message));
  return h(
    "div",
    { class: "history" },
    game.can_undo && h("button", { class: "quiet", "data-focus": "undo", onclick: () => act("undo", { seq: game.last.seq }) }, undoLabel(game, nameOf)),
    game.can_redo && h("button", { class: "quiet", "data-focus": "redo", onclick: () => act("redo", {}) }, t("Redo")),
    changesList(game.id),
  );
}

function undoLabel(game, nameOf) {
  const { type, seat } = game.undoes;
  const what = type === "corrected" ? t("the correction") : nameOf(type);
  const name = game.seats[seat]?.name;
  if (!what) return t("Undo");
  return name ? t("Undo: {what} ({name})", { what, name }) : t("Undo: {what}", { what });
}

export function seatName(game, seat) {
  return h("span", { class: "who-turn", style: { "--seat": `var(--seat-${game.seats[seat].color})` } }, game.seats[seat].name);
}

// 1 to 6 as big buttons; `choose` gets the number.
export function dieButtons(chosen, choose, label = "") {
  return h(
    "div",
    { class: "rolls", role: "group", "aria-label": label || t("die") },
    [1, 2, 3, 4, 5, 6].map((face) =>
      h("button", { type: "button", "aria-pressed": face === chosen ? "true" : "false", onclick: () => choose(face) }, face),
    ),
  );
}

// `seats` in another order than they sit in, with a sign beside the name.
export function totalsTable(game, caption, rows, { seats = game.seats, sign = () => null } = {}) {
  return h(
    "div",
    { class: "scroller", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: "standings" },
      h("caption", { class: "sr" }, caption),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Player")), rows.map((row) => h("th", { scope: "col" }, row.title)))),
      h(
        "tbody",
        {},
        seats.map((seat) =>
          h(
            "tr",
            { style: { "--seat": `var(--seat-${seat.color})` } },
            h("th", { scope: "row" }, h("span", { class: "named" }, h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1), seat.name, sign(seat))),
            rows.map((row) => h("td", { class: row.sum ? "sum" : null }, typeof row.values[seat.seat] === "number" ? signed(row.values[seat.seat]) : (row.values[seat.seat] ?? ""))),
          ),
        ),
      ),
    ),
  );
}
