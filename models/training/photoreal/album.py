"""Where photoreal tables are kept: pictures with labels.csv, and shards of crops."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from photoreal.truth import SeenTruth
from tablesight.vision.frame import ImageBGR

TABLES_PER_SHARD: Final = 4
_COLUMNS: Final = (
    "file", "x0", "y0", "x1", "y1", "sides", "body_color", "numeral_color", "value", "verified", "die", "notes",
)  # fmt: skip
_LEAST_VISIBLE: Final = 0.35
_READABLE: Final = 0.7
Crop = tuple[ImageBGR, npt.NDArray[np.float32], npt.NDArray[np.int16]]


class Album:
    """A folder with a folder for each part; every table has its picture and a file of what is true of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, part: str, number: int) -> bool:
        """Whether this table is done."""
        return self._rows(part, number).exists()

    def add(self, part: str, number: int, image: ImageBGR, dice: list[SeenTruth], crops: list[Crop]) -> None:
        """Keeps a table, writes the part's labels.csv anew, and a shard where its tables are complete."""
        (self._folder / part).mkdir(parents=True, exist_ok=True)
        (self._folder / "truth").mkdir(parents=True, exist_ok=True)
        name = f"{part}_{number:05d}.jpg"
        cv2.imwrite(str(self._folder / part / name), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        if crops:
            images, poses, labels = (np.stack(column) for column in zip(*crops, strict=True))
            np.savez(self._crops(part, number), images=images, poses=poses, labels=labels)
        height, width = image.shape[:2]
        rows = [_row(name, die, width, height) for die in dice if die.visible > _LEAST_VISIBLE]
        rows = rows or [{"file": name, "verified": 1}]  # which says: no die
        part_file = self._rows(part, number).with_suffix(".part")
        part_file.write_text(json.dumps(rows))
        os.replace(part_file, self._rows(part, number))
        self._write_labels(part)
        if (number + 1) % TABLES_PER_SHARD == 0:
            self._write_shard(part, number // TABLES_PER_SHARD)

    def close(self) -> None:
        """Shards of what is left over."""
        for part in ("train", "held"):
            for shard in {int(path.stem.split("_")[2]) // TABLES_PER_SHARD for path in self._loose(part)}:
                self._write_shard(part, shard)

    def _rows(self, part: str, number: int) -> Path:
        return self._folder / "truth" / f"{part}_{number:05d}.json"

    def _crops(self, part: str, number: int) -> Path:
        return self._folder / "truth" / f"crops_{part}_{number:05d}.npz"

    def _loose(self, part: str) -> list[Path]:
        return sorted((self._folder / "truth").glob(f"crops_{part}_*.npz"))

    def _write_labels(self, part: str) -> None:
        rows: list[dict[str, Any]] = []
        for path in sorted((self._folder / "truth").glob(f"{part}_*.json")):
            rows += json.loads(path.read_text())
        target = self._folder / part / "labels.csv"
        with target.with_suffix(".part").open("w", newline="") as stream:
            writer = csv.DictWriter(stream, _COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(target.with_suffix(".part"), target)

    def _write_shard(self, part: str, shard: int) -> None:
        """The shard of so many tables, from whatever of them is there; written anew where it is there already."""
        numbers = range(shard * TABLES_PER_SHARD, (shard + 1) * TABLES_PER_SHARD)
        paths = [path for number in numbers if (path := self._crops(part, number)).exists()]
        if not paths:
            return
        loaded = [np.load(path) for path in paths]
        images, poses, labels = (np.concatenate([one[key] for one in loaded]) for key in ("images", "poses", "labels"))
        target = self._folder / f"{part}_{shard:03d}.npz"
        with target.with_suffix(".part").open("wb") as stream:
            np.savez(stream, images=images, poses=poses, labels=labels)
        os.replace(target.with_suffix(".part"), target)


def _row(name: str, seen: SeenTruth, width: int, height: int) -> dict[str, Any]:
    x0, y0, x1, y1 = seen.box_xyxy_px
    die = seen.die
    return {
        "file": name,
        "x0": round(max(0.0, x0), 1),
        "y0": round(max(0.0, y0), 1),
        "x1": round(min(float(width), x1), 1),
        "y1": round(min(float(height), y1), 1),
        "sides": die.style.sides,
        "body_color": die.style.color,
        "numeral_color": die.ink,
        "value": die.face,
        "verified": int(seen.visible >= _READABLE),
        "die": f"{die.style.finish} {die.style.marking}",
        "notes": f"visible {seen.visible:.2f}, tilt {np.degrees(seen.tilt_rad):.0f}",
    }
