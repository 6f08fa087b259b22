"""Everything as one file, and back: a zip with the log; a report of a misread die."""

from __future__ import annotations

import io
import json
import platform
import sqlite3
import tempfile
import time
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tablesight.webui.errors import RequestError
from tablesight.webui.installed_version import installed_version
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.log_file import MAGIC, SELECT, checked_row, other_layout
from tablesight.webui.playable import unplayable
from tablesight.webui.store import Store
from tablesight.webui.teaching import Teaching, dice_of_files

LOG_NAME: Final = "tablesight.sqlite"
MAX_LOG_BYTES: Final = 500_000_000
TAUGHT: Final = "taught"
MAX_TAUGHT_BYTES: Final = 50_000_000
NO_BACKUP: Final = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError)
"""What a file that is no backup can raise; RuntimeError: a zip with a password."""
NO_BACKUP_SENTENCE: Final = "this file is no backup of Tablesight: choose the zip that the backup button gave"


def backup_zip(store: Store, teaching: Teaching) -> bytes:
    """The whole log, games and settings, and the dice that were taught, as a zip."""
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        copy = Path(folder) / LOG_NAME
        store.backup(copy)
        archive.write(copy, LOG_NAME)
        for name, content in teaching.files().items():
            archive.writestr(f"{TAUGHT}/{name}", content)
        archive.writestr("README.txt", f"Tablesight backup of {time.strftime('%Y-%m-%d %H:%M')}\n")
    return out.getvalue()


def restore_zip(store: Store, data: bytes, teaching: Teaching) -> int:
    """Puts the log of a backup in the place of the present one, which is kept beside it, and its taught dice in that of
    the present ones, which a backup without taught dice leaves as they are. Returns the log's entries.

    A log alone, as it lies in the data folder, is a backup too. Raises RequestError where the file is no backup,
    damaged, or holds what this version does not understand; then nothing has changed.
    """
    taught: dict[str, bytes] | None = None
    try:
        if data.startswith(MAGIC):
            content = data
        else:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if (size := archive.getinfo(LOG_NAME).file_size) > MAX_LOG_BYTES:
                    raise _too_large("the log", size, MAX_LOG_BYTES)
                content = archive.read(LOG_NAME)
                taught = _taught(archive)
    except NO_BACKUP as error:
        raise RequestError(NO_BACKUP_SENTENCE) from error
    dice = None if taught is None else dice_of_files(taught)
    entries = _entries(content)
    put_back(store, entries)
    if dice is not None:
        teaching.put_back(dice)
    return len(entries)


def restore_log(store: Store, kept: Path) -> tuple[int, Path]:
    """Puts a log that a repair has put aside in the place of the present one. Returns how many entries it has, and the
    file that keeps the present one. Raises RequestError; then nothing has changed."""
    try:
        entries = _entries(kept.read_bytes())
    except OSError as error:
        raise RequestError(
            f"the file that was put aside cannot be read ({error.strerror}): nothing was changed; see if it is there"
        ) from error
    return len(entries), put_back(store, entries)


def put_back(store: Store, entries: list[LogEntry]) -> Path:
    """Puts these entries in the place of all. Returns the file that keeps the present ones.

    Raises RequestError where this version does not understand one of them; then nothing has changed. What the games of
    the present log leave out already, an older version may have written: it may come back.
    """
    if found := list(unplayable(entries)):
        left_out = [known.entry for known in unplayable(store.entries())]
        for one in found:
            if one.entry not in left_out:
                raise _unreadable(one.place, one.reason)
    return store.replace(entries)


def _entries(content: bytes) -> list[LogEntry]:
    """Every entry of a log in a backup. Raises RequestError where one of them cannot be read, or it is none of ours."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / LOG_NAME
        copy.write_bytes(content)
        try:
            with closing(sqlite3.connect(copy)) as db:
                return _rows(db)
        except sqlite3.Error as error:
            raise RequestError(
                f"the log in this backup is damaged ({error}): nothing was changed; choose another backup"
            ) from error


def _rows(db: sqlite3.Connection) -> list[LogEntry]:
    kinds = {kind for kind, _ in db.execute("SELECT type, name FROM sqlite_master")}
    if not kinds or not kinds <= {"table", "index"} or other_layout(db):
        raise RequestError(NO_BACKUP_SENTENCE)
    verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
    entries: list[LogEntry] = []
    for fields in db.execute(f"{SELECT} ORDER BY seq"):
        try:
            entries.append(checked_row(fields))
        except ValueError as error:
            raise _unreadable(len(entries), str(error)) from error
    if not entries:
        raise RequestError("this backup holds no entry: nothing was changed; choose another backup")
    return entries


def _unreadable(place: int, reason: str) -> RequestError:
    return RequestError(
        f"entry {place + 1} of this backup cannot be read ({reason:.200}): nothing was changed; "
        "choose another backup, or upgrade Tablesight if a newer one has made it"
    )


def _too_large(what: str, size: int, most: int) -> RequestError:
    return RequestError(
        f"expected at most {most / 1e6:.0f} MB of {what} in a backup, got {size / 1e6:.0f} MB: nothing was changed; "
        "choose another backup",
        413,
    )


def _taught(archive: zipfile.ZipFile) -> dict[str, bytes] | None:
    """The files of the taught dice, None where the backup has none. Raises RequestError where they are too large."""
    inside = [info for info in archive.infolist() if info.filename.startswith(f"{TAUGHT}/") and not info.is_dir()]
    if (size := sum(info.file_size for info in inside)) > MAX_TAUGHT_BYTES:
        raise _too_large("the taught dice", size, MAX_TAUGHT_BYTES)
    return {info.filename.removeprefix(f"{TAUGHT}/"): archive.read(info) for info in inside} if inside else None


def report_zip(
    jpeg: bytes, reading: Mapping[str, Any], game: Mapping[str, Any] | None, said: Mapping[str, str]
) -> bytes:
    """Picture, reading and versions, to be sent by hand to those who train the models."""
    versions = {name: installed_version(name) for name in ("tablesight", "numpy", "opencv-python", "onnxruntime")}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("still.jpg", jpeg)
        archive.writestr("reading.json", json.dumps(reading, ensure_ascii=False, indent=1))
        archive.writestr("game.json", json.dumps(game, ensure_ascii=False, indent=1))
        archive.writestr("said.json", json.dumps(dict(said), ensure_ascii=False, indent=1))
        archive.writestr("versions.json", json.dumps({**versions, "platform": platform.platform()}, indent=1))
    return out.getvalue()
