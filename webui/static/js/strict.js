// Strict play: every trade and draft is tapped in, in the order of the table.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { KINDS, kindName, kindSvg } from "./dice.js";
import { kindChoices } from "./die_choices.js";
import { openDialog } from "./dialog.js";
import { play, seatName } from "./games/shared.js";

export function strictCard(game) {
  if (game.phase === "trade") return trading(game);
  if (game.phase === "pool") return drawing(game);
  if (game.phase === "draft") return choosing(game);
  return null;
}

function trading(game) {
  const seat = game.turn[0];
  const own = game.hands[seat].filter((kind) => kind === "clear-d6").length;
  return h(
    "section",
    { class: "card" },
    h("p", {}, seatName(game, seat), " ", t("may trade clear dice.")),
    h(
      "div",
      { class: "row" },
      own > 0 && h("button", { class: "quiet", "data-focus": "trade", onclick: () => trade(game, seat) }, t("Trade a clear die")),
      h("button", { class: "big", "data-focus": "trade-end", onclick: () => play(game, { type: "trading_ended", seat }) }, t("No more trades")),
    ),
  );
}

function trade(game, seat) {
  openDialog(t("For which die?"), (body, close) => {
    body.append(
      ...game.seats
        .filter((other) => other.seat !== seat)
        .map((other) =>
          h(
            "section",
            {},
            h("h3", {}, other.name),
            kindChoices(async (kind) => {
              if (await play(game, { type: "traded", seat, give: "clear-d6", other: other.seat, take: kind })) close();
            }, [...new Set(game.hands[other.seat])]),
          ),
        ),
    );
  });
}

function drawing(game) {
  const wanted = game.seats.length + 1;
  return h(
    "section",
    { class: "card" },
    h("p", {}, t("Draw {n} dice from the bag.", { n: wanted })),
    h("button", { class: "big", "data-focus": "draw", onclick: () => draw(game, wanted) }, t("Which dice are they?")),
  );
}

function draw(game, wanted) {
  openDialog(t("Which dice are they?"), (body, close) => {
    const drawn = [];
    const show = () =>
      body.replaceChildren(
        h("div", { class: "dice" }, drawn.map((kind, index) => h("button", { class: "die-button", "aria-label": t("{kind}: take back", { kind: kindName(kind) }), onclick: () => { drawn.splice(index, 1); show(); } }, kindSvg(kind)))),
        drawn.length < wanted
          ? kindChoices((kind) => { drawn.push(kind); show(); }, KINDS.filter((kind) => kind !== "yellow-d6" && kind !== "pink-d12"))
          : h("button", { class: "big", onclick: async () => { if (await play(game, { type: "pool_drawn", dice: drawn })) close(); } }, t("Done")),
        h("p", { class: "hint" }, t("{n} of {all}", { n: drawn.length, all: wanted })),
      );
    show();
  });
}

function choosing(game) {
  const seat = game.turn[0];
  return h(
    "section",
    { class: "card" },
    h("p", {}, seatName(game, seat), " ", t("chooses a die.")),
    kindChoices((kind) => play(game, { type: "drafted", seat, kind }), game.pool),
  );
}
