// Pandora's Box, a companion: gods, tokens, units, pieces; each move of the turn is a button with a small form.

import { h } from "../dom.js";
import { t, tn, language } from "../i18n.js";
import { openDialog } from "../dialog.js";
import { said } from "../said.js";
import { againBar, action, play, undoRow, seatName, dieButtons } from "./shared.js";

const GODS = { ares: ["Ares"], artemis: ["Ártemis", "Artemis"], zeus: ["Zeus"], apolo: ["Apolo", "Apollo"], hades: ["Hades"], atena: ["Atena", "Athena"], poseidon: ["Poseidon"], hermes: ["Hermes"] };

function godName(god) {
  const [portuguese, english = portuguese] = GODS[god] ?? [god];
  return named({ portuguese, english });
}

// "cavalry-2" as people say it: the printed name, and which of them.
function unitName(game, id) {
  const unit = game.view.players.flatMap((player) => player.units).find((one) => one.id === id);
  return unit ? `${named(unit)} ${id.split("-")[1] ?? ""}`.trim() : id;
}

// Names as printed (Portuguese), the English ones beside them for everybody else.
function named(thing) {
  if (!thing) return "";
  if (language.startsWith("pt") || thing.portuguese === thing.english) return thing.portuguese || thing.english;
  return thing.portuguese ? `${thing.english} (${thing.portuguese})` : thing.english;
}

function moveName(type) {
  return {
    revived: t("Revive a unit"), card_drawn: t("Draw a card"), card_discarded: t("Discard a card"), card_played: t("Play a card"),
    moved: t("Move a unit"), battled: t("Battle"), creature_fought: t("Fight a creature"), objective_rolled: t("Roll for the objective"),
    ray_fired: t("Throw a ray"), altar_rolled: t("Roll at the altar"), looked: t("Look at a card"), turn_ended: t("End the turn"), creature_reborn: t("A creature is born again"), temples_placed: t("Put the temples back"), temples_rolled: t("Roll to keep the temples away"), corrected: t("Put something right"),
  }[type] ?? type;
}

// What comes before the first turn.
function startName(type) {
  return { start_rolled: t("who begins"), gods_drawn: t("the gods"), passive_rolled: t("the roll of Zeus"), board_ready: t("The board is laid") }[type];
}

export function anyName(type) {
  return startName(type) ?? moveName(type);
}

export function pandoraPage(game, redraw, newGame) {
  const view = game.view;
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : game.phase === "play" ? t("Round {n}", { n: view.round }) : t("Setting up")),
    h("p", { class: "lead" }, ...lead(game)),
    view.told && h("p", { class: "told" }, said(view.told)),
    game.phase === "start" && startRoll(game),
    game.phase === "gods" && gods(game),
    game.phase === "passive" && h("section", { class: "card" }, h("p", {}, t("Zeus rolls for the god whose passive power he copies.")), dieButtons(null, (roll) => play(game, { type: "passive_rolled", roll }))),
    game.phase === "play" && moves(game),
    h("ul", { class: "seats" }, view.players.map((player) => h("li", {}, warlord(game, player)))),
    undoRow(game, anyName),
    game.phase === "board" && action(h("button", { class: "big", onclick: () => play(game, { type: "board_ready" }) }, t("The board is laid"))),
    againBar(game, newGame),
  ];
}

function lead(game) {
  const view = game.view;
  if (game.winners) return [game.winners.length === 1 ? t("{name} wins!", { name: game.seats[game.winners[0]].name }) : t("{names} win together!", { names: game.winners.map((seat) => game.seats[seat].name).join(" & ") })];
  if (game.phase === "start") return [t("Everybody rolls one die; the highest begins.")];
  if (game.phase === "gods") return [t("Everybody draws a god: choose it here.")];
  if (game.phase === "play") return [seatName(game, view.seat), " ", t("plays: tap what happens at the table.")];
  return [t("Lay the board.")];
}

