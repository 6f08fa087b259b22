// Teach my dice: which kinds lie there, a photo, what each die is; two to six times. Each photo is kept as soon as its
// dice are named, so that nothing is lost when the phone sleeps.

import { h, fill } from "./dom.js";
import { t, tn, signed } from "./i18n.js";
import { send } from "./live.js";
import { said } from "./said.js";
import { KINDS, dieSvg, kindName, kindSvg } from "./dice.js";
import { toast } from "./toast.js";
import { photoToName } from "./teach_photo.js";

const FEW = 2;
const MANY = 6;
const main = document.getElementById("main");
const chosen = new Set(remembered());
let known = { dice: 0, photos: 0, kinds: [], learnt: null };
let taken = 0;
let busy = false;
let problem = "";
let photo = null;
let drawn = 0;

function remembered() {
  try {
    return JSON.parse(localStorage.getItem("teach-kinds") ?? "[]").filter((kind) => KINDS.includes(kind));
  } catch {
    return [];
  }
}

function redraw(focus = null) {
  drawn += 1;
  main.dataset.page = "teach";
  fill(main, drawn, () => [
    h("p", {}, h("a", { href: "/#more" }, t("Back to the table"))),
    h("h1", {}, t("Teach my dice")),
    photo ? photoToName(photo, { save, cancel, redraw }) : steps(),
    !photo && knownDice(),
  ]);
  if (focus) main.querySelector(`[data-focus="${focus}"]`)?.focus({ preventScroll: true });
}

function steps() {
  return h(
    "ol",
    { class: "steps" },
    h(
      "li",
      { class: "card" },
      h("h2", {}, t("1. Which dice lie there?")),
      h("p", { class: "hint" }, t("Lay your own dice on the table, apart from each other, and tap each kind that lies there.")),
      h(
        "div",
        { class: "lies", role: "group", "aria-label": t("Kinds of dice") },
        KINDS.map((kind) =>
          h(
            "button",
            { "aria-pressed": chosen.has(kind) ? "true" : "false", "data-focus": `kind-${kind}`, onclick: () => choose([kind], !chosen.has(kind), `kind-${kind}`) },
            kindSvg(kind),
            h("small", {}, kindName(kind)),
          ),
        ),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { class: "quiet", "data-focus": "all", onclick: () => choose(KINDS, chosen.size < KINDS.length, "all") }, chosen.size < KINDS.length ? t("All thirteen") : t("None of them")),
      ),
    ),
    h(
      "li",
      { class: "card" },
      h("h2", {}, t("2. Take a photo of them")),
      h("p", { class: "hint" }, hint()),
      taken > 0 && h("p", { class: "told", role: "status" }, tn("{n} of {most} photos is taught.", "{n} of {most} photos are taught.", taken, { most: MANY })),
      problem && h("p", { class: "error", role: "alert" }, problem),
      busy ? h("p", { class: "busy", role: "status" }, t("Reading the photo …")) : camera(),
      taken >= FEW && !busy && h("a", { class: "button quiet", href: "/#more" }, t("That is enough")),
    ),
  );
}

function hint() {
  if (taken === 0) return t("From above, near enough that the numbers are clear. Put all the faces up that you can: two to six photos, other faces up in each.");
  if (taken < FEW) return t("Now turn every die to another face, and take one more photo.");
  if (taken < MANY) return t("Every photo with other faces up makes it surer. Turn the dice and take one more, or stop here.");
  return t("Six photos are plenty.");
}

function camera() {
  const input = h("input", {
    type: "file", accept: "image/*,.heic,.heif", capture: "environment", id: "teach-file", class: "sr", "data-focus": "photo",
    onchange: () => input.files.length && read(input.files[0]),
  });
  return h("div", { class: "row" }, input, h("label", { class: "button", for: "teach-file" }, t("Take a photo")));
}

function choose(kinds, on, focus) {
  for (const kind of kinds) on ? chosen.add(kind) : chosen.delete(kind);
  localStorage.setItem("teach-kinds", JSON.stringify([...chosen]));
  redraw(focus);
}

