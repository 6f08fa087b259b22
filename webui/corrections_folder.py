"""Corrected rolls as a folder that `tablesight evaluate` takes: labels.csv, and pictures cropped to the zone."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from tablesight.webui.corrections import CorrectedRoll, LabelledDie

COLUMNS: Final = (
    "file", "x0", "y0", "x1", "y1", "sides", "body_color", "numeral_color", "value", "verified", "die", "notes",
    "corrected", "read_kind", "read_value",
)  # fmt: skip
MARGIN: Final = 1.0
"""Where the zone is not known the picture reaches this many dice beyond the dice."""
README: Final = """Rolls in which players corrected or named a die, for `tablesight evaluate FOLDER` and for training.

labels.csv is as docs/evaluation.md has it. corrected: 1 where the camera had read something else (read_kind,
read_value). notes: "corrected", "answered" (asked about, and named as it was read) or "left" (nobody objected to it in
a roll that was looked at). The pictures show the dice of one player and what lies between them: look at them before you
give them to anybody.
"""


@dataclass(frozen=True, slots=True)
class CorrectionsCount:
    """What was written."""

    rolls: int
    dice: int
    corrected: int


Polygon = Iterable[tuple[float, float]]


def write_corrections(
    rolls: Iterable[CorrectedRoll],
    picture: Callable[[str], Path | None],
    zone: Callable[[CorrectedRoll], Polygon | None],
    folder: Path,
) -> CorrectionsCount:
    """Writes labels.csv and a picture for each roll into `folder`, which is made. Raises OSError.

    `picture` gives the file of a still, None where it is gone (the roll is then left out); `zone` the part of the
    picture that belongs to the seat (fractions), None where that is not known.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[Mapping[str, Any]] = []
    count = dice = corrected = 0
    for roll in rolls:
        path = picture(roll.still)
        if path is None:
            continue
        name = f"{roll.game}-{roll.round_number:02}-{roll.seat}-{count:03}.jpg"
        with Image.open(path) as image:
            left, top, right, bottom = _part(roll, zone(roll), image.width, image.height)
            image.convert("RGB").crop((left, top, right, bottom)).save(folder / name, "JPEG", quality=95)
        rows += [_row(name, die, left, top) for die in roll.dice]
        count, dice, corrected = count + 1, dice + len(roll.dice), corrected + roll.corrected
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "README.txt").write_text(README, encoding="utf-8")
    return CorrectionsCount(count, dice, corrected)


def corrections_zip(
    rolls: Iterable[CorrectedRoll],
    picture: Callable[[str], Path | None],
    zone: Callable[[CorrectedRoll], Polygon | None],
) -> tuple[bytes, CorrectionsCount]:
    """The same as a zip with one folder in it."""
    out = io.BytesIO()
    with TemporaryDirectory() as place, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        folder = Path(place) / "corrections"
        count = write_corrections(rolls, picture, zone, folder)
        for path in sorted(folder.iterdir()):
            packing = zipfile.ZIP_STORED if path.suffix == ".jpg" else zipfile.ZIP_DEFLATED
            archive.write(path, f"corrections/{path.name}", packing)
    return out.getvalue(), count


def _part(roll: CorrectedRoll, polygon: Polygon | None, width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the zone in pixels, and in any case all of the dice."""
    size = max((max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in (die.box_px for die in roll.dice)), default=0.0)
    corners = [] if polygon is None else [(x * width, y * height) for x, y in polygon]
    # a zone that was drawn anew since does not fit the roll of then
    fits = bool(corners) and all(
        min(x for x, _ in corners) <= (die.box_px[0] + die.box_px[2]) / 2 <= max(x for x, _ in corners)
        and min(y for _, y in corners) <= (die.box_px[1] + die.box_px[3]) / 2 <= max(y for _, y in corners)
        for die in roll.dice
    )
    margin = size * (0.2 if fits else MARGIN)
    lefts, tops, rights, bottoms = zip(*(die.box_px for die in roll.dice), strict=True)
    edges = [min(lefts) - margin, min(tops) - margin, max(rights) + margin, max(bottoms) + margin]
    if fits:
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        edges = [min(edges[0], min(xs)), min(edges[1], min(ys)), max(edges[2], max(xs)), max(edges[3], max(ys))]
    return max(0, int(edges[0])), max(0, int(edges[1])), min(width, ceil(edges[2])), min(height, ceil(edges[3]))


def _row(name: str, die: LabelledDie, left: int, top: int) -> Mapping[str, Any]:
    color, _, sides = die.kind.partition("-d")
    x0, y0, x1, y1 = die.box_px
    return {
        "file": name,
        "x0": round(x0 - left, 1),
        "y0": round(y0 - top, 1),
        "x1": round(x1 - left, 1),
        "y1": round(y1 - top, 1),
        "sides": sides,
        "body_color": color,
        # only of red dice the players say, by the sign, which ink they see
        "numeral_color": ("black" if die.value < 0 else "white") if color == "red" else "",
        "value": abs(die.value),
        "verified": 1,
        "die": die.kind,
        "notes": die.how,
        "corrected": int(die.how == "corrected"),
        "read_kind": die.read_kind or "",
        "read_value": die.read_value,
    }
