// The own part of the table, live, cut out of the camera's picture: what the player sees while the dice roll.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { liveBoxes } from "./boxes.js";
import { hasPicture, keepLive } from "./live_picture.js";
import { grid } from "./zones.js";

const MARGIN = 0.02;

// The zone's box as fractions of the picture: [x, y, width, height]; null where it is not known.
export function zoneBox(state, seat) {
  const count = state.game.seats.length;
  const way = state.settings.way;
  if (way === "tray") return [0, 0, 1, 1];
  const zones = way === "mats" ? state.camera.mats?.zones ?? [] : state.settings.zones[count] ?? grid(count);
  const polygon = zones.find((zone) => zone.seat === seat)?.polygon;
  if (!polygon) return null;
  const [xs, ys] = [0, 1].map((axis) => polygon.map((point) => point[axis]));
  const left = Math.max(0, Math.min(...xs) - MARGIN), top = Math.max(0, Math.min(...ys) - MARGIN);
  return [left, top, Math.min(1, Math.max(...xs) + MARGIN) - left, Math.min(1, Math.max(...ys) + MARGIN) - top];
}

// Whether it is of use now: dice are expected from this seat, and there is a camera that shows them.
export function showsZone(state, seat) {
  const mine = state.game.seats[seat];
  return hasPicture(state) && mine && ["waiting", "moving", "reading"].includes(mine.state) && zoneBox(state, seat) !== null;
}

export function ownZone(state, seat) {
  const [left, top, width, height] = zoneBox(state, seat);
  const image = h("img", { alt: t("your dice, live"), class: "zone-picture" });
  const boxes = h("svg", { class: "boxes", viewBox: "0 0 1600 900", preserveAspectRatio: "none", "aria-hidden": "true" });
  const whole = h("div", { class: "zone-whole", style: { width: `${100 / width}%`, left: `${-100 * left / width}%`, top: `${-100 * top / height}%`, height: `${100 / height}%` } }, image, boxes);
  const frame = h("figure", { class: "own-zone" }, whole);
  keepLive(image, 350, () => {
    frame.style.aspectRatio = `${image.naturalWidth * width} / ${image.naturalHeight * height}`;
  });
  return frame;
}

export function refreshBoxes(frame, state, seat) {
  const [left, top, width, height] = zoneBox(state, seat);
  frame.querySelector(".boxes")?.replaceChildren(...liveBoxes(state, [left, top, left + width, top + height]));
}
