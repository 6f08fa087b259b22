// Why a colour scores what it scores, as one would write it on paper: (6 + 5 - 4 - 1) x 4 = 24.

import { signed } from "./i18n.js";
import { parts } from "./dice.js";

function sumOf(values) {
  return values.map((value, index) => (index === 0 ? signed(value) : value < 0 ? ` \u2212 ${-value}` : ` + ${value}`)).join("");
}

export function why(color, dice, score) {
  const mine = dice.filter((die) => {
    const own = parts(die.kind).color;
    return own === color || (color === "blue" && own === "glitter");
  });
  if (!mine.length) return "";
  const values = mine.map((die) => die.value).sort((a, b) => b - a);
  const sum = sumOf(values);
  const bracketed = values.length > 1 ? `(${sum})` : sum;
  let factor = 1;
  if (color === "purple") factor = 2;
  if (color === "blue" && mine.some((die) => die.kind === "glitter-d6")) factor = 2;
  if (color === "red") factor = mine.length;
  if (factor !== 1) return `${bracketed} \u00d7 ${factor} = ${signed(score)}`;
  return values.length > 1 ? `${sum} = ${signed(score)}` : sum;
}
