"""What a repair of the log puts aside: nothing is written over, all is told, and a full disk costs only time."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tablesight.webui import salvage as salvage_module
from tablesight.webui.aside import aside_name, file_aside
from tablesight.webui.journal import Journal
from tablesight.webui.repairs import Repairs
from tablesight.webui.store import Store, StoreError


def filled(path: Path, count: int) -> None:
    store = Store(path)
    for number in range(count):
        store.append("g", {"type": "note", "n": number}, "ana")
    store.close()


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


def spoil_line(journal: Path, place: int) -> bytes:
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[place] = b"\0garbage\n"
    journal.write_bytes(b"".join(lines))
    return journal.read_bytes()


def numbers(path: Path) -> list[int]:
    store = Store(path)
    try:
        return [entry.event["n"] for entry in store.entries()]
    finally:
        store.close()


def told(folder: Path) -> list[int]:
    return [repair.kept for repair in Repairs(folder / "repairs.json").unread]


def test_a_bad_line_in_the_only_copy_destroys_nothing_after_it_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 9)
    path.unlink()
    damaged = spoil_line(tmp_path / "log.jsonl", 2)
    assert numbers(path) == [0, 1]
    (aside,) = tmp_path.glob("log.jsonl.damaged-*")
    assert aside.read_bytes() == damaged
    assert told(tmp_path) == [2]
    assert numbers(path) == [0, 1]
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_past_a_bad_line_the_copy_is_read_on_where_the_log_has_that_entry(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 9)
    change(path, "DELETE FROM events WHERE seq > 5")
    spoil_line(tmp_path / "log.jsonl", 2)
    assert numbers(path) == list(range(9))
    assert told(tmp_path) == [9]


def test_a_copy_that_says_something_else_is_put_aside_and_told(tmp_path: Path) -> None:
    path, journal = tmp_path / "log.sqlite", tmp_path / "log.jsonl"
    filled(path, 9)
    other = journal.read_bytes().replace(b'"n":4', b'"n":7')
    journal.write_bytes(other)
    assert numbers(path) == list(range(9))
    (aside,) = tmp_path.glob("log.jsonl.damaged-*")
    assert aside.read_bytes() == other
    assert told(tmp_path) == [9]


def test_a_copy_that_only_lost_its_end_is_no_damage_to_tell(tmp_path: Path) -> None:
    path, journal = tmp_path / "log.sqlite", tmp_path / "log.jsonl"
    filled(path, 9)
    journal.write_bytes(journal.read_bytes()[:-30])
    assert numbers(path) == list(range(9))
    assert told(tmp_path) == []
    assert not list(tmp_path.glob("*.damaged-*"))


@pytest.fixture
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "strftime", lambda _: "20260101-120000")


@pytest.mark.usefixtures("one_second")
def test_two_restores_in_one_second_keep_both_logs(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    kept = [store.append("g", {"type": "note", "n": 0})]
    store.append("g", {"type": "note", "n": 1})
    store.replace(kept)
    store.replace([])
    store.close()
    copies = sorted(tmp_path.glob("log-before-*.sqlite"), key=lambda path: len(path.name))
    assert len(copies) == 2
    assert [len(numbers(copy)) for copy in copies] == [2, 1]


@pytest.mark.usefixtures("one_second")
def test_two_repairs_in_one_second_keep_both_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    for text in (b"first" * 500, b"second" * 500):
        path.write_bytes(text)
        Store(path).close()
    assert {aside.read_bytes() for aside in tmp_path.glob("log.sqlite.damaged-*")} == {b"first" * 500, b"second" * 500}
    first, second = (aside_name(tmp_path, "x") for _ in range(2))
    assert first != second


def test_where_there_are_no_links_the_file_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr("os.link", refused)
    (tmp_path / "a").write_bytes(b"content")
    assert file_aside(tmp_path / "a").read_bytes() == b"content"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("failing", ["log", "note"])
def test_a_damaged_log_on_a_full_disk_says_so_and_is_repaired_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 9)
    path.write_bytes(b"no database" * 100)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        if failing == "log":
            patch.setattr(salvage_module, "insert", full)
        else:
            patch.setattr(Repairs, "note", lambda *_: False)
        with pytest.raises(StoreError, match="make room if the disk is full"):
            Store(path)
    assert path.read_bytes() == b"no database" * 100
    assert not list(tmp_path.glob("*.damaged-*"))
    assert numbers(path) == list(range(9))
    assert told(tmp_path) == [9]
    assert len(list(tmp_path.glob("log.sqlite.damaged-*"))) == 1


def test_a_copy_that_cannot_be_put_aside_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 9)
    damaged = spoil_line(tmp_path / "log.jsonl", 2)
    with monkeypatch.context() as patch:
        patch.setattr(Repairs, "note", lambda *_: False)
        with pytest.raises(StoreError, match="make room if the disk is full"):
            Store(path)
    assert (tmp_path / "log.jsonl").read_bytes() == damaged


def test_a_log_that_cannot_be_read_to_its_end_does_not_take_its_copy_along(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    store = Store(path)
    for number in range(5):
        store.append("g", {"type": "note", "n": number})
    store._db.execute("UPDATE events SET event = '{' WHERE seq = 3")
    store._journal.is_behind = True
    store.append("g", {"type": "note", "n": 5})
    store.close()
    journal = Journal(tmp_path / "log.jsonl")
    assert len(journal.entries()) == 5
    journal.close()


def repairs(folder: Path) -> list[tuple[str, int, int]]:
    return [(repair.what, repair.kept, repair.added) for repair in Repairs(folder / "repairs.json").unread]


@pytest.mark.parametrize("empty", [False, True], ids=["gone", "empty"])
def test_a_log_that_is_not_there_is_made_from_its_copy_and_told(tmp_path: Path, empty: bool) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 9)
    path.unlink()
    if empty:
        path.touch()
    assert numbers(path) == list(range(9))
    assert repairs(tmp_path) == [("missing", 9, 0)]
    assert [repair.aside for repair in Repairs(tmp_path / "repairs.json").unread] == [""]
    assert numbers(path) == list(range(9))
    assert len(repairs(tmp_path)) == 1


def test_a_new_house_has_nothing_to_tell(tmp_path: Path) -> None:
    filled(tmp_path / "log.sqlite", 0)
    assert repairs(tmp_path) == []


def test_an_older_log_put_back_is_kept_and_told(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 5)
    older = path.read_bytes()
    filled(path, 4)
    path.write_bytes(older)
    assert len(numbers(path)) == 9
    assert repairs(tmp_path) == [("behind", 9, 4)]
    (aside,) = tmp_path.glob("log-older-*.sqlite")
    (tmp_path / "elsewhere").mkdir()
    assert numbers(aside.rename(tmp_path / "elsewhere" / "log.sqlite")) == list(range(5))
    assert len(numbers(path)) == 9
    assert len(repairs(tmp_path)) == 1


def test_a_row_that_cannot_be_read_is_kept_before_its_copy_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 5)
    change(path, "UPDATE events SET event = '{' WHERE seq = 3")
    assert numbers(path) == list(range(5))
    assert repairs(tmp_path) == [("damaged", 5, 0)]
    (aside,) = tmp_path.glob("log.sqlite.damaged-*")
    assert sqlite3.connect(aside).execute("SELECT event FROM events WHERE seq = 3").fetchone() == ("{",)


@pytest.mark.parametrize("moment", ["file_aside", "open_log", "insert", "note"])
def test_killed_while_it_is_repaired_a_log_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 300)
    (tmp_path / "log.jsonl").unlink()
    path.write_bytes(path.read_bytes()[:-3000])
    damaged = path.read_bytes()
    wanted = numbers_of_a_copy(tmp_path)

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        if moment == "note":
            patch.setattr(Repairs, "note", killed)
        else:
            patch.setattr(salvage_module, moment, killed)
        with pytest.raises(Killed):
            Store(path)
    assert path.read_bytes() == damaged
    assert numbers(path) == wanted
    assert not list(tmp_path.glob("*.new*"))


def numbers_of_a_copy(folder: Path) -> list[int]:
    (folder / "copy").mkdir()
    (folder / "copy" / "log.sqlite").write_bytes((folder / "log.sqlite").read_bytes())
    found = numbers(folder / "copy" / "log.sqlite")
    assert found
    return found
