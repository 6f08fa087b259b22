// The lens of the camera, measured from a mat that somebody moves about: asked for, followed, told.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { send } from "./live.js";
import { toast } from "./toast.js";

export function calibration(state) {
  const now = state.camera.calibration;
  const looking = now?.state === "looking";
  return h(
    "section",
    { class: "card list" },
    h("h2", {}, t("The lens")),
    h("p", {}, t("Every lens bends lines a little. It is measured in a minute: hold a printed mat flat on a book and move it slowly about under the camera, into each corner of the picture, and tilted to each side.")),
    h("div", { role: "status" }, told(now)),
    looking
      ? h("button", { class: "quiet", "data-focus": "calibrate", onclick: () => ask(null) }, t("Stop measuring"))
      : h("button", { class: "quiet", "data-focus": "calibrate", onclick: () => ask(state.settings.paper ?? "a4") }, t("Measure the lens")),
  );
}

function told(now) {
  if (now?.state === "looking") {
    const words = t("View {n} of {wanted}", { n: now.views, wanted: now.wanted });
    return [h("progress", { max: now.wanted, value: now.views, "aria-label": words }), ` ${words}`];
  }
  if (now?.state === "done") return h("p", {}, t("The lens is measured: the camera sees {n} degrees across.", { n: Math.round(now.field_deg) }));
  if (now?.state === "failed") return h("p", { class: "error" }, t("The lens could not be measured. Show all four corners of the mat, hold it flat, tilt it more, and try again."));
  return null;
}

async function ask(paper) {
  try {
    await send("/api/calibration", { paper });
  } catch (problem) {
    toast(problem.message);
  }
}
