from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tablesight.webui.journal import Journal
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.store import Store, StoreError


def filled(path: Path, count: int = 300) -> None:
    store = Store(path)
    for number in range(count):
        store.append("g", {"type": "note", "n": number, "text": "x" * 40}, "ana")
    store.close()


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


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
    (tmp_path / "log.jsonl").unlink()
    change(path, 'UPDATE events SET event = \'{"type": "no\' WHERE seq = 5')
    store = Store(path)
    assert [entry.seq for entry in store.entries()] == [1, 2, 3, 4]
    assert store.append("g", {"type": "note"}).seq == 5
    store.close()
    store = Store(path)
    assert [entry.seq for entry in store.entries()] == [1, 2, 3, 4, 5]
    store.close()
    assert len(list(tmp_path.glob("log.sqlite.damaged-*"))) == 1


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
    change(path, "DELETE FROM events WHERE seq > 7")
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


def line(**fields: object) -> bytes:
    return json.dumps({"seq": 13, "game": "g", "at_s": 1.0, "who": "ana", "event": {"type": "note"}, **fields}).encode()


BAD_LINES = [
    pytest.param(b"", id="the last line twice"),
    pytest.param(line(seq=3), id="a number that was"),
    pytest.param(line(seq=10**30), id="a huge number"),
    pytest.param(line(seq=2**53), id="a number no browser counts to"),
    pytest.param(line(seq=13.5), id="half a number"),
    pytest.param(line(seq=True), id="true as a number"),
    pytest.param(line(game=7), id="a number as a game"),
    pytest.param(line(at_s=None), id="no time"),
    pytest.param(line(who=["ana"]), id="who is a list"),
    pytest.param(line(event=["note"]), id="the event is a list"),
    pytest.param(line(game="\ud800"), id="half a character as the game"),
    pytest.param(line(event={"type": "\udfff"}), id="half a character in the event"),
    pytest.param(b"[" * 50_000, id="50000 brackets"),
    pytest.param(line(event={"deep": json.loads("[" * 500 + "]" * 500)}), id="a deep event"),
    pytest.param(b"[1, 2]", id="a list"),
    pytest.param(b"\xff\xfe\x00", id="no text"),
]


@pytest.mark.parametrize("bad", BAD_LINES)
@pytest.mark.parametrize("sqlite", ["whole", "cut", "gone"])
def test_a_bad_line_in_the_copy_costs_neither_the_start_nor_an_entry(tmp_path: Path, bad: bytes, sqlite: str) -> None:
    path, journal = tmp_path / "log.sqlite", tmp_path / "log.jsonl"
    filled(path, 12)
    whole = journal.read_bytes()
    journal.write_bytes(whole + (bad or whole.splitlines()[-1]) + b"\n" + line(seq=14) + b"\n")
    if sqlite == "gone":
        path.unlink()
    elif sqlite == "cut":
        path.write_bytes(path.read_bytes()[:-3000])
    for _ in range(2):
        store = Store(path)
        assert [entry.event["n"] for entry in store.entries()] == list(range(12))
        store.close()
    assert journal.read_bytes() == whole


def test_an_entry_that_cannot_be_read_comes_back_from_the_copy(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 5)
    change(path, 'UPDATE events SET event = \'{"type": "no\' WHERE seq = 3')
    store = Store(path)
    assert [entry.event["n"] for entry in store.entries()] == list(range(5))
    store.close()


def test_the_newest_games_come_first_each_with_its_first_entry_and_its_last_number(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    for game in ("old", None, "new", "old", "new", "newest", None, "new"):
        store.append(game, {"type": "note", "game": game})
    begun = [(entry.game, entry.seq, last) for entry, last in store.beginnings()]
    assert begun == [("newest", 6, 6), ("new", 3, 8), ("old", 1, 4)]
    assert [entry.game for entry, _ in store.beginnings(2)] == ["newest", "new"]
    assert [entry.seq for entry in store.house_entries()] == [2, 7]
    store.close()


def test_a_copy_that_is_one_is_only_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 20)
    store = Store(path)
    store.replace(
        [*store.entries()[:10], LogEntry(99, None, 1.0, "Zo\u00eb", {"type": "note", "text": "\u00fc\U0001f3b2"})]
    )
    store.append(None, {"type": "note", "n": 0.1, "text": "\u2028"})
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "entries", lambda _: pytest.fail("nothing is to be repaired"))
        store = Store(path)
    assert len(store.entries()) == 12
    store.close()


def test_an_index_that_lost_an_entry_loses_no_entry(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    filled(path, 20)
    db = sqlite3.connect(path)
    db.execute("PRAGMA writable_schema=ON")
    (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'events_by_game'").fetchone()
    db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'events_by_game'", [sql + " WHERE seq > 10"])
    db.commit()
    db.close()
    db = sqlite3.connect(path)
    db.execute("REINDEX")
    db.execute("PRAGMA writable_schema=ON")
    db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'events_by_game'", [sql])
    db.commit()
    db.close()
    store = Store(path)
    assert len(store.entries("g")) == 20
    store.close()
