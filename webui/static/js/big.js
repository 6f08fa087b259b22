// The big screen on the shelf: standings, the table live, who has rolled what. `/overlay` is the same without the rest.

import { h, fill } from "./dom.js";
import { t, signed } from "./i18n.js";
import { start, onState, isConnected } from "./live.js";
import { cameraSays, nameSeats } from "./said.js";
import { dieSvg } from "./dice.js";
import { stayAwake } from "./awake.js";
import { liveBoxes } from "./boxes.js";
import { leadersOf, leads } from "./crown.js";
import { keepLive } from "./live_picture.js";
import { lookedAt } from "./looked_at.js";
import { newsText } from "./news.js";
import { between, momentText, pausedText, simulatedText, totalNow } from "./moment.js";

const overlay = document.body.dataset.page === "overlay";

function render(state) {
  const game = state.game;
  document.body.classList.toggle("no-game", !game);
  fill(document.getElementById("headline"), [game?.phase, game?.round, game?.title, game?.questions.length, game?.last.seq, game?.plays_itself, game?.seats.map((seat) => [seat.state, seat.name]), isConnected(), state.camera], () => headline(state));
  fill(document.getElementById("standings"), game ? [game.seats, game.leaders, game.token, game.phase, game.next, game.hands] : state.lobby, () => (game ? standings(game) : guests(state)));
  if (overlay) return;
  fitDice();
  fill(document.getElementById("join"), state.join, () => join(state));
  fill(document.getElementById("no-live"), state.camera.state, () => noPicture(state.camera.state));
  fill(document.getElementById("live-boxes"), state.boxes, () => liveBoxes(state));
  fill(document.getElementById("last"), state.look, () => (state.look ? lookedAt(state.look, { whole: false }) : null));
  document.getElementById("last").parentElement.hidden = !state.look;
}

function trouble(state) {
  if (!isConnected()) return t("No connection to the table. Trying again …");
  if (state.camera.state === "lost") return t("Camera lost. It is being started again; the scores are safe.");
  if (["no_camera", "error"].includes(state.camera.state)) return ""; // it is said in the place of the picture
  if (state.camera.state === "cannot_see") return cameraSays(state.camera.message) || t("The camera cannot see the table.");
  return simulatedText(state);
}

// In the place of the live picture while there is none.
function noPicture(camera) {
  return { no_camera: t("No camera: tap the dice in on the phones."), error: t("No camera: tap the dice in on the phones."), lost: t("The camera is being started again.") }[camera] ?? t("The camera is starting.");
}

function headline(state) {
  const game = state.game;
  const problem = trouble(state);
  const paused = game && pausedText(game);
  const note = [paused, problem, game && newsText(game)].filter(Boolean).map((text) => h("p", { class: text === paused ? "trouble paused" : "trouble" }, text));
  if (!game) return [h("h1", {}, t("Who plays?")), h("p", {}, t("Scan the code with your phone and type your name.")), ...note];
  if (game.kind !== "panda-royale") return [h("h1", {}, game.title), h("p", {}, game.winners ? winners(game) : ""), ...note];
  const waiting = game.seats.filter((seat) => seat.state !== "rolled");
  const some = waiting.length && waiting.length < game.seats.length && game.phase === "roll" && !waiting.every((seat) => seat.state !== "waiting" && seat.state !== "moving");
  return [
    h("h1", {}, game.phase === "ended" ? t("Final scores") : t("Round {n} of {all}", { n: game.round, all: game.rounds })),
    h("p", {}, game.phase === "ended" ? winners(game) : some ? t("Still to roll: {name}", { name: waiting.map((seat) => seat.name).join(", ") }) : momentText(game)),
    ...note,
  ];
}

function winners(game) {
  // in BOX teams win
  const names = game.winners.map((seat) => (game.kind === "box" ? game.view.teams[seat].seats.map((one) => game.seats[one].name).join(" + ") : game.seats[seat].name));
  return names.length === 1 ? t("{name} wins!", { name: names[0] }) : t("{names} win together!", { names: names.join(" & ") });
}

// Before the game: who has typed a name.
function guests(state) {
  const named = state.lobby.filter((row) => row.name);
  return h("ol", { class: "big-list guests" }, named.map((row) => h("li", { style: { "--seat": `var(--seat-${row.color})` } }, h("span", { class: "seat-dot", "aria-hidden": "true" }, state.lobby.indexOf(row) + 1), h("span", { class: "name" }, row.name))));
}

function standings(game) {
  const order = [...game.seats].sort((a, b) => b.running - a.running || a.seat - b.seat);
  const scored = game.phase === "scored" && game.next && !overlay;
  return [
    h(
      "ol",
      { class: `big-list${order.length > 6 ? " many" : ""}` },
      order.map((seat) =>
        h(
          "li",
          { class: `is-${seat.state ?? "rolled"}`, style: { "--seat": `var(--seat-${seat.color})` } },
          h("span", { class: "seat-dot", "aria-hidden": "true" }, seat.seat + 1),
          h("span", { class: "name" }, seat.name, leadersOf(game).includes(seat.seat) && leads(), game.token === seat.seat && h("span", { class: "token" }, t("Panda"))),
          h("span", { class: "rolled" }, (seat.dice ?? []).map((die) => dieSvg(die.kind, die.question ? null : die.value, { label: true }))),
          h("span", { class: "round" }, roundOf(seat)),
          h("span", { class: "sum" }, signed(game.kind === "panda-royale" ? totalNow(game, seat) : seat.running)),
        ),
      ),
    ),
    scored && between(game),
  ];
}

// Rows are as high as their dice; where all of them are too high together, the dice get smaller.
let fitted = null;

function fitDice(anew = false) {
  const list = document.querySelector("#standings > .big-list");
  if (!list || (list === fitted && !anew)) return;
  fitted = list;
  for (let size = 1; size >= 0.4; size -= 0.1) {
    list.style.setProperty("--fit", size.toFixed(1));
    if (list.scrollHeight <= list.clientHeight + 1) return;
  }
}

function roundOf(seat) {
  if (!("state" in seat)) return "";
  if (seat.scores && !seat.rerolls) return `${seat.scores.total < 0 ? "" : "+"}${signed(seat.scores.total)}`;
  return seat.state === "asks" || seat.state === "count" ? "?" : "…";
}

function join(state) {
  return [
    h("img", { src: "/join.svg", alt: t("QR code of {url}", { url: state.join }), width: 160, height: 160 }),
    h("p", {}, state.join),
  ];
}

if (!overlay) {
  new ResizeObserver(() => fitDice(true)).observe(document.getElementById("standings"));
  const image = document.getElementById("live");
  const frame = image.closest("figure");
  const took = () => {
    frame.classList.remove("blank");
    // the boxes over it are fractions of the whole picture: nothing of it may be cut off
    image.parentElement.style.aspectRatio = `${image.naturalWidth} / ${image.naturalHeight}`;
  };
  keepLive(image, 350, took, () => frame.classList.add("blank"));
}

onState((state) => {
  nameSeats(state.game?.seats.map((seat) => seat.name) ?? []);
  render(state);
  stayAwake(!overlay);
});
start();
