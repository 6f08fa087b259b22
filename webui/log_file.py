"""The SQLite file of the log: what belongs into it, how it is opened, and what of it can be read."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from tablesight.webui.errors import StoreError
from tablesight.webui.log_entry import LogEntry, checked_entry
from tablesight.webui.plain_json import parsed

log = logging.getLogger(__name__)

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    game TEXT,
    at REAL NOT NULL,
    who TEXT NOT NULL,
    event TEXT NOT NULL
) STRICT
"""
INDEX: Final = "CREATE INDEX IF NOT EXISTS events_by_game ON events (game, seq)"
COLUMNS: Final = {
    "seq": ("INTEGER", 1),
    "game": ("TEXT", 0),
    "at": ("REAL", 0),
    "who": ("TEXT", 0),
    "event": ("TEXT", 0),
}
"""The type of each column, and whether it is the key."""

MAGIC: Final = b"SQLite format 3\0"
SELECT: Final = "SELECT seq, game, at, who, event FROM events"
INSERT: Final = "INSERT INTO events (seq, game, at, who, event) VALUES (?, ?, ?, ?, ?)"


def open_log(path: Path) -> sqlite3.Connection:
    """The log, made where there is none. Raises StoreError where the file is sound but another program's, and
    sqlite3.DatabaseError where it is damaged."""
    check_layout(path)
    db = sqlite3.connect(path, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=1")
        db.execute(SCHEMA)
        db.execute(INDEX)
        verdict = db.execute("PRAGMA integrity_check(1)").fetchone()[0]  # of the index too
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        db.commit()
    except BaseException:
        db.close()
        raise
    return db


def check_layout(path: Path) -> None:
    """Raises StoreError where a sound SQLite file holds something else than a log: nothing is written into it.

    A file that is missing, empty or damaged is none of these.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise StoreError(
            f"expected the game log as a file at {str(path)!r}, got a folder or a device: move it away, "
            "or choose another data folder with --data-dir"
        )
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=10)) as db:
            odd = other_layout(db)
    except sqlite3.Error:
        return  # damaged or not to be opened: whoever opens it for writing says so
    if odd:
        raise StoreError(
            f"expected a game log of Tablesight in {str(path)!r}, got an SQLite file with {odd}, of another program or "
            "a newer Tablesight: nothing was changed in it; move it away, or choose another data folder with --data-dir"
        )


def other_layout(db: sqlite3.Connection) -> str:
    """What a database that is no log holds instead, in words; empty for a log, and for a database with nothing in it.

    Raises sqlite3.Error.
    """
    inside = db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").fetchall()
    if not inside:
        return ""
    if ("table", "events") not in inside:
        named = ", ".join(f"the {kind} {name!r:.40}" for kind, name in inside[:3])
        return f"{named}{' and more' if len(inside) > 3 else ''}"
    found = {name: (kind, key) for _, name, kind, _, _, key in db.execute("PRAGMA table_info(events)")}
    if found != COLUMNS:
        return f"a table 'events' of the columns {', '.join(found)!r:.80} instead of {', '.join(COLUMNS)!r}"
    return ""


def insert(db: sqlite3.Connection, entries: list[LogEntry]) -> None:
    """Writes entries in one transaction, each also in the place of one that could not be read."""
    with db:
        db.executemany(INSERT.replace("INSERT", "INSERT OR REPLACE"), [row(entry) for entry in entries])


def row(entry: LogEntry) -> tuple[int, str | None, float, str, str]:
    """The fields of an entry, as they stand in the table."""
    return entry.seq, entry.game, entry.at_s, entry.who, event_text(entry.event)


def event_text(event: dict[str, Any]) -> str:
    """An event as it is written down, in the table and in the copy."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def intact(db: sqlite3.Connection, query: str, values: list[Any]) -> Iterator[LogEntry]:
    """The rows of a query up to the first that cannot be read: what follows a gap would make no sense."""
    return (entry for entry, _ in intact_texts(db, query, values))


def intact_texts(db: sqlite3.Connection, query: str, values: list[Any]) -> Iterator[tuple[LogEntry, str]]:
    """The same, each with the text of its event as it stands in the table."""
    rows = db.execute(query, values)
    while True:
        try:
            fields = rows.fetchone()
        except sqlite3.DatabaseError as error:
            log.warning("the log cannot be read further: %s", error)
            return
        if fields is None:
            return
        try:
            entry = checked_row(fields)
        except ValueError as error:
            log.warning("entry %r of the log is damaged (%s): it and those after it are left out", fields[0], error)
            return
        yield entry, fields[4]


def checked_row(fields: tuple[Any, ...]) -> LogEntry:
    """The entry of one row. Raises ValueError."""
    seq, game, at_s, who, text = fields
    if not isinstance(text, str):
        raise ValueError(f"expected an event as text, got {text!r:.40}")
    return checked_entry(seq, game, at_s, who, parsed(text))


def pad(path: Path) -> None:
    """Fills a file that was cut off up to the size its header names: SQLite reads nothing of a shorter one."""
    with path.open("r+b") as file:
        header = file.read(100)
        if not header.startswith(MAGIC) or len(header) < 100:
            return
        page_bytes = int.from_bytes(header[16:18], "big")
        page_bytes = 65536 if page_bytes == 1 else page_bytes
        size = page_bytes * int.from_bytes(header[28:32], "big")
        if file.seek(0, os.SEEK_END) < size:
            file.truncate(size)
