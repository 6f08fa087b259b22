// Pirate Box: the shared grid, the chest, points by category.

import { h } from "../dom.js";
import { t, tn, signed } from "../i18n.js";
import { chime } from "../announce.js";
import { openDialog } from "../dialog.js";
import { toast } from "../toast.js";
import { againBar, action, play, undoRow, seatName, totalsTable } from "./shared.js";

export const ICONS = ["crown", "jewel", "sword", "silver", "rum", "mask"];
const PATHS = {
  crown: "M3 8l5 4 4-7 4 7 5-4-2 11H5z",
  jewel: "M7 4h10l4 6-9 11L3 10zM3 10h18M9 10l3 11 3-11",
  sword: "M19 3l2 2-9 11-3-3zM7 13l4 4M6 18l-3 3M5 15l4 4",
  silver: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v8M9.5 10h4M10 14h4",
  rum: "M10 3h4v5c3 2 3 4 3 7v6H7v-6c0-3 0-5 3-7z",
  mask: "M4 9c5-4 11-4 16 0 0 7-3 11-8 12C7 20 4 16 4 9zM8 12h2M14 12h2M9 16c2 1 4 1 6 0",
};
const chest = new Map();

export function iconName(icon) {
  return { crown: t("crown"), jewel: t("jewel"), sword: t("swords"), silver: t("silver"), rum: t("rum"), mask: t("mask") }[icon];
}

export function picture(icon) {
  return h("svg", { viewBox: "0 0 24 24", class: `icon pirate-${icon}`, "aria-hidden": "true" }, h("path", { d: PATHS[icon] }));
}

export function piratePage(game, redraw, newGame) {
  const view = game.view;
  const opened = chest.get(`${game.id}-${view.round}`) ?? {};
  chest.set(`${game.id}-${view.round}`, opened);
  const done = [...view.rounds].reverse().filter((round) => round.points.length);
  const everybody = game.seats.map((seat) => seat.seat);
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : t("Round {n} of {all}", { n: view.round, all: view.last_round })),
    h("p", { class: "lead" }, ...lead(game, opened)),
    game.winners && h("section", { class: "end" }, h("h2", {}, game.winners.length === 1 ? t("{name} wins!", { name: game.seats[game.winners[0]].name }) : t("{names} win together!", { names: game.winners.map((seat) => game.seats[seat].name).join(" & ") }))),
    game.phase === "memorize" && view.options.timer_s > 0 && clock(game, view.options.timer_s),
    game.phase !== "ended" && game.phase !== "memorize" && grid(game, opened, redraw),
    totalsTable(game, t("Standings"), [
      { title: t("Total"), values: view.totals, sum: true },
      ...view.rounds.filter((round) => round.points.length).map((round) => ({ title: round.round, values: round.points })),
    ]),
    game.phase !== "ended" && h("button", { class: "link", "data-focus": "by-player", onclick: () => countIcons(game, everybody, (counts) => ({ type: "counted", counts })) }, t("Count the dice of each player instead")),
    ...done.map((round) => categories(game, round)),
    undoRow(game, moveName),
    game.phase === "memorize" && action(h("button", { class: "big", onclick: () => play(game, { type: "shut" }) }, t("The chest is shut"))),
    game.phase === "collect" && action(h("button", { class: "big", disabled: left(view, opened) > 0, onclick: () => play(game, { type: "opened", chest: Array.from({ length: 16 }, (_, space) => opened[space] ?? null) }) }, t("Count the points"))),
    againBar(game, newGame),
  ];
}

function lead(game, opened) {
  const view = game.view;
  if (game.phase === "memorize") return [t("Captain:"), " ", seatName(game, view.captain), " · ", t("Look into the chest and remember what lies where.")];
  if (game.phase === "place") return [seatName(game, view.turn), " ", t("puts down a token ({n} left)", { n: view.tokens_left[view.turn] })];
  if (game.phase === "collect") return [t("Open the chest: tap each token and say what lies under it."), " ", left(view, opened) > 0 && tn("{n} token left", "{n} tokens left", left(view, opened))];
  return [t("The game is over.")];
}

export function moveName(type) {
  return { shut: t("The chest is shut"), placed: t("a token put down"), opened: t("the chest counted"), counted: t("the dice counted") }[type];
}

// How many tokens nobody has looked under yet.
function left(view, opened) {
  return view.grid.filter((owner, space) => owner !== null && !opened[space]).length;
}

// Fetched when it is asked for: most never count so.
async function countIcons(...what) {
  try {
    (await import("./pirate_counts.js")).countIcons(...what);
  } catch {
    toast(t("The table cannot be reached. Nothing was changed; try again in a moment."));
  }
}

