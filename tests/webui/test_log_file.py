"""A file in the place of the log that is none: said as it is, and nothing is written into it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablesight.webui.errors import CannotWrite, StoreError
from tablesight.webui.store import Store

OURS = "seq INTEGER PRIMARY KEY, game TEXT, at REAL NOT NULL, who TEXT NOT NULL, event TEXT NOT NULL"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        pytest.param("CREATE TABLE films (title)", "the table 'films'", id="another program's table"),
        pytest.param("CREATE TABLE events (seq)", "columns 'seq' instead of 'seq, game, at", id="one column"),
        pytest.param(f"CREATE TABLE events ({OURS}, mood TEXT NOT NULL)", "seq, game, at, who, event, mood", id="more"),
        pytest.param(f"CREATE TABLE events ({OURS.replace(' PRIMARY KEY', '')})", "instead of", id="no key"),
        pytest.param("CREATE VIEW events AS SELECT 1 AS seq", "the view 'events'", id="a view"),
    ],
)
def test_another_program_s_file_is_named_and_not_touched(tmp_path: Path, statement: str, words: str) -> None:
    path = tmp_path / "log.sqlite"
    db = sqlite3.connect(path)
    db.execute(statement)
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Store(path)
    sentence = str(caught.value)
    assert words in sentence
    assert "expected a game log of Tablesight" in sentence
    assert "move it away, or choose another data folder with --data-dir" in sentence
    assert "disk" not in sentence
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["log.sqlite"]


def test_a_folder_in_the_place_of_the_log_is_said(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite").mkdir()
    with pytest.raises(StoreError, match="got a folder or a device: move it away"):
        Store(tmp_path / "log.sqlite")


def test_a_log_that_another_program_holds_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.sqlite"
    Store(path).close()
    impatient = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *words, **more: impatient(*words, **{**more, "timeout": 0}))
    other = sqlite3.connect(path)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="close the other program that holds it"):
        Store(path)
    other.close()
    store = Store(path)
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CannotWrite, match="another program holds the game log"):
        store.append("g", {"type": "note"})
    other.close()
    assert store.append("g", {"type": "note"}).seq == 1
    store.close()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        pytest.param(sqlite3.SQLITE_FULL, "the disk is full", id="full"),
        pytest.param(sqlite3.SQLITE_READONLY, "can only be read", id="read only"),
        pytest.param(sqlite3.SQLITE_READONLY_DBMOVED, "was moved or deleted", id="deleted while open"),
        pytest.param(sqlite3.SQLITE_CORRUPT, "start Tablesight again to repair it", id="damaged while open"),
        pytest.param(sqlite3.SQLITE_IOERR, "see to the disk", id="anything else"),
    ],
)
def test_what_keeps_an_entry_from_being_written_is_said(tmp_path: Path, code: int, words: str) -> None:
    class Failing:
        def __enter__(self) -> None:
            error = sqlite3.DatabaseError("so it is")
            error.sqlite_errorcode = code
            raise error

        def __exit__(self, *_: object) -> None: ...

    store = Store(tmp_path / "log.sqlite")
    whole, store._db = store._db, Failing()  # type: ignore[assignment]
    with pytest.raises(CannotWrite, match=words) as caught:
        store.append("g", {"type": "note"})
    assert "nothing was changed" in str(caught.value)
    assert store.is_full
    store._db = whole
    assert store.append("g", {"type": "note"}).seq == 1
    store.close()


def test_a_data_folder_that_is_gone_takes_no_entry_and_one_that_lost_a_file_does(tmp_path: Path) -> None:
    path = tmp_path / "data" / "log.sqlite"
    store = Store(path)
    store.append("g", {"type": "note"})
    path.unlink()
    assert store.append("g", {"type": "note"}).seq == 2  # the copy has it
    path.with_suffix(".jsonl").unlink()
    with pytest.raises(CannotWrite, match="moved or deleted while it was open"):
        store.append("g", {"type": "note"})
    assert store.is_full
    store.close()


def test_a_disk_that_is_read_only_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    with pytest.raises(StoreError, match="mounted to be read only: mount it for writing"):
        Store(tmp_path / "log.sqlite")