function startRoll(game) {
  const seats = game.view.legal[0].seats;
  const rolls = {};
  const ready = h("button", { class: "big", disabled: true, onclick: () => play(game, { type: "start_rolled", rolls: seats.map((seat) => rolls[seat]) }) }, t("Done"));
  const rows = seats.map((seat) => {
    const row = h("div", { class: "row" });
    const draw = () => row.replaceChildren(seatName(game, seat), dieButtons(rolls[seat], (face) => { rolls[seat] = face; ready.disabled = !seats.every((one) => rolls[one]); draw(); }, game.seats[seat].name));
    draw();
    return row;
  });
  return h("section", { class: "card" }, rows, ready);
}

function gods(game) {
  const allowed = game.view.legal[0].gods;
  const chosen = game.seats.map((_, seat) => allowed[seat]);
  return h(
    "form",
    { class: "card list", onsubmit: (event) => { event.preventDefault(); play(game, { type: "gods_drawn", gods: chosen }); } },
    game.seats.map((seat) =>
      h("label", {}, h("span", {}, seat.name), h("select", { onchange: (event) => { chosen[seat.seat] = event.target.value; } }, allowed.map((god) => h("option", { value: god, selected: god === chosen[seat.seat] }, godName(god)))))),
    h("button", { class: "big" }, t("These are the gods")),
  );
}

function warlord(game, player) {
  const alive = player.units.filter((unit) => unit.alive);
  return h(
    "article",
    { class: "seat", style: { "--seat": `var(--seat-${game.seats[player.seat].color})` }, "aria-label": player.name },
    h("header", {}, h("h2", {}, h("span", { class: "seat-dot", "aria-hidden": "true" }, player.seat + 1), player.name), player.god && h("span", { class: "chip" }, named(player.god)), h("span", { class: "running" }, h("small", {}, t("pieces")), `${player.pieces} / ${player.pieces_to_win}`)),
    h("p", {}, tn("{n} token", "{n} tokens", player.tokens), " · ", tn("{n} card", "{n} cards", player.cards), player.creatures ? ` · ${tn("{n} creature", "{n} creatures", player.creatures)}` : ""),
    player.units.length > 0 &&
      h("p", { class: "hint" }, t("{n} of {all} units alive", { n: alive.length, all: player.units.length }), alive.some((unit) => unit.relics) ? ` · ${t("relics: {names}", { names: alive.filter((unit) => unit.relics).map((unit) => unitName(game, unit.id)).join(", ") })}` : ""),
  );
}

function moves(game) {
  return h("section", { class: "card moves" }, game.view.legal.map((move) => h("button", { class: move.type === "turn_ended" ? "big" : "quiet", "data-focus": `move-${move.type}`, onclick: () => start(game, move) }, moveName(move.type))));
}

function start(game, move) {
  const fields = FORMS[move.type]?.(game, move) ?? [];
  if (!fields.length) return play(game, { type: move.type });
  return openDialog(moveName(move.type), (body, close) => form(game, move, fields, body, close));
}

const living = (game, seat) => game.view.players[seat].units.filter((unit) => unit.alive).map((unit) => unit.id);
const others = (game) => game.seats.filter((seat) => seat.seat !== game.view.seat).map((seat) => [seat.seat, seat.name]);
const cardsOf = (move) => (move.cards ?? []).map((card) => [card.id, named(card)]);
const everybody = (game) => game.view.players.flatMap((player) => player.units.filter((unit) => unit.alive).map((unit) => [`${player.seat}:${unit.id}`, `${player.name}: ${unitName(game, unit.id)}`]));
const pairs = (game, list) => list.map((id) => [id, unitName(game, id)]);

