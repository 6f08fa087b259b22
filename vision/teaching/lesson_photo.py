"""A photo for teaching: its dice read among the kinds that lie there, each with its picture to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from tablesight.vision.frame import ImageBGR
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reader import crop
from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading
from tablesight.vision.teaching.taught_folder import packed_crop

MOST_DICE: Final = 40
"""In one photo; the answer with all the pictures must fit into a message."""


class BoxReader(Protocol):
    """`tablesight.vision.reader.DiceReader`, taught or not."""

    @property
    def accept_from(self) -> float:
        """The probability from which a die is scored without asking."""

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        """One posterior per box."""


class WholePhotoReader(Protocol):
    """`tablesight.vision.photo_reader.PhotoReader`."""

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        """All dice of a picture."""


@dataclass(frozen=True, slots=True)
class LessonPhoto:
    """The reading, and a PNG of 112 by 112 pixels of each of its dice."""

    reading: PhotoReading
    crops_png: tuple[bytes, ...]


def read_lesson(photos: WholePhotoReader, reader: BoxReader, image_bgr: ImageBGR, kinds: Sequence[str]) -> LessonPhoto:
    """Find and read the dice of a photo (height, width, 3) in which only dice of these kinds lie; none: of any kind."""
    reading = photos.read(image_bgr)
    reading = replace(reading, dice=reading.dice[:MOST_DICE])
    boxes = [die.box_xyxy_px for die in reading.dice]
    dice: list[DieReading] = list(reading.dice)
    if kinds and boxes:
        weights = dict.fromkeys(kinds, 1.0)
        posteriors = reader.posteriors(image_bgr, boxes)
        dice = [
            posterior.reading(box, reader.accept_from, weights) if posterior.candidates(weights, 1) else die
            for posterior, box, die in zip(posteriors, boxes, reading.dice, strict=True)
        ]
    return LessonPhoto(replace(reading, dice=tuple(dice)), tuple(packed_crop(crop(image_bgr, box)) for box in boxes))
