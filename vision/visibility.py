"""Whether the camera sees a table at all: a lamp that is off, a hand on the lens, a lens cap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR


@dataclass(frozen=True, slots=True)
class VisibilitySettings:
    """Levels are those of the gate's logarithmic scale."""

    dark_level: float = 14.0
    """Mean brightness (0-255) under which nothing can be seen."""
    lost_structure: float = 0.4
    """A picture with less than this share of the structure seen before, and in another colour, is of a covered lens."""
    color_jump: float = 22.0
    """That colour: this many levels of the logarithmic scale away from before (about 20 % of the light)."""
    bare_margin: float = 0.3
    """Structure of the bare table, levels, that does not count: so much is left of a plain one."""
    alike: tuple[float, float] = (1.3, 0.5)
    """A picture that differs by no more than this many times the noise and so many levels more, on the mean, from one
    that was measured has as much structure and the same colours. Two pictures of the same differ by 1.13 times it."""
    measured_every: int = 10
    """... but one in so many is measured all the same."""


SETTINGS: Final = VisibilitySettings()


class Visibility:
    """Remembers how much structure and which colour the table has."""

    def __init__(self, settings: VisibilitySettings = SETTINGS) -> None:
        self._settings = settings
        self.reset()

    def reset(self) -> None:
        """Another camera or another picture size."""
        self._structure_seen = self._bare_structure = 0.0
        self._color_seen: npt.NDArray[np.float64] | None = None
        self._measured: _Measured | None = None
        self._measured_ago = 0

    def learn_bare(self, picture: ImageBGR) -> None:
        """The table with nothing on it, (height, width, 3)."""
        self._bare_structure = _structure(picture)

    def sees(self, picture: ImageBGR, brightness: float, noise: float) -> bool:
        """Whether there is a table in the picture (height, width, 3) of this mean brightness and noise.

        There is light, and either structure or the colours known from before: dice taken from a plain table take the
        structure away too, but not the colour of the table.
        """
        settings = self._settings
        if brightness < settings.dark_level:
            return False
        measured = self._measure(picture, noise)
        color, structure = measured.color, max(0.0, measured.structure - 0.12 * noise - 0.1)  # less what noise leaves
        if self._color_seen is None:
            self._color_seen, self._structure_seen = color, structure
        lost = structure < settings.lost_structure * self._structure_seen
        if lost and float(np.abs(color - self._color_seen).max()) > settings.color_jump:
            return False
        if structure < settings.lost_structure * (self._bare_structure - settings.bare_margin):
            return False
        speed = 0.3 if structure > self._structure_seen else 0.002
        self._structure_seen += speed * (structure - self._structure_seen)
        self._color_seen = self._color_seen + 0.05 * (color - self._color_seen)
        return True

    def _measure(self, picture: ImageBGR, noise: float) -> _Measured:
        """Structure and colour of a picture, or of one just before that is as good as the same."""
        few = np.ascontiguousarray(picture[4::8, 4::8])
        measured, self._measured_ago = self._measured, self._measured_ago + 1
        if measured is not None and self._measured_ago < self._settings.measured_every:
            times, more = self._settings.alike
            if np.mean(cv2.absdiff(few, measured.few)) <= times * noise + more:
                return measured
        self._measured = _Measured(few, _structure(picture), np.median(few.reshape(-1, 3), axis=0))
        self._measured_ago = 0
        return self._measured


@dataclass(frozen=True, slots=True)
class _Measured:
    """What was measured in a picture of which `few` pixels are kept."""

    few: ImageBGR
    structure: float
    color: npt.NDArray[np.float64]


def _structure(picture: ImageBGR) -> float:
    """How much there is in a picture that is coarser than noise and finer than shading, levels."""
    grey = picture[..., 1]
    return float(cv2.mean(cv2.absdiff(cv2.blur(grey, (7, 7)), cv2.blur(grey, (31, 31))))[0])
