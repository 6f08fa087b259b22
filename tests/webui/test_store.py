from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tablesight.webui.store import Store, StoreError


def filled(path: Path, count: int = 300) -> None:
    store = Store(path)
    for number in range(count):
        store.append("g", {"type": "note", "n": number, "text": "x" * 40}, "ana")
    store.close()


def test_entries_come_back_in_order_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 3)
    store = Store(path)
    entries = store.entries("g")
    assert [(entry.seq, entry.event["n"], entry.who) for entry in entries] == [
        (1, 0, "ana"),
        (2, 1, "ana"),
        (3, 2, "ana"),
    ]
    assert store.entries("other") == []
    assert [entry.seq for entry in store.entries(after=2)] == [3]
    assert store.last_seq() == 3
    store.close()


def test_the_log_is_forced_to_the_disk(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    store.close()


def test_a_copy_of_the_main_file_alone_has_every_entry(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    for number in range(20):
        store.append("g", {"type": "note", "n": number})
    copy = tmp_path / "copy" / "log.sqlite"
    copy.parent.mkdir()
    copy.write_bytes((tmp_path / "log.sqlite").read_bytes())
    store.close()
    again = Store(copy)
    assert len(again.entries()) == 20
    again.close()


@pytest.mark.parametrize("share", [0.9, 0.6])
def test_a_log_whose_tail_was_cut_off_keeps_the_intact_entries(tmp_path: Path, share: float) -> None:
    path = tmp_path / "log.sqlite"
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    (tmp_path / "log.jsonl").unlink()
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    store = Store(path)
    numbers = [entry.event["n"] for entry in store.entries("g")]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > 300 * share - 100
    store.append("g", {"type": "note", "n": -1})
    store.close()
    assert list(tmp_path.glob("log.sqlite.damaged-*"))


def test_a_torn_write_ahead_log_keeps_what_was_committed_before(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 10)
    path.with_name("log.sqlite-wal").write_bytes(b"\x37\x7f\x06\x82" + b"\0" * 500)
    store = Store(path)
    assert len(store.entries()) == 10
    store.close()


def test_a_last_entry_that_is_no_json_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 5)
    db = sqlite3.connect(path)
    (tmp_path / "log.jsonl").unlink()
    db.execute('UPDATE events SET event = \'{"type": "no\' WHERE seq = 5')
    db.commit()
    db.close()
    store = Store(path)
    assert [entry.seq for entry in store.entries()] == [1, 2, 3, 4]
    store.close()


def test_a_file_that_is_no_log_is_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(b"this is no database, but somebody may want it" * 100)
    store = Store(path)
    assert store.entries() == []
    store.close()
    assert len(list(tmp_path.glob("log.sqlite.damaged-*"))) == 1


def test_a_data_folder_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--data-dir"):
        Store(tmp_path / "file" / "data" / "log.sqlite")


@pytest.mark.parametrize("lost", [100, 1000, 3000, 8000])
def test_a_small_log_that_was_cut_off_loses_nothing(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 12)
    data = path.read_bytes()
    path.write_bytes(data[: max(len(data) - lost, 0)])
    store = Store(path)
    assert [entry.event["n"] for entry in store.entries()] == list(range(12))
    assert store.append("g", {"type": "note"}).seq == 13
    store.close()


def test_a_log_that_lost_its_last_rows_takes_them_from_its_copy(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 12)
    db = sqlite3.connect(path)
    db.execute("DELETE FROM events WHERE seq > 7")
    db.commit()
    db.close()
    store = Store(path)
    assert [entry.seq for entry in store.entries()] == list(range(1, 13))
    store.close()


def test_a_copy_that_was_cut_off_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 12)
    journal = tmp_path / "log.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-50])
    Store(path).close()
    assert journal.read_bytes() == whole
