// The start page: who plays? Names are remembered on this phone.

import { h, fill } from "./dom.js";
import { t } from "./i18n.js";
import { send } from "./live.js";

const MOST = 10;
const GAMES = [
  { id: "panda-royale", title: "Panda Royale", counts: [2, 3, 4, 5, 6, 7, 8, 9, 10] },
  { id: "pirate-box", title: "Pirate Box", counts: [2, 3, 4] },
  { id: "box", title: "BOX", counts: [2, 3, 4, 6] },
  { id: "pandoras-box", title: "Pandora\u2019s Box", counts: [2, 3, 4, 5, 6] },
];
let names = null;
let game = "panda-royale";
let options = {};

function remembered() {
  try {
    const saved = JSON.parse(localStorage.getItem("names"));
    if (Array.isArray(saved) && saved.length >= 2) return saved.slice(0, MOST).map(String);
  } catch {
    // nothing usable was remembered
  }
  return ["", ""];
}

export function startView(main, state, leave) {
  names ??= remembered();
  fill(main, ["start", Boolean(state.game)], () => build(state, leave));
}

function build(state, leave) {
  const list = h("ol", { class: "names" });
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const add = h("button", { type: "button", class: "quiet", onclick: () => addName() }, t("+ one more player"));

  function addName() {
    if (names.length >= MOST) return;
    names.push("");
    draw();
    list.lastElementChild.querySelector("input").focus();
  }

  function draw() {
    list.replaceChildren(
      ...names.map((name, seat) =>
        h(
          "li",
          { style: { "--seat": `var(--seat-${seat})` } },
          h("span", { class: "seat-dot", "aria-hidden": "true" }, seat + 1),
          h("input", {
            value: name,
            maxlength: 24,
            autocomplete: "off",
            autocapitalize: "words",
            enterkeyhint: "next",
            placeholder: t("Player {n}", { n: seat + 1 }),
            "aria-label": t("Name of player {n}", { n: seat + 1 }),
            oninput: (event) => {
              names[seat] = event.target.value;
            },
            onkeydown: (event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              const inputs = [...list.querySelectorAll("input")];
              if (inputs[seat + 1]) inputs[seat + 1].focus();
              else addName();
            },
          }),
          names.length > 2 &&
            h(
              "button",
              {
                type: "button",
                class: "remove",
                "aria-label": t("Remove player {n}", { n: seat + 1 }),
                onclick: () => {
                  names.splice(seat, 1);
                  draw();
                },
              },
              "\u00d7",
            ),
        ),
      ),
    );
    add.hidden = names.length >= MOST;
  }

  async function begin(event) {
    event.preventDefault();
    error.hidden = true;
    const players = names.map((name, seat) => name.trim() || t("Player {n}", { n: seat + 1 }));
    try {
      await send("/api/games", { players, game, options });
      localStorage.setItem("names", JSON.stringify(names));
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

  draw();
  return h(
    "form",
    { class: "start", onsubmit: begin },
    h("h1", {}, t("Who plays?")),
    h("p", { class: "lead" }, t("Sit down clockwise, roll, look up. The camera counts.")),
    picker,
    list,
    add,
    detail,
    error,
    h("button", { class: "big", type: "submit" }, t("Start")),
    state.game && h("button", { type: "button", class: "quiet", onclick: leave }, t("Back to the running game")),
  );
}

// The choices of the rulebook's doubtful points; most tables never open this.
async function showRules(slot) {
  if (slot.childElementCount) return;
  try {
    const answer = await fetch("/api/games/rules");
    const { games } = await answer.json();
    const chosen = games.find((one) => one.id === game);
    slot.replaceChildren(
      ...chosen.options.map((option) =>
        h(
          "label",
          { class: "option" },
          h("span", {}, option.meaning, option.decision && h("small", {}, ` ${option.decision}`)),
          h(
            "select",
            { onchange: (event) => { options[option.name] = option.choices[Number(event.target.value)]; } },
            option.choices.map((choice, index) =>
              h("option", { value: index, selected: choice === (options[option.name] ?? option.default) }, choice === true ? t("yes") : choice === false ? t("no") : String(choice).replaceAll("_", " ")),
            ),
          ),
        ),
      ),
    );
  } catch {
    slot.replaceChildren(h("p", { class: "error" }, t("The table cannot be reached. Nothing was changed; try again in a moment.")));
  }
}
