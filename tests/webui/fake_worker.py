"""A camera process for the tests of the web side: it throws real random dice, draws them as squares, reads them right.

Environment: FAKE_DOUBTS=1 makes the first die of seat 0 a doubt, with FAKE_DOUBTED_KIND also about its kind;
FAKE_MESSAGE is what its status says, FAKE_STATE its state (no pictures where that is not "watching"); FAKE_SEED
fixes the dice. It says "starting" for FAKE_OPENS_AFTER_S seconds. FAKE_CAMERA is the camera
that the server was told of: it says whether that one is simulated.
"""

from __future__ import annotations

import base64
import io
import os
import queue
import random
import sys
import threading
import time
from typing import Any

from PIL import Image, ImageDraw

from tablesight.vision.messages import Message, read_message, write_message

WIDTH, HEIGHT = 960, 720
STATE = os.environ.get("FAKE_STATE", "watching")
CAMERA = os.environ.get("FAKE_CAMERA", "simulated")
OPEN_FROM_S = time.monotonic() + float(os.environ.get("FAKE_OPENS_AFTER_S", "0"))
BODY = {
    "yellow": "#ffd23f", "purple": "#7b3fa8", "blue": "#2468c9", "glitter": "#163a7a", "red": "#d2322d",
    "green": "#1c7f45", "clear": "#f4f8fa", "pink": "#f79bc4",
}  # fmt: skip


def crop(kind: str) -> str:
    """A die as the reader would cut it out, base64."""
    out = io.BytesIO()
    Image.new("RGB", (112, 112), BODY[kind.partition("-")[0]]).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


