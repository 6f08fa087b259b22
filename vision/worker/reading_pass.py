"""One pass of reading: stills of settled zones until nothing is doubtful any more, or enough have been taken."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tablesight.vision.frame import ImageBGR
from tablesight.vision.fusion import fuse
from tablesight.vision.look import SeenDie
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.zone_book import ZoneBook, ZoneHand
from tablesight.vision.zones import Zone

MORE_LOOKS_MS: Final = 400.0
"""No further still is taken after this much reading: a question now is better than perhaps none in a second."""


@dataclass(frozen=True, slots=True)
class PassResult:
    """The hands of the seats that lay still all the while, the last still, and the time it took, milliseconds."""

    hands: dict[int, ZoneHand]
    still_bgr: ImageBGR
    looks: int
    still_ms: float
    detect_ms: float
    read_ms: float
    total_ms: float

    def times_json(self) -> dict[str, Any]:
        """For a `reading` message."""
        times = {"still": self.still_ms, "detect": self.detect_ms, "read": self.read_ms, "total": self.total_ms}
        return {**{name: round(ms, 1) for name, ms in times.items()}, "looks": self.looks}


def read_zones(
    take_still: Callable[[], ImageBGR | None],
    still_settled: Callable[[Sequence[int]], list[int]],
    reader: TableReader,
    book: ZoneBook,
    zones: Sequence[Zone],
    seats: Sequence[int],
    most_looks: int,
    alive: Callable[[], None],
) -> PassResult | None:
    """Read the zones of these seats; None where there is no picture or all of them have stirred meanwhile.

    `still_settled` looks at the table again and keeps the seats whose zones have not stirred; what was read of the
    others is worth nothing. `alive` is called every few dice.
    """
    start = time.perf_counter()
    still_ms = detect_ms = read_ms = 0.0
    looks: list[dict[int, tuple[SeenDie, ...]]] = []
    hands: dict[int, ZoneHand] = {}
    while True:
        before = time.perf_counter()
        still_bgr = take_still()
        still_ms += (time.perf_counter() - before) * 1e3
        if still_bgr is None:
            return None
        sure = [die for hand in hands.values() for die in hand.sure()]
        look = reader.look(still_bgr, zones, seats, sure, alive)
        detect_ms, read_ms = detect_ms + look.detect_ms, read_ms + look.read_ms
        looks.append(look.dice)
        seats = still_settled(seats)
        if not seats:
            return None
        hands = {seat: book.read(seat, fuse([dice[seat] for dice in looks]), reader.accept_from) for seat in seats}
        total_ms = (time.perf_counter() - start) * 1e3
        if total_ms - still_ms > MORE_LOOKS_MS or len(looks) >= most_looks or all(h.is_clear for h in hands.values()):
            return PassResult(hands, still_bgr, len(looks), still_ms, detect_ms, read_ms, total_ms)
