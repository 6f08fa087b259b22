"""The pictures behind the scores: one JPEG a reading, with what was read in it, oldest thrown away first."""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

log = logging.getLogger(__name__)

ID: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much of the disk the pictures may take."""

    max_bytes: int = 500_000_000
    free_bytes: int = 300_000_000
    """What is left free on the disk for the games, even where the pictures take less than `max_bytes`."""
    crop_margin: float = 0.35
    """Of the die's width, on each side of its box."""
    crop_px: int = 256


class StillArchive:
    """Keeps stills in `folder`; safe to call from any thread. A full disk loses pictures, never a score.

    `free` tells how many bytes are free on the disk of a folder.
    """

    def __init__(
        self,
        folder: Path,
        limits: ArchiveLimits | None = None,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self._folder = folder
        self._free = free
        self._limits = limits or ArchiveLimits()
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        self._sizes = {
            path.stem: path.stat().st_size + _size(path.with_suffix(".json"))
            for path in sorted(folder.glob("*.jpg"), key=lambda path: path.stat().st_mtime)
        }

    def keep(self, still_id: str, jpeg: bytes, reading: dict[str, Any]) -> None:
        """Writes a still and the reading of it."""
        if not ID.fullmatch(still_id):
            raise ValueError(f"expected letters, digits, - and _ as the id of a still, got {still_id!r}")
        told = json.dumps(reading).encode()
        try:
            (self._folder / f"{still_id}.jpg").write_bytes(jpeg)
            (self._folder / f"{still_id}.json").write_bytes(told)
        except OSError as error:
            log.warning("the picture %s could not be kept: %s", still_id, error)
            return
        with self._lock:
            self._sizes[still_id] = len(jpeg) + len(told)
            too_much = max(
                sum(self._sizes.values()) - self._limits.max_bytes, self._limits.free_bytes - self._free(self._folder)
            )
            while too_much > 0 and len(self._sizes) > 1:
                oldest = next(iter(self._sizes))
                too_much -= self._sizes.pop(oldest)
                for suffix in (".jpg", ".json"):
                    (self._folder / f"{oldest}{suffix}").unlink(missing_ok=True)

    def path(self, still_id: str) -> Path | None:
        """The JPEG file, None where it was never kept or is gone."""
        path = self._folder / f"{still_id}.jpg"
        return path if ID.fullmatch(still_id) and path.is_file() else None

    def reading(self, still_id: str) -> dict[str, Any] | None:
        """What was read in the still."""
        if self.path(still_id) is None:
            return None
        try:
            reading = json.loads((self._folder / f"{still_id}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return reading if isinstance(reading, dict) else None

    def crop(self, still_id: str, die_id: str) -> bytes | None:
        """A JPEG of one die with a little of the table around it, or None."""
        path, reading = self.path(still_id), self.reading(still_id)
        box = next((die["box"] for die in (reading or {}).get("dice", []) if str(die.get("id")) == die_id), None)
        if path is None or box is None:
            return None
        x0, y0, x1, y1 = box
        half = max(x1 - x0, y1 - y0, 8) * (0.5 + self._limits.crop_margin)
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        with Image.open(path) as image:
            cut = image.crop((round(cx - half), round(cy - half), round(cx + half), round(cy + half)))
        out = io.BytesIO()
        size = self._limits.crop_px
        cut.convert("RGB").resize((size, size), Image.Resampling.BICUBIC).save(out, "JPEG", quality=88)
        return out.getvalue()

    def hand(self, still_id: str) -> bytes | None:
        """A JPEG of all dice of a still, each in a box, with a little of the table around them, or None."""
        path, reading = self.path(still_id), self.reading(still_id)
        boxes = [die["box"] for die in (reading or {}).get("dice", [])]
        if path is None or not boxes:
            return None
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        width = max(right - left for left, _, right, _ in boxes)
        with Image.open(path) as image:
            picture = image.convert("RGB")
        draw = ImageDraw.Draw(picture)
        for box in boxes:
            draw.rounded_rectangle(tuple(box), radius=width / 8, outline=(92, 255, 176), width=3)
        edges = (min(lefts) - width, min(tops) - width, max(rights) + width, max(bottoms) + width)
        cut = picture.crop(
            (
                max(0, int(edges[0])),
                max(0, int(edges[1])),
                min(picture.width, int(edges[2])),
                min(picture.height, int(edges[3])),
            )
        )
        cut.thumbnail((900, 900))
        out = io.BytesIO()
        cut.save(out, "JPEG", quality=85)
        return out.getvalue()

    def used_bytes(self) -> int:
        """What the pictures take on the disk."""
        with self._lock:
            return sum(self._sizes.values())

    def clear(self) -> int:
        """Throws all pictures away; how many there were."""
        with self._lock:
            ids, self._sizes = list(self._sizes), {}
        for still_id in ids:
            for suffix in (".jpg", ".json"):
                (self._folder / f"{still_id}{suffix}").unlink(missing_ok=True)
        return len(ids)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
