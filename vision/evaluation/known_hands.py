"""Reads photos as the product reads a roll: it is known which kinds of dice the hand holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tablesight.vision.evaluation.labels import Label
from tablesight.vision.frame import ImageBGR
from tablesight.vision.hand_decoder import Expectation, decode_hand
from tablesight.vision.kinds import kind_of
from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading

if TYPE_CHECKING:
    from tablesight.vision.photo_reader import PhotoReader  # onnxruntime takes a moment to load


@runtime_checkable
class ReadsHands(Protocol):
    """What is measured where the hands are told."""

    def read_hand(self, image_bgr: ImageBGR, kinds: Sequence[str]) -> PhotoReading:
        """Finds the dice and reads them together, as a hand of these kinds."""


class KnownHandReader:
    """The photo reader, and the hand decoder after it."""

    def __init__(self, photos: PhotoReader) -> None:
        self._photos = photos

    @property
    def accept_from(self) -> float:
        """The probability from which a die is accepted."""
        return self._photos.accept_from

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        """Finds and reads all dice, each alone."""
        return self._photos.read(image_bgr)

    def read_boxes(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DieReading, ...]:
        """The dice in boxes that are given, each alone."""
        return self._photos.read_boxes(image_bgr, boxes_xyxy_px)

    def read_hand(self, image_bgr: ImageBGR, kinds: Sequence[str]) -> PhotoReading:
        """Finds the dice and reads them together, as a hand of these kinds."""
        alone = self._photos.read(image_bgr)
        boxes = [die.box_xyxy_px for die in alone.dice]
        reader = self._photos.reader
        hand = decode_hand(reader.posteriors(image_bgr, boxes), boxes, Expectation(tuple(kinds)), reader.accept_from)
        return replace(alone, dice=hand.dice)


def kinds_of_hand(labels: Sequence[Label]) -> tuple[str, ...] | None:
    """The kinds that lie in a photo; None where a die is none of the thirteen or it is not said what it is."""
    kinds = []
    for label in labels:
        kind = None if label.color is None or label.sides is None else kind_of(label.color, label.sides)
        if kind is None:
            return None
        kinds.append(kind.id)
    return tuple(kinds)
