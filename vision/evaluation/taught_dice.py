"""Measures what "teach my dice" is worth, on drawn sets of dice with fonts, materials and lamps of their own.

For each set a few photos are taught, as the page does it, then tables with three sorts of dice are read with and
without it: the taught ones, those of another maker, and foreign ones (none of the thirteen kinds).

`python -m tablesight.vision.evaluation.taught_dice --sets 8 --photos 4 --tables 3`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tablesight.vision.evaluation.drawn_sets import DrawnTable, dice_set, draw_table, foreign_set
from tablesight.vision.kinds import KINDS
from tablesight.vision.reader import crop
from tablesight.vision.reading import DieReading
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.teaching.taught_folder import TaughtDie, packed_crop
from tablesight.vision.teaching.taught_reader import TaughtReader


@dataclass(slots=True)
class Readings:
    """Counts over dice read one way. `asked`: not accepted; `silently_wrong`: accepted, and kind or value is wrong."""

    right: int = 0
    asked: int = 0
    silently_wrong: int = 0

    def count(self, reading: DieReading, right: bool) -> None:
        """Take note of one die."""
        self.right += right
        self.asked += not reading.accepted
        self.silently_wrong += reading.accepted and not right


@dataclass(slots=True)
class Comparison:
    """The same dice read without (`before`) and with (`after`) what was taught. `worse`: right before, wrong after;
    `better` the other way round."""

    dice: int = 0
    before: Readings = field(default_factory=Readings)
    after: Readings = field(default_factory=Readings)
    worse: int = 0
    better: int = 0

    def count(self, truth: tuple[str, int], before: DieReading, after: DieReading) -> None:
        """Take note of one die. A foreign die is right where it is taken for none of the thirteen kinds."""
        was, is_ = _is_right(truth, before), _is_right(truth, after)
        self.dice += 1
        self.before.count(before, was)
        self.after.count(after, is_)
        self.worse += was and not is_
        self.better += is_ and not was


def measure(
    reader: TaughtReader, sets: int, photos: int, tables: int, first_seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Comparison]:  # fmt: skip
    """Teach `photos` photos of each of `sets` sets and read `tables` tables of each sort of dice."""
    fonts = NumeralFonts.load()
    results = {name: Comparison() for name in ("taught", "of another maker", "foreign")}
    for seed in range(first_seed, first_seed + sets):
        mine = dice_set(np.random.default_rng([seed, 1]), len(fonts))
        others = dice_set(np.random.default_rng([seed, 2]), len(fonts))
        strange = foreign_set(np.random.default_rng([seed, 4]), len(fonts))
        rng = np.random.default_rng([seed, 3])
        taught: list[TaughtDie] = []
        for _ in range(photos):
            photo = draw_table(mine, [str(kind) for kind in rng.permutation(list(KINDS))], rng, fonts, by_hand=True)
            taught += _taught(photo)
        learnt = reader.teach(taught)
        for name, dice in zip(results, (mine, others, strange), strict=True):
            for _ in range(tables):
                table = draw_table(dice, [str(kind) for kind in rng.permutation(list(dice))], rng, fonts, by_hand=False)
                _compare(reader, table, results[name])
        progress(f"set {seed}: {learnt.dice} dice taught in {learnt.seconds:.1f} s {learnt.problem}")
    return results


def _taught(photo: DrawnTable) -> list[TaughtDie]:
    return [TaughtDie(die.kind, die.value, packed_crop(crop(photo.image_bgr, die.box_xyxy_px))) for die in photo.dice]


def _compare(reader: TaughtReader, table: DrawnTable, comparison: Comparison) -> None:
    boxes = [die.box_xyxy_px for die in table.dice]
    before = reader.untaught.posteriors(table.image_bgr, boxes, table.nadir_xy_px)
    after = reader.posteriors(table.image_bgr, boxes, table.nadir_xy_px)
    for die, old, new in zip(table.dice, before, after, strict=True):
        readings = [p.reading(die.box_xyxy_px, reader.accept_from) for p in (old, new)]
        comparison.count((die.kind, die.value), readings[0], readings[1])


def _is_right(truth: tuple[str, int], reading: DieReading) -> bool:
    kind, value = truth
    return reading.kind is None if kind not in KINDS else (reading.kind, reading.value) == (kind, value)


def main(argv: list[str] | None = None) -> int:
    """Measure and print one JSON line for each sort of dice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=8)
    parser.add_argument("--photos", type=int, default=4)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--models", type=Path, metavar="DIR", help="use the models in this folder")
    args = parser.parse_args(argv)

    def progress(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    reader = TaughtReader.load(args.models)
    results = measure(reader, args.sets, args.photos, args.tables, args.first_seed, progress)
    for name, comparison in results.items():
        figures: dict[str, Any] = {"dice": name, "number": comparison.dice}
        for when in ("before", "after"):
            readings: Readings = getattr(comparison, when)
            figures[when] = {key: round(count / max(1, comparison.dice), 4) for key, count in asdict(readings).items()}
        sys.stdout.write(json.dumps({**figures, "better": comparison.better, "worse": comparison.worse}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
