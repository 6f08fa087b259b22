// One photo of own dice: what is each of them? The sure ones are proposed, the others must be tapped.

import { h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { dieSvg, dieLabel, kindName } from "./dice.js";
import { kindChoices, valueChoices } from "./die_choices.js";
import { openDialog } from "./dialog.js";

// `photo` has id, still, width, height, dice [{id, box, kind, value, accepted, candidates}].
export function photoToName(photo, { save, cancel, redraw }) {
  for (const die of photo.dice) {
    die.told ??= { kind: die.kind, value: die.value };
    die.checked ??= die.accepted && die.kind !== null;
  }
  const kept = photo.dice.filter((die) => !die.out);
  const open = kept.filter((die) => !die.checked);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("3. Is this right?")),
    h("p", { class: "hint" }, t("Look at every die. Tap what is wrong; the yellow ones must be tapped.")),
    kept.some((die) => die.told.kind?.startsWith("red")) && h("p", { class: "hint" }, t("On a red die a black number is minus.")),
    overview(photo),
    h("ul", { class: "seen" }, photo.dice.map((die, index) => line(photo, die, index, redraw))),
    h(
      "p",
      { role: "status", class: open.length ? "told" : "hint" },
      open.length ? t("{n} still to be looked at", { n: open.length }) : t("All dice are named. A die that was not found is left out."),
    ),
    h("div", { class: "row" }, h("button", { class: "quiet", "data-focus": "cancel", onclick: cancel }, t("Throw this photo away"))),
    h("div", { class: "action" }, h(
      "button",
      {
        class: "big", "data-focus": "save", disabled: open.length > 0 || !kept.length,
        onclick: () => save(kept.map((die) => ({ id: die.id, ...die.told }))),
      },
      tn("Remember this die", "Remember these {n} dice", kept.length),
    )),
  );
}

function overview(photo) {
  const size = Math.max(photo.width, photo.height) / 26;
  return h(
    "div",
    { class: "boxed" },
    h("img", { src: photo.still, alt: t("your photo, each die with its number"), width: photo.width, height: photo.height }),
    h(
      "svg",
      { viewBox: `0 0 ${photo.width} ${photo.height}`, class: "boxes", "aria-hidden": "true" },
      photo.dice.map((die, index) => {
        const [x0, y0, x1, y1] = die.box;
        const look = die.out ? "out" : die.checked ? null : "unsure";
        return h(
          "g",
          {},
          h("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: size / 4, "stroke-width": size / 8, class: look }),
          h("text", { x: x0, y: Math.max(y0 - size / 5, size), "font-size": size, class: look }, index + 1),
        );
      }),
    ),
  );
}

function line(photo, die, index, redraw) {
  const number = index + 1;
  const name = dieLabel(die.told.kind, die.told.value);
  const settle = (told) => {
    die.told = told;
    die.checked = true;
    redraw(`other-${index}`);
  };
  const tool = (focus, text, label, onclick) => h("button", { class: "link", "data-focus": `${focus}-${index}`, "aria-label": label, onclick }, text);
  return h(
    "li",
    { class: die.out ? "out" : die.checked ? null : "check" },
    h("img", { src: `/stills/${photo.id}/dice/${die.id}.jpg`, alt: t("die {n} of the photo", { n: number }), width: 128, height: 128, loading: "lazy" }),
    h(
      "div",
      { class: "is" },
      h("span", { class: "number" }, `${number}.`),
      die.out
        ? h("span", {}, t("left out"))
        : die.checked
          ? [dieSvg(die.told.kind, die.told.value), h("span", {}, name)]
          : proposals(die).map((told) =>
              h(
                "button",
                { class: "answer", "data-focus": `is-${index}-${told.value}`, "aria-label": t("Die {n} is: {die}", { n: number, die: dieLabel(told.kind, told.value) }), onclick: () => settle(told) },
                dieSvg(told.kind, told.value, { label: false }),
                h("small", {}, kindName(told.kind)),
              ),
            ),
    ),
    h(
      "div",
      { class: "tools" },
      !die.out && tool("other", t("Something else"), t("Die {n} is something else", { n: number }), () => choose(number, die, settle)),
      tool(
        "out",
        die.out ? t("Take it in again") : t("Leave it out"),
        die.out ? t("Take die {n} in again", { n: number }) : t("Leave die {n} out", { n: number }),
        () => { die.out = !die.out; redraw(`out-${index}`); },
      ),
    ),
  );
}

// The two most probable answers of a doubtful die.
function proposals(die) {
  const found = new Map();
  for (const one of die.candidates) found.set(`${one.kind} ${one.value}`, { kind: one.kind, value: one.value });
  return [...found.values()].slice(0, 2);
}

function choose(number, die, settle) {
  openDialog(t("What does die {n} show?", { n: number }), (body, close) => {
    let kind = die.told.kind;

    function draw(kinds = false) {
      body.replaceChildren(
        h("p", { class: "who" }, kindName(kind)),
        kinds
          ? kindChoices((other) => { kind = other; draw(); })
          : valueChoices(kind, kind === die.told.kind ? die.told.value : null, (value) => { close(); settle({ kind, value }); }),
        h("div", { class: "row" }, h("button", { class: "quiet", onclick: () => draw(!kinds) }, kinds ? t("Back to the numbers") : t("It is another kind of die"))),
      );
      body.querySelector(".choices button.now, .choices button")?.focus();
    }

    draw(!kind);
  });
}