class FakeWorker:
    def __init__(self) -> None:
        self.rng = random.Random(int(os.environ.get("FAKE_SEED", "1")))
        self.doubts = int(os.environ.get("FAKE_DOUBTS", "0"))
        self.seats = 2
        self.table: dict[int, list[dict[str, Any]]] = {}
        self.gate: dict[int, str] = {}
        self.settles: dict[int, float] = {}
        self.count = 0
        self.lock = threading.Lock()

    def say(self, header: dict[str, Any], payload: bytes = b"") -> None:
        with self.lock:
            write_message(sys.stdout.buffer, header, payload)

    def picture(self) -> bytes:
        image = Image.new("RGB", (WIDTH, HEIGHT), "#3c5a48")
        draw = ImageDraw.Draw(image)
        for dice in self.table.values():
            for die in dice:
                draw.rectangle(die["box"], fill=BODY[die["kind"].partition("-")[0]], outline="black")
                draw.text((die["box"][0] + 14, die["box"][1] + 14), str(die["value"]), fill="black", font_size=20)
        out = io.BytesIO()
        image.save(out, "JPEG")
        return out.getvalue()

    def status(self) -> None:
        self.say(
            {
                "type": "status", "state": STATE if time.monotonic() >= OPEN_FROM_S else "starting",
                "source": "fake table", "simulated": CAMERA.startswith("simulated"), "frames_per_s": 10.0,
                "gate": {str(seat): self.gate.get(seat, "empty") for seat in range(self.seats)},
                "message": os.environ.get("FAKE_MESSAGE", ""),
            }
        )  # fmt: skip

    def lay(self, seat: int, kinds: list[str], only: str | None) -> None:
        before = dict(enumerate(self.table.get(seat, [])))
        dice = []
        for place, kind in enumerate(kinds):
            sides = int(kind.partition("-d")[2])
            value = self.rng.randint(1, sides)
            if kind.startswith("red") and self.rng.random() < 0.5:
                value = -value
            if only and not kind.startswith(only) and place in before:
                value = before[place]["value"]
            x = 20 + (place % 16) * 58
            y = 20 + seat * 68
            self.count += 1
            dice.append({"id": f"t{self.count}", "kind": kind, "value": value, "box": [x, y, x + 48, y + 48]})
        self.table[seat] = dice
        self.gate[seat] = "moving"
        self.settles[seat] = time.monotonic() + 0.15
        self.tell_truth()

    def tell_truth(self) -> None:
        dice = [{"seat": seat, **die} for seat, dice in self.table.items() for die in dice]
        self.say({"type": "truth", "width": WIDTH, "height": HEIGHT, "dice": dice})

    def read(self, seat: int) -> None:
        dice = []
        for place, die in enumerate(self.table[seat]):
            kind, value = die["kind"], die["value"]
            doubtful = self.doubts > 0 and seat == 0 and place == 0
            other = value % 6 + 1
            dice.append(
                {
                    **die, "color": kind.partition("-")[0], "sides": int(kind.partition("-d")[2]), "marking": "numeral",
                    "ink": "black" if value < 0 else "white", "face": abs(value),
                    "confidence": 0.6 if doubtful else 0.99,
                    "accepted": not doubtful,
                    "candidates": [
                        {"kind": kind, "face": abs(value), "value": value, "p": 0.6},
                        {"kind": os.environ.get("FAKE_DOUBTED_KIND", kind), "face": other, "value": other, "p": 0.3},
                    ],
                }
            )  # fmt: skip
        if self.doubts and seat == 0:
            self.doubts -= 1
        self.count += 1
        self.say(
            {
                "type": "reading", "id": f"r{os.getpid()}-{self.count}", "at_s": time.monotonic(), "width": WIDTH,
                "height": HEIGHT, "zone": seat, "dice": dice, "ms": {"detect": 10, "read": 20, "total": 30},
                "still": {"width": WIDTH, "height": HEIGHT},
            },
            self.picture(),
        )  # fmt: skip

    def lesson(self, kinds: list[str]) -> list[dict[str, Any]]:
        """One die of each kind shows 2; the reader is not sure of the last one."""
        return [
            {
                "id": place, "box": [40 + 90 * place, 300, 100 + 90 * place, 360], "kind": kind, "value": 2,
                "confidence": 0.5 if kind == kinds[-1] else 0.99, "accepted": kind != kinds[-1],
                "candidates": [{"kind": kind, "value": value, "face": value, "p": 0.5} for value in (2, 5)],
            }
            for place, kind in enumerate(kinds)
        ]  # fmt: skip

    def take(self, message: Message) -> None:
        header = message.header
        match header["type"]:
            case "configure":
                self.seats = header["seats"]
            case "throw":
                for seat, kinds in header["seats"].items():
                    self.lay(int(seat), kinds, header.get("only"))
            case "clear":
                self.table, self.gate, self.settles = {}, {}, {}
            case "read_now":
                for seat in self.table:
                    self.settles[seat] = time.monotonic()
            case "read_photo":
                if not message.payload.startswith(b"\xff\xd8"):
                    self.say({"type": "photo", "id": header["id"], "error": "expected a picture, got something else"})
                else:
                    reading = {"width": WIDTH, "height": HEIGHT, "dice": [], "ms": {"detect": 1, "read": 1, "total": 2}}
                    answer = {"type": "photo", "id": header["id"], "reading": reading}
                    if header.get("lesson"):
                        reading["dice"] = self.lesson(header["lesson"])
                        answer["crops"] = [crop(die["kind"]) for die in reading["dice"]]
                    self.say(answer, self.picture())
            case "learn_taught":
                self.say({"type": "taught", "dice": 3, "uses_prints": True, "problem": "", "seconds": 0.1})
        self.status()

    def run(self) -> None:
        inbox: queue.Queue[Message | None] = queue.Queue()

        def listen() -> None:
            while (message := read_message(sys.stdin.buffer)) is not None:
                inbox.put(message)
            inbox.put(None)

        threading.Thread(target=listen, daemon=True).start()
        next_status = next_preview = 0.0
        while True:
            try:
                message = inbox.get(timeout=0.05)
            except queue.Empty:
                pass
            else:
                if message is None:
                    return
                self.take(message)
            now = time.monotonic()
            for seat, due in list(self.settles.items()):
                if now >= due:
                    del self.settles[seat]
                    self.gate[seat] = "settled"
                    self.status()
                    self.read(seat)
            if now >= next_status:
                next_status = now + 0.3
                self.status()
            if now >= next_preview:
                next_preview = now + 0.4
                if STATE == "watching":
                    self.say({"type": "preview", "width": WIDTH, "height": HEIGHT, "at_s": now}, self.picture())


if __name__ == "__main__":
    FakeWorker().run()