const FORMS = {
  revived: (game, move) => [pick("unit", t("Unit"), pairs(game, move.units)), pick("where", t("Where"), [["temple", t("temple")], ["city", t("city")], ["hunt", t("hunt token")]])],
  card_played: (game, move) => [
    pick("card", t("Card"), cardsOf(move)),
    pick("seat", t("Against"), [["", t("nobody")], ...others(game)], { number: true, optional: true }),
    pick("unit", t("Own unit"), [["", t("none")], ...pairs(game, game.view.players[game.view.seat].units.map((unit) => unit.id))], { optional: true }),
    pick("other_unit", t("Their unit"), (values) => [["", t("none")], ...pairs(game, values.seat ? living(game, Number(values.seat)) : [])], { optional: true }),
    many("units", t("Units"), pairs(game, game.view.players[game.view.seat].units.map((unit) => unit.id))), die("roll", t("Die, if one is rolled")), unitPairs("kills", t("Units that die"), everybody(game)),
  ],
  moved: (game, move) => [pick("unit", t("Unit"), move.units.map((unit) => [unit.unit, `${unitName(game, unit.unit)}: ${tn("{n} step", "{n} steps", unit.steps)}`])), count("seas", t("own seas beside it")), count("sandals", t("own sandals beside it")), flag("takes_relic", t("takes a relic")), flag("jumped", t("jumps over an enemy (cavalry, with Flanquear)"))],
  battled: (game, move) => [
    pick("unit", t("Attacker"), pairs(game, move.units)), pick("seat", t("Against"), others(game), { number: true }),
    pick("other_unit", t("Defender"), (values) => pairs(game, living(game, Number(values.seat)))),
    many("attacker_cards", t("Attacker's cards"), cardsOf(move)), many("defender_cards", t("Defender's cards"), cardsOf(move)),
    count("attacker.forts", t("forts beside the attacker")), count("attacker.seas", t("seas beside the attacker")), flag("attacker.ally_lancer", t("another lancer beside the attacker")), flag("attacker.jumped", t("jumped over an enemy")),
    count("defender.forts", t("forts beside the defender")), count("defender.seas", t("seas beside the defender")),
    rolls("rolls", t("Attacker and defender roll")),
  ],
  creature_fought: (game, move) => [pick("unit", t("Unit"), pairs(game, move.units)), many("cards", t("Cards"), cardsOf(move)), count("place.forts", t("forts beside it")), count("place.seas", t("seas beside it")), flag("creature_relic", t("the creature lies on a relic")), die("roll", t("Die"))],
  objective_rolled: (game) => {
    const god = game.view.players[game.view.seat].god?.id;
    const more = god === "artemis" ? [rollList("target_rolls", t("Rolls for the target")), pick("victim", t("Unit shot"), [["", t("none")], ...pairs(game, game.view.players[game.view.seat].units.map((unit) => unit.id))], { nullable: true })] : god === "apolo" ? [rollList("target_rolls", t("Rolls for the target")), flag("reached", t("the temple is within six spaces"), { always: true })] : [];
    return [die("roll", t("Die")), ...more];
  },
  ray_fired: (game) => [pick("seat", t("Against"), others(game), { number: true }), pick("unit", t("Unit"), (values) => pairs(game, living(game, Number(values.seat)))), die("roll", t("Die"))],
  altar_rolled: (game) => [die("roll", t("Die")), unitPairs("units", t("Enemy troops beside it"), everybody(game).filter(([value]) => Number(value.split(":")[0]) !== game.view.seat))],
  temples_rolled: () => [die("roll", t("Die"))],
  looked: (game) => [pick("seat", t("Whose card?"), others(game), { number: true })],
  turn_ended: (game, move) => (move.extra_roll ? [die("extra_roll", t("Die for another turn"))] : []),
  corrected: (game) => [pick("seat", t("Player"), game.seats.map((seat) => [seat.seat, seat.name]), { number: true }), count("tokens", t("Tokens"), { optional: true }), count("cards", t("Cards"), { optional: true }), count("pieces", t("Pieces"), { optional: true })],
};

function pick(name, label, options, extra = {}) { return { kind: "pick", name, label, options, ...extra }; }
function many(name, label, options) { return { kind: "many", name, label, options }; }
function count(name, label, extra = {}) { return { kind: "count", name, label, ...extra }; }
function flag(name, label, extra = {}) { return { kind: "flag", name, label, ...extra }; }
function die(name, label) { return { kind: "die", name, label }; }
function rolls(name, label) { return { kind: "rolls", name, label }; }
function rollList(name, label) { return { kind: "rollList", name, label }; }
function unitPairs(name, label, options) { return { kind: "unitPairs", name, label, options }; }

