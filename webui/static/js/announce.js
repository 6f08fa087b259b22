// Speaks new scores to screen readers (a live region) and, where wanted, aloud.

import { t, tn, language } from "./i18n.js";
import { dieLabel } from "./dice.js";
import { momentText } from "./moment.js";
import { toast } from "./toast.js";

let before = null;

export function announce(state) {
  const game = state.game;
  if (game && game.kind !== "panda-royale") return;
  answered(game);
  const key = game && `${game.id}`;
  const lines = [];
  if (game && before && before.key === key) {
    for (const seat of game.seats) {
      const old = before.seats[seat.seat];
      if (seat.state === "rolled" && seat.scores && (old.state !== "rolled" || old.total !== seat.scores.total)) {
        lines.push(tn("{name}: {total} point", "{name}: {total} points", seat.scores.total, { name: seat.name, total: spoken(seat.scores.total) }));
      } else if (seat.state === "asks" && old.state !== "asks") {
        lines.push(t("A question about a die of {name}", { name: seat.name }));
      }
    }
    if (game.phase === "reroll" && before.phase !== "reroll") lines.push(momentText(game));
  }
  before = game && {
    key,
    phase: game.phase,
    seats: game.seats.map((seat) => ({ state: seat.state, total: seat.scores?.total })),
  };
  if (!lines.length) return;
  document.getElementById("spoken").textContent = lines.join(". ");
  if (localStorage.getItem("sound") === "yes") chime(lines.length > 1 ? [523, 659, 784] : [659, 784]);
  if (localStorage.getItem("speak") === "yes" && "speechSynthesis" in window) {
    const words = new SpeechSynthesisUtterance(lines.join(". "));
    words.lang = language;
    speechSynthesis.speak(words);
  }
}

// At the simulated table somebody answers the camera's questions after a while: it is said, so that nobody wonders.
let heard = null;

function answered(game) {
  const told = game?.told;
  const last = heard;
  heard = told?.number ?? 0;
  if (!told || last === null || told.number <= last) return;
  const name = game.seats[told.seat].name;
  toast(told.kind ? t("{name} has looked: {die}", { name, die: dieLabel(told.kind, told.value) }) : t("{name} has looked and told the camera.", { name }));
}

let audio = null;

// A few soft notes; nothing is downloaded.
export function chime(notes) {
  audio ??= "AudioContext" in window ? new AudioContext() : null;
  if (!audio) return;
  notes.forEach((frequency, index) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + index * 0.12;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.4);
  });
}

function spoken(total) {
  return total < 0 ? t("minus {n}", { n: -total }) : String(total);
}
