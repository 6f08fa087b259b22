"""Server-sent events: every phone hears what changed, late ones catch up, and a new phone always gets in."""

from __future__ import annotations

import itertools
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tablesight.webui.log_entry import LogEntry

RETRY_MS: Final = 1000
"""How soon a browser tries again after the line broke."""


@dataclass(frozen=True, slots=True)
class FeedLimits:
    """How many listeners there may be and how often each hears a sign of life."""

    clients: int = 40
    """Each holds one of the server's threads; the oldest is sent away for a new one."""
    keepalive_s: float = 4.0
    """A phone that hears nothing for three times as long starts a new line."""
    catch_up: int = 500
    """At most this many missed log entries are sent again; the state says everything anyway."""


class Feed:
    """Tells every listener that the state has a new revision.

    A listener always gets the newest state, never one it has seen: slow phones skip what they missed instead of
    queueing it. `snapshot()` returns (log sequence number, JSON text) of the state.
    """

    def __init__(
        self,
        snapshot: Callable[[], tuple[int, str]],
        missed: Callable[[int], list[LogEntry]],
        limits: FeedLimits | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._missed = missed
        self._limits = limits or FeedLimits()
        self._changed = threading.Condition()
        self._revision = 0
        self._closed = False
        self._tickets = itertools.count(1)
        self._clients: OrderedDict[int, None] = OrderedDict()

    @property
    def revision(self) -> int:
        """Counts every change since the server started."""
        return self._revision

    @property
    def listeners(self) -> int:
        """How many phones and screens are listening."""
        return len(self._clients)

    def publish(self) -> None:
        """Something changed."""
        with self._changed:
            self._revision += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Sends everybody away."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def listen(self, last_seen: int | None) -> Iterator[str]:
        """The event stream of one client; `last_seen` is its Last-Event-ID (a log sequence number) or None."""
        with self._changed:
            ticket = next(self._tickets)
            self._clients[ticket] = None
            while len(self._clients) > self._limits.clients:
                self._clients.popitem(last=False)
            self._changed.notify_all()
        try:
            yield f"retry: {RETRY_MS}\n\n"
            sent_seq = last_seen
            seen_revision = -1
            while True:
                with self._changed:
                    if self._revision == seen_revision:
                        self._changed.wait_for(
                            lambda seen=seen_revision: (  # type: ignore[misc]  # bound in a loop
                                self._closed or self._revision != seen or ticket not in self._clients
                            ),
                            self._limits.keepalive_s,
                        )
                    closed, here, revision = self._closed, ticket in self._clients, self._revision
                if closed:
                    return
                if not here:
                    # a newer phone took the place: this one polls, and comes back later
                    yield "event: full\nretry: 15000\ndata: {}\n\n"
                    return
                if revision == seen_revision:
                    yield "event: ping\ndata: {}\n\n"
                    continue
                seen_revision = revision
                seq, state = self._snapshot()
                if sent_seq is not None and seq > sent_seq:
                    for entry in self._missed(sent_seq)[-self._limits.catch_up :]:
                        yield _event("log", entry.seq, json.dumps(_entry_json(entry), ensure_ascii=False))
                sent_seq = seq
                yield _event("state", seq, state)
        finally:
            with self._changed:
                self._clients.pop(ticket, None)


def _entry_json(entry: LogEntry) -> dict[str, Any]:
    return {"seq": entry.seq, "game": entry.game, "at_s": entry.at_s, "who": entry.who, "event": entry.event}


def _event(name: str, seq: int, data: str) -> str:
    return f"event: {name}\nid: {seq}\ndata: {data}\n\n"
