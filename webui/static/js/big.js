// The big screen on the shelf: standings, the table live, who has rolled what. `/overlay` is the same without the rest.

import { h, fill } from "./dom.js";
import { t, signed } from "./i18n.js";
import { start, onState, isConnected } from "./live.js";
import { dieSvg } from "./dice.js";
import { boxes, liveBoxes } from "./camera.js";

const overlay = document.body.dataset.page === "overlay";

function render(state) {
  const game = state.game?.kind === "panda-royale" ? state.game : null;
  fill(document.getElementById("headline"), [game?.phase, game?.round, game?.seats.map((seat) => seat.state), isConnected(), state.camera.state, state.camera.simulated], () =>
    headline(state),
  );
  fill(document.getElementById("standings"), game && [game.seats, game.leaders, game.token, game.questions.length], () =>
    game ? standings(game) : null,
  );
  if (overlay) return;
  fill(document.getElementById("join"), [state.join, Boolean(game)], () => join(state));
  fill(document.getElementById("live-boxes"), state.boxes, () => liveBoxes(state));
  fill(document.getElementById("last"), state.look, () =>
    state.look
      ? h("div", { class: "boxed" }, h("img", { src: state.look.still, alt: t("the last picture read, a box around each die"), width: state.look.width, height: state.look.height }), boxes(state.look))
      : null,
  );
}

function headline(state) {
  const game = state.game?.kind === "panda-royale" ? state.game : null;
  const trouble = !isConnected()
    ? t("No connection to the table. Trying again …")
    : state.camera.state === "lost"
      ? t("Camera lost. It is being started again; the scores are safe.")
      : state.camera.simulated
        ? t("Simulated table: no camera, the computer draws the dice.")
        : "";
  if (!game) return [h("h1", {}, "Tablesight"), h("p", {}, t("Scan the code and start a game.")), trouble && h("p", { class: "trouble" }, trouble)];
  const waiting = game.seats.filter((seat) => seat.state !== "rolled");
  let text = "";
  if (game.phase === "ended")
    text = game.winners.length === 1 ? t("{name} wins!", { name: game.seats[game.winners[0]].name }) : t("{names} win together!", { names: game.winners.map((seat) => game.seats[seat].name).join(" & ") });
  else if (game.phase === "scored") text = t("Trade, choose a die, then roll {n}.", { n: game.round + 1 });
  else if (game.phase === "reroll") text = t("Yellow is tied: everybody rolls the yellow dice again.");
  else if (waiting.length) text = t("Still to roll: {name}", { name: waiting.map((seat) => seat.name).join(", ") });
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : t("Round {n} of {all}", { n: game.round, all: game.rounds })),
    h("p", {}, text),
    trouble && h("p", { class: "trouble" }, trouble),
  ];
}

function standings(game) {
  const order = [...game.seats].sort((a, b) => b.running - a.running || a.seat - b.seat);
  return h(
    "ol",
    { class: `big-list${order.length > 6 ? " many" : ""}` },
    order.map((seat) =>
      h(
        "li",
        { class: `is-${seat.state}`, style: { "--seat": `var(--seat-${seat.color})` } },
        h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1),
        h("span", { class: "name" }, seat.name, game.token === seat.seat && h("span", { class: "token" }, t("Panda"))),
        h(
          "span",
          { class: "rolled" },
          seat.dice.map((die) => dieSvg(die.kind, die.question ? null : die.value, { label: true })),
        ),
        h("span", { class: "round" }, seat.scores && !seat.rerolls ? `${seat.scores.total < 0 ? "" : "+"}${signed(seat.scores.total)}` : seat.state === "asks" || seat.state === "count" ? "?" : "…"),
        h("span", { class: "sum" }, signed(seat.running)),
      ),
    ),
  );
}

function join(state) {
  return [
    h("img", { src: "/join.svg", alt: t("QR code of {url}", { url: state.join }), width: 160, height: 160 }),
    h("p", {}, state.join),
  ];
}

if (!overlay) {
  const image = document.getElementById("live");
  const again = (wait) => setTimeout(() => { image.src = `/camera.jpg?t=${Date.now()}`; }, wait);
  image.addEventListener("load", () => again(350));
  image.addEventListener("error", () => again(1500));
  again(0);
}

onState(render);
start();
