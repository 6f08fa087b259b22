// The screen stays on during a game. The wake lock needs https; on plain http a tiny film that never ends does the same.

let lock = null;
let film = null;
let wanted = false;

export function stayAwake(awake) {
  if (awake === wanted) return;
  wanted = awake;
  if (awake) hold();
  else letGo();
}

async function hold() {
  if (!wanted || document.visibilityState !== "visible") return;
  if ("wakeLock" in navigator) {
    try {
      lock = await navigator.wakeLock.request("screen");
      return;
    } catch {
      // low on battery, or not allowed: the film may still do
    }
  }
  playFilm();
}

function letGo() {
  lock?.release().catch(() => {});
  lock = null;
  film?.pause();
}

// Four grey pixels, drawn anew every second: no file, no sound.
function playFilm() {
  if (!film) {
    const canvas = document.createElement("canvas");
    if (!canvas.captureStream) return;
    canvas.width = canvas.height = 2;
    const pen = canvas.getContext("2d");
    let tick = 0;
    setInterval(() => {
      tick += 1;
      pen.fillStyle = tick % 2 ? "#808080" : "#7f7f7f";
      pen.fillRect(0, 0, 2, 2);
    }, 1000);
    pen.fillRect(0, 0, 2, 2);
    film = document.createElement("video");
    Object.assign(film, { muted: true, playsInline: true, srcObject: canvas.captureStream(1) });
    film.setAttribute("playsinline", "");
    film.setAttribute("aria-hidden", "true");
    film.className = "awake-film";
    document.body.append(film);
  }
  film.play().catch(() => {
    // some browsers let a film begin only after a touch
    document.addEventListener("pointerdown", () => wanted && film.play().catch(() => {}), { once: true });
  });
}

document.addEventListener("visibilitychange", hold);
