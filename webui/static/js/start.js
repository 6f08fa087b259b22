// The start page: who plays? One list for all phones: what one types, the others see.

import { h, fill, fillList } from "./dom.js";
import { t } from "./i18n.js";
import { said } from "./said.js";
import { refresh, send } from "./live.js";
import { colorDots, seatColorName } from "./colors.js";
import { openDialog } from "./dialog.js";
import { typedHere } from "./me.js";
import { randomId } from "./random_id.js";
import { toast } from "./toast.js";

const MOST = 10;
const FEWEST = 2;
const GAMES = [
  { id: "panda-royale", title: "Panda Royale", counts: [2, 3, 4, 5, 6, 7, 8, 9, 10] },
  { id: "pirate-box", title: "Pirate Box", counts: [2, 3, 4] },
  { id: "box", title: "BOX", counts: [2, 3, 4, 6] },
  { id: "pandoras-box", title: "Pandora\u2019s Box", counts: [2, 3, 4, 5, 6] },
];

export function gameTitle(id) {
  return GAMES.find((one) => one.id === id)?.title ?? id;
}

let game = "panda-royale";
let options = {};
let lobby = [];
let list = null;
let add = null;
// what this phone has typed and the server has not confirmed yet: by id of the row
const typed = new Map();
const timers = new Map();
const telling = new Map();
const gone = new Set();
let fresh = [];

export function startView(main, state, leave) {
  lobby = state.lobby;
  fill(main, ["start", Boolean(state.game)], () => build(state, leave));
  drawRows();
}

function rows() {
  const known = new Set(lobby.map((row) => row.id));
  fresh = fresh.filter((row) => !known.has(row.id));
  return [...lobby, ...fresh].filter((row) => !gone.has(row.id));
}

function nameOf(row) {
  return typed.get(row.id) ?? row.name;
}

function drawRows() {
  if (!list) return;
  const all = rows();
  fillList(list, all.map(({ id, color }, seat) => ({ id, color, seat, many: all.length > FEWEST })), (row) => row.id, rowLine);
  for (const row of all) {
    const input = list.querySelector(`[data-row="${row.id}"]`);
    if (input && input !== document.activeElement && input.value !== nameOf(row)) input.value = nameOf(row);
  }
  add.hidden = all.length >= MOST;
}

function rowLine({ id, color, seat, many }) {
  const row = rows().find((one) => one.id === id);
  return [
    h(
      "button",
      {
        type: "button", class: "dot-button", style: { "--seat": `var(--seat-${color})` }, "data-focus": `dot-${id}`,
        "aria-label": t("Colour of player {n}: {color}", { n: seat + 1, color: seatColorName(color) }),
        onclick: () => pickColor(id),
      },
      h("span", { class: "seat-dot", "aria-hidden": "true" }, seat + 1),
    ),
    h("input", {
      value: nameOf(row), maxlength: 24, autocomplete: "off", autocapitalize: "words", enterkeyhint: "next", "data-row": id, "data-focus": `name-${id}`,
      placeholder: t("Player {n}", { n: seat + 1 }),
      "aria-label": t("Name of player {n}", { n: seat + 1 }),
      oninput: (event) => type(id, event.target.value),
      onchange: () => tell(id),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        const inputs = [...list.querySelectorAll("input")];
        const next = inputs[inputs.indexOf(event.target) + 1];
        if (next) next.focus();
        else addRow();
      },
    }),
    many && h("button", { type: "button", class: "remove", "aria-label": t("Remove player {n}", { n: seat + 1 }), onclick: () => remove(id) }, "\u00d7"),
  ].filter(Boolean);
}

function type(id, name) {
  typed.set(id, name);
  typedHere.set(id, name);
  clearTimeout(timers.get(id));
  timers.set(id, setTimeout(() => tell(id), 400));
}

// One after the other: on a slow line the second would find what the first has just told, and take it for somebody else's.
function tell(id) {
  clearTimeout(timers.get(id));
  const told = (telling.get(id) ?? Promise.resolve()).then(() => tellNow(id));
  telling.set(id, told);
  return told;
}

async function tellNow(id) {
  if (!typed.has(id)) return;
  const name = typed.get(id);
  const seen = lobby.find((row) => row.id === id)?.name ?? "";
  try {
    await send("/api/lobby", { id, name, seen });
    if (typed.get(id) === name) typed.delete(id);
  } catch (problem) {
    if (problem.status === 409) {
      await refresh(); // an answer that was lost: the name there is this one
      if (lobby.find((row) => row.id === id)?.name === name) typed.delete(id);
      else if (typed.has(id)) moveOn(id, name);
    }
    else toast(problem.message);
  }
}

// Two phones typed into the same line: the second gets a line of its own.
function moveOn(id, name) {
  const focused = document.activeElement?.dataset.row === id;
  typed.delete(id);
  typedHere.delete(id);
  if (rows().length >= MOST) return;
  const other = newRow();
  type(other, name);
  if (focused) list.querySelector(`[data-row="${other}"]`).focus();
  toast(t("Somebody else was typing in this line: yours is a new one."));
}

