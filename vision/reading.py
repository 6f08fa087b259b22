"""What the camera says about a picture: frozen records without pixels."""

from __future__ import annotations

from dataclasses import dataclass

from tablesight.vision.kinds import Color, Ink, Marking

BoxXYXY = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels of the picture."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A die found: its box and the detector's score, 0 to 1."""

    box_xyxy_px: BoxXYXY
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One explanation of a die: kind (None where it is none of the thirteen), face 1-20, signed value, probability."""

    kind: str | None
    face: int
    value: int
    p: float


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die read: the best explanation, how sure, and the runners-up (best first, the winner included).

    `confidence` is the calibrated probability that kind, face and ink are all right; `accepted` says that it is high
    enough to score without asking.
    """

    box_xyxy_px: BoxXYXY
    kind: str | None
    color: Color
    sides: int
    marking: Marking
    ink: Ink
    face: int
    value: int
    confidence: float
    accepted: bool
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """All dice of one picture, and the time it took, milliseconds."""

    width: int
    height: int
    dice: tuple[DieReading, ...]
    detect_ms: float
    read_ms: float
    total_ms: float
