// The page's own words in the chosen language; the catalogue comes with the page.

export const catalogue = JSON.parse(document.getElementById("catalogue")?.textContent || "{}");

export const language = document.documentElement.lang || "en";

export function t(text, values = {}) {
  const translated = catalogue[text] || text;
  return translated.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

const MINUS = "\u2212";

export function signed(value) {
  return value < 0 ? MINUS + Math.abs(value) : String(value);
}
