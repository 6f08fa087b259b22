// Who holds this phone: a name, remembered here and told to the server for each new game.

import { t } from "./i18n.js";
import { send } from "./live.js";

let told = "";
export let host = false;

export function myName() {
  return localStorage.getItem("me") ?? "";
}

export function mySeat(game) {
  const name = myName();
  return name ? game.seats.findIndex((seat) => seat.name === name) : -1;
}

export async function sitDown(name) {
  localStorage.setItem("me", name);
  told = "";
}

// Once for each game: the seat with the remembered name is mine.
export async function tellSeat(state) {
  const game = state.game;
  if (!game) return;
  const seat = mySeat(game);
  const key = `${state.boot} ${game.id} ${seat}`;
  if (seat < 0 || key === told) return;
  told = key;
  try {
    await send("/api/me", { seat });
  } catch {
    told = "";
  }
}

export async function refreshMe() {
  try {
    const answer = await fetch("/api/me");
    host = (await answer.json()).host === true;
  } catch {
    host = false;
  }
  return host;
}

export function roleName() {
  return host ? t("host") : myName() ? myName() : t("watching only");
}
