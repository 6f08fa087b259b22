"""Every labelled die with what was read, as a table for further study."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import IO, Final

from tablesight.vision.evaluation.outcome import DieOutcome, FolderOutcome

COLUMNS: Final = (
    "folder", "file", "x0", "y0", "x1", "y1", "found", "verified", "sides", "read_sides", "color", "read_color", "ink",
    "read_ink", "face", "read_face", "confidence", "accepted", "face_right", "all_right", "end_to_end_face",
)  # fmt: skip


def write_details(stream: IO[str], folders: Sequence[FolderOutcome]) -> None:
    """One CSV row for each labelled die; blank where nothing is known."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for folder in folders:
        writer.writerows(_row(folder.name, die) for die in folder.dice)


def _row(folder: str, die: DieOutcome) -> list[object]:
    label, reading, found = die.label, die.given_box, die.end_to_end
    box = label.box_xyxy_px or (None,) * 4
    return [
        folder,
        label.file,
        *box,
        _flag(die.found),
        _flag(label.verified),
        label.sides,
        reading.sides if reading else None,
        label.color,
        reading.color if reading else None,
        label.ink,
        reading.ink if reading else None,
        label.face,
        reading.face if reading else None,
        round(reading.confidence, 4) if reading else None,
        _flag(reading.accepted) if reading else None,
        _flag(die.face_right),
        _flag(die.all_right),
        found.face if found else None,
    ]


def _flag(value: bool | None) -> int | None:
    return None if value is None else int(value)
