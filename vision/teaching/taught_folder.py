"""Taught dice on the disk: a folder with a small picture of each and what it shows, independent of any model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import KINDS

logger = getLogger(__name__)

INDEX: Final = "dice.json"
CROP_PX: Final = 112
"""Side of a picture: that of the reader's crops, said again so that the web process need not load the models for it."""
MOST_DICE: Final = 240
"""As many as are kept: six photos of forty dice, or twenty of a hand; each costs a reading when the camera starts."""


class TaughtError(ValueError):
    """What was to be taught cannot be understood: says what was expected and what came."""


@dataclass(frozen=True, slots=True)
class TaughtDie:
    """One die in one photo: its kind and signed value by the word of its people, and its picture as the reader cuts it
    out, PNG of 112 by 112 pixels. `lesson` names the time it was taught."""

    kind: str
    value: int
    png: bytes
    lesson: str = ""

    def __post_init__(self) -> None:
        kind = KINDS.get(self.kind)
        if kind is None:
            raise TaughtError(f"expected one of {', '.join(KINDS)}, got {self.kind!r:.40}")
        least = 1 if kind.color != "red" or self.value > 0 else -kind.sides
        most = kind.sides if kind.color != "red" or self.value > 0 else -1
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            raise TaughtError(f"expected a value that a {self.kind} can show, got {self.value!r:.40}")

    @property
    def face(self) -> int:
        """The number on top."""
        return abs(self.value)

    def crop_bgr(self) -> ImageBGR:
        """The picture (112, 112, 3). Raises `TaughtError`."""
        image = cv2.imdecode(np.frombuffer(self.png, np.uint8), cv2.IMREAD_COLOR) if self.png else None
        if image is None or image.shape != (CROP_PX, CROP_PX, 3):
            raise TaughtError(f"expected a picture of {CROP_PX} by {CROP_PX} pixels, got {len(self.png)} other bytes")
        return np.asarray(image, np.uint8)


def packed_crop(crop_bgr: ImageBGR) -> bytes:
    """A crop of the reader (112, 112, 3) as PNG."""
    return bytes(cv2.imencode(".png", crop_bgr)[1].tobytes())


def load_taught(folder: Path) -> tuple[TaughtDie, ...]:
    """The dice taught so far; none where there is no folder. What is damaged is left out, with a warning."""
    old = folder.with_name(f"{folder.name}.old")
    if not folder.exists() and old.exists():  # the power went between the two renames of `save_taught`
        old.rename(folder)
    try:
        entries = json.loads((folder / INDEX).read_text(encoding="utf-8"))["dice"]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("the taught dice cannot be read: %s", error)
        return ()
    dice: list[TaughtDie] = []
    for entry in entries if isinstance(entries, list) else ():
        try:
            dice.append(_die(folder, entry))
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("a taught die is left out: %s", error)
    return tuple(dice[-MOST_DICE:])


def save_taught(folder: Path, dice: Sequence[TaughtDie]) -> None:
    """Writes the dice in the place of those of before, whole or not at all. Raises OSError."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    entries: list[dict[str, Any]] = []
    for number, die in enumerate(dice[-MOST_DICE:]):
        name = f"{number:03}-{die.kind}.png"
        (part / name).write_bytes(die.png)
        entries.append({"kind": die.kind, "value": die.value, "picture": name, "lesson": die.lesson})
    (part / INDEX).write_text(json.dumps({"version": 1, "dice": entries}, indent=1), encoding="utf-8")
    old = folder.with_name(f"{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    part.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _die(folder: Path, entry: Any) -> TaughtDie:
    name = str(entry["picture"])
    if Path(name).name != name:
        raise TaughtError(f"expected the name of a picture, got {name!r:.80}")
    die = TaughtDie(str(entry["kind"]), entry["value"], (folder / name).read_bytes(), str(entry.get("lesson", "")))
    die.crop_bgr()
    return die
