// Correct a die: tap it, tap what it shows. Another kind of die is one tap more.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { onState, send, state } from "./live.js";
import { dieLabel, kindName } from "./dice.js";
import { kindChoices, valueChoices } from "./die_choices.js";
import { openDialog } from "./dialog.js";
import { toast } from "./toast.js";

// `die` has index, kind, value and, where the camera saw it, image. `seat` has seat, name, round, gameId, state.
export function correct(seat, die) {
  let forget = () => {};
  const dialog = openDialog(t("What does it show?"), (body, close) => {
    let kind = die.kind;
    // without a picture of the die alone, that of the whole hand
    const hand = !die.image && still(seat, die) ? `/stills/${still(seat, die)}/hand.jpg` : null;

    async function choose(value) {
      close();
      await save(seat, die, kind, value);
    }

    function draw(kinds = false) {
      body.replaceChildren(
        h(
          "div",
          { class: "subject" },
          die.image && h("img", { src: die.image, alt: t("the die as the camera sees it"), width: 112, height: 112, onerror: (event) => event.target.remove() }),
          h("div", {}, h("p", { class: "who" }, t("{name}, round {n}", { name: seat.name, n: seat.round })), h("p", {}, kindName(kind))),
        ),
        ...(hand ? [h("img", { src: hand, class: "still", alt: t("the table as the camera saw it"), onerror: (event) => event.target.remove() })] : []),
        kinds
          ? kindChoices((other) => { kind = other; draw(); })
          : kind ? valueChoices(kind, kind === die.kind ? die.value : null, choose) : "",
        h(
          "div",
          { class: "row" },
          h("button", { class: "quiet", onclick: () => draw(!kinds) }, kinds ? t("Back to the numbers") : t("It is another kind of die")),
          still(seat, die) && h("a", { class: "link", href: `/stills/${still(seat, die)}/report.zip`, download: "" }, t("Report a misread")),
        ),
        ...(still(seat, die) ? [h("p", { class: "hint" }, t("A report is saved on this phone as a file; nothing is sent."))] : []),
      );
      body.querySelector(".choices button.now, .choices button")?.focus();
    }

    draw(!kind);
  }, { onclose: () => forget() });
  if (die.reading) {
    forget = onState(({ game }) => {
      if (lies(game, seat, die)) return;
      dialog.close();
      toast(t("The dice were read again, or somebody else has answered."));
    });
  }
}

// Whether the die of an unfinished roll still lies there; for a doubtful one, whether its question is still open.
function lies(game, seat, die) {
  if (game?.id !== seat.gameId) return false;
  if (die.question === false) return game.seats[seat.seat].dice.some((one) => one.reading === die.reading && one.id === die.id);
  return game.questions.some((one) => one.seat === seat.seat && one.reading === die.reading && one.die === die.id);
}

// The picture in which the die was read, where one was kept.
function still(seat, die) {
  return die.reading ?? seat.still ?? null;
}

async function save(seat, die, kind, value) {
  const game = state().game;
  const gameId = seat.gameId ?? game.id;
  try {
    if (die.reading) {
      const seen = { kind: die.kind, value: die.value };
      await send(`/api/games/${gameId}/answers`, { seat: seat.seat, reading: die.reading, die: die.id, kind, value, seen });
    } else {
      const body = { round: seat.round, seat: seat.seat, die: die.index, value, seen: { kind: die.kind, value: die.value } };
      if (kind !== die.kind) body.kind = kind;
      const { seq } = await send(`/api/games/${gameId}/corrections`, body);
      toast(t("Corrected: {die}", { die: dieLabel(kind, value) }), {
        label: t("Undo"),
        run: () => send(`/api/games/${gameId}/undo`, { seq }).catch((problem) => toast(problem.message)),
      });
    }
  } catch (problem) {
    toast(problem.message);
  }
}
