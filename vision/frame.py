"""A picture from a camera, and the protocol every camera speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

ImageBGR = npt.NDArray[np.uint8]
"""Shape (height, width, 3), dtype uint8, channel order blue, green, red."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture. `captured_at_s` is on the source's monotonic clock, seconds."""

    image_bgr: ImageBGR
    captured_at_s: float


class SourceError(Exception):
    """The camera cannot deliver: says what was expected, what came and what to do next (shown to the user as is)."""


class FrameSource(Protocol):
    """A camera. Both calls block until a picture is there and raise `SourceError` when none can come."""

    @property
    def name(self) -> str:
        """For people: "Raspberry Pi camera (imx708)", "simulated table"."""

    def preview(self) -> Frame:
        """A small picture (about 640 px wide) to watch for motion; cheap, about ten a second."""

    def still(self) -> Frame:
        """A picture at the camera's full resolution, to read the dice in."""

    def close(self) -> None:
        """Lets the camera go; may be called twice."""
