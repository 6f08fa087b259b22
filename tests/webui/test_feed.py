from __future__ import annotations

import itertools
import threading

from tablesight.webui.feed import Feed, FeedLimits
from tablesight.webui.log_entry import LogEntry


class Told:
    """A feed of a state that is only a number."""

    def __init__(self, **limits: float) -> None:
        self.number = 0
        self.log = [LogEntry(seq, "g", 0.0, "", {"type": "note"}) for seq in range(1, 8)]
        self.feed = Feed(
            lambda: (7, f'{{"n":{self.number}}}'),
            lambda after: [entry for entry in self.log if entry.seq > after],
            FeedLimits(**limits),  # type: ignore[arg-type]
        )


def test_a_new_listener_gets_the_state_at_once() -> None:
    told = Told()
    stream = told.feed.listen(None)
    assert list(itertools.islice(stream, 2)) == ["retry: 1000\n\n", 'event: state\nid: 7\ndata: {"n":0}\n\n']
    stream.close()
    assert told.feed.listeners == 0


def test_a_listener_that_slept_gets_what_it_missed_first() -> None:
    told = Told()
    stream = told.feed.listen(5)
    events = list(itertools.islice(stream, 4))
    assert [event.split("\n")[:2] for event in events[1:]] == [
        ["event: log", "id: 6"],
        ["event: log", "id: 7"],
        ["event: state", "id: 7"],
    ]
    stream.close()


def test_a_quiet_table_still_gives_signs_of_life() -> None:
    told = Told(keepalive_s=0.01)
    stream = told.feed.listen(None)
    assert list(itertools.islice(stream, 4))[2:] == ["event: ping\ndata: {}\n\n"] * 2
    stream.close()


def test_a_slow_listener_skips_to_the_newest_state() -> None:
    told = Told()
    stream = told.feed.listen(None)
    list(itertools.islice(stream, 2))
    for number in range(1, 100):
        told.number = number
        told.feed.publish()
    assert next(stream) == 'event: state\nid: 7\ndata: {"n":99}\n\n'
    stream.close()


def test_the_oldest_listener_makes_room_for_a_new_one() -> None:
    told = Told(clients=2)
    streams = [told.feed.listen(None) for _ in range(3)]
    for stream in streams:
        list(itertools.islice(stream, 2))
    assert next(streams[0]).startswith("event: full\n")
    assert list(streams[0]) == []
    assert told.feed.listeners == 2
    for stream in streams[1:]:
        stream.close()


def test_a_waiting_listener_hears_a_change_and_the_end() -> None:
    told = Told(keepalive_s=30)
    heard: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        for event in told.feed.listen(None):
            heard.append(event)
            ready.set()

    thread = threading.Thread(target=listen)
    thread.start()
    assert ready.wait(5)
    told.number = 1
    told.feed.publish()
    told.feed.close()
    thread.join(5)
    assert not thread.is_alive()
    assert heard[1].startswith("event: state")
