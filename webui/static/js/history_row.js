// Under the table: how the hands came about, undo and redo.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { kindName } from "./dice.js";
import { changesList } from "./changes.js";
import { send } from "./live.js";
import { toast } from "./toast.js";

export function historyRow(game) {
  return h(
    "div",
    { class: "history" },
    game.story.length > 0 && howHandsCame(game),
    game.can_undo && h("button", { class: "quiet", "data-focus": "undo", onclick: () => act(game, "undo") }, undoLabel(game)),
    game.can_redo && h("button", { class: "quiet", "data-focus": "redo", onclick: () => act(game, "redo") }, t("Redo")),
    changesList(game.id),
  );
}

// Says what would be taken back, where it is plain.
function undoLabel(game) {
  const event = game.undoes;
  const name = game.seats[event.seat]?.name;
  if (["seat_rolled", "seat_rerolled", "hand_accepted"].includes(event.type) && name) return t("Undo the roll of {name}", { name });
  if (event.type === "corrected" && name) return t("Undo the correction");
  return t("Undo");
}

async function act(game, what) {
  try {
    await send(`/api/games/${game.id}/${what}`, what === "undo" ? { seq: game.last.seq } : {});
  } catch (problem) {
    toast(problem.message);
  }
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