async function read(file) {
  if (!chosen.size) {
    problem = t("Tap first which kinds of dice lie there.");
    redraw("photo");
    return;
  }
  busy = true;
  problem = "";
  redraw();
  const form = new FormData();
  form.append("photo", file);
  form.append("kinds", [...chosen].join(","));
  try {
    const answer = await fetch("/api/teach/photos", { method: "POST", body: form });
    const reply = await answer.json();
    if (!answer.ok) throw new Error(said(reply.error));
    if (!reply.dice.length) throw new Error(t("No die was found in this photo: go nearer, and keep the dice apart."));
    photo = reply;
  } catch (error) {
    problem = error instanceof TypeError ? t("The table cannot be reached. Nothing was changed; try again in a moment.") : error.message;
  }
  busy = false;
  redraw(photo ? null : "photo");
  if (photo) window.scrollTo(0, 0);
}

function cancel() {
  photo = null;
  redraw("photo");
}

async function save(dice) {
  try {
    known = await send(`/api/teach/photos/${photo.id}`, { dice });
    taken += 1;
    photo = null;
    toast(tn("{n} die is remembered.", "{n} dice are remembered.", dice.length));
    redraw("photo");
    window.scrollTo(0, 0);
    waitForLearning();
  } catch (error) {
    toast(error.message);
  }
}

async function forget(kind = null) {
  const what = kind ? t("Forget everything taught about {kind}?", { kind: kindName(kind) }) : t("Forget everything that was taught?");
  if (!confirm(what)) return;
  try {
    known = await send("/api/teach/forget", kind ? { kind } : {});
    redraw();
    waitForLearning();
  } catch (error) {
    toast(error.message);
  }
}

function knownDice() {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("Taught so far")),
    known.dice === 0
      ? h("p", { class: "hint" }, t("Nothing yet: all dice are read as the program came."))
      : h(
          "ul",
          { class: "known" },
          [...known.kinds].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)).map(({ kind, values: told }) =>
            h(
              "li",
              {},
              dieSvg(kind, told.at(-1), { label: false }),
              h("span", { class: "what" }, kindName(kind), h("small", {}, t("seen: {faces}", { faces: told.map(signed).join(" ") }))),
              h("button", { class: "quiet", "aria-label": t("Forget {kind}", { kind: kindName(kind) }), "data-focus": `forget-${kind}`, onclick: () => forget(kind) }, t("Forget")),
            ),
          ),
        ),
    known.dice > 0 && h("p", { class: "hint", role: "status" }, learntText()),
    known.dice > 0 && h("div", { class: "row" }, h("button", { class: "quiet", "data-focus": "forget", onclick: () => forget() }, t("Forget all"))),
    h("p", { class: "hint" }, t("It helps where the camera hesitates: a die that looks like a taught one. What it is sure of stays as it is. The pictures stay in the house; the backup holds them too.")),
  );
}

function learntText() {
  if (!known.learnt) return t("The camera is learning them …");
  if (known.learnt.uses_prints) return t("The camera knows their colours and their numbers.");
  return known.learnt.problem ? said(known.learnt.problem) : t("The camera knows their colours.");
}

// The camera process learns in a few seconds; on the page that is worth a look each second, and no more than a minute.
async function waitForLearning(tries = 60) {
  if (known.learnt || !tries) return;
  await new Promise((done) => { setTimeout(done, 1000); });
  try {
    known = await (await fetch("/api/teach")).json();
  } catch {
    // the table is away for a moment: the next look tells
  }
  if (known.learnt && !photo && !busy) redraw(document.activeElement?.dataset?.focus);
  waitForLearning(tries - 1);
}

redraw();
fetch("/api/teach").then((answer) => answer.json()).then((reply) => {
  known = reply;
  if (!photo && !busy) redraw(document.activeElement?.dataset?.focus);
  if (known.dice) waitForLearning();
}).catch(() => {});
