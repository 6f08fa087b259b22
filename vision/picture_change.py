"""What differs between two pictures of a table, apart from the light: for the motion gate."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR

Rows = npt.NDArray[np.int16]
"""Offset of each row and channel: shape (height, 1, 3)."""

_CUBE: Final = np.ones((3, 3), dtype=np.uint8)


def changed(picture: ImageBGR, other: ImageBGR, level: float, envelope: bool) -> npt.NDArray[np.uint8]:
    """Where two pictures (height, width, 3) differ by more than `level` in the light of the first, 0 or 1; `envelope`
    forgives a shift of one pixel."""
    shifted = _shifted(other, row_offsets(picture, other))
    low, high = (cv2.erode(shifted, _CUBE), cv2.dilate(shifted, _CUBE)) if envelope else (shifted, shifted)
    return _above(_outside(picture, low, high), level)


def surely_same(
    picture: ImageBGR,
    other: ImageBGR,
    level: float,
    envelope: bool = False,
    where: npt.NDArray[np.uint8] | None = None,
) -> bool:
    """Whether `changed` can find nothing (where the mask is 1, if there is one), which is so nearly always while a
    table is at rest; in a fifth of its time.

    Where less than half of what `row_offsets` looks at in a row is brighter by more than some levels (`most`), and less
    than half darker, its median is not, and so no offset is; what differs by no more than the rest of `level` before
    cannot differ by more after it.
    """
    few, few_other = _columns(picture), _columns(other)
    steps = cv2.subtract(few, few_other), cv2.subtract(few_other, few)
    most = next((n for n in (int(level / 4), int(level / 2)) if not any(_is_half_of_a_row(s, n) for s in steps)), None)
    if most is None:
        return False
    difference = cv2.absdiff(picture, other)
    if difference.max() <= level - most:
        return True
    if envelope:
        difference = _outside(picture, cv2.erode(other, _CUBE), cv2.dilate(other, _CUBE))
        if difference.max() <= level - most:
            return True
    mask = _above(difference, level - most)
    return not cv2.hasNonZero(mask if where is None else cv2.min(mask, where))


def _is_half_of_a_row(difference: cv2.typing.MatLike, most: int) -> bool:
    """Whether more than `most` is the median of any row and channel of a difference (height, width, 3)."""
    far = cv2.threshold(difference, most, 1, cv2.THRESH_BINARY)[1]
    height, width = far.shape[:2]
    half = (width + 1) // 2
    # all channels together are counted much more quickly, and are mostly less than half of one
    together = np.asarray(cv2.reduce(far.reshape(height, -1), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S))
    if together.max() < half:
        return False
    return bool(np.asarray(cv2.reduce(far, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)).max() >= half)


def _outside(picture: ImageBGR, low: cv2.typing.MatLike, high: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """How far a picture is above the one or below the other, levels."""
    return cv2.max(cv2.subtract(picture, high), cv2.subtract(low, picture))


def _columns(picture: ImageBGR) -> ImageBGR:
    """Every fourth column, (height, width / 4, 3): of the pictures rather than of what is made of them."""
    height, width = picture.shape[:2]
    if width % 4:
        return np.ascontiguousarray(picture[:, ::4])
    # the same columns, in a fifth of the time
    return np.asarray(cv2.resize(picture, (width // 4, height), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)


def _above(difference: npt.NDArray[np.uint8] | cv2.typing.MatLike, level: float) -> npt.NDArray[np.uint8]:
    """Where any channel of a difference (height, width, 3) is more than `level`, 0 or 1; single pixels are left out."""
    blue, green, red = cv2.split(difference)  # views of single channels would be copied one by one, more slowly
    mask = cv2.threshold(cv2.max(cv2.max(blue, green), red), level, 1, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.medianBlur(mask, 3), dtype=np.uint8)


def _shifted(picture: ImageBGR, offsets: Rows) -> ImageBGR:
    if not offsets.any():
        return picture
    # seven times as quick as numpy's broadcast, which cv2 would need as a whole array too
    wide = cv2.resize(offsets, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.add(picture, wide, dtype=cv2.CV_8U), dtype=np.uint8)


def row_offsets(picture: ImageBGR, other: ImageBGR) -> Rows:
    """What to add to each row and channel of `other` to get the light of `picture`: flicker bands, drifting exposure.

    The median of every fourth column, so that what has moved counts for nothing up to half of the row.
    """
    difference = np.asarray(cv2.subtract(_columns(picture), _columns(other), dtype=cv2.CV_16S))
    middle = difference.shape[1] // 2
    of_channels = np.ascontiguousarray(difference.transpose(0, 2, 1))
    rows = np.partition(of_channels, middle, axis=2)[:, :, middle].astype(np.float32)
    return np.round(cv2.blur(rows.reshape(-1, 1, 3), (1, 5))).astype(np.int16).reshape(-1, 1, 3)


def step_towards(target: ImageBGR, picture: ImageBGR, where: npt.NDArray[np.uint8]) -> None:
    """Move `target` by one level towards `picture` (sigma-delta filter: it ends at the median), where the mask is 1."""
    up = cv2.min(cv2.subtract(picture, target), where)
    down = cv2.min(cv2.subtract(target, picture), where)
    cv2.subtract(cv2.add(target, up), down, dst=target)
