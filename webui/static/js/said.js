// What the server says, in the language of the page. The server speaks English, so that programs read the same always;
// its sentences are in the catalogues under the context "said", with {1}, {2} ... for what differs from case to case.

import { t, catalogue } from "./i18n.js";
import { KINDS, kindName } from "./dice.js";

const CONTEXT = "said\u0004";
const KIND_WORDS = new Map(KINDS.map((kind) => [kind.replace("-", " "), kind]));
let patterns = null;
let seatNames = [];

// Who sits where: "of seat 3" in a sentence of the camera becomes the player's name.
export function nameSeats(names) {
  seatNames = names;
}

function load() {
  const exact = new Map();
  const found = [];
  for (const [key, translated] of Object.entries(catalogue)) {
    if (!key.startsWith(CONTEXT)) continue;
    const text = key.slice(CONTEXT.length);
    if (/\{\d+\}/.test(text)) found.push(pattern(text, translated));
    else exact.set(text, translated);
  }
  // the most particular sentence first: "{1}: {2}" fits everything
  found.sort((a, b) => b.fixed - a.fixed);
  patterns = { exact, found };
}

function pattern(text, translated) {
  const parts = text.split(/\{\d+\}/);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const seats = new Set([...text.matchAll(/of seat \{(\d+)\}/g)].map((match) => match[1]));
  return { regex: new RegExp(`^${escaped.join("([^]*?)")}$`), translated, seats, fixed: parts.join("").length, bare: !/[a-z]/i.test(parts.join("")) };
}

export function said(sentence) {
  if (!sentence || typeof sentence !== "string") return sentence ?? "";
  return known(sentence) ?? sentence;
}

// What the camera says of itself. A sentence that is not in the catalogue stays English, but says whose words they are.
export function cameraSays(sentence) {
  if (!sentence) return "";
  return known(sentence) ?? t("The camera says: {text}", { text: sentence });
}

// The sentence in the language of the page, or null. The camera's errors are those of the catalogue with a capital.
function known(sentence) {
  if (!patterns) load();
  const small = sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
  const found = whole(sentence, 0, small);
  if (found !== null) return small === sentence ? found : found.slice(0, 1).toUpperCase() + found.slice(1);
  return KIND_WORDS.has(sentence) ? piece(sentence, 0) : null;
}

// A sentence that the catalogue knows, as it is or in its other spelling, or null.
function whole(sentence, depth, other = sentence) {
  if (patterns.exact.has(sentence)) return patterns.exact.get(sentence);
  if (patterns.exact.has(other)) return patterns.exact.get(other);
  for (const { regex, translated, seats, bare } of patterns.found) {
    const match = regex.exec(sentence) ?? regex.exec(other);
    if (!match) continue;
    const pieces = match.map((text, number) => (seats.has(String(number)) ? people(text) : number > 0 ? piece(text, depth + 1) : text));
    // "{1}: {2}" alone knows nothing of the sentence, nor does a word in it
    if (bare && !pieces.some((text, number) => number > 0 && match[number].includes(" ") && text !== match[number])) continue;
    return translated.replace(/\{(\d+)\}/g, (_, number) => pieces[number]);
  }
  return null;
}

// "1, 3": the players on these seats.
function people(numbers) {
  return numbers.split(", ").map((number) => seatNames[Number(number) - 1] ?? t("Player {n}", { n: number })).join(", ");
}

// What fills a gap: a kind of die, a list, a number of something, a sentence within the sentence, or a name as it is.
function piece(text, depth) {
  if (KIND_WORDS.has(text)) return kindName(KIND_WORDS.get(text));
  const counted = /^(-?\d+) (.+)$/.exec(text);
  if (counted && KIND_WORDS.has(counted[2])) return `${counted[1]} \u00d7 ${kindName(KIND_WORDS.get(counted[2]))}`;
  const inside = depth < 3 ? whole(text, depth) : null;
  if (inside !== null) return inside;
  const quoted = /^'([^']+)'$/.exec(text); // what the system says, such as 'permission denied'
  if (quoted && patterns.exact.has(quoted[1])) return patterns.exact.get(quoted[1]);
  for (const [mark, joined] of [[" and ", ` ${t("and")} `], [" or ", ` ${t("or")} `], [", ", ", "]]) {
    if (text.includes(mark)) return text.split(mark).map((part) => piece(part, depth + 1)).join(joined);
  }
  return text;
}
