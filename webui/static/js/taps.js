// A roll without a camera: tap the kind, tap the value, next. The hand of the last round is filled in already.

import { h } from "./dom.js";
import { t, signed } from "./i18n.js";
import { send, state } from "./live.js";
import { dieSvg, kindName, dieLabel } from "./dice.js";
import { kindChoices, valueChoices } from "./die_choices.js";
import { openDialog } from "./dialog.js";

function doneText(hand) {
  const sum = signed(hand.reduce((all, one) => all + one.value, 0));
  return hand.length === 1 ? t("Done: {sum} on the die", { sum }) : t("Done: {sum} on the dice", { sum });
}

export function enterByTaps(seat) {
  const game = state().game;
  const now = game.seats[seat.seat];
  openDialog(t("What did {name} roll?", { name: seat.name }), (body, close) => {
    const hand = (now.expects ?? []).map((kind) => ({ kind, value: null }));
    while (hand.length < now.expected) hand.push({ kind: null, value: null });
    let at = 0;
    const error = h("p", { class: "error", role: "alert", hidden: true });

    function next() {
      const open = hand.findIndex((die, index) => index > at && die.value === null);
      at = open >= 0 ? open : Math.max(hand.findIndex((die) => die.value === null), -1);
      if (at < 0) at = hand.length;
      draw();
    }

    async function done() {
      try {
        await send(`/api/games/${game.id}/rolls`, { seat: seat.seat, round: now.rolls, dice: hand });
        close();
        window.scrollTo(0, 0); // what comes next stands at the top
      } catch (problem) {
        error.textContent = problem.message;
        error.hidden = false;
      }
    }

    function draw() {
      const die = hand[at];
      body.replaceChildren(...[
        h(
          "div",
          { class: "dice entered" },
          hand.map((one, index) =>
            h(
              "button",
              {
                class: `die-button${index === at ? " asks" : ""}`,
                "aria-label": one.kind ? dieLabel(one.kind, one.value) : t("die {n}, not chosen", { n: index + 1 }),
                "aria-pressed": index === at ? "true" : "false",
                onclick: () => { at = index; draw(); },
              },
              dieSvg(one.kind, one.value, { label: false }),
            ),
          ),
        ),
        die &&
          (die.kind
            ? h(
                "div",
                {},
                h("p", { class: "who" }, kindName(die.kind)),
                valueChoices(die.kind, die.value, (value) => { die.value = value; next(); }),
                h("button", { class: "quiet", onclick: () => { die.kind = null; die.value = null; draw(); } }, t("It is another kind of die")),
              )
            : h(
                "div",
                {},
                h("p", { class: "who" }, t("Which kind of die is it?")),
                kindChoices((kind) => { die.kind = kind; draw(); }),
              )),
        error,
        at >= hand.length &&
          h("button", { class: "big", onclick: done }, doneText(hand)),
        h(
          "p",
          { class: "count" },
          h("button", { class: "quiet", onclick: () => { hand.push({ kind: null, value: null }); at = hand.length - 1; draw(); } }, t("One die more")),
          hand.length > 1 &&
            h("button", { class: "quiet", onclick: () => { hand.splice(Math.min(at, hand.length - 1), 1); at = Math.min(at, hand.length - 1); draw(); } }, t("One die less")),
        ),
      ].filter(Boolean));
    }

    draw();
  });
}
