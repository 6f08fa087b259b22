// The file of the games was damaged and has been repaired: told to the host until it is read.

import { h, fill } from "./dom.js";
import { t, tn, language } from "./i18n.js";
import { send } from "./live.js";
import { host, refreshMe } from "./me.js";
import { gameTitle } from "./start.js";
import { toast } from "./toast.js";

let asked = "";

export function showRepairs(slot, state, redraw) {
  if (state.repairs.length && asked !== state.boot) {
    asked = state.boot;
    refreshMe().then(redraw);
  }
  // without a host everybody may do what the host may
  const told = host || !state.has_host ? state.repairs : [];
  fill(slot, told, () => told.map(repairCard));
}

const day = (at_s) => new Date(at_s * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

function repairCard(repair) {
  const { game } = repair;
  return h(
    "section",
    { class: "card repair", "aria-label": t("The file of the games was damaged") },
    h("h2", {}, t("The file of the games was damaged")),
    h("p", {}, tn("It was repaired on {date}: {n} entry was kept.", "It was repaired on {date}: {n} entries were kept.", repair.kept, { date: day(repair.at_s) })),
    game
      ? h("p", {}, t("The last one belongs to {game} with {names}, begun on {date}: please check its last rounds, something may be missing.", { game: gameTitle(game.game), names: game.players.join(", "), date: day(game.started_at_s) }))
      : h("p", {}, t("No game could be saved. Where there is a backup, put it back: More, For the owner.")),
    h("p", { class: "hint" }, t("The damaged file was put aside:"), " ", h("span", { class: "path" }, repair.aside)),
    h("button", { class: "quiet", "data-focus": `repair-${repair.id}`, onclick: () => send("/api/repairs", { id: repair.id }).catch((problem) => toast(problem.message)) }, t("Understood")),
  );
}
