"""One pass of reading: settled zones in a still, in as many as help, until nothing is doubtful any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tablesight.vision.frame import ImageBGR
from tablesight.vision.fusion import fuse
from tablesight.vision.look import SeenDie
from tablesight.vision.matching import match_points
from tablesight.vision.reading import Detection
from tablesight.vision.strangers import is_stranger
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.zone_book import ZoneBook, ZoneHand
from tablesight.vision.zones import Zone

Looks = list[dict[int, tuple[SeenDie, ...]]]


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
    more_looks_ms: float,
) -> PassResult | None:
    """Read the zones of these seats; None where there is no picture or all of them have stirred meanwhile.

    `still_settled` looks at the table again and keeps the seats whose zones have not stirred; what was read of the
    others is worth nothing. `alive` is called every few dice. No further still is taken after `more_looks_ms` of
    reading: a question now is better than perhaps none in a second.
    """
    start = time.perf_counter()
    still_ms = detect_ms = read_ms = 0.0
    looks: Looks = []
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
        before = time.perf_counter()
        hands = {seat: _hand(reader, book, still_bgr, looks, look.weak, seat, alive) for seat in seats}
        read_ms += (time.perf_counter() - before) * 1e3
        hands = {seat: hands[seat] for seat in still_settled(seats)}
        if not hands:
            return None
        seats = list(hands)
        total_ms = (time.perf_counter() - start) * 1e3
        if total_ms - still_ms > more_looks_ms or len(looks) >= most_looks or all(h.is_clear for h in hands.values()):
            return PassResult(hands, still_bgr, len(looks), still_ms, detect_ms, read_ms, total_ms)


def _hand(
    reader: TableReader,
    book: ZoneBook,
    still_bgr: ImageBGR,
    looks: Looks,
    weak: dict[int, tuple[Detection, ...]],
    seat: int,
    alive: Callable[[], None],
) -> ZoneHand:
    """The hand of a seat after the newest of `looks` (changed in place): what is doubtful or missing is looked at more
    closely in the same still."""
    hand = _read(reader, book, looks, seat)
    if hand.hand.unseen and weak[seat]:
        closer = reader.look_closer(still_bgr, weak[seat], alive)
        missed = [die for die in closer if not is_stranger(die)][: hand.hand.unseen]
        looks[-1] = {**looks[-1], seat: (*looks[-1][seat], *missed)}
        hand = _read(reader, book, looks, seat) if missed else hand
    doubtful = hand.doubtful()
    mine = looks[-1][seat]
    reach = 0.5 * min((die.size_px for die in mine), default=0.0)
    pairs = match_points([die.center_xy_px for die in doubtful], [die.center_xy_px for die in mine], reach).pairs
    again = [index for _, index in pairs if not mine[index].is_reused]
    if again:
        better = dict(zip(again, reader.look_again(still_bgr, [mine[i] for i in again], alive), strict=True))
        looks[-1] = {**looks[-1], seat: tuple(better.get(index, die) for index, die in enumerate(mine))}
        hand = _read(reader, book, looks, seat)
    return hand


def _read(reader: TableReader, book: ZoneBook, looks: Looks, seat: int) -> ZoneHand:
    return book.read(seat, fuse([dice[seat] for dice in looks if seat in dice]), reader.accept_from)
