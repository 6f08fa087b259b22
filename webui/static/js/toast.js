// A short message above the bar at the bottom, with at most one action. It never lies over anything to be tapped: the page
// is moved up by what it would cover. In a dialog it stands under the dialog's title.

import { h } from "./dom.js";

const TAPPED = "a, button, input, select, summary, [tabindex='0']";
let timer = null;

export function toast(text, action = null) {
  clearTimeout(timer);
  hide();
  const message = h("span", {}, text);
  const button = action && h("button", { onclick: () => { hide(); action.run(); } }, action.label);
  const dialog = document.querySelector("dialog[open]");
  if (dialog) {
    dialog.querySelector("header").append(h("p", { class: "toast", role: "status" }, message, button));
  } else {
    const slot = document.getElementById("toast");
    const before = inSight();
    slot.replaceChildren(...[message, button].filter(Boolean));
    slot.hidden = false;
    document.documentElement.style.setProperty("--action", `${document.querySelector(".action")?.offsetHeight ?? 0}px`);
    document.body.style.setProperty("--toast", `${slot.offsetHeight}px`);
    makeRoom(slot, before);
  }
  timer = setTimeout(hide, action ? 9000 : 6000);
}

function hide() {
  document.querySelector("dialog header .toast")?.remove();
  document.getElementById("toast").hidden = true;
  document.body.style.removeProperty("--toast");
}

// What can be tapped and is in sight now.
function inSight() {
  return [...document.querySelectorAll(`main :is(${TAPPED})`)].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && !part.closest(".action");
  });
}

function makeRoom(slot, before) {
  const { top, bottom } = slot.getBoundingClientRect();
  const hidden = before.map((part) => part.getBoundingClientRect()).filter((box) => box.bottom > top && box.top < bottom);
  if (hidden.length) window.scrollBy({ top: Math.max(...hidden.map((box) => box.bottom)) - top + 4, behavior: "instant" });
}
