"""Measures how many dice of a photo of 12 megapixels are found by how large they are in it.

`python -m tablesight.vision.evaluation.small_dice --photos 6 --sizes 24 32 48 64`

Each photo (4000 x 3000 px) shows one throw of ten dice somewhere on a large table, and nothing else. `found_at_once`
are those found with the photo looked at as a whole, `found` those after its parts were looked at too
(`tablesight.vision.small_dice`); `false` finds likewise. Dice so small are seldom read: `right` of those found.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from typing import Any, Final

import numpy as np

from tablesight.vision.evaluation.box_matching import match_boxes
from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import KINDS, signed_value
from tablesight.vision.photo_reader import PhotoReader
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.resting import REACH_MM
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import LyingDie, Moment
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, lay_table

PHOTO_WH_PX: Final = (4000, 3000)
_MEAN_REACH_MM: Final = sum(REACH_MM[kind.sides] for kind in KINDS.values()) / len(KINDS)
_GAP_MM: Final = 45.0


def large_photo(
    options: TableOptions, die_px: float, dice: int = 10
) -> tuple[ImageBGR, tuple[LyingDie, ...], list[BoxXYXY]]:
    """A photo, the dice in it, whose boxes are `die_px` wide on the mean, and their boxes, pixels."""
    width_px, height_px = PHOTO_WH_PX
    fonts, rng = NumeralFonts.load(), np.random.default_rng([options.seed, 79])
    setting = lay_table(2, options, len(fonts))
    wide_mm = width_px / die_px * _MEAN_REACH_MM
    still = replace(
        setting.still_camera, width_px=width_px, height_px=height_px, focal_px=width_px * 1.2, distance_mm=1.2 * wide_mm
    )
    setting = replace(setting, still_camera=still, preview_camera=still.resized(640))
    heart = rng.uniform(-0.3, 0.3, 2) * wide_mm * (1, height_px / width_px)
    lying = []
    for place in range(dice):
        kind = KINDS[str(rng.choice(list(KINDS)))]
        face, (row, column) = int(rng.integers(1, kind.sides + 1)), divmod(place, 4)
        x_mm, y_mm = heart + _GAP_MM * np.array([column - 1.5, row - 1.0]) + rng.uniform(-6, 6, 2)
        placed = PlacedDie(
            setting.style_of(kind.id, place), face, float(x_mm), float(y_mm), float(rng.uniform(0, 6.28))
        )
        ink = setting.ink_of(kind.id, face)
        lying.append(LyingDie(place, 0, kind.id, face, ink, signed_value(kind.color, ink, face), placed))
    camera = TableCamera(setting, fonts, options.seed, grain_mm=max(0.5, 0.7 * wide_mm / width_px))
    return camera.still(Moment(1, tuple(lying), (), ())), tuple(lying), camera.boxes_xyxy_px(lying)


def measure(reader: PhotoReader, options: TableOptions, die_px: float, photos: int) -> dict[str, Any]:
    """What was found in so many photos with dice of this size."""
    counts = dict.fromkeys(("dice", "found_at_once", "false_at_once", "found", "false", "right", "silently_wrong"), 0)
    computed_s = 0.0
    for number in range(photos):
        photo, lying, boxes = large_photo(replace(options, seed=options.seed + number), die_px)
        at_once = [d.box_xyxy_px for d in reader.detector.detect(photo)]
        began_s = time.process_time()
        read = reader.read(photo).dice
        computed_s += time.process_time() - began_s
        first, match = match_boxes(boxes, at_once), match_boxes(boxes, [die.box_xyxy_px for die in read])
        counts["dice"] += len(lying)
        counts["found_at_once"] += len(first.pairs)
        counts["false_at_once"] += len(first.extra)
        counts["found"] += len(match.pairs)
        counts["false"] += len(match.extra)
        for truth, seen in match.pairs:
            right = (read[seen].kind, read[seen].value) == (lying[truth].kind, lying[truth].value)
            counts["right"] += right
            counts["silently_wrong"] += read[seen].accepted and not right
        counts["silently_wrong"] += sum(read[seen].accepted for seen in match.extra)
    return {"die_px": die_px, "photos": photos, **counts, "cpu_ms": round(computed_s / max(1, photos) * 1e3)}


def main(argv: list[str] | None = None) -> int:
    """Measure and print one JSON line for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=6)
    parser.add_argument("--sizes", type=float, nargs="+", default=[24.0, 32.0, 48.0, 64.0], help="pixels across a die")
    parser.add_argument("--options", default="seed=6000", help="as after simulated:, such as seed=7,lamp=hard")
    args = parser.parse_args(argv)
    reader = PhotoReader.load()
    for die_px in args.sizes:
        told = measure(reader, TableOptions.parse(args.options), die_px, args.photos)
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
