"""Makes pictures without dice, to count what is found in them: `python models/training/make_empty.py`.

Writes data/empty/PART/labels.csv with a verified row for each picture and nothing else in it, which says that it shows
no die: `mats` (the simulated table between rolls), `clutter` (drawn coins, cards, pawns and hands), `prints` (sheets,
cards, tiles, keys and dials), `photoreal` (what `make photoreal` has made of them), and, where they are given,
`library` (`--library DIR`: any photos without dice) and `photos` (`--photos DIR ...`: the parts of labelled photos in
which no die is labelled, at most 60; look at them, since dice may lie there that nobody labelled).
`tablesight evaluate data/empty` counts.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
from clutter import scatter
from draws import DATA, random_lamp, random_optics
from empty_prints import SHEETS, lay_sheet

from tablesight.vision.evaluation.labels import Label, read_labels
from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.hand import Hand, draw_hand
from tablesight.vision.simulator.scene import lay_surface, photograph
from tablesight.vision.simulator.surfaces import SURFACES, surface_texture
from tablesight.vision.simulator.table_setting import LampKind, TableOptions
from tablesight.vision.sources.simulated import SimulatedSource

COLUMNS = ("file", "x0", "y0", "x1", "y1", "sides", "body_color", "numeral_color", "value", "verified")
WIDTH_PX, HEIGHT_PX = 1280, 960
SEED = 9100


def mats(count: int) -> Iterator[ImageBGR]:
    """The simulated table before anybody rolls: on mats, and without."""
    for number in range(count):
        lamp: LampKind = ("soft", "hard", "warm", "cold")[number % 4]
        options = TableOptions(seed=SEED + number, lamp=lamp, mats=number % 2 == 0)
        yield SimulatedSource(seats=2 + number % 4, options=options, clock=lambda: 0.0, wait=None).still().image_bgr


def _table(rng: np.random.Generator) -> tuple[np.ndarray, PinholeCamera, object]:
    lamp = random_lamp(rng)
    camera = PinholeCamera(
        WIDTH_PX, HEIGHT_PX, 1600.0, float(rng.uniform(350, 900)), (0.0, 0.0), float(rng.uniform(0, 0.6)),
        float(rng.uniform(0, 7)),
    )  # fmt: skip
    texture = surface_texture(SURFACES[int(rng.integers(len(SURFACES)))], 900, 900, rng)
    return lay_surface(camera, texture, float(rng.uniform(0.2, 0.7)), lamp), camera, lamp


def cluttered(count: int) -> Iterator[ImageBGR]:
    """Surfaces with things on them, every third under a hand."""
    for number in range(count):
        rng = np.random.default_rng([SEED, 1, number])
        lamp = random_lamp(rng)
        canvas, camera, _ = _table(rng)
        scatter(canvas, camera.px_per_mm(), 0.85, rng)
        image = photograph(canvas, random_optics(rng, 0.8), rng)
        if number % 3 == 0:
            angle = rng.uniform(0, 2 * np.pi)
            skin = (rng.uniform(60, 180), rng.uniform(90, 190), rng.uniform(130, 235))
            sleeve = (rng.uniform(10, 230), rng.uniform(10, 230), rng.uniform(10, 230))
            spot = (float(rng.uniform(-60, 60)), float(rng.uniform(-40, 40)))
            hand = Hand(spot, (float(np.cos(angle)), float(np.sin(angle))), float(rng.random()), skin, sleeve)
            draw_hand(image, camera, hand, lamp)
        yield image


def printed(count: int) -> Iterator[ImageBGR]:
    """One to three sheets on a surface."""
    for number in range(count):
        rng = np.random.default_rng([SEED, 2, number])
        canvas, _, _ = _table(rng)
        for i in range(int(rng.integers(1, 4))):
            lay_sheet(canvas, SHEETS[(number + 3 * i) % len(SHEETS)](rng), float(rng.uniform(0.6, 1)), rng)
        yield photograph(canvas, random_optics(rng, 0.8), rng)


def library(folder: Path) -> Iterator[ImageBGR]:
    """The photos in a folder and in those in it, of some size and not yet seen in grey or colour."""
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png")):
        try:
            image = decode_photo(path)
        except PhotoError:
            continue
        if min(image.shape[:2]) >= 150:
            yield image


def without_dice(folders: Iterable[Path], most: int) -> Iterator[ImageBGR]:
    """Of labelled photos the largest strip beside, above or below all dice, where there is one of 200 px."""
    found: list[ImageBGR] = []
    for folder in folders:
        by_file: dict[str, list[Label]] = {}
        for label in read_labels(folder):
            by_file.setdefault(label.file, []).append(label)
        for file, labels in by_file.items():
            boxes = [label.box_xyxy_px for label in labels if label.box_xyxy_px is not None]
            if len(boxes) == len(labels):
                strip = _largest_strip(decode_photo(folder / file), np.array(boxes))
                if min(strip.shape[:2]) >= 200:
                    found.append(strip)
    order = np.random.default_rng(SEED).permutation(len(found))[:most]
    for i in sorted(int(n) for n in order):
        yield found[i]


def _largest_strip(image_bgr: ImageBGR, boxes: np.ndarray) -> ImageBGR:
    height, width = image_bgr.shape[:2]
    margin = 0.15 * float((boxes[:, 2:] - boxes[:, :2]).max())
    low, high = (boxes[:, :2].min(0) - margin).astype(int), (boxes[:, 2:].max(0) + margin).astype(int)
    strips = (
        image_bgr[:, : max(0, low[0])], image_bgr[:, min(width, high[0]) :],
        image_bgr[: max(0, low[1])], image_bgr[min(height, high[1]) :],
    )  # fmt: skip
    return max(strips, key=lambda strip: (min(strip.shape[:2]) >= 200, strip.size))


def write_part(folder: Path, pictures: Iterable[ImageBGR]) -> int:
    """The pictures and their labels.csv; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    names = []
    for number, image_bgr in enumerate(pictures):
        names.append(f"{folder.name}_{number:03d}.jpg")
        cv2.imwrite(str(folder / names[-1]), image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])
    if names:
        with (folder / "labels.csv").open("w", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows({"file": name, "verified": 1} for name in names)
    return len(names)


def main() -> None:
    """Write all parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DATA / "empty")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--photos", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    parts: dict[str, Iterable[ImageBGR]] = {"mats": mats(12), "clutter": cluttered(45), "prints": printed(55)}
    if (DATA / "photoreal/empty").is_dir():
        parts["photoreal"] = library(DATA / "photoreal/empty")
    if args.library is not None:
        parts["library"] = library(args.library)
    if args.photos:
        parts["photos"] = without_dice(args.photos, 60)
    for name, pictures in parts.items():
        print(f"{name}: {write_part(args.out / name, pictures)} pictures without dice", flush=True)


if __name__ == "__main__":
    main()
