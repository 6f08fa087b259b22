"""The event log on disk: one append-only SQLite table, every commit forced to the card."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tablesight.webui.aside import file_aside, log_aside
from tablesight.webui.errors import CannotWrite, StoreError
from tablesight.webui.journal import Journal
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.log_file import INSERT, SELECT, event_text, insert, intact, intact_texts, open_log, row
from tablesight.webui.repairs import BEHIND, DAMAGED, MISSING, Repairs, What
from tablesight.webui.salvage import continued, salvage

log = logging.getLogger(__name__)

REPAIRS_NAME: Final = "repairs.json"


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
        text = event_text(event)
        with self._lock:
            at_s = time.time()
            if not (self.path.exists() or self._journal_path.exists()):
                self.is_full = True  # written into a folder that is gone, it would be lost
                raise _moved()
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
        except sqlite3.DatabaseError as error:
            self.is_full = True
            log.warning("the game log cannot be written: %s", error)
            raise _cannot_write(error) from error
        self.is_full = False

    def entries(self, game: str | None = None, after: int = 0) -> list[LogEntry]:
        """All entries after sequence number `after`, oldest first; of one game where `game` is given."""
        query = f"{SELECT} WHERE seq > ?"
        values: list[Any] = [after]
        if game is not None:
            query += " AND game = ?"
            values.append(game)
        with self._lock:
            return list(intact(self._db, query + " ORDER BY seq", values))

    def first_entry(self, game: str) -> LogEntry | None:
        """The one that began a game, None where there is none."""
        with self._lock:
            return next(intact(self._db, f"{SELECT} WHERE game = ? ORDER BY seq LIMIT 1", [game]), None)

    def house_entries(self) -> list[LogEntry]:
        """Those of no game, oldest first."""
        with self._lock:
            return list(intact(self._db, f"{SELECT} WHERE game IS NULL ORDER BY seq", []))

    def beginnings(self, most: int = -1) -> list[tuple[LogEntry, int]]:
        """The first entry of each game and the number of its last one, the newest `most` games first (-1: all)."""
        ends = "SELECT min(seq) AS first, max(seq) AS last FROM events WHERE game IS NOT NULL GROUP BY game"
        with self._lock:
            lasts = dict(self._db.execute(f"{ends} ORDER BY first DESC LIMIT ?", [most]).fetchall())
            found = [next(intact(self._db, f"{SELECT} WHERE seq = ?", [first]), None) for first in lasts]
        return [(entry, lasts[entry.seq]) for entry in found if entry]

    def last_seq(self) -> int:
        """The newest sequence number, 0 for an empty log."""
        with self._lock:
            return self._last_seq()

    def _last_seq(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])

    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the whole log to `target`."""
        with self._lock:
            copy = sqlite3.connect(target)
            try:
                self._db.backup(copy)
            finally:
                copy.close()

    def replace(self, entries: list[LogEntry]) -> Path:
        """Puts other entries in the place of all. Returns the file beside it that keeps the old ones.

        Raises CannotWrite; then nothing has changed.
        """
        with self._lock:
            with self._writing():
                before = log_aside(self._db, self.path.parent, f"{self.path.stem}-before", ".sqlite")
            # first: killed in between, the copy must not bring the old entries back
            self._journal.rewrite([])
            try:
                with self._writing():
                    self._db.execute("DELETE FROM events")
                    self._db.executemany(INSERT, [row(entry) for entry in entries])
            except CannotWrite:
                self._catch_up(self._last_seq())
                raise
            self._journal.rewrite(entries)
        return before

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
        ours = list(intact(self._db, f"{SELECT} ORDER BY seq", []))
        if ours and ours[-1].seq == last:
            self._journal.rewrite(ours)

    def _agree(self) -> None:
        """Makes the log and its copy the same: each can have lost its tail."""
        if self._journal.copied(intact_texts(self._db, f"{SELECT} ORDER BY seq", [])) == self._count():
            return  # as nearly always
        ours = list(intact(self._db, f"{SELECT} ORDER BY seq", []))
        theirs = self._journal.entries()
        whole = continued(ours, theirs, self._journal)
        if len(whole) > len(ours):
            self._take_from_copy(whole, len(ours))
        if whole != theirs or self._journal.is_damaged:
            self._write_journal_anew(whole)
        self._set_aside_after(whole[-1].seq if whole else 0)

    def _take_from_copy(self, whole: list[LogEntry], known: int) -> None:
        """The log goes on with all that its copy knows. What it was before is kept, and told: somebody may have put an
        older file back on purpose."""
        log.warning("%d entries were missing from the log: taken from its copy", len(whole) - known)
        rows = self._count()
        if not rows:
            self._note_repair(MISSING, whole)
        elif not self._is_told:
            unread = rows > known
            name = f"{self.path.name}.damaged" if unread else f"{self.path.stem}-older"
            aside = log_aside(self._db, self.path.parent, name, "" if unread else ".sqlite")
            self._note_repair(DAMAGED if unread else BEHIND, whole, aside, 0 if unread else len(whole) - known)
        insert(self._db, whole[known:])

    def _count(self, after: int = 0) -> int:
        return int(self._db.execute("SELECT count(*) FROM events WHERE seq > ?", [after]).fetchone()[0])

    def _write_journal_anew(self, entries: list[LogEntry]) -> None:
        """What the copy holds besides these entries, or otherwise, is put aside first, and told."""
        if not self._journal.begins(entries):
            aside = file_aside(self._journal_path)
            log.warning("the copy of the log is damaged or another log's: it is kept as %s and written anew", aside)
            self._note_repair(DAMAGED, entries, aside)
        self._journal.rewrite(entries)

    def _set_aside_after(self, last: int) -> None:
        """Entries after one that cannot be read would hide each new one: the log goes on without them."""
        unread = self._count(last)
        if not unread:
            return
        aside = log_aside(self._db, self.path.parent, f"{self.path.name}.damaged")
        kept = list(intact(self._db, f"{SELECT} WHERE seq <= ? ORDER BY seq", [last]))
        self._note_repair(DAMAGED, kept, aside)
        with self._db:
            self._db.execute("DELETE FROM events WHERE seq > ?", [last])
        log.warning("%d entries that cannot be read are kept in %s", unread, aside)

    def _note_repair(self, what: What, kept: list[LogEntry], aside: Path | None = None, added: int = 0) -> None:
        """For the host: the terminal is seldom looked at. Once an opening, before anything is changed.

        Raises OSError where it cannot be written: then the repair waits for the next opening.
        """
        if self._is_told:
            return
        game = next((entry.game for entry in reversed(kept) if entry.game), None)
        if not Repairs(self.path.with_name(REPAIRS_NAME)).note(len(kept), game, aside, what, added):
            raise OSError("the note for the host cannot be written")
        self._is_told = True

    def _open_or_salvage(self) -> sqlite3.Connection:
        try:
            return open_log(self.path)
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"cannot open the game log {str(self.path)!r} ({error}): {_next_step(error)}; "
                "else choose another folder with --data-dir"
            ) from error
        except sqlite3.DatabaseError as error:
            log.warning("the game log %s is damaged (%s): saving the entries before the damage", self.path, error)
        salvage(self.path, self._journal_path, lambda aside, saved: self._note_repair(DAMAGED, saved, aside))
        return open_log(self.path)


