// Whose part of the picture is where: drag the corners with a finger; arrow keys move the chosen corner too.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { send } from "./live.js";
import { openDialog } from "./dialog.js";
import { hasPicture, pictureAddress } from "./live_picture.js";
import { toast } from "./toast.js";

const W = 1600, H = 900;

// As the camera process divides the picture when nobody has said otherwise: at most two rows.
export function grid(seats) {
  const rows = seats <= 3 ? [seats] : [Math.floor(seats / 2), seats - Math.floor(seats / 2)];
  return rows.flatMap((columns, row) =>
    Array.from({ length: columns }, (_, column) => {
      const [left, right] = [column / columns, (column + 1) / columns];
      const [top, bottom] = [row / rows.length, (row + 1) / rows.length];
      return [[left, top], [right, top], [right, bottom], [left, bottom]];
    }),
  ).map((polygon, seat) => ({ seat, polygon }));
}

// A player's name in a part of the picture: as large as usual where it fits, and within the picture.
export function zoneName(name, polygon, usual, y) {
  const [xs, ys] = [0, 1].map((axis) => polygon.map((point) => point[axis]));
  const [left, right] = [Math.max(0, Math.min(...xs)) * W, Math.min(1, Math.max(...xs)) * W];
  const wide = widthOf(name, usual);
  const size = usual * Math.min(1, (right - left) / wide);
  const middle = xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const half = (wide * size) / usual / 2;
  const x = Math.min(W - half, Math.max(half, middle * W));
  return h("text", { x, y: y ?? (ys.reduce((sum, one) => sum + one, 0) / ys.length) * H, class: "zone-name", style: { "font-size": `${size}px` } }, name);
}

const EDGE = 16; // the dark edge around the letters, on both sides

function widthOf(name, size) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `700 ${size}px system-ui, sans-serif`;
  return pen.measureText(name).width + 2 * EDGE;
}

export function editZones(state) {
  const players = state.game?.seats ?? [{ seat: 0, name: "1" }, { seat: 1, name: "2" }];
  const count = players.length;
  openDialog(t("Whose part of the table is where?"), (body, close) => {
    let zones = structuredClone(state.settings.zones[count] ?? grid(count));
    const svg = h("svg", { viewBox: `0 0 ${W} ${H}`, class: "zones", preserveAspectRatio: "none" });
    const picture = h("img", { src: hasPicture(state) ? pictureAddress() : null, alt: t("live picture of the table"), width: W, height: H });

    // corners that lie together are dragged together
    function move(zone, corner, x, y) {
      const from = zones[zone].polygon[corner];
      const to = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
      for (const other of zones) {
        other.polygon = other.polygon.map((point) => (Math.hypot(point[0] - from[0], point[1] - from[1]) < 0.005 ? to : point));
      }
      draw(`${zone}-${corner}`);
    }

    function draw(focus = null) {
      svg.replaceChildren(
        ...zones.map((zone) => {
          const points = zone.polygon.map(([x, y]) => `${x * W},${y * H}`).join(" ");
          return h(
            "g",
            { style: { "--seat": `var(--seat-${players[zone.seat]?.color ?? zone.seat})` } },
            h("polygon", { points, class: "zone" }),
            zoneName(players[zone.seat].name, zone.polygon, 64),
          );
        }),
        ...zones.flatMap((zone, index) =>
          zone.polygon.map(([x, y], corner) =>
            h("circle", {
              cx: x * W, cy: y * H, r: 34, class: "corner", tabindex: 0, role: "slider", "data-corner": `${index}-${corner}`,
              "aria-label": t("corner {n} of {name}", { n: corner + 1, name: players[zone.seat].name }),
              "aria-valuenow": Math.round(x * 100), "aria-valuetext": `${Math.round(x * 100)} %, ${Math.round(y * 100)} %`,
              onpointerdown: (event) => drag(event, index, corner),
              onkeydown: (event) => {
                const step = { ArrowLeft: [-0.01, 0], ArrowRight: [0.01, 0], ArrowUp: [0, -0.01], ArrowDown: [0, 0.01] }[event.key];
                if (!step) return;
                event.preventDefault();
                move(index, corner, x + step[0], y + step[1]);
              },
            }),
          ),
        ),
      );
      if (focus) svg.querySelector(`[data-corner="${focus}"]`)?.focus({ preventScroll: true });
    }

    function drag(event, zone, corner) {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const follow = (moved) => move(zone, corner, (moved.clientX - box.left) / box.width, (moved.clientY - box.top) / box.height);
      const stop = () => {
        window.removeEventListener("pointermove", follow);
        window.removeEventListener("pointerup", stop);
      };
      window.addEventListener("pointermove", follow);
      window.addEventListener("pointerup", stop);
    }

    async function save(value) {
      const all = { ...state.settings.zones };
      if (value) all[count] = value;
      else delete all[count];
      try {
        await send("/api/settings", { zones: all });
        close();
      } catch (problem) {
        toast(problem.message);
      }
    }

    draw();
    body.append(
      h("p", { class: "hint" }, t("Drag the corners until all players' dice lie in their own part.")),
      h("div", { class: "boxed" }, picture, svg),
      h("div", { class: "row" }, h("button", { class: "big", onclick: () => save(zones) }, t("Save")), h("button", { class: "quiet", onclick: () => save(null) }, t("Even parts again"))),
    );
  });
}
