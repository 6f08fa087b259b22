// The score sheet as printed: one sheet a player, rows are rounds, columns are colours. Any number can be opened.

import { h, fill } from "./dom.js";
import { t, language, signed } from "./i18n.js";
import { COLORS, colorName, dieSvg, dieLabel } from "./dice.js";
import { openDialog } from "./dialog.js";
import { correct } from "./correct.js";
import { state as current } from "./live.js";
import { said } from "./said.js";
import { toast } from "./toast.js";
import { totalsChart } from "./chart.js";
import { totalsTable } from "./games/shared.js";
import { luckCard } from "./luck.js";
import { totalNow } from "./moment.js";

let chosen = null;

export function sheetView(main, state, actions) {
  const game = state.game;
  if (!game) {
    fill(main, ["no game"], () => h("p", { class: "lead" }, t("No game yet. Start one on the first page.")));
    return;
  }
  if (game.kind !== "panda-royale") {
    fill(main, ["hand", game.id, game.seats], () => [h("h1", {}, game.title), totalsTable(game, t("Standings"), [{ title: t("Total"), values: game.seats.map((seat) => seat.running), sum: true }])]);
    return;
  }
  if (chosen !== null && chosen >= game.seats.length) chosen = null;
  fill(main, [game.id, game.sheet, game.chances, game.phase, game.round, game.seats.map((seat) => [seat.name, seat.running, seat.scores, seat.rerolls]), chosen], () => [
    h("h1", { class: "no-print" }, t("Scores")),
    printHead(game),
    ...standings(game, (seat) => {
      chosen = chosen === seat ? null : seat;
      sheetView(main, current(), actions);
    }),
    totalsChart(game),
    facts(game),
    sheets(game, game.seats.filter((seat) => chosen === null || seat.seat === chosen)),
    h(
      "div",
      { class: "row no-print" },
      h("button", { class: "quiet", onclick: () => window.print() }, t("Print")),
      h("a", { class: "button quiet", href: `/api/games/${game.id}/sheet.csv`, download: "" }, t("Table (CSV)")),
      h("a", { class: "button quiet", href: `/api/games/${game.id}/sheet.json`, download: "" }, t("Data (JSON)")),
      h("a", { class: "button quiet", href: `/api/games/${game.id}/sheet.png`, download: "panda-royale.png" }, t("Picture (PNG)")),
      game.bgstats && h("a", { class: "button quiet", href: game.bgstats }, t("To BG Stats")),
    ),
  ]);
}

// Who had the best round, and who will probably win: a chance is many games played to the end.
function facts(game) {
  const rounds = game.sheet.filter((row) => row.scores.every(Boolean));
  if (!rounds.length) return null;
  const best = (seat) => rounds.reduce((found, row) => (row.scores[seat].total > found.scores[seat].total ? row : found));
  const rows = [{ title: t("Best round"), values: game.seats.map((seat) => t("{points} in round {n}", { points: signed(best(seat.seat).scores[seat.seat].total), n: best(seat.seat).round })) }];
  const withChances = Boolean(game.chances) && game.phase !== "ended";
  if (withChances) rows.unshift({ title: t("Chance to win"), values: percents(game.chances).map((percent) => `${percent} %`) });
  return h(
    "div",
    { class: "no-print" },
    totalsTable(game, t("Best rounds"), rows),
    withChances && h("p", { class: "hint" }, t("Chance to win: the computer has rolled the rest of this game {n} times, from the points and dice of now; so often each of you won. Trades are left out.", { n: game.chance_games.toLocaleString(language) })),
    luckCard(game),
  );
}

// Whole percents that make a hundred together.
function percents(shares) {
  const found = shares.map((share) => Math.floor(share * 100));
  const rest = (index) => shares[index] * 100 - found[index];
  const most = [...found.keys()].sort((a, b) => rest(b) - rest(a));
  for (let missing = 100 - found.reduce((sum, percent) => sum + percent, 0), at = 0; missing > 0 && at < most.length; missing -= 1, at += 1) found[most[at]] += 1;
  return found;
}

// The points of a player in a round, also of the one that is still rolled: as everywhere else they count once the dice are read.
function scoresOf(game, row, seat) {
  const open = row.round === game.round && ["roll", "reroll"].includes(game.phase) && !seat.rerolls;
  return row.scores[seat.seat] ?? (open ? seat.scores : null);
}

function byTotal(game) {
  return [...game.seats].sort((a, b) => totalNow(game, b) - totalNow(game, a) || a.seat - b.seat);
}

// Name and total stay where they are; the rounds beside them can be pushed, the newest are in sight first.
function standings(game, choose) {
  const order = byTotal(game);
  const rounds = game.sheet.filter((row) => game.seats.some((seat) => scoresOf(game, row, seat)));
  const scroller = h(
    "div",
    { class: "scroller rounds no-print", tabindex: 0, role: "region", "aria-label": t("Standings") },
    h(
      "table",
      { class: "standings" },
      h("caption", { class: "sr" }, t("Standings")),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, t("Player")), h("th", { scope: "col", class: "sum" }, t("Total")), rounds.map((row) => h("th", { scope: "col" }, h("span", { class: "sr" }, `${t("Round")} `), row.round))),
      ),
      h("tbody", {}, order.map((seat) => standing(game, seat, rounds, choose))),
    ),
  );
  const hint = h("p", { class: "hint no-print", hidden: true }, t("Slide the table for earlier rounds."));
  new ResizeObserver(() => wholeColumns(scroller, hint, rounds.length)).observe(scroller);
  return [scroller, hint];
}

