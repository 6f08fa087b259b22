// A die as a little picture: shape by number of sides, colour and letter by kind, so that colour is never the only sign.

import { h } from "./dom.js";
import { t, signed } from "./i18n.js";

export const COLORS = ["yellow", "purple", "blue", "red", "green", "clear", "pink"];

export const KINDS = [
  "yellow-d6", "yellow-d8", "purple-d8", "purple-d12", "blue-d6", "blue-d8", "blue-d12", "glitter-d6",
  "red-d6", "red-d8", "green-d20", "clear-d6", "pink-d12",
];

// The colour in one short word, for the head of a narrow column and for a label in a picture.
export function shortColor(color) {
  return {
    yellow: t("Yellow"), purple: t("Purple"), blue: t("Blue"), glitter: t("Glitter"), red: t("Red"),
    green: t("Green"), clear: t("Clear"), pink: t("Pink"),
  }[color] ?? "?";
}

// The colour in two letters, for a little die: another pair for each colour in every language.
export function colorSign(color) {
  return {
    yellow: t("Ye"), purple: t("Pu"), blue: t("Bl"), glitter: "\u2726", red: t("Re"),
    green: t("Gr"), clear: t("Cl"), pink: t("Pi"),
  }[color] ?? "?";
}

export function parts(kind) {
  const [color, sides] = (kind ?? "other-d6").split("-d");
  return { color, sides: Number(sides) };
}

export function colorName(color) {
  return {
    yellow: t("yellow"), purple: t("purple"), blue: t("blue"), glitter: t("glitter"), red: t("red"),
    green: t("green"), clear: t("clear"), pink: t("pink"),
  }[color] ?? t("unknown");
}

export function kindName(kind) {
  if (!kind) return t("unknown die");
  const { color, sides } = parts(kind);
  return t("{color} d{sides}", { color: colorName(color), sides });
}

// All values a die of this kind can show; a red face is minus where its number is black.
export function values(kind) {
  const { color, sides } = parts(kind);
  const faces = Array.from({ length: sides }, (_, index) => index + 1);
  return color === "red" ? [...faces, ...faces.map((face) => -face)] : faces;
}

function outline(sides) {
  if (sides === 8) return [["polygon", { points: "32,3 61,32 32,61 3,32" }]];
  if (sides === 12) return [["polygon", { points: "32,4 60,25 49,58 15,58 4,25" }]];
  if (sides === 20) {
    return [
      ["polygon", { points: "32,3 58,17 58,47 32,61 6,47 6,17" }],
      ["polygon", { points: "32,13 51,45 13,45", class: "inner" }],
    ];
  }
  return [["rect", { x: 6, y: 6, width: 52, height: 52, rx: 9 }]];
}

export function dieSvg(kind, value, { label = true } = {}) {
  const { color, sides } = parts(kind);
  const ink = color === "red" ? (value < 0 ? "minus" : "plus") : "";
  const [middle, foot] = { 8: [29, 50], 12: [32, 55.5], 20: [34, 55] }[sides] ?? [30, 54];
  const text = value === null || value === undefined ? "?" : signed(value);
  return h(
    "svg",
    {
      viewBox: "0 0 64 64",
      class: `die die-${color} ${ink}`,
      role: label ? "img" : "presentation",
      "aria-label": label ? dieLabel(kind, value) : null,
      "aria-hidden": label ? null : "true",
    },
    ...outline(sides).map(([tag, attributes]) => h(tag, attributes)),
    color === "glitter" &&
      h("path", { class: "sparkle", d: "M16 14l1.6 4.4L22 20l-4.4 1.6L16 26l-1.6-4.4L10 20l4.4-1.6zM48 40l1.4 3.6L53 45l-3.6 1.4L48 50l-1.4-3.6L43 45l3.6-1.4zM47 13l1 2.6 2.6 1-2.6 1-1 2.6-1-2.6-2.6-1 2.6-1z" }),
    h("text", { x: 32, y: middle, class: "face" }, text),
    h("text", { x: 32, y: foot, class: "letter" }, color === "glitter" ? "" : colorSign(color)),
  );
}

// A kind to choose: no number on it, which would look like a value to choose.
export function kindSvg(kind) {
  const svg = dieSvg(kind, null, { label: false });
  const { color } = parts(kind);
  svg.querySelector(".face").textContent = color === "glitter" ? "" : colorSign(color);
  svg.querySelector(".letter").remove();
  return svg;
}

export function dieLabel(kind, value) {
  if (value === null || value === undefined) return t("{kind}, not read", { kind: kindName(kind) });
  return `${kindName(kind)}, ${value < 0 ? t("minus {n}", { n: -value }) : value}`;
}
