// The page's own words in the chosen language; the catalogue comes with the page.

export const catalogue = JSON.parse(document.getElementById("catalogue")?.textContent || "{}");

export const language = document.documentElement.lang || "en";

export function t(text, values = {}) {
  return filled(catalogue[text] || text, values);
}

// A text about a number of things: `n` fills {n} and chooses the form, "{n} die" or "{n} dice".
const numbers = new Intl.PluralRules(language);

export function tn(one, many, n, values = {}) {
  const forms = catalogue[one] || [one, many];
  return filled(forms[numbers.select(n) === "one" ? 0 : forms.length - 1], { n: signed(n), ...values });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

const MINUS = "\u2212";

export function signed(value) {
  return value < 0 ? MINUS + Math.abs(value) : String(value);
}
