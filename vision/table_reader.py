"""Reads the dice of settled zones from a still: one detection for the part of the picture that matters, then crops."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from tablesight.vision.closer_look import Finder, find_closer
from tablesight.vision.frame import ImageBGR
from tablesight.vision.look import SeenDie, picture_quality
from tablesight.vision.matching import match_points
from tablesight.vision.nadir import MIDDLE, NadirFromDice
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reading import BoxXYXY, Detection
from tablesight.vision.resting import expected_flatness
from tablesight.vision.zones import Point, Zone, seat_at


class CropReader(Protocol):
    """What reads dice in given boxes: `tablesight.vision.reader.DiceReader`."""

    accept_from: float

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        """One posterior per box."""

    def tilts(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[npt.NDArray[np.float64], ...]:
        """For each box an array (8, 14): from where it is seen, turned eight ways."""


@dataclass(frozen=True, slots=True)
class TableReaderSettings:
    """`first_sides_px`: the whole still is looked at with its longer side at these sizes until it is known how large
    the dice are; after that at the sizes that make them `die_px` across, within `scale_range` of the still; on held-out
    scenes one look at 38 px finds more than two at 16 and 30 (docs/decisions/0010).
    `margin`: the part of the still that is looked at reaches this share of its longer side beyond the zones."""

    first_sides_px: tuple[int, ...] = (640, 1280)
    die_px: tuple[float, ...] = (38.0,)
    scale_range: tuple[float, float] = (0.15, 1.0)
    margin: float = 0.02
    batch: int = 6
    """Dice read at a time: bounds the memory, and lets the caller say that it is alive in between."""
    same_place: float = 0.35
    """A die whose middle is within this share of its size of a known one needs no reading."""
    size_tolerance: float = 1.9
    """A box this many times larger or smaller than the dice read so far is none; a d20 is 1.5 times a d8."""
    largest_share: float = 0.14
    """A box wider than this share of the picture is no die, even before the size of the dice is known: the smallest
    tray that a camera looks into is 20 cm wide, and a d20 seen at an angle 2.7 cm."""
    sure: float = 0.8
    """A die read with this probability tells how large the dice are."""
    view_scales: tuple[float, ...] = (1.08, 0.94)
    """A doubtful die is read again in the same still with its box this much larger and smaller: a network that sees it
    cut out otherwise makes other mistakes, and it costs no second detection."""
    weak_per_seat: int = 6
    """At most so many weak detections are read where a die is missing."""
    viewpoint_dice: tuple[int, int] = (12, 80)
    """Where no mats tell from where the camera looks, so many of the first dice are asked for it before they are read,
    and after that one of each look until it has been so many."""


SETTINGS: Final = TableReaderSettings()


@dataclass(frozen=True, slots=True)
class TableLook:
    """The dice of one still by seat (each seat that was asked for), what may be dice too (`weak`, best first, not read
    yet), and the time it took, milliseconds."""

    dice: dict[int, tuple[SeenDie, ...]]
    weak: dict[int, tuple[Detection, ...]]
    detect_ms: float
    read_ms: float


class TableReader:
    """Looks at stills of one table; learns how large the dice appear.

    What `finder` finds with a score under `strong_score` is kept apart: it is a die only where one is missing.
    """

    def __init__(
        self,
        finder: Finder,
        reader: CropReader,
        settings: TableReaderSettings = SETTINGS,
        strong_score: float = 0.0,
    ) -> None:
        self._finder = finder
        self._strong_score = strong_score
        self._reader = reader
        self._settings = settings
        self._die_px: float | None = None
        self.nadir_xy: Point | None = None
        """The point straight below the camera, shares of the picture's width and height; None where only the dice tell
        it."""
        self._from_dice = NadirFromDice()

    @property
    def focal(self) -> float:
        """Focal length, in widths of the picture."""
        return self._from_dice.focal

    @focal.setter
    def focal(self, focal: float) -> None:
        if focal != self._from_dice.focal:
            self._from_dice = NadirFromDice(focal)

    @property
    def accept_from(self) -> float:
        """The probability from which a die is scored without asking."""
        return self._reader.accept_from

    @property
    def die_px(self) -> float | None:
        """How large the dice appear in the still, the longer side of their boxes; None where none were seen yet."""
        return self._die_px

    def forget_size(self) -> None:
        """The camera has been changed or moved: dice may have another size, and be seen from another side."""
        self._die_px = None
        self.forget_viewpoint()

    def forget_viewpoint(self) -> None:
        """The camera has been moved a little: what the dice told of from where it looks is over."""
        self._from_dice.forget()

    def look(
        self,
        image_bgr: ImageBGR,
        zones: Sequence[Zone],
        seats: Collection[int],
        known: Sequence[SeenDie] = (),
        alive: Callable[[], None] = lambda: None,
    ) -> TableLook:
        """The dice in the zones of these seats, in a still (height, width, 3); boxes in pixels of the whole still.

        Dice in the place of a `known` one (from an earlier look) are taken to be that and not read again. `alive` is
        called when all are found and every few dice.
        """
        start = time.perf_counter()
        height, width = image_bgr.shape[:2]
        left, top, right, bottom = self._part(zones, seats, width, height)
        part = image_bgr[top:bottom, left:right]  # a view: a still of 12 megapixels is not copied
        found: dict[int, list[Detection]] = {seat: [] for seat in seats}
        weak: dict[int, list[Detection]] = {seat: [] for seat in seats}
        for detection in self._finder.detect(part, self._long_sides(width, height, max(part.shape[:2]))):
            x0, y0, x1, y1 = detection.box_xyxy_px
            box = (x0 + left, y0 + top, x1 + left, y1 + top)
            seat = seat_at(zones, (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height)
            if seat in found and self._has_size(box, width):
                (found if detection.score >= self._strong_score else weak)[seat].append(Detection(box, detection.score))
        alive()
        detected = time.perf_counter()
        order = [(seat, d) for seat, detections in found.items() for d in detections]
        seen = self._seen(image_bgr, [d for _, d in order], known, alive)
        self._learn_size(seen)
        end = time.perf_counter()
        return TableLook(
            {seat: tuple(die for (owner, _), die in zip(order, seen, strict=True) if owner == seat) for seat in seats},
            {seat: tuple(sorted(few, key=lambda d: -d.score)) for seat, few in weak.items()},
            (detected - start) * 1e3,
            (end - detected) * 1e3,
        )

    def look_again(
        self, image_bgr: ImageBGR, dice: Sequence[SeenDie], alive: Callable[[], None]
    ) -> tuple[SeenDie, ...]:
        """The same dice after they were found again, closer, and read once more in the same still, each cut out a
        little larger and smaller. What was read in a box that was wrong counts no more."""
        closer = [self._find_closer(image_bgr, Detection(die.box_xyxy_px, die.score)) for die in dice]
        moved = [index for index, die in enumerate(dice) if closer[index].box_xyxy_px != die.box_xyxy_px]
        boxes = [_scaled(found.box_xyxy_px, scale) for scale in self._settings.view_scales for found in closer]
        read = self._read(image_bgr, boxes + [closer[index].box_xyxy_px for index in moved], alive)
        better = dict(enumerate(dice))
        for index, posterior in zip(moved, read[len(boxes) :], strict=True):
            found = closer[index]
            sharpness, clipped = picture_quality(image_bgr, found.box_xyxy_px)
            better[index] = replace(
                dice[index], box_xyxy_px=found.box_xyxy_px, score=max(found.score, dice[index].score),
                posterior=posterior, sharpness=sharpness, clipped=clipped, views=(), is_reused=False,
            )  # fmt: skip
        return tuple(better[index].with_views(read[index : len(boxes) : len(dice)]) for index in range(len(dice)))

    def look_closer(
        self, image_bgr: ImageBGR, weak: Sequence[Detection], alive: Callable[[], None]
    ) -> tuple[SeenDie, ...]:
        """What was found weakly, found again, closer, and read, best first: for where a die is missing."""
        closer = [self._find_closer(image_bgr, found) for found in weak[: self._settings.weak_per_seat]]
        seen = self._seen(image_bgr, sorted(closer, key=lambda found: -found.score), (), alive)
        return tuple(replace(die, is_weak=True) for die in seen)

    def _find_closer(self, image_bgr: ImageBGR, found: Detection) -> Detection:
        left, top, right, bottom = found.box_xyxy_px
        return find_closer(self._finder, image_bgr, found, self._die_px or max(right - left, bottom - top))

    def _seen(
        self, image_bgr: ImageBGR, found: Sequence[Detection], known: Sequence[SeenDie], alive: Callable[[], None]
    ) -> list[SeenDie]:
        """One for each detection: as the known die in its place, else read."""
        boxes = [d.box_xyxy_px for d in found]
        centers = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
        reach = self._settings.same_place * float(np.median([die.size_px for die in known])) if known else 0.0
        match = match_points([die.center_xy_px for die in known], centers, reach)
        reused = {index: known[die].posterior for die, index in match.pairs}
        to_read = [index for index in range(len(boxes)) if index not in reused]
        height, width = image_bgr.shape[:2]
        self._learn_viewpoint(
            image_bgr, [boxes[index] for index in to_read if found[index].score >= self._strong_score]
        )
        posteriors = dict(zip(to_read, self._read(image_bgr, [boxes[index] for index in to_read], alive), strict=True))
        below = self._below() or MIDDLE
        return [
            SeenDie(
                d.box_xyxy_px,
                d.score,
                reused[index] if index in reused else posteriors[index],
                *picture_quality(image_bgr, d.box_xyxy_px),
                is_reused=index in reused,
                level_flatness=expected_flatness(centers[index], width, height, below, self.focal),
            )
            for index, d in enumerate(found)
        ]

    def _read(self, image_bgr: ImageBGR, boxes: Sequence[BoxXYXY], alive: Callable[[], None]) -> list[DiePosterior]:
        """One posterior for each box, read a few at a time."""
        height, width = image_bgr.shape[:2]
        nadir = self._below()
        below = None if nadir is None else (nadir[0] * width, nadir[1] * height)
        posteriors: list[DiePosterior] = []
        for start in range(0, len(boxes), self._settings.batch):
            some = boxes[start : start + self._settings.batch]
            posteriors += self._reader.posteriors(image_bgr, some, below)
            alive()
        return posteriors

    def _below(self) -> Point | None:
        """The nadir, by mats or by dice."""
        return self._from_dice.estimate() if self.nadir_xy is None else self.nadir_xy

    def _learn_viewpoint(self, image_bgr: ImageBGR, boxes: Sequence[BoxXYXY]) -> None:
        eager, most = self._settings.viewpoint_dice
        told = len(self._from_dice)
        if self.nadir_xy is None and told < most:
            some = boxes[: max(1, eager - told)]
            height, width = image_bgr.shape[:2]
            self._from_dice.learn(some, self._reader.tilts(image_bgr, some), width, height)

    def _part(self, zones: Sequence[Zone], seats: Collection[int], width: int, height: int) -> tuple[int, ...]:
        """The part of the still around the seats' zones: left, top, right, bottom, pixels."""
        corners = np.array([corner for zone in zones if zone.seat in seats for corner in zone.polygon])
        if not len(corners):
            return 0, 0, width, height
        low, high = corners.min(axis=0) * (width, height), corners.max(axis=0) * (width, height)
        margin = self._settings.margin * max(width, height) + (self._die_px or 0)
        return (
            max(0, int(low[0] - margin)),
            max(0, int(low[1] - margin)),
            min(width, int(high[0] + margin) + 1),
            min(height, int(high[1] + margin) + 1),
        )

    def _long_sides(self, width: int, height: int, part_px: int) -> tuple[int, ...]:
        if self._die_px is None:
            return tuple(max(64, round(side * part_px / max(width, height))) for side in self._settings.first_sides_px)
        scales = np.clip(np.array(self._settings.die_px) / self._die_px, *self._settings.scale_range)
        return tuple(sorted({max(64, round(part_px * float(scale))) for scale in scales}))

    def _has_size(self, box: BoxXYXY, width: int) -> bool:
        """Whether a box can be one of the dice, by its size."""
        size = max(box[2] - box[0], box[3] - box[1])
        if size > self._settings.largest_share * width:
            return False
        factor = self._settings.size_tolerance
        return self._die_px is None or self._die_px / factor <= size <= self._die_px * factor

    def _learn_size(self, dice: Sequence[SeenDie]) -> None:
        sizes = [die.size_px for die in dice if die.posterior.candidates(count=1)[0].p >= self._settings.sure]
        if sizes:
            seen = float(np.median(sizes))
            self._die_px = seen if self._die_px is None else 0.7 * self._die_px + 0.3 * seen


def _scaled(box_xyxy_px: BoxXYXY, scale: float) -> BoxXYXY:
    """The box made larger about its middle."""
    left, top, right, bottom = box_xyxy_px
    grow_x, grow_y = (right - left) * (scale - 1) / 2, (bottom - top) * (scale - 1) / 2
    return (left - grow_x, top - grow_y, right + grow_x, bottom + grow_y)
