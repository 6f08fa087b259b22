// Boxes around the dice of a picture, each with its label where it covers neither another label nor a die; a label that
// has to stand apart is tied to its die by a line.

import { h } from "./dom.js";
import { signed } from "./i18n.js";
import { colorSign, parts, shortColor } from "./dice.js";

const LETTER = 0.6; // width of a letter, in heights of the type
const LINE = 1.25; // height of a line of type

// `dice` have box [left, top, right, bottom] in the units of `width` and `height`, label and short, the same in fewer
// letters. Smaller type, then fewer letters, where a label has no room beside its die. `part` is what is shown of the
// picture, a box too: nothing is written outside of it, and the narrower it is, the larger it is shown.
export function layOut({ width, height, dice, part = [0, 0, width, height] }) {
  const sides = dice.map(({ box }) => Math.max(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
  const usual = Math.min(0.026 * width, Math.max(0.023 * width, 0.5 * (sides[sides.length >> 1] ?? 0))) * Math.sqrt((part[2] - part[0]) / width);
  let found = null;
  for (const [word, smaller] of [["label", 1], ["label", 0.82], ["short", 0.82], ["short", 0.68]]) {
    const tried = placed(dice.map((die) => ({ box: die.box, label: die[word] })), width, part, usual * smaller);
    if (!found || tried.crowded < found.crowded) found = tried;
    if (!found.crowded) break;
  }
  return found;
}

function placed(dice, width, part, size) {
  const boxes = dice.map(({ box }) => box);
  const taken = [];
  // the crowded ones first: the others have room anyway
  const order = dice.map((_, index) => index).sort((a, b) => crowd(boxes, b) - crowd(boxes, a) || boxes[a][1] - boxes[b][1] || boxes[a][0] - boxes[b][0]);
  const labels = [];
  for (const index of order) {
    const { label } = dice[index];
    const spot = free(boxes[index], (label.length + 0.4) * LETTER * size, LINE * size, taken, boxes, width, part);
    if (spot) taken.push(spot);
    labels[index] = spot ? Object.assign(spot, { text: label, size }) : inside(boxes[index], label, size, part);
  }
  return { labels, crowded: labels.filter((label) => label.inside).length };
}

function crowd(boxes, index) {
  const [x, y] = middle(boxes[index]);
  const reach = 2.5 * (boxes[index][2] - boxes[index][0]);
  return boxes.filter((other) => Math.hypot(middle(other)[0] - x, middle(other)[1] - y) < reach).length;
}

function middle([left, top, right, bottom]) {
  return [(left + right) / 2, (top + bottom) / 2];
}

// Above, below, beside; then the same a little further out. Null where all of that is taken.
function free([left, top, right, bottom], wide, high, taken, boxes, width, part) {
  const [x, y] = middle([left, top, right, bottom]);
  for (let step = 0; step < 3; step += 1) {
    const gap = 0.004 * width + step * 0.75 * high;
    const spots = [
      [left, top - gap - high], [left, bottom + gap], [right + gap, y - high / 2], [left - gap - wide, y - high / 2],
      [x - wide / 2, top - gap - high], [x - wide / 2, bottom + gap], [right - wide, top - gap - high], [right - wide, bottom + gap],
      [right + gap, top - gap - high], [right + gap, bottom + gap], [left - gap - wide, top - gap - high], [left - gap - wide, bottom + gap],
    ];
    for (const [px, py] of spots) {
      if (px < part[0] || py < part[1] || px + wide > part[2] || py + high > part[3]) continue;
      const spot = [px, py, px + wide, py + high];
      if (!covers(spot, taken) && !covers(spot, boxes)) return Object.assign(spot, { apart: step > 1 });
    }
  }
  return null;
}

// In a crowd: the number alone, on the lower edge of the die itself.
function inside([left, , right, bottom], label, size, part) {
  const text = label.slice(label.indexOf(" ") + 1);
  const small = Math.min(size, (right - left) / ((text.length + 0.4) * LETTER));
  const [wide, high] = [(text.length + 0.4) * LETTER * small, LINE * small];
  const [x, y] = [Math.max(part[0], Math.min(right, part[2]) - wide), Math.max(part[1], Math.min(bottom, part[3]) - high)];
  return Object.assign([x, y, x + wide, y + high], { apart: false, inside: true, text, size: small });
}

function covered(a, b) {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0]), high = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function covers(spot, others) {
  return others.some((other) => covered(spot, other) > 0);
}

// "Pink 10", or "Pi 10": the colour in words, since the box has one colour for all.
function words({ kind, value, accepted }) {
  const { color } = parts(kind);
  const rest = ` ${signed(value)}${accepted ? "" : " ?"}`;
  return { label: shortColor(color) + rest, short: colorSign(color) + rest };
}

// `look.part`, where only a part of the picture is shown: see `layOut`.
export function boxes(look) {
  const svg = h("svg", { viewBox: `0 0 ${look.width} ${look.height}`, class: "boxes", "aria-hidden": "true" });
  const unit = look.width / 100;
  const { labels } = layOut({ ...look, dice: look.dice.map((die) => ({ ...die, ...words(die) })) });
  look.dice.forEach((die, index) => {
    const [x0, y0, x1, y1] = die.box;
    const style = die.accepted ? "sure" : "unsure";
    const spot = labels[index];
    svg.append(h("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: unit / 2, class: style, "stroke-width": unit / 3.5 }));
    if (spot.apart) {
      const near = (value, low, high) => Math.min(Math.max(value, low), high);
      const [cx, cy] = middle(die.box);
      const [lx, ly] = [near(cx, spot[0], spot[2]), near(cy, spot[1], spot[3])];
      svg.append(h("line", { x1: lx, y1: ly, x2: near(lx, x0, x1), y2: near(ly, y0, y1), class: style, "stroke-width": unit / 4 }));
    }
    svg.append(h("text", { x: spot[0] + 0.2 * LETTER * spot.size, y: spot[1] + spot.size, "font-size": spot.size, class: style }, spot.text));
  });
  return svg;
}

// What was read of the dice that lie there now, over the live picture or a part of it, as shares: [left, top, right, bottom].
export function liveBoxes(state, part = [0, 0, 1, 1]) {
  const scale = (box) => box.map((edge, index) => edge * (index % 2 ? 900 : 1600));
  const shown = state.boxes.filter(({ box }) => box[0] < part[2] && box[2] > part[0] && box[1] < part[3] && box[3] > part[1]);
  return [...boxes({ width: 1600, height: 900, part: scale(part), dice: shown.map((die) => ({ ...die, box: scale(die.box) })) }).childNodes];
}
