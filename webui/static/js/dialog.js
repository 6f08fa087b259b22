// One dialog at a time; Escape and the cross close it, focus goes back where it was.

import { h } from "./dom.js";
import { t } from "./i18n.js";

export function openDialog(title, build, { onclose = null } = {}) {
  const before = document.activeElement?.dataset?.focus;
  const body = h("div", { class: "dialog-body" });
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("header", {}, h("h2", {}, title), h("button", { class: "remove", "aria-label": t("Close"), onclick: () => dialog.close() }, "\u00d7")),
    body,
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before) document.querySelector(`[data-focus="${CSS.escape(before)}"]`)?.focus({ preventScroll: true });
    onclose?.();
  });
  document.body.append(dialog);
  build(body, () => dialog.close());
  dialog.showModal();
  return dialog;
}
