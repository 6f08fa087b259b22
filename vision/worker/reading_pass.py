"""Reading one settled zone: looks at stills, one or as many as help, until nothing is doubtful any more."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tablesight.vision.frame import ImageBGR
from tablesight.vision.fusion import fuse
from tablesight.vision.look import SeenDie
from tablesight.vision.matching import match_points
from tablesight.vision.reading import Detection
from tablesight.vision.strangers import is_stranger
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.zone_book import ZoneBook, ZoneHand
from tablesight.vision.zones import Zone

TOO_NEAR: Final = 0.5
"""The middles of two dice that lie side by side are 0.65 of the larger one's box apart, or more; those of dice that lie
on one another are nearer, but then both are found."""


@dataclass(slots=True)
class ReadingPass:
    """What the looks at a seat's zone have shown since it settled; `alive` is called every few dice.

    Times in milliseconds: `detect_ms` and `read_ms` of all looks together, `computed_ms` what was computed for them, on
    all cores.
    """

    seat: int
    alive: Callable[[], None] = lambda: None
    detect_ms: float = 0.0
    read_ms: float = 0.0
    computed_ms: float = 0.0
    hand: ZoneHand | None = None
    _looks: list[tuple[SeenDie, ...]] = field(default_factory=list)
    _accept_from: float = 1.0

    @property
    def looks(self) -> int:
        """How many stills were looked at."""
        return len(self._looks)

    @property
    def spent_ms(self) -> float:
        """How long the looks took."""
        return self.detect_ms + self.read_ms

    def look(self, still_bgr: ImageBGR, reader: TableReader, book: ZoneBook, zones: Sequence[Zone]) -> ZoneHand:
        """Look at a still (height, width, 3) in which the zone lies still; the hand after all looks.

        Dice that are sure already are not read again.
        """
        computed_s = time.process_time()
        sure = [] if self.hand is None else self.hand.sure()
        look = reader.look(still_bgr, zones, [self.seat], sure, self.alive)
        self.detect_ms += look.detect_ms
        self._accept_from = reader.accept_from
        start = time.perf_counter()
        self._looks.append(look.dice[self.seat])
        self.hand = self._closer(still_bgr, reader, book, look.weak[self.seat])
        self.read_ms += look.read_ms + (time.perf_counter() - start) * 1e3
        self.computed_ms += (time.process_time() - computed_s) * 1e3
        return self.hand

    def needs_more(self, most_looks: int, more_looks_ms: float) -> bool:
        """Whether another still may help: a question now is better than perhaps none in a second.

        What was computed counts, not the time it took: on a busy machine as many stills help as on an idle one.
        """
        helps = self.hand is None or self.hand.another_still_may_help(self._accept_from)
        return helps and self.looks < most_looks and self.computed_ms <= more_looks_ms

    def times_json(self) -> dict[str, Any]:
        """For a `reading` message."""
        return {"detect": round(self.detect_ms, 1), "read": round(self.read_ms, 1), "looks": self.looks}

    def _closer(self, still_bgr: ImageBGR, reader: TableReader, book: ZoneBook, weak: Sequence[Detection]) -> ZoneHand:
        """The hand after the newest look: what is doubtful or missing is looked at more closely in the same still."""
        hand = self._read(reader, book)
        if hand.hand.unseen and weak:
            missed: list[SeenDie] = []
            for die in reader.look_closer(still_bgr, weak, self.alive):
                if len(missed) < hand.hand.unseen and not is_stranger(die) and _is_apart(die, self._looks[-1], missed):
                    missed.append(die)
            self._looks[-1] = (*self._looks[-1], *missed)
            hand = self._read(reader, book) if missed else hand
        doubtful = hand.doubtful()
        mine = self._looks[-1]
        reach = 0.5 * min((die.size_px for die in mine), default=0.0)
        pairs = match_points([die.center_xy_px for die in doubtful], [die.center_xy_px for die in mine], reach).pairs
        again = [index for _, index in pairs if not mine[index].is_reused]
        if again:
            better = dict(zip(again, reader.look_again(still_bgr, [mine[i] for i in again], self.alive), strict=True))
            self._looks[-1] = tuple(better.get(index, die) for index, die in enumerate(mine))
            hand = self._read(reader, book)
        return hand

    def _read(self, reader: TableReader, book: ZoneBook) -> ZoneHand:
        return book.read(self.seat, fuse(self._looks), reader.accept_from)


def _is_apart(weak: SeenDie, *dice: Sequence[SeenDie]) -> bool:
    """Whether what was found weakly is no part of a die that was found already, such as a side of it."""
    return all(math.dist(weak.center_xy_px, die.center_xy_px) > TOO_NEAR * die.size_px for some in dice for die in some)
