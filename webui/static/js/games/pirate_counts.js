// Pirate Box without the grid: how many of each icon a player has, by taps.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { openDialog } from "../dialog.js";
import { ICONS, iconName, picture } from "./pirate.js";
import { play, seatName } from "./shared.js";

// All players of a round at once, or, in a `round` that is counted, whoever was counted wrong.
export function countIcons(game, seats, eventOf, round = null) {
  const all = game.view.tokens_each;
  const counts = seats.map((seat) => ({ ...(round?.counts[seat] ?? {}) }));
  const sum = (place) => Object.values(counts[place]).reduce((total, count) => total + count, 0);
  openDialog(round ? t("Round {n}", { n: round.round }) : t("Who has what?"), (body, close) => {
    async function done() {
      const wrong = seats.filter((seat, place) => ICONS.some((icon) => (counts[place][icon] ?? 0) !== (round?.counts[seat][icon] ?? 0)));
      const events = round ? wrong.map((seat) => ({ type: "corrected", round: round.round, seat, counts: counts[seats.indexOf(seat)] })) : [eventOf(counts)];
      for (const event of events) if (!(await play(game, event))) return;
      close();
    }

    function draw() {
      body.replaceChildren(
        ...seats.map((seat, place) =>
          h(
            "section",
            { class: "counts", role: "group", "aria-label": game.seats[seat].name },
            h("p", { class: "row" }, seatName(game, seat), h("span", { role: "status" }, t("{n} of {all}", { n: sum(place), all })), sum(place) > 0 && h("button", { type: "button", class: "link", onclick: () => { counts[place] = {}; draw(); } }, t("Start over"))),
            h(
              "div",
              { class: "choices kinds" },
              ICONS.map((icon) => {
                const count = counts[place][icon] ?? 0;
                const add = () => { counts[place][icon] = count + 1; draw(); };
                return h("button", { type: "button", disabled: sum(place) >= all, class: count ? "now" : null, "aria-label": `${game.seats[seat].name}: ${iconName(icon)}, ${count}`, "data-focus": `count-${seat}-${icon}`, onclick: add }, picture(icon), h("small", {}, `${iconName(icon)}${count ? ` \u00d7 ${count}` : ""}`));
              }),
            ),
          ),
        ),
        h("button", { class: "big", disabled: seats.some((_, place) => sum(place) !== all), onclick: done }, t("Count the points")),
      );
    }

    draw();
  });
}
