"""labels.csv: what is known of the dice in a folder of photos."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from tablesight.vision.kinds import SIDES, Color, Ink
from tablesight.vision.reading import BoxXYXY

LABELS_NAME: Final = "labels.csv"
COLUMNS: Final = ("file", "x0", "y0", "x1", "y1", "sides", "body_color", "numeral_color", "value", "verified")
_COLORS: Final[dict[str, Color]] = {color: color for color in get_args(Color)}
_INKS: Final[dict[str, Ink]] = {ink: ink for ink in get_args(Ink)}

_FARTHEST_PX: Final = 100_000


class LabelError(ValueError):
    """labels.csv is missing or cannot be understood: says where, what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Label:
    """One row: a die in a photo. None means that it was left blank.

    `box_xyxy_px` is in pixels of the photo as a viewer shows it; `face` is the number on top; `verified` says that the
    face was read from the picture with care. A verified row with nothing else in it says that the photo shows no die.
    """

    file: str
    box_xyxy_px: BoxXYXY | None
    sides: int | None
    color: Color | None
    ink: Ink | None
    face: int | None
    verified: bool
    die: str = ""

    @property
    def says_no_die(self) -> bool:
        """Whether the row says that somebody looked and that there is no die in the photo."""
        known = (self.box_xyxy_px, self.sides, self.color, self.ink, self.face)
        return self.verified and all(value is None for value in known)

    @property
    def is_scored(self) -> bool:
        """Whether it is a die that the models know: d10 and other shapes are neither hits nor misses."""
        return self.sides is None or self.sides in SIDES

    @property
    def has_face(self) -> bool:
        """Whether its face counts: verified, known, and of a shape that the models know."""
        return self.is_scored and self.verified and self.face is not None


def read_labels(folder: Path) -> tuple[Label, ...]:
    """The rows of `folder`/labels.csv. Raises `LabelError`."""
    path = folder / LABELS_NAME
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
            if missing:
                raise LabelError(
                    f"expected the columns {', '.join(COLUMNS)} in {path}, got none of {', '.join(missing)}: add them"
                )
            return tuple(_label(row, f"{path} line {reader.line_num}") for row in reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise LabelError(f"expected a readable {path}, got {error}: see docs/evaluation.md") from error


def _label(row: Mapping[str, str | None], where: str) -> Label:
    def text(column: str) -> str:
        return (row.get(column) or "").strip()

    def number(column: str, least: int, most: int) -> int | None:
        if not text(column):
            return None
        try:
            value = int(text(column))
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise LabelError(
                f"expected {column} from {least} to {most} or blank in {where}, got {text(column)!r}: correct the line"
            )
        return value

    sides, face = number("sides", 2, 100), number("value", 0, 100)
    if sides is not None and face is not None and face > sides:
        raise LabelError(f"expected a value up to {sides} on a d{sides} in {where}, got {face}: correct the line")
    if text("verified") not in ("", "0", "1"):
        raise LabelError(f"expected verified 0, 1 or blank in {where}, got {text('verified')!r}: correct the line")
    if not text("file"):
        raise LabelError(f"expected the name of a photo in {where}, got none: fill it in")
    return Label(
        file=text("file"),
        box_xyxy_px=_box([text(column) for column in ("x0", "y0", "x1", "y1")], where),
        sides=sides,
        color=_COLORS.get(text("body_color"), "other") if text("body_color") else None,
        ink=_INKS.get(text("numeral_color"), "other") if text("numeral_color") else None,
        face=face,
        verified=text("verified") == "1",
        die=text("die"),
    )


def _box(texts: list[str], where: str) -> BoxXYXY | None:
    if not any(texts):
        return None
    try:
        x0, y0, x1, y1 = (float(text) for text in texts)
    except ValueError:
        raise LabelError(
            f"expected four numbers x0, y0, x1, y1 or four blanks in {where}, got {texts!r}: correct the line"
        ) from None
    if not all(abs(number) <= _FARTHEST_PX for number in (x0, y0, x1, y1)):
        raise LabelError(
            f"expected pixels of the photo in {where}, got {texts!r}: measure them from the top left corner"
        )
    if not (x0 < x1 and y0 < y1):
        raise LabelError(f"expected a box with x0 < x1 and y0 < y1 in {where}, got {texts!r}: exchange them")
    return (x0, y0, x1, y1)
