"""`tablesight export-corrections`: the rolls that players corrected, as a folder for `tablesight evaluate`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tablesight.webui.commands.serve import default_data_dir
from tablesight.webui.corrected_pictures import CorrectedPictures
from tablesight.webui.corrections_folder import CorrectionsCount, corrections_zip, write_corrections
from tablesight.webui.errors import StoreError
from tablesight.webui.settings import Settings
from tablesight.webui.still_archive import StillArchive
from tablesight.webui.store import Store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("target", type=Path, metavar="DIR|FILE.zip", help="a folder that is made, or a zip file")
    parser.add_argument("--data-dir", type=Path, default=default_data_dir(), help="default: %(default)s")
    parser.add_argument("--simulated", action="store_true", help="games on the simulated table too (drawn dice)")


def run(args: argparse.Namespace) -> int:
    """Writes the folder; 1 and a sentence where there is nothing or it cannot be written."""
    target: Path = args.target
    try:
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise FileExistsError(
                f"expected a new name or an empty folder, got {str(target)!r}, which is there already: name another"
            )
        count = export(args.data_dir.expanduser(), target, args.simulated)
    except (OSError, StoreError) as error:
        print(f"tablesight export-corrections: {error}", file=sys.stderr)
        return 1
    if count.rolls == 0:
        print(
            "no corrected roll whose picture is kept: nothing was written; switch on 'Keep corrected rolls' (page "
            "More, For the owner) and correct one, or name another folder with --data-dir",
            file=sys.stderr,
        )
        return 1
    print(f"{target}: {count.rolls} rolls, {count.dice} dice, {count.corrected} of them corrected")
    return 0


def export(data_dir: Path, target: Path, simulated: bool) -> CorrectionsCount:
    """Writes the corrected rolls of a data folder, also while it is served. Raises OSError or StoreError."""
    log = data_dir / "tablesight.sqlite"
    if not log.is_file():
        raise FileNotFoundError(f"expected a game log at {str(log)!r}, got none: name the folder with --data-dir")
    with TemporaryDirectory() as place:
        # each commit is in the main file at once: a copy of it is whole, and the log of a running table is left alone
        copy = Path(place) / log.name
        shutil.copyfile(log, copy)
        store = Store(copy)
        try:
            pictures = CorrectedPictures(data_dir, StillArchive(data_dir / "stills"), Settings(store))
            rolls = pictures.rolls(store.entries(), simulated)
            if not rolls:
                return CorrectionsCount(0, 0, 0)
            if target.suffix.lower() != ".zip":
                return write_corrections(rolls, pictures.picture, pictures.zone, target)
            data, count = corrections_zip(rolls, pictures.picture, pictures.zone)
            target.write_bytes(data)
            return count
        finally:
            store.close()
