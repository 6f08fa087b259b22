"""A damaged log: what can be read of it and of its copy becomes a new one, the damaged file is kept."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tablesight.webui.aside import file_aside
from tablesight.webui.errors import StoreError
from tablesight.webui.journal import Journal
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.log_file import SELECT, insert, intact, open_log, pad

log = logging.getLogger(__name__)

PARTS = ("-wal", "-shm")


def salvage(path: Path, journal_path: Path, note: Callable[[Path, list[LogEntry]], None]) -> None:
    """Puts a log with all that can be read in the place of a damaged one.

    `note` is told where the damaged file is kept and what was saved, before anything has changed; it may raise OSError.
    Whenever it is killed, the damaged log or the whole new one is in its place. Raises StoreError where it cannot be
    done; then nothing has changed.
    """
    fresh = path.with_name(f"{path.name}.new")
    aside: Path | None = None
    try:
        aside = file_aside(path)
        for suffix in PARTS:
            if (part := path.with_name(path.name + suffix)).exists():
                shutil.copyfile(part, aside.with_name(aside.name + suffix))
        saved = _continued_from(journal_path, _readable(path))
        _remove(fresh)
        with closing(open_log(fresh)) as db:
            insert(db, saved)
        note(aside, saved)
    except (OSError, sqlite3.Error) as error:
        _remove(fresh)
        if aside is not None:
            _remove(aside)
        raise StoreError(
            f"the game log {str(path)!r} is damaged and cannot be repaired ({error}): nothing was changed; "
            "make room if the disk is full, then start again"
        ) from error
    for suffix in PARTS:  # those of the damaged file
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    fresh.replace(path)
    log.warning(
        "%d entries saved; the damaged log is kept as %s; put a backup back if games are missing", len(saved), aside
    )


def continued(ours: list[LogEntry], theirs: list[LogEntry], journal: Journal) -> list[LogEntry]:
    """The log with what its copy has besides; the log as it is where the copy says otherwise.

    Past a line that cannot be read the copy is read on where the log itself has that entry.
    """
    shared = min(len(ours), len(theirs))
    if ours[:shared] != theirs[:shared]:
        return ours
    if len(theirs) > shared:
        return theirs
    if not ours or not journal.is_damaged:
        return ours
    more = journal.readable()
    if any(more.get(entry.seq, entry) != entry for entry in ours):
        return ours
    whole = list(ours)
    while (following := more.get(whole[-1].seq + 1)) is not None:
        whole.append(following)
    return whole


def _readable(path: Path) -> list[LogEntry]:
    """What can be read of a damaged log. It is read from a copy: to read it is to change it. Raises OSError."""
    found: list[LogEntry] = []
    with TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal"):
            if (part := path.with_name(path.name + suffix)).exists():
                shutil.copyfile(part, copy.with_name(part.name))
        pad(copy)
        try:
            with closing(sqlite3.connect(copy)) as db:
                found.extend(intact(db, f"{SELECT} ORDER BY seq", []))
        except sqlite3.DatabaseError as error:
            log.warning("nothing more could be saved from %s: %s", path, error)
    return found


def _continued_from(journal_path: Path, saved: list[LogEntry]) -> list[LogEntry]:
    if not journal_path.is_file():
        return saved
    with closing(Journal(journal_path)) as journal:
        copied = journal.entries()
        return continued(saved, copied, journal) if len(copied) <= len(saved) else copied


def _remove(path: Path) -> None:
    for suffix in ("", *PARTS):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
