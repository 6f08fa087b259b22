// Luck: what was rolled against what the same dice score on average, in words and as a bar with its scale.

import { h } from "./dom.js";
import { t, tn, signed } from "./i18n.js";

// `luck` and `spread` are points: two games in three end less than one spread from the average.
export function luckWord(luck, spread) {
  const far = spread ? luck / spread : 0;
  if (Math.abs(far) < 0.5) return t("average luck");
  if (Math.abs(far) < 1) return far > 0 ? t("a little luck") : t("a little bad luck");
  return far > 0 ? t("much luck") : t("much bad luck");
}

export function luckCard(game) {
  const reach = 1.15 * Math.max(...game.seats.map((seat) => Math.max(Math.abs(game.luck[seat.seat]), 1.3 * game.luck_spread[seat.seat])), 1);
  return h(
    "section",
    { class: "card luck", "aria-label": t("Luck") },
    h("h2", {}, t("Luck")),
    h("ul", {}, game.seats.map((seat) => line(seat, game.luck[seat.seat], game.luck_spread[seat.seat], reach))),
    h("p", { class: "hint" }, t("The line in the middle is what the same dice score on average. The grey part is usual: two games in three end in it.")),
  );
}

function line(seat, luck, spread, reach) {
  const points = Math.round(luck);
  const share = (value) => `${(100 * value) / reach / 2}%`;
  const apart =
    points === 0
      ? t("as on average")
      : points > 0
        ? tn("{n} point above average", "{n} points above average", points)
        : tn("{n} point below average", "{n} points below average", -points);
  return h(
    "li",
    { style: { "--seat": `var(--seat-${seat.color})` } },
    h("p", {}, h("b", { class: "named" }, h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1), seat.name), h("span", {}, luckWord(luck, spread))),
    h(
      "div",
      { class: "gauge", "aria-hidden": "true" },
      h("span", { class: "usual", style: { left: `calc(50% - ${share(spread)})`, width: share(2 * spread) } }),
      h("span", { class: "bar", style: { left: `calc(50% - ${share(Math.max(0, -luck))})`, width: share(Math.abs(luck)) } }),
    ),
    h("small", {}, apart, ": ", t("rolled {total}, the same dice give {expected}", { total: signed(seat.running), expected: signed(seat.running - points) })),
  );
}
