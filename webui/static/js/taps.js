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

// Hands that were begun and closed again, by a stray tap perhaps: by game, throw and seat.
const begun = new Map();

function fresh(now) {
  const hand = (now.expects ?? []).map((kind) => ({ kind, value: null }));
  while (hand.length < now.expected) hand.push({ kind: null, value: null });
  return hand;
}

// The one to leave out: one of which nothing was told, else one without a number, else the one that is shown.
function surplus(hand, at) {
  const last = (wanted) => hand.map(wanted).lastIndexOf(true);
  const empty = last((die) => die.kind === null);
  const open = last((die) => die.value === null);
  return empty >= 0 ? empty : open >= 0 ? open : Math.min(at, hand.length - 1);
}

export function enterByTaps(seat) {
  const game = state().game;
  const now = game.seats[seat.seat];
  openDialog(t("What did {name} roll?", { name: seat.name }), (body, close) => {
    const place = `${game.id} ${now.rolls} ${seat.seat}`;
    const hand = begun.get(place) ?? fresh(now);
    let at = 0;
    const error = h("p", { class: "error", role: "alert", hidden: true });

    // the first die that has no number yet, after `index` if there is one; if all have one, none is shown
    function show(index = -1) {
      const open = hand.findIndex((die, which) => which > index && die.value === null);
      at = open >= 0 ? open : hand.findIndex((die) => die.value === null);
      if (at < 0) at = hand.length;
      draw();
    }

    async function done() {
      try {
        await send(`/api/games/${game.id}/rolls`, { seat: seat.seat, round: now.rolls, dice: hand });
        begun.delete(place);
        close();
        window.scrollTo(0, 0); // what comes next stands at the top
      } catch (problem) {
        error.textContent = problem.message;
        error.hidden = false;
      }
    }

    function draw() {
      if (hand.some((one) => one.value !== null)) begun.set(place, hand);
      error.hidden = true;
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
                valueChoices(die.kind, die.value, (value) => { die.value = value; show(at); }),
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
            h("button", { class: "quiet", onclick: () => { hand.splice(surplus(hand, at), 1); show(); } }, t("One die less")),
        ),
      ].filter(Boolean));
    }

    show();
  });
}
