"""A second, plain copy of the event log: one JSON line an entry. It is read only to repair the first."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tablesight.webui.log_entry import LogEntry, checked_entry
from tablesight.webui.log_file import event_text
from tablesight.webui.plain_json import parsed

log = logging.getLogger(__name__)

MAX_LINE_BYTES: Final = 4_000_000


class Journal:
    """SQLite keeps the oldest rows at the end of its first pages: a file that was cut off can lose the start of a game.

    Lines that were appended lose only their tail. The caller holds a lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("ab", buffering=0)
        self.is_damaged = False
        self.is_behind = False
        """Whether an entry could not be written: the next one calls for `rewrite`."""

    def append(self, entries: Iterable[LogEntry]) -> None:
        """Writes entries and forces them to the disk. A full disk costs the copy, not the entry."""
        lines = b"".join(_line(entry) for entry in entries)
        if not lines:
            return
        try:
            if self._file.write(lines) != len(lines):
                raise OSError("it was written in part only")
            os.fsync(self._file.fileno())
        except OSError as error:
            self.is_behind = True
            log.warning("the copy of the log could not be written: %s", error)

    def entries(self) -> list[LogEntry]:
        """Every entry up to the first line that is damaged."""
        found: list[LogEntry] = []
        with self.path.open("rb") as file:
            while raw := file.readline(MAX_LINE_BYTES + 1):
                if raw == b"\n":
                    continue
                last = found[-1].seq if found else 0
                try:
                    found.append(_entry(raw, last))
                except (ValueError, KeyError, TypeError) as error:
                    self.is_damaged = True
                    log.warning("the copy of the log is damaged after entry %d: %s", last, error)
                    break
        return found

    def readable(self) -> dict[int, LogEntry]:
        """Every entry of a line that can be read, by its number: also those after a damaged line."""
        found: dict[int, LogEntry] = {}
        with self.path.open("rb") as file:
            while raw := file.readline(MAX_LINE_BYTES + 1):
                try:
                    entry = _entry(raw, 0)
                except (ValueError, KeyError, TypeError):
                    continue
                found.setdefault(entry.seq, entry)
        return found

    def begins(self, entries: Iterable[LogEntry]) -> bool:
        """Whether the file holds nothing but the beginning of these entries: to write them anew loses nothing."""
        with self.path.open("rb") as file:
            for entry in entries:
                line = _line(entry)
                held = file.read(len(line))
                if held != line:
                    return line.startswith(held)
            return not file.read(1)

    def copied(self, entries: Iterable[tuple[LogEntry, str]]) -> int | None:
        """How many entries these are, each with the text of its event, where the file holds just them, as it wrote them
        itself; None where it holds anything else. Neither is kept in memory."""
        count = 0
        with self.path.open("rb") as file:
            for entry, text in entries:
                line = _line(entry, text)
                if file.read(len(line)) != line:
                    return None
                count += 1
            return None if file.read(1) else count

    def rewrite(self, entries: Iterable[LogEntry]) -> None:
        """Starts over with these entries. A full disk costs the copy, until the next time."""
        fresh = self.path.with_suffix(".new")
        try:
            with fresh.open("wb") as file:
                file.write(b"".join(_line(entry) for entry in entries))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            self.is_behind = True
            log.warning("the copy of the log could not be written anew: %s", error)
            return
        self._file.close()
        self.is_damaged = self.is_behind = False
        self._file = self.path.open("ab", buffering=0)

    def close(self) -> None:
        """Closes the file; may be called twice."""
        self._file.close()


def _entry(raw: bytes, last: int) -> LogEntry:
    """The entry of one line, numbered after `last`. Raises ValueError, KeyError or TypeError."""
    if len(raw) > MAX_LINE_BYTES:
        raise ValueError(f"expected a line of at most {MAX_LINE_BYTES} bytes")
    line: Any = parsed(raw)
    entry = checked_entry(line["seq"], line["game"], line["at_s"], line["who"], line["event"])
    if entry.seq <= last:
        raise ValueError(f"expected an entry after {last}, got {entry.seq}")
    return entry


def _line(entry: LogEntry, text: str | None = None) -> bytes:
    """One line; `text` is the event written down, where it is known."""
    game, who = (json.dumps(word, ensure_ascii=False) for word in (entry.game, entry.who))
    event = event_text(entry.event) if text is None else text
    return f'{{"seq":{entry.seq},"game":{game},"at_s":{json.dumps(entry.at_s)},"who":{who},"event":{event}}}\n'.encode()
