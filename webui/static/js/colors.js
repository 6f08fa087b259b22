// The ten colours of players, and the little row of dots in which one is chosen.

import { h } from "./dom.js";
import { t } from "./i18n.js";

export const COLOR_COUNT = 10;

export function seatColorName(color) {
  return [
    t("red"), t("blue"), t("green"), t("purple"), t("orange"), t("turquoise"), t("pink"), t("gray"), t("brown"), t("indigo"),
  ][color];
}

// `taken` has the name of whoever has a colour, by colour; `choose` gets the number of the new one.
export function colorDots(mine, taken, choose) {
  return h(
    "div",
    { class: "color-dots", role: "group", "aria-label": t("Colour") },
    Array.from({ length: COLOR_COUNT }, (_, color) => {
      const other = taken.get(color);
      return h(
        "button",
        {
          type: "button",
          class: "color-dot",
          style: { "--seat": `var(--seat-${color})` },
          disabled: Boolean(other) && color !== mine,
          "aria-pressed": color === mine ? "true" : "false",
          "aria-label": other && color !== mine ? t("{color}, taken by {name}", { color: seatColorName(color), name: other }) : seatColorName(color),
          "data-focus": `color-${color}`,
          onclick: () => choose(color),
        },
        color === mine ? "\u2713" : other ? other.slice(0, 1) : "",
      );
    }),
  );
}