def check_folder(folder: Path) -> None:
    """Makes the data folder where there is none. Raises StoreError where it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the data folder {str(folder)!r} ({error.strerror}): choose another with --data-dir"
        ) from error
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        raise StoreError(
            f"cannot write to the data folder {str(folder)!r}, its disk is mounted to be read only: mount it for "
            "writing (a card that fails becomes read only by itself), or choose another with --data-dir"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(
            f"cannot write to the data folder {str(folder)!r}: make it yours with chown, "
            "or choose another with --data-dir"
        )


def _next_step(error: sqlite3.Error) -> str:
    """What helps where the file cannot be opened."""
    match _code(error) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "close the other program that holds it"
        case sqlite3.SQLITE_FULL:
            return "make room on the disk"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return "make the file and its folder yours with chown, and see that the disk is not read-only"
    return "make room if the disk is full, else see whether it is failing"


def _cannot_write(error: sqlite3.DatabaseError) -> CannotWrite:
    """What is really wrong, and what to do next."""
    if _code(error) == sqlite3.SQLITE_READONLY_DBMOVED:
        return _moved()
    match _code(error) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return CannotWrite()
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return CannotWrite("another program holds the game log: nothing was changed; close it, then try again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return CannotWrite(
                f"the game log can only be read ({error}): nothing was changed; "
                "make the data folder writable again, then try again"
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return CannotWrite(
                f"the file of the games is damaged ({error}): nothing was changed; start Tablesight again to repair it"
            )
    return CannotWrite(
        f"the game log cannot be written ({error}): nothing was changed; see to the disk, then try again"
    )


def _moved() -> CannotWrite:
    return CannotWrite(
        "the file of the games was moved or deleted while it was open: nothing was changed; "
        "put it back in its place, then start Tablesight again"
    )


def _code(error: sqlite3.Error) -> int:
    """SQLite's extended code; 0 where the error is Python's own."""
    return int(getattr(error, "sqlite_errorcode", 0))
