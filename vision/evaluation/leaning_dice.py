"""Measures on simulated tables how many dice that lean are noticed, and how many that lie flat are said to lean.

`python -m tablesight.vision.evaluation.leaning_dice --tables 40 --options lamp=hard,shake=5`

One die in three of each table leans, by one of `LEANS_DEG`, to any side; all lie apart, so that nothing hides how.
From where the camera looks is known as it would be in a game: `--by mats` (exact) or `--by dice` (told by the dice of
the table itself, looked at once before).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from tablesight.vision.kinds import KINDS
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import LyingDie, Moment
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, TableSetting, lay_table
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.zone_book import ZoneBook
from tablesight.vision.zones import default_zones

LEANS_DEG: Final = (10, 15, 20, 25)
ROWS, COLUMNS = 3, 5


def lay_dice(setting: TableSetting, rng: np.random.Generator) -> list[tuple[LyingDie, int]]:
    """Dice of all kinds in rows, each with how far it leans, degrees."""
    laid = []
    for place in range(ROWS * COLUMNS):
        kind = KINDS[str(rng.choice(list(KINDS)))]
        lean_deg = int(rng.choice(LEANS_DEG)) if rng.random() < 1 / 3 else 0
        face, towards_rad = int(rng.integers(1, kind.sides + 1)), float(rng.uniform(0, 2 * math.pi))
        axis = math.radians(lean_deg) * np.array([math.cos(towards_rad), math.sin(towards_rad), 0.0])
        rows = tuple((float(a), float(b), float(c)) for a, b, c in cv2.Rodrigues(axis)[0])
        row, column = divmod(place, COLUMNS)
        spot = (-200 + 100.0 * column, 100 - 95.0 * row, float(rng.uniform(0, 2 * math.pi)))
        placed = PlacedDie(setting.style_of(kind.id, place), face, *spot, 0.0, rows if lean_deg else None)
        laid.append((LyingDie(place, 0, kind.id, face, setting.ink_of(kind.id, face), face, placed), lean_deg))
    return laid


def measure(reader: TableReader, options: TableOptions, tables: int, by_mats: bool) -> dict[str, Any]:
    """How many dice of each lean were found, and how many of them were said to lean."""
    fonts = NumeralFonts.load()
    found: Counter[int] = Counter()
    noticed: Counter[int] = Counter()
    scored: Counter[int] = Counter()
    for number in range(tables):
        seed = options.seed + number
        setting = lay_table(2, replace(options, seed=seed), len(fonts))
        laid = lay_dice(setting, np.random.default_rng([seed, 78]))
        camera = TableCamera(setting, fonts, seed)
        still = camera.still(Moment(1, tuple(die for die, _ in laid), (), ()))
        height, width = still.shape[:2]
        zones = default_zones(1)
        reader.forget_size()
        reader.nadir_xy = None
        if by_mats:
            eye = setting.still_camera.position_mm()
            x, y = setting.still_camera.project(np.array([[eye[0], eye[1], 0.0]]))[0]
            reader.nadir_xy = (float(x) / width, float(y) / height)
        else:
            reader.look(still, zones, [0])  # the dice of the roll before
        hand = ZoneBook().read(0, reader.look(still, zones, [0]).dice[0], reader.accept_from)
        boxes = camera.boxes_xyxy_px([die for die, _ in laid])
        for (_, lean_deg), (left, top, right, bottom) in zip(laid, boxes, strict=True):
            middle = ((left + right) / 2, (top + bottom) / 2)
            for seen, reading, rest in zip(hand.seen, hand.hand.dice, hand.rests, strict=True):
                if math.dist(seen.center_xy_px, middle) < 0.4 * (right - left):
                    found[lean_deg] += 1
                    noticed[lean_deg] += rest == "leaning"
                    scored[lean_deg] += reading.accepted
    return {
        "flat": found[0],
        "false_alarms": noticed[0],
        "leaning": {
            str(lean): {"dice": found[lean], "noticed": noticed[lean], "scored": scored[lean]} for lean in LEANS_DEG
        },
    }


def main(argv: list[str] | None = None) -> int:
    """Measure and print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--by", choices=("mats", "dice"), default="mats")
    parser.add_argument("--options", default="seed=5000", help="as after simulated:, such as seed=7,lamp=hard,shake=5")
    args = parser.parse_args(argv)
    # imported here: everything else of this module works without the models
    from tablesight.vision.photo_reader import PhotoReader
    from tablesight.vision.table_models import table_reader

    reader = table_reader(PhotoReader.load())
    options = TableOptions.parse(args.options)
    told = measure(reader, options, args.tables, args.by == "mats")
    sys.stdout.write(json.dumps({"options": args.options, "by": args.by, **told}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
