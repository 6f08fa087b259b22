// Lines of the running totals, drawn by uPlot, which is loaded only when there is something to draw.

import { h } from "./dom.js";
import { t, signed } from "./i18n.js";

let loading = null;

function load() {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(h("link", { rel: "stylesheet", href: new URL("../vendor/uplot/uPlot.min.css", import.meta.url) }));
    const script = h("script", { src: new URL("../vendor/uplot/uPlot.iife.min.js", import.meta.url) });
    script.addEventListener("load", () => resolve(window.uPlot));
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return loading;
}

// Line styles differ too, so that colour is never the only sign.
const DASHES = [[], [8, 4], [2, 4], [12, 4, 2, 4], [4, 4], [16, 4], [2, 2], [10, 2, 2, 2], [6, 6], [1, 5]];

export function totalsChart(game) {
  const rounds = game.sheet.filter((row) => row.scores.every(Boolean));
  const box = h("figure", { class: "chart no-print" });
  if (rounds.length < 2) return box;
  const running = game.seats.map((seat) => {
    let sum = 0;
    return [0, ...rounds.map((row) => (sum += row.scores[seat.seat].total))];
  });
  box.append(
    h("figcaption", {}, t("Totals by round")),
    h("div", { class: "canvas", role: "img", "aria-label": t("Totals by round: {totals}", { totals: game.seats.map((seat) => `${seat.name} ${signed(seat.running)}`).join(", ") }) }),
  );
  load().then((uPlot) => {
    const slot = box.querySelector(".canvas");
    if (!slot.isConnected) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = { stroke: color("--soft"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
    new uPlot(
      {
        width: slot.clientWidth,
        height: Math.min(320, Math.max(200, slot.clientWidth * 0.55)),
        scales: { x: { time: false } },
        legend: { show: true, live: false },
        cursor: { show: false },
        axes: [{ ...axis, incrs: [1, 2, 5] }, axis],
        series: [
          { label: t("Round") },
          ...game.seats.map((seat) => ({ label: `${seat.seat + 1} ${seat.name}`, stroke: color(`--seat-${seat.color}`), width: 2.5, dash: DASHES[seat.seat], points: { show: true, size: 5 } })),
        ],
      },
      [[0, ...rounds.map((row) => row.round)], ...running],
      slot,
    );
  }).catch(() => box.remove());
  return box;
}
