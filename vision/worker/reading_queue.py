"""The zones that wait to be read: the one that settled first comes first, one that is doubtful waits for the others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tablesight.vision.worker.effort import Effort
from tablesight.vision.worker.reading_pass import ReadingPass


@dataclass(slots=True)
class WaitingZone:
    """A zone since it `settled`; `must_tell`: a person wants to hear of it, new or not. `taken_at_s`: Unix time of the
    still that was looked at last, `still_ms` how long it took to take all of them. `stirred`: it does not lie still."""

    settled: Effort
    reading: ReadingPass
    must_tell: bool = False
    taken_at_s: float = 0.0
    still_ms: float = 0.0
    stirred: bool = False

    @property
    def seat(self) -> int:
        """Whose zone it is."""
        return self.reading.seat


class ReadingQueue:
    """One entry a seat."""

    def __init__(self) -> None:
        self._zones: dict[int, WaitingZone] = {}

    @property
    def seats(self) -> frozenset[int]:
        """Who waits."""
        return frozenset(self._zones)

    def holds(self, zone: WaitingZone) -> bool:
        """Whether this is still what is known of its seat."""
        return self._zones.get(zone.seat) is zone

    def settled(self, seat: int, now: Effort) -> None:
        """Something new has settled in a zone: whatever was read of it before is void."""
        before = self._zones.get(seat)
        self._zones[seat] = WaitingZone(now, ReadingPass(seat), before is not None and before.must_tell)

    def wanted(self, seat: int, now: Effort) -> None:
        """A person wants to hear what lies in a zone, as soon as it lies still."""
        self._zones[seat] = WaitingZone(now, ReadingPass(seat), must_tell=True)

    def follow(self, settled: Collection[int], now: Effort) -> None:
        """A new preview: what was read of a zone that has stirred is worth nothing, and it does not wait any more; when
        it lies still again, with the same dice in it, it waits from then on, to be read anew."""
        for seat, zone in list(self._zones.items()):
            if seat not in settled:
                zone.stirred = True
            elif zone.stirred:
                self._zones[seat] = WaitingZone(now, ReadingPass(seat), zone.must_tell)

    def forget(self, seat: int) -> None:
        """Nothing lies there any more, or it has been told."""
        self._zones.pop(seat, None)

    def clear(self) -> None:
        """Nothing is known of any zone."""
        self._zones.clear()

    def next(self, settled: Collection[int]) -> WaitingZone | None:
        """Whose turn it is among the seats whose zones lie still: every zone is looked at once before any twice."""
        waiting = [zone for seat, zone in self._zones.items() if seat in settled]
        return min(waiting, key=lambda zone: (zone.reading.looks, zone.settled.steady_s), default=None)
