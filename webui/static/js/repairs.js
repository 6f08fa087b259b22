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

// By what was repaired: the heading, what was done, and what became of the file that is not used now.
function telling(repair) {
  const words = { n: repair.kept, date: day(repair.at_s) };
  switch (repair.what) {
    case "missing":
      return [t("The file of the games was missing or empty"), tn("It was made anew from its copy on {date}: {n} entry.", "It was made anew from its copy on {date}: {n} entries.", repair.kept, words), ""];
    case "behind":
      return [
        t("The file of the games was an older one"),
        tn("Its copy knew {n} later entry, which counts again since {date}. Did you put the older file back on purpose? Then go back to it.", "Its copy knew {n} later entries, which count again since {date}. Did you put the older file back on purpose? Then go back to it.", repair.added, { ...words, n: repair.added }),
        t("The older file was put aside:"),
      ];
    case "exchanged":
      return [t("The older file of the games counts again"), tn("It has {n} entry. You can go back once more.", "It has {n} entries. You can go back once more.", repair.kept, words), t("The file before was put aside:")];
    default:
      return [t("The file of the games was damaged"), tn("It was repaired on {date}: {n} entry was kept.", "It was repaired on {date}: {n} entries were kept.", repair.kept, words), t("The damaged file was put aside:")];
  }
}

function repairCard(repair) {
  const { game } = repair;
  const [heading, done, aside] = telling(repair);
  const goesBack = repair.what === "behind" || repair.what === "exchanged";
  const answer = (more) => () => send("/api/repairs", { id: repair.id, ...more }).catch((problem) => toast(problem.message));
  return h(
    "section",
    { class: "card repair", "aria-label": heading },
    h("h2", {}, heading),
    h("p", {}, done),
    game && !goesBack &&
      h("p", {}, t("The last one belongs to {game} with {names}, begun on {date}: please check its last rounds, something may be missing.", { game: gameTitle(game.game), names: game.players.join(", "), date: day(game.started_at_s) })),
    !game && !goesBack && h("p", {}, t("No game could be saved. Where there is a backup, put it back: More, For the owner.")),
    repair.aside && h("p", { class: "hint" }, aside, " ", h("span", { class: "path" }, repair.aside)),
    goesBack && h("button", { class: "quiet", "data-focus": `back-${repair.id}`, onclick: answer({ back: true }) }, t("Go back to that file")),
    h("button", { class: "quiet", "data-focus": `repair-${repair.id}`, onclick: answer({}) }, t("Understood")),
  );
}
