"""labels.csv: what is known of the dice in a folder of photos."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final, get_args

from tablesight.vision.kinds import SIDES, Color, Ink
from tablesight.vision.reading import BoxXYXY

LABELS_NAME: Final = "labels.csv"
COLUMNS: Final = ("file", "x0", "y0", "x1", "y1", "sides", "body_color", "numeral_color", "value", "verified")
_COLORS: Final[dict[str, Color]] = {color: color for color in get_args(Color)}
_INKS: Final[dict[str, Ink]] = {ink: ink for ink in get_args(Ink)}

_FARTHEST_PX: Final = 100_000
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_NUMBER: Final = re.compile(r"[-+0-9.eE]+|nan|-?inf")


class LabelError(ValueError):
    """labels.csv is missing or cannot be understood: says where, what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Label:
    """One row: a die in a photo. None means that it was left blank.

    `box_xyxy_px` is in pixels of the photo as a viewer shows it; `face` is the number on top; `verified` says that the
    face was read from the picture with care. A verified row with nothing else in it says that the photo shows no die.
    `line` is its line in the file, from 1; 0 where it is from none.
    """

    file: str
    box_xyxy_px: BoxXYXY | None
    sides: int | None
    color: Color | None
    ink: Ink | None
    face: int | None
    verified: bool
    die: str = ""
    line: int = field(default=0, compare=False)

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
    """The rows of `folder`/labels.csv, each die once. Raises `LabelError`, which names the line.

    The cells may be parted by commas, or as some spreadsheets do by semicolons or tabs.
    """
    path = folder / LABELS_NAME
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=_delimiter(file.readline()))
            file.seek(0)
            columns = _columns(next(reader, []), path)
            labels = [
                _label(_row(cells, columns, f"{path} line {reader.line_num}"), path, reader.line_num)
                for cells in reader
                if cells
            ]
    except UnicodeDecodeError as error:
        raise LabelError(f"expected {path} as text in UTF-8, got {error}: save it as CSV in UTF-8") from error
    except (OSError, csv.Error) as error:
        raise LabelError(f"expected a readable {path}, got {error}: see docs/evaluation.md") from error
    if not labels:
        raise LabelError(f"expected a line for each die in {path}, got none after the names of the columns: add them")
    _check_once(labels, path)
    return tuple(labels)


def _delimiter(first_line: str) -> str:
    return max(",;\t", key=first_line.count)


def _columns(names: Sequence[str], path: Path) -> list[str]:
    columns = [name.strip() for name in names]
    missing = [column for column in COLUMNS if column not in columns]
    if missing:
        raise LabelError(
            f"expected the columns {', '.join(COLUMNS)} in {path}, got none of {', '.join(missing)} in "
            f"{', '.join(columns)!r:.120}: add them"
        )
    twice = [name for name, times in Counter(columns).items() if times > 1 and name in COLUMNS]
    if twice:
        raise LabelError(f"expected each column of {path} once, got {', '.join(twice)} twice: delete one")
    return columns


def _row(cells: Sequence[str], columns: Sequence[str], where: str) -> Mapping[str, str]:
    """The cells by column. Blank cells beyond the last column are what spreadsheets leave."""
    least = max(columns.index(column) for column in COLUMNS) + 1  # notes and the like may be left out
    if len(cells) < least or any(cell.strip() for cell in cells[len(columns) :]):
        raise LabelError(
            f"expected {len(columns)} cells in {where}, one for each column, got {len(cells)}: leave a cell blank "
            "where something is unknown, and put quotes around a text with commas"
        )
    return {column: cell.strip() for column, cell in zip(columns, cells, strict=False)}


def _label(row: Mapping[str, str], path: Path, line: int) -> Label:
    where = f"{path} line {line}"

    def number(column: str, least: int, most: int) -> int | None:
        text = row[column]
        if not text:
            return None
        if not _WHOLE_NUMBER.fullmatch(text) or not least <= int(text) <= most:
            raise LabelError(
                f"expected {column} from {least} to {most} or blank in {where}, got {text!r}: correct the line"
            )
        return int(text)

    sides, face = number("sides", 2, 100), number("value", 0, 100)
    if sides is not None and face is not None and (face > sides or (face == 0 and sides in SIDES)):
        raise LabelError(f"expected a value from 1 to {sides} on a d{sides} in {where}, got {face}: correct the line")
    if row["verified"] not in ("", "0", "1"):
        raise LabelError(f"expected verified 0, 1 or blank in {where}, got {row['verified']!r}: correct the line")
    if not row["file"]:
        raise LabelError(f"expected the name of a photo in {where}, got none: fill it in")
    label = Label(
        file=row["file"],
        box_xyxy_px=_box([row[column] for column in ("x0", "y0", "x1", "y1")], where),
        sides=sides,
        color=_COLORS.get(row["body_color"], "other") if row["body_color"] else None,
        ink=_INKS.get(row["numeral_color"], "other") if row["numeral_color"] else None,
        face=face,
        verified=row["verified"] == "1",
        die=row.get("die", ""),
        line=line,
    )
    if label.verified and face is None and not label.says_no_die:
        raise LabelError(
            f"expected the value that was read with care in {where}, since verified is 1, got a blank: fill it in, or "
            "set verified to 0"
        )
    return label


def _check_once(labels: Iterable[Label], path: Path) -> None:
    """Raises LabelError where a die has two rows, or a photo without dice has a die."""
    lines: dict[tuple[str, BoxXYXY | None], int] = {}
    by_photo: dict[str, list[Label]] = {}
    for label in labels:
        photo = PurePath(label.file).as_posix()
        before = by_photo.setdefault(photo, [])
        for other in before[:1] if label.says_no_die else [one for one in before if one.says_no_die][:1]:
            raise LabelError(
                f"expected a photo without dice or with dice, got {label.file} as both or twice in {path} line "
                f"{other.line} and line {label.line}: delete one of them"
            )
        before.append(label)
        if label.box_xyxy_px is None:  # two dice whose places nobody has measured look alike
            continue
        first = lines.setdefault((photo, label.box_xyxy_px), label.line)
        if first != label.line:
            raise LabelError(
                f"expected each die once, got the box {label.box_xyxy_px} of {label.file} in {path} line {first} and "
                f"again in line {label.line}: delete one of them"
            )


def _box(texts: list[str], where: str) -> BoxXYXY | None:
    if not any(texts):
        return None
    try:
        if not all(_NUMBER.fullmatch(text) for text in texts):
            raise ValueError
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
