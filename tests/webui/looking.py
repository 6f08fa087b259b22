"""What a person at a page would notice: is the thing to do in sight, does something lie over it, does axe object?"""

from __future__ import annotations

from typing import Any, Final

PHONES: Final = {"pixel": (412, 839), "se": (375, 667), "landscape": (640, 360)}
"""Pixel 7, iPhone SE, a small Android phone lying on its side: what is left to a page, in CSS pixels."""

TODO: Final = ".action .big, .question .answer, .strict .big, .strict .choices button, dialog .choices button.now"
"""The main thing to do, whichever of these is shown first."""

OUT_OF_SIGHT: Final = f"""() => {{
  const parts = [...document.querySelectorAll("{TODO}")].filter(part => part.offsetParent)
    .filter(part => !part.closest(".question") || !localStorage.me
      || part.closest(".question").querySelector("h2").textContent.startsWith(localStorage.me));
  const inDialog = parts.filter(part => part.closest("dialog[open]"));
  const shown = inDialog.length ? inDialog : document.querySelector("dialog[open]") ? [] : parts;
  const first = (inDialog.length ? inDialog : shown)[0];
  if (!first) return null;
  const group = [...first.parentElement.children].filter(part => part.matches("{TODO}")).slice(0, 2);
  for (const part of group) {{
    const box = part.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const seen = document.elementFromPoint(x, y);
    if (box.top < -1 || box.bottom > innerHeight + 1 || !part.contains(seen))
      return `${{part.outerHTML.slice(0, 90)}}: ${{box.top}} to ${{box.bottom}} of ${{innerHeight}}`;
  }}
  return null;
}}"""
"""The first thing to do that cannot be seen and tapped without scrolling; None where all can.

A question to somebody else may be further up, where a person has scrolled down.
"""

COVERED: Final = """() => {
  const toast = document.getElementById("toast");
  if (!toast || toast.hidden) return ["no message is shown"];
  const over = toast.getBoundingClientRect();
  return [...document.querySelectorAll("a, button, input, select, summary")].filter(part => {
    if (toast.contains(part) || !part.offsetParent && !part.closest("nav")) return false;
    const box = part.getBoundingClientRect();
    if (!box.height || box.bottom <= over.top + 1 || box.top >= over.bottom - 1) return false;
    // what only begins under the message is below the edge of the page, like under the bar
    return part.dataset.wasSeen === "yes" || part.closest(".action, nav");
  }).map(part => part.outerHTML.slice(0, 120));
}"""
"""What can be tapped, was in sight before (`MARK`), and now lies under the message."""

MARK: Final = """() => document.querySelectorAll("a, button, input, select, summary").forEach(part => {
  const box = part.getBoundingClientRect();
  const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  part.dataset.wasSeen = box.top >= 0 && box.bottom <= innerHeight && part.contains(seen) ? "yes" : "no";
})"""


def objections(page: Any, axe: Any, schemes: tuple[str, ...] = ("light", "dark")) -> list[tuple[str, ...]]:
    """What axe finds on the page in each colour scheme."""
    found: list[tuple[str, ...]] = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(250)  # colours fade in
        found += [
            (scheme, rule["id"], node["html"][:160], node["failureSummary"][:200])
            for rule in axe.run(page)["violations"]
            for node in rule["nodes"]
        ]
    page.emulate_media(color_scheme="light")
    return found
