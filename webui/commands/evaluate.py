"""`tablesight evaluate`: measures the models on folders of labelled photos."""

from __future__ import annotations

import argparse
import datetime
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path

import cv2

from tablesight.vision.evaluation.details import write_details
from tablesight.vision.evaluation.labels import LabelError
from tablesight.vision.evaluation.measure import ReadsPhotos, labelled_folders, measure_folder
from tablesight.vision.evaluation.montage import draw_montage, worst_reads
from tablesight.vision.evaluation.outcome import FolderOutcome
from tablesight.vision.evaluation.report import render_report, render_table
from tablesight.vision.evaluation.summary import by_color, by_kind, by_sides, summarize, summarize_by


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="a folder with labels.csv, or a folder of such folders"
    )
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON object")
    parser.add_argument(
        "--complete-boxes",
        action="store_true",
        help="every die in the photos is labelled: a box elsewhere is an error, and precision is reported",
    )
    parser.add_argument(
        "--complete-boxes-in",
        metavar="NAMES",
        action="append",
        default=[],
        help="the same for the folders of these names only ('*nau*'); may be given several times",
    )
    parser.add_argument(
        "--hands-known",
        action="store_true",
        help="read each photo as the camera reads a roll: the kinds of its dice (by the labels) are known beforehand",
    )
    parser.add_argument(
        "--fixed-camera-in",
        metavar="NAMES",
        action="append",
        default=[],
        help="the photos of each of these folders come from one camera that hung still, as in the product: what its "
        "earlier photos tell of where it looks from is used for the later ones; several times",
    )
    parser.add_argument("--only", metavar="NAMES", action="append", help="only folders of these names; several times")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a page of Markdown, and a picture beside it")
    parser.add_argument(
        "--picture-of",
        metavar="NAMES",
        action="append",
        help="only dice of these folders in the picture: others may not be yours to show; several times",
    )
    parser.add_argument(
        "--details", type=Path, metavar="FILE", help="write a CSV file with a row for each labelled die"
    )
    parser.add_argument("--models", type=Path, metavar="DIR", help="use the models in this folder")


def run(args: argparse.Namespace) -> int:
    """Measures; exit status 1 where photos could not be read, 2 where there are no models or labels."""
    if args.hands_known and args.fixed_camera_in:
        told = "expected --hands-known or --fixed-camera-in, got both: measure one after the other"
        print(f"tablesight evaluate: {told}", file=sys.stderr)
        return 2
    # imported here: onnxruntime takes a moment to load
    from tablesight.vision.evaluation.fixed_camera import FixedCameraReader
    from tablesight.vision.evaluation.known_hands import KnownHandReader
    from tablesight.vision.photo_reader import ModelError, PhotoReader

    try:
        photos = PhotoReader.load(args.models)
        reader = KnownHandReader(photos) if args.hands_known else photos

        def reader_for(folder: Path) -> ReadsPhotos:
            return FixedCameraReader(photos) if _named(folder, args.fixed_camera_in) else reader

        folders = measure(reader_for, args.folder, args.complete_boxes, args.complete_boxes_in, args.only)
    except (ModelError, LabelError) as error:
        print(f"tablesight evaluate: {error}", file=sys.stderr)
        return 2
    print(to_json(folders) if args.json else render_table(folders))
    failed = [photo for folder in folders for photo in folder.photos if photo.error is not None]
    for photo in failed:
        print(f"{photo.photo}: {photo.error}", file=sys.stderr)
    try:
        if args.report is not None:
            write_report(args.report, folders, command_line(sys.argv[1:]), args.picture_of)
        if args.details is not None:
            with args.details.open("w", encoding="utf-8", newline="") as file:
                write_details(file, folders)
    except OSError as error:
        print(
            f"tablesight evaluate: expected to write {error.filename}, got {error.strerror}: choose another file",
            file=sys.stderr,
        )
        return 1
    return 1 if failed else 0


def measure(
    reader_for: Callable[[Path], ReadsPhotos],
    folder: Path,
    complete_boxes: bool,
    complete_boxes_in: Sequence[str] = (),
    only: Sequence[str] | None = None,
) -> list[FolderOutcome]:
    """Every labelled folder measured, each with the reader for it. Raises `LabelError`."""
    chosen = [path for path in labelled_folders(folder) if only is None or _named(path, only)]
    if not chosen:
        known = ", ".join(sorted(path.resolve().name for path in labelled_folders(folder)))
        wanted = " or ".join(only or ())
        raise LabelError(f"expected a labelled folder named {wanted} in {folder}, got none: there are {known}")
    progress = _Progress()
    outcomes = []
    for path in chosen:
        complete = complete_boxes or _named(path, complete_boxes_in)
        outcomes.append(measure_folder(path, reader_for(path), complete, progress.show))
    progress.clear()
    return outcomes


def to_json(folders: Sequence[FolderOutcome]) -> str:
    """`{"folders": [...], "all": {...}, "by_sides": {...}, "by_color": {...}, "by_kind": {...}}`, each as `Summary`."""
    return json.dumps(
        {
            "folders": [summarize(folder.name, [folder]).to_json() for folder in folders],
            "all": summarize("all", folders).to_json(),
            "by_sides": {name: summary.to_json() for name, summary in summarize_by(folders, by_sides).items()},
            "by_color": {name: summary.to_json() for name, summary in summarize_by(folders, by_color).items()},
            "by_kind": {name: summary.to_json() for name, summary in summarize_by(folders, by_kind).items()},
        }
    )


def command_line(arguments: Sequence[str]) -> str:
    """The command as the page shows it: of paths only the names, since the page goes to other machines."""
    return shlex.join(["tablesight", *(Path(word).name if "/" in word else word for word in arguments)])


def write_report(
    path: Path, folders: Sequence[FolderOutcome], command: str, picture_of: Sequence[str] | None = None
) -> None:
    """Writes the page and, where dice were read wrong, a picture of them beside it, of the folders named only.

    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    shown = [folder for folder in folders if picture_of is None or _matches(folder.name, picture_of)]
    montage_bgr = draw_montage(worst_reads(shown))
    picture = path.with_name(f"{path.stem}-worst.jpg")
    if montage_bgr is None:
        picture.unlink(missing_ok=True)
    else:
        picture.write_bytes(cv2.imencode(".jpg", montage_bgr, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
    today = datetime.date.today().isoformat()
    page = render_report(folders, command, today, picture.name if montage_bgr is not None else None)
    path.write_text(page, encoding="utf-8")


def _named(path: Path, patterns: Sequence[str]) -> bool:
    return _matches(path.resolve().name, patterns)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


class _Progress:
    """One line on a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        self._shown = 0

    def show(self, text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r{text:<{self._shown}}", end="", file=sys.stderr, flush=True)
            self._shown = len(text)

    def clear(self) -> None:
        if self._shown:
            print(f"\r{'':<{self._shown}}\r", end="", file=sys.stderr, flush=True)