function form(game, move, fields, body, close) {
  const values = {};
  const box = h("form", { class: "list", onsubmit: async (event) => { event.preventDefault(); if (await play(game, eventOf(move, fields, values))) close(); } });
  const draw = () => box.replaceChildren(...fields.map((field) => control(field, values, draw)), h("button", { class: "big" }, t("Done")));
  draw();
  body.append(box);
}

function control(field, values, draw) {
  const { name, label } = field;
  if (field.kind === "pick") {
    const options = typeof field.options === "function" ? field.options(values) : field.options;
    if (!options.some(([value]) => String(value) === String(values[name]))) values[name] = String(options[0]?.[0] ?? "");
    return h("label", {}, h("span", {}, label), h("select", { onchange: (event) => { values[name] = event.target.value; draw(); } }, options.map(([value, shown]) => h("option", { value, selected: String(value) === values[name] }, shown))));
  }
  if (field.kind === "many" || field.kind === "unitPairs") {
    values[name] ??= [];
    return h("details", {}, h("summary", {}, `${label}${values[name].length ? ` (${values[name].length})` : ""}`), field.options.map(([value, shown]) =>
      h("label", {}, h("span", {}, shown), h("input", { type: "checkbox", checked: values[name].includes(value), onchange: (event) => { values[name] = values[name].filter((one) => one !== value); if (event.target.checked) values[name].push(value); } }))));
  }
  if (field.kind === "count") return h("label", {}, h("span", {}, label), h("input", { type: "number", min: 0, inputmode: "numeric", value: values[name] ?? (field.optional ? "" : 0), onchange: (event) => { values[name] = event.target.value; } }));
  if (field.kind === "flag") return h("label", {}, h("span", {}, label), h("input", { type: "checkbox", checked: Boolean(values[name]), onchange: (event) => { values[name] = event.target.checked; } }));
  if (field.kind === "die") return h("div", {}, h("span", {}, label), dieButtons(values[name], (face) => { values[name] = face; draw(); }, label));
  if (field.kind === "rolls") {
    values[name] ??= [[null, null]];
    return h("div", {}, h("span", {}, label), values[name].map((pair) => h("div", { class: "both" }, [0, 1].map((side) => [h("small", { "aria-hidden": "true" }, side ? t("Defender") : t("Attacker")), dieButtons(pair[side], (face) => {
      pair[side] = face;
      const last = values[name].at(-1);
      if (last[0] && last[0] === last[1]) values[name].push([null, null]);
      draw();
    }, side ? t("Defender") : t("Attacker"))]))), h("p", { class: "hint" }, t("Equal rolls after all bonuses: roll again and add the new pair.")), h("button", { type: "button", class: "quiet", onclick: () => { values[name].push([null, null]); draw(); } }, t("rolled again")));
  }
  const input = h("input", { value: values[name] ?? "", onchange: (event) => { values[name] = event.target.value; } });
  return h("label", {}, h("span", {}, label), input);
}

function eventOf(move, fields, values) {
  const event = { type: move.type };
  const set = (name, value) => {
    const [outer, inner] = name.split(".");
    if (inner) (event[outer] ??= {})[inner] = value;
    else event[outer] = value;
  };
  for (const field of fields) {
    const value = values[field.name];
    if (field.kind === "pick" && field.nullable) set(field.name, value || null);
    else if (field.kind === "pick") { if (value !== "" || !field.optional) set(field.name, field.number ? Number(value) : value); }
    else if (field.kind === "count") { if (value !== undefined && value !== "") set(field.name, Number(value)); }
    else if (field.kind === "flag") { if (value || field.always) set(field.name, Boolean(value)); }
    else if (field.kind === "many") { if (value?.length) set(field.name, value); }
    else if (field.kind === "rolls") set(field.name, value.filter((pair) => pair[0] && pair[1]));
    else if (field.kind === "rollList") set(field.name, (value ?? "").split(/[\s,]+/).filter(Boolean).map(Number));
    else if (field.kind === "unitPairs") set(field.name, (value ?? []).map((one) => [Number(one.split(":")[0]), one.split(":")[1]]));
    else if (value) set(field.name, value);
  }
  return event;
}
