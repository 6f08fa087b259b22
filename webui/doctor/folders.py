"""The data folder: can it be written, and is there room."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablesight.webui.doctor.finding import Finding, advice, failure, ok

FREE_NEEDED_BYTES: Final = 200_000_000
"""Under this a game's log may not get its next line: SQLite wants room for its write-ahead log too."""
FREE_WANTED_BYTES: Final = 1_000_000_000
"""Under this the kept pictures (500 MB at most) push the card to its end."""


def check_data_folder(folder: Path) -> Iterator[Finding]:
    """Findings about the folder with the games; one that is not there yet is judged by its nearest parent."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    new = "" if place == folder.absolute() else " (made at the first start)"
    if not place.is_dir():
        yield failure("data", f"{place} is a file, not a folder", "choose another folder with --data-dir")
        return
    try:
        with tempfile.NamedTemporaryFile(dir=place, prefix=".doctor-"):
            pass
    except OSError as error:
        yield _not_writable(folder, place, error)
    else:
        yield ok("data", f"{folder} can be written{new}")
    yield check_free_space(place, shutil.disk_usage(place).free)


def _not_writable(folder: Path, place: Path, error: OSError) -> Finding:
    if not isinstance(error, PermissionError):
        return failure("data", f"{folder} cannot be written: {error.strerror}", "look at the card: mount, dmesg, df -h")
    owner = place.stat().st_uid
    if place == folder.absolute() and owner not in {0, os.geteuid()}:
        # the service's folder, seen by somebody else: the usual case on a Pi, and no fault
        return advice("data", f"{folder} belongs to user {_name(owner)}, so you cannot try it", "look again with sudo")
    return failure("data", f"{folder} may not be written by you", "choose another folder with --data-dir")


def _name(user_id: int) -> str:
    try:
        return pwd.getpwuid(user_id).pw_name
    except KeyError:
        return str(user_id)


def check_free_space(place: Path, free_bytes: int) -> Finding:
    """Whether the file system under `place` has room for games and pictures."""
    text = f"{free_bytes / 1e9:.1f} GB free under {place}"
    if free_bytes < FREE_NEEDED_BYTES:
        return failure("disk", text, "free at least 1 GB: du -xh / | sort -h | tail shows the largest folders")
    if free_bytes < FREE_WANTED_BYTES:
        return advice("disk", text, "free at least 1 GB: kept pictures may take up to 500 MB")
    return ok("disk", text)
