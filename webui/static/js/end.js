// The end: a podium, shared wins shared, and what to do next.

import { h } from "./dom.js";
import { t, signed } from "./i18n.js";

// The share sheet where the browser has one (it needs https); else the link downloads the picture.
async function share(event, game) {
  if (!navigator.canShare) return;
  event.preventDefault();
  const link = event.currentTarget;
  try {
    const picture = await (await fetch(`/api/games/${game.id}/sheet.png`)).blob();
    const files = [new File([picture], "panda-royale.png", { type: "image/png" })];
    if (!navigator.canShare({ files })) throw new Error("no files");
    await navigator.share({ files });
  } catch (problem) {
    if (problem.name !== "AbortError") location.href = link.href;
  }
}

export function endCard(game) {
  const order = [...game.seats].sort((a, b) => b.running - a.running);
  const rank = (seat) => 1 + order.filter((other) => other.running > seat.running).length;
  const winners = game.winners.map((seat) => game.seats[seat].name);
  const steps = order.filter((seat) => rank(seat) <= 3).slice(0, 5);
  // second, first, third: as on a podium
  const shown = [...steps.filter((_, index) => index % 2 === 1).reverse(), ...steps.filter((_, index) => index % 2 === 0)];
  return h(
    "section",
    { class: "end" },
    h("h2", {}, winners.length === 1 ? t("{name} wins!", { name: winners[0] }) : t("{names} win together!", { names: winners.join(" & ") })),
    h(
      "ol",
      { class: "podium" },
      shown.map((seat) =>
        h(
          "li",
          { class: `step-${rank(seat)}`, style: { "--seat": `var(--seat-${seat.color})` } },
          h("b", { title: seat.name }, seat.name),
          h("span", { class: "points" }, signed(seat.running)),
          h("span", { class: "block" }, rank(seat)),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button quiet", href: "#scores" }, t("Score sheet")),
      h("a", { class: "button quiet", href: `/api/games/${game.id}/sheet.png`, download: "panda-royale.png", onclick: (event) => share(event, game) }, t("Share the picture")),
    ),
  );
}
