// The picture of a reading, cut to the dice that were found, so that their numbers can be seen; the whole on a tap.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { boxes } from "./boxes.js";

const MARGIN = 1; // around the outermost dice, in widths of a die
const FEWEST = 6; // never less than so many dice across: a die need not fill the screen

// What to show of the picture, in its pixels: { left, top, width, height }.
export function partWithDice({ width, height, dice }) {
  if (!dice.length) return { left: 0, top: 0, width, height };
  const die = Math.max(...dice.map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1])));
  const edge = (index, best) => best(...dice.map(({ box }) => box[index]));
  const across = span(edge(0, Math.min) - MARGIN * die, edge(2, Math.max) + MARGIN * die, FEWEST * die, width);
  // no narrower than 2 to 1: a strip would be as small as the whole
  const down = span(edge(1, Math.min) - MARGIN * die, edge(3, Math.max) + MARGIN * die, across.size / 2, height);
  // and where the dice lie below one another, no higher than the phone is wide
  const wide = span(across.from, across.from + across.size, down.size, width);
  return { left: wide.from, top: down.from, width: wide.size, height: down.size };
}

// From one edge to the other, widened to `least` about its middle, kept inside 0 to `most`.
function span(from, to, least, most) {
  const size = Math.min(most, Math.max(to - from, least));
  return { from: Math.min(Math.max(0, (from + to - size) / 2), most - size), size };
}

export function lookedAt(look, { whole = true } = {}) {
  const part = partWithDice(look);
  const frame = h("div", { class: "boxed cut" });
  const isAll = part.width >= 0.9 * look.width && part.height >= 0.9 * look.height;
  const show = ({ left, top, width, height }) => {
    const inside = { width, height, dice: look.dice.map((die) => ({ ...die, box: die.box.map((edge, index) => edge - (index % 2 ? top : left)) })) };
    const share = (value, all) => `${(100 * value) / all}%`;
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.replaceChildren(
      h("img", { src: look.still, alt: t("the last picture read, a box around each die"), width: look.width, height: look.height, style: { left: share(-left, width), top: share(-top, height), width: share(look.width, width), height: share(look.height, height) } }),
      boxes(inside),
    );
  };
  show(part);
  if (!whole || isAll) return [frame];
  let isWhole = false;
  const button = h("button", { class: "link", "data-focus": "whole-picture", onclick: () => {
    isWhole = !isWhole;
    show(isWhole ? { left: 0, top: 0, width: look.width, height: look.height } : part);
    button.textContent = isWhole ? t("Only the dice") : t("The whole picture");
  } }, t("The whole picture"));
  return [frame, button];
}
