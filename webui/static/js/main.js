// The page for the phone: one shell, one view per moment.

import { h, clear, fill } from "./dom.js";
import { t } from "./i18n.js";
import { start, onState, isConnected } from "./live.js";
import { cameraSays, nameSeats } from "./said.js";
import { announce } from "./announce.js";
import { stayAwake } from "./awake.js";
import { measureBar } from "./action.js";
import { simulatedText } from "./moment.js";
import { startView } from "./start.js";
import { tableView } from "./table.js";
import { sheetView } from "./sheet.js";
import { cameraView } from "./camera.js";
import { moreView } from "./more.js";
import { tellSeat } from "./me.js";
import { showRepairs } from "./repairs.js";
import { showNews } from "./news.js";

const VIEWS = {
  table: { title: () => t("Table"), render: tableView },
  scores: { title: () => t("Scores"), render: sheetView },
  camera: { title: () => t("Camera"), render: cameraView },
  more: { title: () => t("More"), render: moreView },
};

const main = document.getElementById("main");
const nav = document.getElementById("nav");
let newGame = false;

function chosen() {
  const name = location.hash.slice(1);
  return name in VIEWS ? name : "table";
}

function render(state) {
  const name = chosen();
  renderNotice(state);
  showRepairs(document.getElementById("repairs"), state, () => render(latest));
  showNews(document.getElementById("news"), state.game);
  const starting = name === "table" && (!state.game || newGame);
  const page = starting ? "start" : name;
  document.body.dataset.page = page;
  if (main.dataset.page !== page) {
    main.dataset.page = page;
    clear(main);
    window.scrollTo(0, 0);
  }
  fill(nav, [name, Boolean(state.game)], () =>
    Object.entries(VIEWS).map(([key, view]) =>
      h(
        "a",
        { href: `#${key}`, "aria-current": key === name ? "page" : null, "data-focus": key },
        icon(key),
        view.title(),
      ),
    ),
  );
  if (starting) startView(main, state, () => leaveStart());
  else VIEWS[name].render(main, state, { newGame: () => enterStart() });
  document.title = `${starting ? t("New game") : VIEWS[name].title()} · Tablesight`;
}

let latest = null;

function enterStart() {
  newGame = true;
  location.hash = "#table";
  render(latest);
}

function leaveStart() {
  newGame = false;
  render(latest);
}

function renderNotice(state) {
  const slot = document.getElementById("notice");
  const camera = state.camera;
  const texts = [];
  if (!isConnected()) texts.push(["bad", t("No connection to the table. Trying again …")]);
  else if (camera.state === "lost") texts.push(["bad", t("Camera lost. It is being started again; the scores are safe.")]);
  else if (camera.state === "no_camera" && !camera.message) {
    // nobody wants one: the table says what to tap
  } else if (camera.state === "no_camera" || camera.state === "error") {
    // why there is none is for whoever looks after the camera; the others play on
    const why = ["camera", "more"].includes(chosen());
    texts.push([why ? "bad" : "note", [t("No camera. The dice can be tapped in."), why && cameraSays(camera.message)].filter(Boolean).join(" ")]);
  }
  else if (camera.state === "cannot_see") texts.push(["bad", cameraSays(camera.message) || t("The camera cannot see the table.")]);
  else if (camera.state === "watching" && camera.message && !isAnswered(state, camera.message)) texts.push(["bad", cameraSays(camera.message)]);
  const simulated = simulatedText(state);
  if (simulated) texts.push(["note", simulated]);
  fill(slot, texts, () => texts.map(([kind, text]) => h("p", { class: `notice ${kind}` }, text)));
}

// A die that leans is said by the camera as long as it lies there; once its question is answered it troubles nobody.
function isAnswered(state, message) {
  const uneven = /^(?:A die|Two dice) of seat (\d+) /.exec(message);
  return Boolean(uneven && state.game?.questions) && !state.game.questions.some((one) => one.seat === Number(uneven[1]) - 1);
}

function icon(name) {
  const paths = {
    table: "M4 7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3zM9 9h.01M15 9h.01M9 15h.01M15 15h.01M12 12h.01",
    scores: "M5 4h14v16H5zM5 9h14M10 9v11M5 14.5h14",
    camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
    more: "M4 7h16M4 12h16M4 17h16",
  };
  return h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, h("path", { d: paths[name] }));
}

window.addEventListener("hashchange", () => {
  if (latest) render(latest);
  window.scrollTo(0, 0);
});

onState((state) => {
  if (latest && state.game && latest.game?.id !== state.game.id) newGame = false;
  latest = state;
  nameSeats(state.game?.seats.map((seat) => seat.name) ?? []);
  tellSeat(state);
  render(state);
  announce(state);
  stayAwake(Boolean(state.game) && !state.game.winners);
});
measureBar(nav);
start();
