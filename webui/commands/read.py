"""`tablesight read`: reads the dice in photos."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2

from tablesight.vision.annotation import draw_readings
from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.photo_folder import folders_in, photos_in
from tablesight.vision.reading import DieReading, PhotoReading
from tablesight.vision.reading_json import die_json


class Reads(Protocol):
    """What this command needs of the photo reader."""

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        """Finds and reads all dice."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "photos", nargs="+", type=Path, metavar="PHOTO", help="a photo, or a folder: its photos and those below"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON line for each photo")
    parser.add_argument("--annotate", type=Path, metavar="DIR", help="save the photos with boxes drawn on them here")
    parser.add_argument("--models", type=Path, metavar="DIR", help="use the models in this folder")


def run(args: argparse.Namespace) -> int:
    """Reads all photos; exit status 1 where one could not be read, 2 where there are no models."""
    from tablesight.vision.photo_reader import ModelError, PhotoReader  # onnxruntime takes a moment to load

    try:
        reader = PhotoReader.load(args.models)
    except ModelError as error:
        print(f"tablesight read: {error}", file=sys.stderr)
        return 2
    try:
        return read_photos(reader, args.photos, as_json=args.json, annotate=args.annotate)
    except BrokenPipeError:  # `tablesight read ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def read_photos(reader: Reads, photos: Iterable[Path], as_json: bool, annotate: Path | None) -> int:
    """Reads each photo and prints what it shows. Returns 1 where one or more could not be read, else 0."""
    failures = 0
    names = _AnnotatedNames(annotate) if annotate is not None else None
    for path, error in _each(photos, annotate):
        try:
            if error is not None:
                raise error
            image_bgr = decode_photo(path)
            reading = reader.read(image_bgr)
        except PhotoError as failure:
            failures += 1
            _print_failure(path, failure, as_json)
            continue
        print(json.dumps(to_json(path, reading)) if as_json else to_text(path, reading), flush=True)
        if names is not None:
            try:
                names.save(path, draw_readings(image_bgr, reading.dice))
            except PhotoError as failure:
                failures += 1
                print(f"{_shown(path)}: {failure}", file=sys.stderr, flush=True)
    if names is not None and names.saved and not as_json:
        pictures = "1 picture" if names.saved == 1 else f"{names.saved} pictures"
        print(f"{pictures} with boxes: {_shown(names.folder)}", flush=True)
    return 1 if failures else 0


def to_json(path: Path, reading: PhotoReading) -> dict[str, Any]:
    """One photo as the JSON line of the command."""
    return {
        "file": str(path),
        "width": reading.width,
        "height": reading.height,
        "dice": [die_json(die) for die in reading.dice],
        "ms": {
            "detect": round(reading.detect_ms, 1),
            "read": round(reading.read_ms, 1),
            "total": round(reading.total_ms, 1),
        },
    }


def to_text(path: Path, reading: PhotoReading) -> str:
    """One photo as a table for people."""
    count = len(reading.dice)
    dice = "1 die" if count == 1 else f"{count or 'no'} dice"
    lines = [f"{_shown(path)}: {reading.width} x {reading.height}, {dice}, {reading.total_ms:.0f} ms"]
    for die in reading.dice:
        what = f"{die.color} d{die.sides}"
        marks = "  pips" if die.marking == "pips" else ""
        lines.append(
            f"  {' ' if die.accepted else '?'} {what:<12} {die.value:>4}  {100 * die.confidence:5.1f} %"
            f"{marks}{_or(die)}"
        )
    return "\n".join(lines)


def _or(die: DieReading) -> str:
    """The runners-up of a doubtful die."""
    if die.accepted:
        return ""
    others = [c for c in die.candidates if (c.kind, c.value) != (die.kind, die.value)][:2]
    words = [
        f"{c.value} {100 * c.p:.0f} %"
        if c.kind == die.kind
        else f"{c.value} ({c.kind or 'another die'}) {100 * c.p:.0f} %"
        for c in others
    ]
    return f"  or {', '.join(words)}" if words else ""


def _each(photos: Iterable[Path], annotate: Path | None) -> Iterator[tuple[Path, PhotoError | None]]:
    """The photos named, folders replaced by the photos in them and below; with an error where there is nothing to read.
    Pictures that an earlier run left in the folder `annotate` are no photos."""
    for path in photos:
        if not path.is_dir():
            yield path, None
            continue
        inside = _inside(path, annotate.resolve() if annotate is not None else None)
        if not inside:
            inside = [(path, PhotoError("expected photos in the folder or below, got none: name another"))]
        yield from inside


def _inside(folder: Path, without: Path | None) -> list[tuple[Path, PhotoError | None]]:
    """What is to be read in the folder, its own photos first, then those of the folders in it, by name."""
    try:
        found: list[tuple[Path, PhotoError | None]] = [(photo, None) for photo in photos_in(folder)]
        below = folders_in(folder)
    except OSError as error:
        reason = (error.strerror or "none").lower()
        return [(folder, PhotoError(f"expected a readable folder, got {reason!r}: check its name and rights"))]
    for each in below:
        if each.resolve() != without:
            found.extend(_inside(each, without))
    return found


def _print_failure(path: Path, failure: PhotoError, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"file": str(path), "error": str(failure)}), flush=True)
    else:
        print(f"{_shown(path)}: {failure}", file=sys.stderr, flush=True)


def _shown(path: Path) -> str:
    """A name that can be printed, whatever bytes the file's name has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class _AnnotatedNames:
    """Saves drawn photos as NAME-read.jpg; two photos of one name get numbers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.saved = 0
        self._taken: set[str] = set()

    def save(self, photo: Path, drawn_bgr: ImageBGR) -> None:
        """Raises `PhotoError` where it cannot be written."""
        name, number = f"{photo.stem}-read.jpg", 2
        while name in self._taken:
            name, number = f"{photo.stem}-read-{number}.jpg", number + 1
        self._taken.add(name)
        made, content = cv2.imencode(".jpg", drawn_bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
        if not made:
            raise PhotoError(f"expected a picture that fits into a JPEG, got {drawn_bgr.shape}: leave out --annotate")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content.tobytes())
            self.saved += 1
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise PhotoError(
                f"expected to write to the folder {str(self.folder)!r}, got {reason!r}: name another for --annotate"
            ) from error