// The seconds for looking into the chest, counted on the phone that starts them.
const ends = new Map();

function clock(game, seconds) {
  const key = `${game.id}-${game.view.round}`;
  const slot = h("p", { class: "clock", role: "timer" });
  const draw = () => {
    if (!ends.has(key)) {
      slot.replaceChildren(h("button", { class: "quiet", "data-focus": "clock", onclick: () => { ends.set(key, Date.now() + 1000 * seconds); tick(); } }, t("Start the clock: {n} seconds", { n: seconds })));
      return false;
    }
    const rest = Math.ceil((ends.get(key) - Date.now()) / 1000);
    slot.replaceChildren(rest > 0 ? String(rest) : t("Time is up: shut the chest."));
    return rest > 0;
  };
  const tick = () => {
    if (draw()) setTimeout(() => slot.isConnected && tick(), 250);
    else if (localStorage.getItem("sound") === "yes") chime([784, 523]);
  };
  if (draw()) tick();
  return slot;
}

function grid(game, opened, redraw) {
  const view = game.view;
  return h(
    "div",
    { class: "chest", role: "group", "aria-label": t("the 16 spaces of the chest") },
    view.grid.map((owner, space) => {
      const free = owner === null;
      const what = free ? t("free") : game.seats[owner].name + (opened[space] ? `, ${iconName(opened[space])}` : "");
      const usable = game.phase === "collect" ? !free : free && game.phase !== "memorize";
      return h(
        "button",
        {
          class: free ? "free" : "taken",
          style: free ? {} : { "--seat": `var(--seat-${game.seats[owner].color})` },
          disabled: !usable,
          "aria-label": t("space {n}: {what}", { n: space + 1, what }),
          "data-focus": `space-${space}`,
          onclick: () => (game.phase === "collect" ? ask(opened, space, redraw) : play(game, { type: "placed", seat: view.turn, space })),
        },
        free ? "" : opened[space] && game.phase === "collect" ? [picture(opened[space]), h("span", { class: "owner" }, owner + 1)] : h("span", { class: "seat-dot" }, owner + 1),
      );
    }),
  );
}

function ask(opened, space, redraw) {
  openDialog(t("What lies there?"), (body, close) => {
    body.append(icons((icon) => { opened[space] = icon; close(); redraw(); }));
  });
}

function icons(choose, now = null) {
  return h(
    "div",
    { class: "choices kinds" },
    ICONS.map((icon) => h("button", { class: icon === now ? "now" : null, onclick: () => choose(icon) }, picture(icon), h("small", {}, iconName(icon)))),
  );
}

// A round that is counted, put right: the space and what lies there, or what a player has.
function correct(game, round) {
  if (!round.chest) return countIcons(game, game.seats.map((seat) => seat.seat), null, round);
  return openDialog(t("Round {n}", { n: round.round }), (body, close) => {
    const owners = new Map(round.placements.map(([seat, space]) => [space, seat]));
    const choose = (space) => body.replaceChildren(icons(async (icon) => { if (await play(game, { type: "corrected", round: round.round, space, icon })) close(); }, round.chest[space]));
    body.append(
      h("p", { class: "hint" }, t("Tap what is wrong.")),
      h(
        "div",
        { class: "chest" },
        round.chest.map((icon, space) => {
          const owner = owners.get(space);
          if (owner === undefined) return h("button", { disabled: true, "aria-label": t("space {n}: {what}", { n: space + 1, what: t("free") }) });
          return h("button", { class: "taken", style: { "--seat": `var(--seat-${game.seats[owner].color})` }, "aria-label": t("space {n}: {what}", { n: space + 1, what: `${game.seats[owner].name}, ${iconName(icon)}` }), onclick: () => choose(space) }, picture(icon), h("span", { class: "owner" }, owner + 1));
        }),
      ),
    );
  });
}

function categories(game, round) {
  const names = { crowns_jewels: t("crowns and jewels"), swords: t("swords"), silver: t("silver"), rum: t("rum"), masks: t("masks") };
  return h(
    "details",
    { class: "why" },
    h("summary", {}, t("Why? Round {n}", { n: round.round })),
    round.scores.map((score, seat) =>
      h(
        "p",
        {},
        seatName(game, seat),
        ": ",
        Object.entries(names).filter(([key]) => score[key]).map(([key, name]) => `${name} ${signed(score[key])}`).join(", ") || "0",
        ` = ${signed(score.total)}`,
      ),
    ),
    h("button", { class: "quiet", "data-focus": `correct-${round.round}`, onclick: () => correct(game, round) }, t("Put something right")),
  );
}
