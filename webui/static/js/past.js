// Earlier games: who won how often, who beat whom, luck and best rounds; each game's sheet.

import { h } from "./dom.js";
import { t, language, signed } from "./i18n.js";
import { openDialog } from "./dialog.js";
import { gameTitle } from "./start.js";

export function history() {
  openDialog(t("Earlier games"), async (body) => {
    try {
      const { games } = await (await fetch("/api/games")).json();
      body.append(...page(games));
    } catch {
      body.append(h("p", { class: "error" }, t("The table cannot be reached. Nothing was changed; try again in a moment.")));
    }
  });
}

function page(games) {
  if (!games.length) return [h("p", { class: "hint" }, t("No game yet."))];
  // drawn dice say nothing about people: they count only where there is nothing else
  const ended = games.filter((game) => game.ended);
  const real = ended.filter((game) => !game.simulated);
  const counted = real.length ? real : ended;
  return [...(counted.length ? [players(counted), h("p", { class: "hint" }, t("Luck: points a game more or less than the same dice score on average.")), ...pairs(counted)] : []), list(games)];
}

function table(caption, heads, lines) {
  return h(
    "div",
    { class: "scroller", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: "standings" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, lines.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), rest.map((cell) => h("td", {}, cell))))),
    ),
  );
}

const plus = (value) => `${value > 0 ? "+" : ""}${signed(value)}`;

// One line a player: games, wins, average, luck a game, best round.
export function players(games) {
  const found = new Map();
  for (const game of games) {
    game.players.forEach((name, seat) => {
      const one = found.get(name) ?? { games: 0, won: 0, points: 0, luck: 0, best: -Infinity };
      one.games += 1;
      one.won += game.winners.includes(seat) ? 1 : 0;
      one.points += game.totals[seat];
      one.luck += game.luck?.[seat] ?? 0;
      one.best = Math.max(one.best, game.best_rounds?.[seat] ?? -Infinity);
      found.set(name, one);
    });
  }
  const order = [...found].sort(([, a], [, b]) => b.won / b.games - a.won / a.games || b.points / b.games - a.points / a.games);
  return table(
    t("Players"),
    [t("Player"), t("Won"), t("Average"), t("Luck"), t("Best round")],
    order.map(([name, one]) => [name, t("{won} of {played}", { won: one.won, played: one.games }), signed(Math.round(one.points / one.games)), plus(Math.round(one.luck / one.games)), one.best === -Infinity ? "" : signed(one.best)]),
  );
}

// Head to head: of the games that both played, who had more points.
export function pairs(games) {
  const found = new Map();
  for (const game of games) {
    game.players.forEach((name, seat) => {
      game.players.forEach((other, place) => {
        if (name >= other) return;
        const key = JSON.stringify([name, other]);
        const [mine, theirs] = found.get(key) ?? [0, 0];
        const more = Math.sign(game.totals[seat] - game.totals[place]);
        found.set(key, [mine + (more > 0 ? 1 : 0), theirs + (more < 0 ? 1 : 0)]);
      });
    });
  }
  if (!found.size) return [];
  const order = [...found].sort(([, a], [, b]) => b[0] + b[1] - a[0] - a[1]).slice(0, 45);
  return [
    h(
      "details",
      { class: "why", open: order.length <= 6 },
      h("summary", {}, t("Head to head")),
      h("ul", {}, order.map(([key, [mine, theirs]]) => {
        const [name, other] = JSON.parse(key);
        return h("li", {}, `${name} ${mine} : ${theirs} ${other}`);
      })),
    ),
  ];
}

function list(games) {
  return h(
    "ul",
    { class: "list past" },
    games.slice(0, 100).map((game) =>
      h(
        "li",
        {},
        h("b", {}, new Date(game.started_at_s * 1000).toLocaleDateString(language)),
        ` ${game.players.map((name, seat) => [name, game.totals && signed(game.totals[seat]), game.winners?.includes(seat) && "\u2605"].filter(Boolean).join(" ")).join(", ")} `,
        game.game !== "panda-royale" && [h("span", { class: "chip" }, gameTitle(game.game)), " "],
        game.simulated ? h("span", { class: "chip" }, t("simulated")) : null,
        game.game === "panda-royale" && [" ", h("a", { class: "link", href: `/api/games/${game.id}/sheet.csv`, download: "" }, "CSV"), " ", h("a", { class: "link", href: `/api/games/${game.id}/sheet.png` }, t("Picture (PNG)"))],
      ),
    ),
  );
}
