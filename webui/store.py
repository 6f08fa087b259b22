"""The event log on disk: one append-only SQLite table, every commit forced to the card."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tablesight.webui.aside import aside_name, file_aside, log_aside
from tablesight.webui.errors import CannotWrite
from tablesight.webui.journal import Journal
from tablesight.webui.log_entry import LogEntry, checked_entry
from tablesight.webui.plain_json import parsed
from tablesight.webui.repairs import Repairs

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


SELECT: Final = "SELECT seq, game, at, who, event FROM events"

INSERT: Final = "INSERT INTO events (seq, game, at, who, event) VALUES (?, ?, ?, ?, ?)"
REPAIRS_NAME: Final = "repairs.json"


class StoreError(ValueError):
    """The data folder cannot be used; the text says what to do and is shown to the user as is."""


class Store:
    """Appends and reads log entries; safe to call from any thread.

    WAL with synchronous=FULL: an entry that `append` returned survives a power cut. Each commit is also copied into
    the main file at once, so that a copy of the file alone is a good backup.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_full = False
        """Whether the last entry could not be written."""
        self._lock = threading.Lock()
        self._is_told = False
        check_folder(path.parent)
        self._db = self._open_or_salvage()
        try:
            self._journal = Journal(self._journal_path)
        except OSError as error:
            self._db.close()
            raise StoreError(
                f"cannot use {str(self._journal_path)!r} ({error.strerror}): it must be a file that is yours; "
                "move it away, or choose another folder with --data-dir"
            ) from error
        try:
            self._agree()
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise StoreError(
                f"cannot use the game log {str(self.path)!r} ({error}): make room if the disk is full, "
                "or choose another folder with --data-dir"
            ) from error

    def append(self, game: str | None, event: dict[str, Any], who: str = "") -> LogEntry:
        """Writes one event and returns it with its sequence number once it is safe on the disk."""
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        with self._lock:
            at_s = time.time()
            with self._writing():
                seq = self._db.execute(
                    "INSERT INTO events (game, at, who, event) VALUES (?, ?, ?, ?)", (game, at_s, who, text)
                ).lastrowid
            assert seq is not None
            entry = LogEntry(seq, game, at_s, who, event)
            if self._journal.is_behind:  # the disk was full: this entry is among those that are written anew
                self._catch_up(seq)
            else:
                self._journal.append([entry])
        return entry

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction. Raises CannotWrite where the disk or the file takes nothing; then nothing has changed."""
        try:
            with self._db:
                yield
        except sqlite3.OperationalError as error:
            self.is_full = True
            log.warning("the game log cannot be written: %s", error)
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                raise CannotWrite from error
            raise CannotWrite(
                f"the game log cannot be written ({error}): nothing was changed; see to the disk, then try again"
            ) from error
        self.is_full = False

    def entries(self, game: str | None = None, after: int = 0) -> list[LogEntry]:
        """All entries after sequence number `after`, oldest first; of one game where `game` is given."""
        query = f"{SELECT} WHERE seq > ?"
        values: list[Any] = [after]
        if game is not None:
            query += " AND game = ?"
            values.append(game)
        with self._lock:
            return list(_intact(self._db, query + " ORDER BY seq", values))

    def first_entry(self, game: str) -> LogEntry | None:
        """The one that began a game, None where there is none."""
        with self._lock:
            return next(_intact(self._db, f"{SELECT} WHERE game = ? ORDER BY seq LIMIT 1", [game]), None)

    def last_seq(self) -> int:
        """The newest sequence number, 0 for an empty log."""
        with self._lock:
            return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])

    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the whole log to `target`."""
        with self._lock:
            copy = sqlite3.connect(target)
            try:
                self._db.backup(copy)
            finally:
                copy.close()

    def replace(self, entries: list[LogEntry]) -> None:
        """Puts other entries in the place of all; the file of the old ones is kept as a copy beside it."""
        with self._lock:
            with self._writing():
                log_aside(self._db, self.path.parent, f"{self.path.stem}-before", ".sqlite")
            with self._writing():
                self._db.execute("DELETE FROM events")
                self._db.executemany(INSERT, [_row(entry) for entry in entries])
            self._journal.rewrite(entries)

    def close(self) -> None:
        """Closes the file; may be called twice."""
        with self._lock:
            self._db.close()
            self._journal.close()

    @property
    def _journal_path(self) -> Path:
        return self.path.with_suffix(".jsonl")

    def _catch_up(self, last: int) -> None:
        """Writes the copy anew, unless the log itself cannot be read to its end: then the copy may be all there is."""
        ours = list(_intact(self._db, f"{SELECT} ORDER BY seq", []))
        if ours and ours[-1].seq == last:
            self._journal.rewrite(ours)

    def _agree(self) -> None:
        """Makes the log and its copy the same: each can have lost its tail."""
        ours = list(_intact(self._db, f"{SELECT} ORDER BY seq", []))
        theirs = self._journal.entries()
        whole = _continued(ours, theirs, self._journal)
        if len(whole) > len(ours):
            log.warning("%d entries were missing from the log: taken from its copy", len(whole) - len(ours))
            _insert(self._db, whole[len(ours) :])
        if whole != theirs or self._journal.is_damaged:
            self._write_journal_anew(whole)
        self._set_aside_after(whole[-1].seq if whole else 0)

    def _write_journal_anew(self, entries: list[LogEntry]) -> None:
        """What the copy holds besides these entries, or otherwise, is put aside first, and told."""
        if not self._journal.begins(entries):
            aside = file_aside(self._journal_path)
            log.warning("the copy of the log is damaged or another log's: it is kept as %s and written anew", aside)
            self._note_repair(aside, entries)
        self._journal.rewrite(entries)

    def _set_aside_after(self, last: int) -> None:
        """Entries after one that cannot be read would hide each new one: the log goes on without them."""
        unread = self._db.execute("SELECT count(*) FROM events WHERE seq > ?", [last]).fetchone()[0]
        if not unread:
            return
        aside = log_aside(self._db, self.path.parent, f"{self.path.name}.damaged")
        self._note_repair(aside, list(_intact(self._db, f"{SELECT} WHERE seq <= ? ORDER BY seq", [last])))
        with self._db:
            self._db.execute("DELETE FROM events WHERE seq > ?", [last])
        log.warning("%d entries that cannot be read are kept in %s", unread, aside)

    def _note_repair(self, aside: Path, kept: list[LogEntry]) -> None:
        """For the host: the terminal is seldom looked at. Once an opening, before anything is changed.

        Raises OSError where it cannot be written: then the repair waits for the next opening.
        """
        if self._is_told:
            return
        game = next((entry.game for entry in reversed(kept) if entry.game), None)
        if not Repairs(self.path.with_name(REPAIRS_NAME)).note(len(kept), game, aside):
            raise OSError("the note for the host cannot be written")
        self._is_told = True

    def _open_or_salvage(self) -> sqlite3.Connection:
        try:
            return _open(self.path)
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"cannot open the game log {str(self.path)!r} ({error}): check the rights of the file and the free "
                "space, or choose another folder with --data-dir"
            ) from error
        except sqlite3.DatabaseError as error:
            log.warning("the game log %s is damaged (%s): saving the entries before the damage", self.path, error)
            return self._salvage()

    def _salvage(self) -> sqlite3.Connection:
        """Moves the damaged log aside, copies its intact entries into a new one, and opens that.

        Raises StoreError where that cannot be done; then the damaged log is in its place again, for the next time.
        """
        fresh: sqlite3.Connection | None = None
        is_begun = False
        moved: list[tuple[Path, Path]] = []
        try:
            damaged = aside_name(self.path.parent, f"{self.path.name}.damaged")
            for suffix in ("", "-wal", "-shm"):
                part = self.path.with_name(self.path.name + suffix)
                if part.exists():
                    moved.append((part, part.replace(damaged.with_name(damaged.name + suffix))))
            saved = self._saved(damaged)
            is_begun = True
            fresh = _open(self.path)
            _insert(fresh, saved)
            self._note_repair(damaged, saved)
        except (OSError, sqlite3.Error) as error:
            if fresh is not None:
                fresh.close()
            if is_begun:
                for suffix in ("", "-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            for part, aside in moved:
                aside.replace(part)
            raise StoreError(
                f"the game log {str(self.path)!r} is damaged and cannot be repaired ({error}): nothing was changed; "
                "make room if the disk is full, then start again"
            ) from error
        log.warning(
            "%d entries saved; the damaged log is kept as %s; put a backup back if games are missing",
            len(saved),
            damaged,
        )
        return fresh

    def _saved(self, damaged: Path) -> list[LogEntry]:
        """What can be read of a damaged log and its copy."""
        saved: list[LogEntry] = []
        try:
            _pad(damaged)
            source = sqlite3.connect(damaged)
            try:
                saved.extend(_intact(source, f"{SELECT} ORDER BY seq", []))
            finally:
                source.close()
        except (sqlite3.DatabaseError, OSError) as error:
            log.warning("nothing more could be saved from %s: %s", damaged, error)
        if self._journal_path.is_file():
            journal = Journal(self._journal_path)
            try:
                copied = journal.entries()
                saved = _continued(saved, copied, journal) if len(copied) <= len(saved) else copied
            finally:
                journal.close()
        return saved


def check_folder(folder: Path) -> None:
    """Makes the data folder where there is none. Raises StoreError where it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the data folder {str(folder)!r} ({error.strerror}): choose another with --data-dir"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"cannot write to the data folder {str(folder)!r}: make it yours with chown, "
            "or choose another with --data-dir"
        )


def _continued(ours: list[LogEntry], theirs: list[LogEntry], journal: Journal) -> list[LogEntry]:
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


def _insert(db: sqlite3.Connection, entries: list[LogEntry]) -> None:
    with db:
        # an entry in the place of one that could not be read
        db.executemany(INSERT.replace("INSERT", "INSERT OR REPLACE"), [_row(entry) for entry in entries])


def _row(entry: LogEntry) -> tuple[int, str | None, float, str, str]:
    return entry.seq, entry.game, entry.at_s, entry.who, json.dumps(entry.event, ensure_ascii=False)


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA wal_autocheckpoint=1")
        db.execute(SCHEMA)
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        db.commit()
    except BaseException:
        db.close()
        raise
    return db


def _pad(path: Path) -> None:
    """Fills a file that was cut off up to the size its header names: SQLite reads nothing of a shorter one."""
    with path.open("r+b") as file:
        header = file.read(100)
        if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
            return
        page_bytes = int.from_bytes(header[16:18], "big")
        page_bytes = 65536 if page_bytes == 1 else page_bytes
        size = page_bytes * int.from_bytes(header[28:32], "big")
        if file.seek(0, os.SEEK_END) < size:
            file.truncate(size)


def _intact(db: sqlite3.Connection, query: str, values: list[Any]) -> Iterator[LogEntry]:
    """The rows of a query up to the first that cannot be read: what follows a gap would make no sense."""
    rows = db.execute(query, values)
    while True:
        try:
            row = rows.fetchone()
        except sqlite3.DatabaseError as error:
            log.warning("the log cannot be read further: %s", error)
            return
        if row is None:
            return
        seq, game, at_s, who, text = row
        try:
            entry = checked_entry(seq, game, at_s, who, parsed(text))
        except (TypeError, ValueError) as error:
            log.warning("entry %r of the log is damaged (%s): it and those after it are left out", seq, error)
            return
        yield entry