function standing(game, seat, rounds, choose) {
  const name = h(
    "button",
    { class: "link name", "aria-pressed": chosen === seat.seat ? "true" : "false", "data-focus": `standing-${seat.seat}`, onclick: () => choose(seat.seat) },
    h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1),
    seat.name,
  );
  return h(
    "tr",
    { style: { "--seat": `var(--seat-${seat.color})` } },
    h("th", { scope: "row" }, name),
    h("td", { class: "sum" }, signed(totalNow(game, seat))),
    rounds.map((row) => scoresOf(game, row, seat)).map((scores) => h("td", {}, scores ? signed(scores.total) : "")),
  );
}

// As many whole columns as there is room for: half a number would be another number.
function wholeColumns(scroller, hint, count) {
  const [name, total] = scroller.querySelectorAll("thead th");
  const kept = name.offsetWidth + total.offsetWidth;
  const room = scroller.clientWidth - kept;
  const fit = Math.max(1, Math.floor(room / (2.35 * parseFloat(getComputedStyle(scroller).fontSize))));
  hint.hidden = count <= fit;
  scroller.style.setProperty("--first", `${name.offsetWidth}px`);
  scroller.style.setProperty("--kept", `${kept}px`);
  scroller.style.setProperty("--column", `${room / Math.min(fit, Math.max(count, 1))}px`);
  scroller.scrollLeft = scroller.scrollWidth;
}

// On paper only: what this is, and who was how far.
function printHead(game) {
  const order = byTotal(game);
  const day = new Date(game.started_at_s * 1000).toLocaleDateString(language, { dateStyle: "long" });
  return h("p", { class: "print-only" }, h("b", {}, "Panda Royale"), ` \u00b7 ${day} \u00b7 ${order.map((seat) => `${seat.name} ${signed(totalNow(game, seat))}`).join(", ")}`);
}

// All on one sheet of paper: two beside each other, three where there are many.
function sheets(game, seats) {
  const across = seats.length < 2 ? 1 : seats.length < 5 ? 2 : 3;
  return h("div", { class: `sheets across-${across} down-${Math.ceil(seats.length / across)}` }, seats.map((seat) => sheetOf(game, seat)));
}

function sheetOf(game, seat) {
  let sum = 0;
  return h(
    "section",
    { class: "sheet", style: { "--seat": `var(--seat-${seat.color})` }, "aria-label": t("Sheet of {name}", { name: seat.name }) },
    h("h2", {}, h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1), seat.name),
    h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": t("Rounds of {name}", { name: seat.name }) },
      h(
        "table",
        { class: "paper" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, h("span", { class: "sr" }, t("Round"))),
            COLORS.map((color) =>
              h(
                "th",
                { scope: "col", class: `die-${color}` },
                h("span", { class: "upright" }, colorName(color)),
              ),
            ),
            h("th", { scope: "col" }, t("Total")),
          ),
        ),
        h(
          "tbody",
          {},
          game.sheet.map((row) => {
            const scores = scoresOf(game, row, seat);
            if (scores) sum += scores.total;
            return h(
              "tr",
              {},
              h(
                "th",
                { scope: "row" },
                scores
                  ? h("button", { class: "link", "aria-label": t("Dice of round {n}", { n: row.round }), "data-focus": `round-${seat.seat}-${row.round}`, onclick: () => showRound(game, seat, row.round) }, row.round)
                  : row.round,
              ),
              COLORS.map((color) => h("td", {}, scores && scores.has.includes(color) ? signed(scores[color]) : "")),
              h("td", { class: "sum" }, scores ? signed(scores.total) : ""),
            );
          }),
        ),
        h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 8 }, t("Sum")), h("td", { class: "sum" }, signed(sum)))),
      ),
    ),
  );
}

async function showRound(game, seat, round) {
  let answer;
  try {
    const reply = await fetch(`/api/games/${game.id}/rounds/${round}`);
    answer = await reply.json();
    if (!reply.ok) throw new Error(said(answer.error));
  } catch (problem) {
    toast(problem.message);
    return;
  }
  const mine = answer.seats[seat.seat];
  openDialog(t("{name}, round {n}", { name: seat.name, n: round }), (body, close) => {
    body.append(
      h(
        "div",
        { class: "dice" },
        mine.dice.map((die) =>
          h(
            "button",
            {
              class: `die-button${die.corrected ? " corrected" : ""}`,
              "aria-label": t("{die}: tap to correct", { die: dieLabel(die.kind, die.value) }),
              onclick: () => {
                close();
                correct({ ...seat, round, gameId: game.id, still: mine.still }, die);
              },
            },
            dieSvg(die.kind, die.value, { label: false }),
            die.corrected && h("span", { class: "pen", "aria-hidden": "true" }, "\u270e"),
          ),
        ),
      ),
      mine.still ? h("img", { class: "still", src: `/stills/${mine.still}/hand.jpg`, alt: t("the table as the camera saw it"), onerror: (event) => event.target.remove() }) : h("p", { class: "hint" }, t("No picture of this roll was kept.")),
      h("p", { class: "hint" }, t("Tap a die to correct it.")),
    );
  });
}
