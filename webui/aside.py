"""Files that are put aside before something else takes their place: names that never overwrite one another."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Final

MOST_OF_A_SECOND: Final = 1000


def aside_name(folder: Path, name: str, ending: str = "") -> Path:
    """Makes an empty file `NAME-DATE-TIME[-NUMBER]ENDING` that was not there before. Raises OSError."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for number in range(1, MOST_OF_A_SECOND):
        path = folder / f"{name}-{stamp}{f'-{number}' if number > 1 else ''}{ending}"
        try:
            path.open("xb").close()
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"expected a free name like {name}-{stamp}{ending} in {folder}: wait a second, try again")


def file_aside(path: Path) -> Path:
    """A second name for the content of a file, or where the disk knows no such thing a copy. Raises OSError."""
    aside = aside_name(path.parent, f"{path.name}.damaged")
    try:
        link = aside.with_name(aside.name + ".link")
        try:
            os.link(path, link)
            link.replace(aside)
        except OSError:
            link.unlink(missing_ok=True)
            shutil.copyfile(path, aside)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return aside


def log_aside(db: sqlite3.Connection, folder: Path, name: str, ending: str = "") -> Path:
    """A consistent copy of a database. Raises OSError or sqlite3.Error; then there is none."""
    aside = aside_name(folder, name, ending)
    try:
        copy = sqlite3.connect(aside)
        try:
            db.backup(copy)
        finally:
            copy.close()
    except (OSError, sqlite3.Error):
        aside.unlink(missing_ok=True)
        raise
    return aside
