// The current state, live. Server-sent events first; polling when the server is full; one source of truth: the server.

import { t } from "./i18n.js";
import { said } from "./said.js";

const listeners = new Set();
let current = null;
let source = null;
let polling = null;
let lastHeard = Date.now();
let connected = true;

export function state() {
  return current;
}

export function isConnected() {
  return connected;
}

export function onState(listener) {
  listeners.add(listener);
  if (current) listener(current);
  return () => listeners.delete(listener);
}

function tell() {
  for (const listener of listeners) {
    try {
      listener(current);
    } catch (error) {
      console.error(error);
    }
  }
}

// A state of the same server run never goes back; another run (a restart) is always newer.
function take(next) {
  lastHeard = Date.now();
  setConnected(true);
  if (current && next.boot === current.boot && next.revision < current.revision) return;
  if (current && next.assets !== current.assets) {
    location.reload();
    return;
  }
  current = next;
  tell();
}

function setConnected(value) {
  if (connected === value) return;
  connected = value;
  document.documentElement.classList.toggle("offline", !value);
  if (current) tell();
}

export async function refresh() {
  try {
    const answer = await fetch("/api/state", { cache: "no-store", signal: AbortSignal.timeout(4000) });
    if (answer.ok) take(await answer.json());
  } catch {
    setConnected(false);
  }
}

function poll(interval) {
  clearInterval(polling);
  polling = interval ? setInterval(refresh, interval) : null;
}

function connect() {
  source?.close();
  source = new EventSource("/api/events");
  source.addEventListener("state", (event) => {
    poll(0);
    take(JSON.parse(event.data));
  });
  source.addEventListener("ping", () => {
    lastHeard = Date.now();
    setConnected(true);
  });
  source.addEventListener("full", () => {
    source.close();
    poll(2000);
    setTimeout(connect, 30000);
  });
  source.addEventListener("error", () => {
    setConnected(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  });
}

export function start() {
  const embedded = document.getElementById("state");
  if (embedded) take(JSON.parse(embedded.textContent));
  connect();
  // a phone that slept has a dead line that looks alive: ask at once on waking, and start a new one
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      refresh();
      if (Date.now() - lastHeard > 8000 || source.readyState === EventSource.CLOSED) connect();
    }
  });
  window.addEventListener("online", connect);
  window.addEventListener("pageshow", (event) => event.persisted && connect());
  setInterval(() => {
    if (Date.now() - lastHeard > 12000 && !polling) {
      setConnected(false);
      lastHeard = Date.now();
      connect();
    }
  }, 2000);
}

export async function send(path, body = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10000),
    });
  } catch {
    throw new Error(t("The table cannot be reached. Nothing was changed; try again in a moment."));
  }
  const reply = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(said(reply.error) || t("That did not work ({status}).", { status: answer.status })), { status: answer.status });
  await refresh();
  return reply;
}
