"""Measures on simulated tables what the hand decoder is worth: the same stills read die by die and as whole hands.

`python -m tablesight.vision.evaluation.simulated_hands --tables 20 --options lamp=hard,shake=5`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.hand_decoder import Expectation
from tablesight.vision.kinds import KINDS
from tablesight.vision.matching import match_points
from tablesight.vision.reading import DieReading
from tablesight.vision.simulator.script import LyingDie
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.reading_pass import ReadingPass
from tablesight.vision.worker.zone_book import ZoneBook
from tablesight.vision.zones import Zone, default_zones

ALL = tuple(KINDS)


@dataclass(slots=True)
class Tally:
    """Counts over all dice that lay there; `mistakes` names each silent mistake."""

    dice: int = 0
    found: int = 0
    phantoms: int = 0
    kind: int = 0
    value: int = 0
    accepted: int = 0
    silently_wrong: int = 0
    surest_mistake: float = 0.0
    hands: int = 0
    whole_hands: int = 0
    mistakes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Shares of what they are shares of."""
        dice, found = max(1, self.dice), max(1, self.found)
        return {
            "dice": self.dice,
            "found": round(self.found / dice, 4),
            "phantoms": self.phantoms,
            "kind": round(self.kind / found, 4),
            "value": round(self.value / found, 4),
            "accepted": round(self.accepted / found, 4),
            "dice_per_question": round(found / max(1, self.found - self.accepted), 1),
            "silently_wrong": self.silently_wrong,
            "surest_mistake": round(self.surest_mistake, 3),
            "whole_hands": round(self.whole_hands / max(1, self.hands), 4),
            "mistakes": self.mistakes[:20],
        }

    def count(
        self, truth: Sequence[LyingDie], boxes: Sequence[tuple[float, float, float, float]], read: Sequence[DieReading]
    ) -> None:
        """Compare one hand as read with what lay there."""
        match = match_points([_center(box) for box in boxes], [_center(die.box_xyxy_px) for die in read], 30)
        self.dice += len(truth)
        self.found += len(match.pairs)
        self.phantoms += len(match.only_second)
        self.hands += 1
        right = 0
        for a, b in match.pairs:
            same_kind, same = truth[a].kind == read[b].kind, False
            if same_kind:
                same = truth[a].value == read[b].value
            self.kind += same_kind
            self.value += same
            self.accepted += read[b].accepted
            right += same
            if not same:
                self.surest_mistake = max(self.surest_mistake, read[b].confidence)
            if read[b].accepted and not same:
                self.silently_wrong += 1
                what, as_what = truth[a], read[b]
                self.mistakes.append(f"{what.kind} {what.value} read as {as_what.kind} {as_what.value}")
        self.silently_wrong += sum(read[b].accepted for b in match.only_second)
        self.whole_hands += right == len(truth) and not match.only_second


def measure(
    reader: TableReader, options: TableOptions, tables: int, seats: int, dice: int, looks: int = 3
) -> dict[str, Tally]:
    """Throw random hands on `tables` tables; the same stills are read in the way of the camera process alone, with the
    exact hand, and with one die not known."""
    tallies = {name: Tally() for name in ("alone", "hand known", "one drafted")}
    for number in range(tables):
        now_s = [0.0]
        table = SimulatedSource(
            seats=seats,
            options=replace(options, seed=options.seed + number),
            clock=lambda now_s=now_s: now_s[0],  # type: ignore[misc]  # mypy cannot type a lambda with a default
            wait=None,
        )
        rng = np.random.default_rng([options.seed + number, 77])
        hands = {seat: [str(kind) for kind in rng.choice(ALL, dice)] for seat in range(seats)}
        now_s[0] = table.throw(hands) + 0.1
        lying, boxes = table.truth()
        stills = [table.still().image_bgr for _ in range(looks)]
        for name, expected in (
            ("alone", None),
            ("hand known", [Expectation(tuple(hands[seat])) for seat in range(seats)]),
            ("one drafted", [Expectation(tuple(hands[seat][1:]), 1) for seat in range(seats)]),
        ):
            reader.forget_size()
            hands_read = _read(reader, stills, seats, expected, table.setting.mat_zones())
            for seat in range(seats):
                mine = [i for i, die in enumerate(lying) if die.seat == seat]
                tallies[name].count([lying[i] for i in mine], [boxes[i] for i in mine], hands_read[seat])
    return tallies


def _read(
    reader: TableReader,
    stills: Sequence[ImageBGR],
    seats: int,
    expected: Sequence[Expectation] | None,
    mat_zones: Sequence[Zone],
) -> dict[int, tuple[DieReading, ...]]:
    book = ZoneBook()
    book.expect(expected)
    hands: dict[int, tuple[DieReading, ...]] = {}
    for seat in range(seats):
        reading = ReadingPass(seat)
        left = list(stills)
        while left and (reading.hand is None or reading.needs_more(len(stills), float("inf"))):
            reading.look(left.pop(0), reader, book, mat_zones or default_zones(seats))
        assert reading.hand is not None, "the stills are there"
        hands[seat] = reading.hand.hand.dice
    return hands


def _center(box: tuple[float, float, float, float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def main(argv: list[str] | None = None) -> int:
    """Measure and print one JSON line for each way of reading."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--dice", type=int, default=8)
    parser.add_argument("--looks", type=int, default=3)
    parser.add_argument("--options", default="seed=1000", help="as after simulated:, such as seed=7,lamp=hard,shake=5")
    args = parser.parse_args(argv)
    # imported here: everything else of this module works without the models
    from tablesight.vision.photo_reader import PhotoReader
    from tablesight.vision.table_models import table_reader

    reader = table_reader(PhotoReader.load())
    tallies = measure(reader, TableOptions.parse(args.options), args.tables, args.seats, args.dice, args.looks)
    for name, tally in tallies.items():
        sys.stdout.write(json.dumps({"read": name, **tally.to_json()}) + "\n")
    wrong_kinds = Counter(mistake.split(" ")[0] for mistake in tallies["alone"].mistakes)
    sys.stdout.write(json.dumps({"silent mistakes alone, by kind": dict(wrong_kinds)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
