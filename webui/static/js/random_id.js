// A short random name for something new. `crypto.randomUUID` needs https; `getRandomValues` does not.

export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}
