"""Reads the photos of one camera that hangs still, as the product does: the dice of earlier photos tell from where it
looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tablesight.vision.frame import ImageBGR
from tablesight.vision.nadir import NadirFromDice
from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading

if TYPE_CHECKING:
    from tablesight.vision.photo_reader import PhotoReader  # onnxruntime takes a moment to load


class FixedCameraReader:
    """The photo reader, and what it has learnt of the camera; one for each camera.

    Every photo is read with what the ones before it told. Nothing is learnt from labels but which box holds a die.
    """

    def __init__(self, photos: PhotoReader) -> None:
        self._photos = photos
        self._nadir = NadirFromDice()

    @property
    def accept_from(self) -> float:
        """The probability from which a die is accepted."""
        return self._photos.accept_from

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        """Finds and reads all dice."""
        return self._photos.read(image_bgr, self._below(image_bgr))

    def read_boxes(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DieReading, ...]:
        """Reads the dice in boxes that are given, and learns from them for the photos that follow."""
        dice = self._photos.read_boxes(image_bgr, boxes_xyxy_px, self._below(image_bgr))
        height, width = image_bgr.shape[:2]
        self._nadir.learn(boxes_xyxy_px, self._photos.reader.tilts(image_bgr, boxes_xyxy_px), width, height)
        return dice

    def _below(self, image_bgr: ImageBGR) -> tuple[float, float] | None:
        nadir = self._nadir.estimate()
        height, width = image_bgr.shape[:2]
        return None if nadir is None else (nadir[0] * width, nadir[1] * height)
