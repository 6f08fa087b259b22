// Builds elements: h("button", {class: "big", onclick: f}, "text", child, ...). Text is never parsed as HTML.

const SVG = new Set(["svg", "path", "rect", "circle", "polygon", "polyline", "text", "g", "line", "title", "ellipse"]);

export function h(tag, attributes = {}, ...children) {
  const element = SVG.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style" && typeof value === "object") {
      for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// Fills `slot` with what `build` returns, but only when `data` is new: focus, scrolling and open menus stay.
const shown = new WeakMap();

// Empties `slot`; what it showed is shown again when asked for.
export function clear(slot) {
  shown.delete(slot);
  slot.replaceChildren();
}

export function fill(slot, data, build) {
  if (!slot) return;
  const key = JSON.stringify(data);
  if (shown.get(slot) === key) return;
  shown.set(slot, key);
  const focused = slot.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const built = build();
  slot.replaceChildren(...(Array.isArray(built) ? built : [built]).filter(Boolean));
  if (focused) slot.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// A list of keyed children, each rebuilt only when its own data changed.
export function fillList(slot, items, keyOf, build) {
  const old = new Map([...slot.children].map((child) => [child.dataset.key, child]));
  const wanted = items.map((item) => {
    const key = String(keyOf(item));
    const holder = old.get(key) ?? h(slot.dataset.item ?? "div", { "data-key": key });
    fill(holder, item, () => build(item));
    return holder;
  });
  if (wanted.length !== slot.children.length || wanted.some((child, index) => slot.children[index] !== child)) {
    slot.replaceChildren(...wanted);
  }
}
