// One question at a time: the die's picture, its two best candidates as big buttons, and "other".

import { h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { send } from "./live.js";
import { said } from "./said.js";
import { dieSvg, dieLabel, kindName } from "./dice.js";
import { correct } from "./correct.js";
import { enterByTaps } from "./taps.js";
import { toast } from "./toast.js";

function questionText(question) {
  if (question.what === "count")
    return t("The camera sees {dice}; there should be {n}.", { dice: tn("{n} die", "{n} dice", question.seen), n: question.expected });
  return said(question.text);
}

export function questionCard(game, question, count) {
  const seat = { ...game.seats[question.seat], round: game.round, gameId: game.id };

  async function answer(body) {
    try {
      await send(`/api/games/${game.id}/answers`, { seat: question.seat, reading: question.reading, ...body });
    } catch (problem) {
      toast(problem.message);
    }
  }

  // the same number on two kinds of dice: the little letter alone is easily overlooked
  const kindsDiffer = question.what === "die" && new Set(question.candidates.map((candidate) => candidate.kind)).size > 1;

  const buttons =
    question.what === "die"
      ? [
          ...question.candidates.map((candidate, index) =>
            h(
              "button",
              {
                class: "answer",
                "data-focus": `answer-${index}`,
                "aria-label": dieLabel(candidate.kind, candidate.value),
                onclick: () => answer({ die: question.die, kind: candidate.kind, value: candidate.value }),
              },
              dieSvg(candidate.kind, candidate.value, { label: false }),
              kindsDiffer && h("small", {}, kindName(candidate.kind)),
            ),
          ),
        ]
      : [
          h("button", { class: "answer text", "data-focus": "again", onclick: () => answer({ again: true }) }, t("Look again")),
          h("button", { class: "answer text", "data-focus": "taps", onclick: () => enterByTaps(seat, true) }, t("Tap them in")),
        ];

  return h(
    "section",
    { class: "question", "aria-label": t("Question"), style: { "--seat": `var(--seat-${seat.color})` } },
    h("h2", {}, question.what === "die" ? t("{name}: which one is it?", { name: seat.name }) : seat.name),
    h("p", {}, questionText(question)),
    h(
      "div",
      { class: "ask" },
      question.still && h("img", { src: question.still, alt: t("the table as the camera sees it"), class: "wide" }),
      question.image && h("img", { src: question.image, alt: t("the die as the camera sees it"), width: 128, height: 128 }),
      h("div", { class: "answers" }, buttons),
    ),
    h(
      "footer",
      {},
      question.what === "die"
        ? h(
            "button",
            {
              class: "quiet",
              "data-focus": "other",
              onclick: () =>
                correct(seat, { ...question.read, id: question.die, reading: question.reading, image: question.image }),
            },
            t("Something else"),
          )
        : question.acceptable && h("button", { class: "quiet", onclick: () => answer({ accept: true }) }, t("Count it as it lies")),
      question.too_many && h("button", { class: "quiet", "data-focus": "none", onclick: () => answer({ die: question.die, none: true }) }, t("Not a die")),
      count > 1 && h("span", { class: "more" }, t("{n} more", { n: count - 1 })),
    ),
  );
}
