"""Digits of many fonts, and the masks of numbers and pips as they are printed on a face."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.float32]
SixNineMark = Literal["none", "underline", "dot"]
SIX_NINE_MARKS: Final[tuple[SixNineMark, ...]] = get_args(SixNineMark)

MASK_PX: Final = 128
"""Side of a face mask; the digit height is about 60 px of it at scale 1."""

_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class NumeralFonts:
    """`digits` has shape (fonts, 10, 64, 80), uint8: each font's digits at one scale, 255 = ink."""

    digits: npt.NDArray[np.uint8]
    _masks: dict[tuple[int, str, SixNineMark], Mask] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.digits)

    @classmethod
    def load(cls, path: Path | None = None) -> NumeralFonts:
        """Reads a numerals file; without `path` the one shipped with the simulated table."""
        if path is None:
            with files("tablesight.vision.simulator").joinpath("numerals.npz").open("rb") as stream:
                return cls(np.load(stream)["digits"])
        return cls(np.load(path)["digits"])

    def mask(self, font: int, text: str, mark: SixNineMark) -> Mask:
        """The number as a mask (128, 128), float32 0 to 1, upright and centred; "6" and "9" get their mark."""
        key = (font, text, mark)
        if key not in self._masks:
            self._masks[key] = self._compose(font, text, mark)
        return self._masks[key]

    def _compose(self, font: int, text: str, mark: SixNineMark) -> Mask:
        parts: list[npt.NDArray[np.uint8]] = []
        for digit in text:
            sheet = self.digits[font, int(digit)]
            columns = np.flatnonzero(sheet.any(0))
            parts.append(np.pad(sheet[:, columns[0] : columns[-1] + 1], ((0, 0), (2, 2))))
        number = np.concatenate(parts, 1)
        height, width = number.shape
        scale = min(1.0, 112 / width)
        if scale < 1:
            number = np.asarray(
                cv2.resize(number, (int(width * scale), height), interpolation=cv2.INTER_AREA), np.uint8
            )
            width = number.shape[1]
        mask = np.zeros((MASK_PX, MASK_PX), np.uint8)
        top, left = (MASK_PX - height) // 2, (MASK_PX - width) // 2
        mask[top : top + height, left : left + width] = number
        if text in ("6", "9"):
            rows = np.flatnonzero(mask.any(1))
            bottom = int(rows[-1])
            if mark == "underline":
                mask[bottom + 6 : bottom + 13, left + 2 : left + width - 2] = 255
            elif mark == "dot":
                cv2.circle(mask, (left + width + 7, bottom - 4), 6, 255, -1, cv2.LINE_AA)
        return mask.astype(np.float32) / np.float32(255)


def pip_mask(face: int, spread: float, radius: float) -> Mask:
    """The pips of a d6 face as a mask (128, 128) in which the face's inscribed circle has radius 64 px; `spread` and
    `radius` are fractions of that radius."""
    mask = np.zeros((MASK_PX, MASK_PX), np.uint8)
    half = MASK_PX / 2
    for x, y in _PIPS[face]:
        center = (round((half + x * spread * half) * 16), round((half + y * spread * half) * 16))
        cv2.circle(mask, center, round(radius * half * 16), 255, -1, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / np.float32(255)