function newRow() {
  const id = randomId();
  const used = new Set(rows().map((row) => row.color));
  const color = Array.from({ length: MOST }, (_, index) => index).find((index) => !used.has(index)) ?? 0;
  fresh.push({ id, name: "", color });
  drawRows();
  return id;
}

function addRow() {
  if (rows().length >= MOST) return;
  const id = newRow();
  list.querySelector(`[data-row="${id}"]`).focus();
  send("/api/lobby", { id, name: "" }).catch((problem) => toast(problem.message));
}

async function remove(id) {
  gone.add(id);
  typed.delete(id);
  typedHere.delete(id);
  drawRows();
  await send("/api/lobby", { id, gone: true }).catch((problem) => toast(problem.message));
  gone.delete(id);
  fresh = fresh.filter((row) => row.id !== id);
  drawRows();
}

function pickColor(id) {
  openDialog(t("Which colour?"), (body, close) => {
    const all = rows();
    const mine = all.find((row) => row.id === id);
    const taken = new Map(all.filter((row) => row.id !== id && nameOf(row)).map((row) => [row.color, nameOf(row)]));
    body.append(
      colorDots(mine.color, taken, async (color) => {
        close();
        await send("/api/lobby", { id, color }).catch((problem) => toast(problem.message));
      }),
    );
  });
}

function build(state, leave) {
  const error = h("p", { class: "error", role: "alert", hidden: true });
  list = h("ol", { class: "names", "data-item": "li" });
  add = h("button", { type: "button", class: "quiet", onclick: addRow }, t("+ one more player"));

  async function begin(event) {
    event.preventDefault();
    error.hidden = true;
    const all = rows();
    const players = all.map((row, seat) => nameOf(row).trim() || t("Player {n}", { n: seat + 1 }));
    try {
      for (const timer of timers.values()) clearTimeout(timer);
      await send("/api/games", { players, colors: all.map((row) => row.color), game, options });
      typed.clear();
      fresh = [];
      leave();
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    }
  }

  const rules = h("div", { class: "rules" });
  const detail = h("details", { class: "why", ontoggle: () => detail.open && showRules(rules) }, h("summary", {}, t("House rules")), rules);

  function choose(id) {
    game = id;
    options = {};
    detail.open = false;
    rules.replaceChildren();
    for (const button of picker.querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === id ? "true" : "false");
  }

  const picker = h(
    "div",
    { class: "picker", role: "group", "aria-label": t("Game") },
    GAMES.map((one) => h("button", { type: "button", value: one.id, "aria-pressed": one.id === game ? "true" : "false", onclick: () => choose(one.id) }, one.title)),
  );

  return h(
    "form",
    { class: "start", onsubmit: begin },
    h("h1", {}, t("Who plays?")),
    h("p", { class: "lead" }, t("Type the names, clockwise. Tap a dot for another colour.")),
    picker,
    list,
    add,
    detail,
    state.game && h("button", { type: "button", class: "quiet", onclick: leave }, t("Back to the running game")),
    h("div", { class: "action" }, error, h("button", { class: "big", type: "submit" }, t("Start"))),
  );
}

// What the rulebook leaves open, as questions; most tables never open this.
async function showRules(slot) {
  try {
    const answer = await fetch("/api/games/rules");
    const { games } = await answer.json();
    const chosen = games.find((one) => one.id === game);
    slot.replaceChildren(
      h("p", { class: "hint" }, t("You need not choose anything here: only what you play differently at home.")),
      ...chosen.options.map((option) =>
        h(
          "label",
          { class: "option" },
          h("span", {}, said(option.meaning)),
          h(
            "select",
            { onchange: (event) => { options[option.name] = option.choices[Number(event.target.value)]; } },
            choicesOf(option).map((choice, index) =>
              h("option", { value: index, selected: choice === (options[option.name] ?? option.default) }, choiceText(option, choice)),
            ),
          ),
        ),
      ),
    );
  } catch {
    slot.replaceChildren(h("p", { class: "error" }, t("The table cannot be reached. Nothing was changed; try again in a moment.")));
  }
}

// A seat is one of those who play.
function choicesOf(option) {
  return isSeat(option) ? option.choices.slice(0, rows().length) : option.choices;
}

function isSeat({ name }) {
  return name === "first" || name === "first_captain";
}

function choiceText(option, choice) {
  if (isSeat(option)) return (rows()[choice] && nameOf(rows()[choice]).trim()) || t("Player {n}", { n: choice + 1 });
  const key = `${option.name}: ${choice}`;
  const known = said(key);
  const text = known === key ? String(choice) : known;
  return choice === option.default ? t("{choice} (as usual)", { choice: text }) : text;
}
