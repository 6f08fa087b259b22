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
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from tablesight.webui.errors import RequestError
from tablesight.webui.store import Store, StoreError
from tablesight.webui.teaching import Teaching, dice_of_files

LOG_NAME: Final = "tablesight.sqlite"
MAX_LOG_BYTES: Final = 500_000_000
TAUGHT: Final = "taught"
MAX_TAUGHT_BYTES: Final = 50_000_000
NO_BACKUP: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, sqlite3.Error, StoreError
)  # fmt: skip
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

    Raises RequestError where the file is no backup or damaged; then nothing has changed.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / LOG_NAME
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if archive.getinfo(LOG_NAME).file_size > MAX_LOG_BYTES:
                    raise RequestError(
                        "the log in this backup is too large: nothing was changed; choose another backup", 413
                    )
                copy.write_bytes(archive.read(LOG_NAME))
                taught = _taught(archive)
            dice = None if taught is None else dice_of_files(taught)
            count = _count(copy)
            found = Store(copy)
        except NO_BACKUP as error:
            raise RequestError(NO_BACKUP_SENTENCE) from error
        try:
            entries = found.entries()
        finally:
            found.close()
    if not entries:
        raise RequestError("this backup holds no entry: nothing was changed; choose another backup")
    if len(entries) != count:
        raise RequestError(
            f"entry {len(entries) + 1} of this backup cannot be read: nothing was changed; choose another backup"
        )
    store.replace(entries)
    if dice is not None:
        teaching.put_back(dice)
    return len(entries)


def _taught(archive: zipfile.ZipFile) -> dict[str, bytes] | None:
    """The files of the taught dice, None where the backup has none. Raises RequestError where they are too large."""
    inside = [info for info in archive.infolist() if info.filename.startswith(f"{TAUGHT}/") and not info.is_dir()]
    if sum(info.file_size for info in inside) > MAX_TAUGHT_BYTES:
        raise RequestError(
            "the taught dice in this backup are too large: nothing was changed; choose another backup", 413
        )
    return {info.filename.removeprefix(f"{TAUGHT}/"): archive.read(info) for info in inside} if inside else None


def _count(log: Path) -> int:
    """How many entries the file holds. Raises RequestError where it holds more than a table, or is none of ours."""
    db = sqlite3.connect(log)
    try:
        parts = db.execute("SELECT type, name FROM sqlite_master").fetchall()
        if ("table", "events") not in parts or any(kind not in ("table", "index") for kind, _ in parts):
            raise RequestError(NO_BACKUP_SENTENCE)
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])
    finally:
        db.close()


def report_zip(
    jpeg: bytes, reading: Mapping[str, Any], game: Mapping[str, Any] | None, said: Mapping[str, str]
) -> bytes:
    """Picture, reading and versions, to be sent by hand to those who train the models."""
    versions = {name: _version(name) for name in ("tablesight", "numpy", "opencv-python", "onnxruntime")}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("still.jpg", jpeg)
        archive.writestr("reading.json", json.dumps(reading, ensure_ascii=False, indent=1))
        archive.writestr("game.json", json.dumps(game, ensure_ascii=False, indent=1))
        archive.writestr("said.json", json.dumps(dict(said), ensure_ascii=False, indent=1))
        archive.writestr("versions.json", json.dumps({**versions, "platform": platform.platform()}, indent=1))
    return out.getvalue()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
