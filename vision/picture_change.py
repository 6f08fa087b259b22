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
    return _above(cv2.max(cv2.subtract(picture, high), cv2.subtract(low, picture)), level)


def surely_same(picture: ImageBGR, other: ImageBGR, level: float) -> bool:
    """Whether `changed` can find nothing, which is so nearly always while a table is at rest; in a third of its time.

    Where less than half of what `row_offsets` looks at in a row differs by more than some levels, its median does not,
    and so no offset does; what differs by no more than the rest of `level` before cannot differ by more after it.
    """
    offset = int(level / 4)
    difference = cv2.absdiff(picture, other)
    far = cv2.threshold(np.ascontiguousarray(difference[:, ::4]), offset, 1, cv2.THRESH_BINARY)[1]
    of_rows = np.asarray(cv2.reduce(far, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S))
    if of_rows.max() >= (far.shape[1] + 1) // 2:
        return False
    return not cv2.hasNonZero(_above(difference, level - offset))


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
    difference = cv2.subtract(picture[:, ::4], other[:, ::4], dtype=cv2.CV_16S)
    middle = difference.shape[1] // 2
    rows = np.partition(difference, middle, axis=1)[:, middle].astype(np.float32)
    return np.round(cv2.blur(rows.reshape(-1, 1, 3), (1, 5))).astype(np.int16).reshape(-1, 1, 3)


def step_towards(target: ImageBGR, picture: ImageBGR, where: npt.NDArray[np.uint8]) -> None:
    """Move `target` by one level towards `picture` (sigma-delta filter: it ends at the median), where the mask is 1."""
    up = cv2.min(cv2.subtract(picture, target), where)
    down = cv2.min(cv2.subtract(target, picture), where)
    cv2.subtract(cv2.add(target, up), down, dst=target)
