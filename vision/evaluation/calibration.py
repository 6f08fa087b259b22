"""Is a confidence of 0.9 right nine times in ten, and how many dice are left above a threshold?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from tablesight.vision.evaluation.rate import Rate

BIN_EDGES: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Finer where decisions fall."""
THRESHOLDS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """The dice whose confidence lies in `low` (included) to `high`: how many were right, and the mean confidence."""

    low: float
    high: float
    right: Rate
    mean_confidence: float

    def to_json(self) -> dict[str, Any]:
        """`{"low", "high", "confidence", "right"}`."""
        return {
            "low": self.low,
            "high": self.high,
            "confidence": round(self.mean_confidence, 5),
            "right": self.right.to_json(),
        }


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """At `threshold`: the share of the dice above it (coverage), and how many of those were right (accuracy)."""

    threshold: float
    coverage: Rate
    accuracy: Rate

    def to_json(self) -> dict[str, Any]:
        """`{"threshold", "coverage", "accuracy"}`."""
        return {
            "threshold": self.threshold,
            "coverage": self.coverage.to_json(),
            "accuracy": self.accuracy.to_json(),
        }


Outcomes = Sequence[tuple[float, bool]]
"""Confidence of each die, 0 to 1, and whether it was right."""


def reliability(outcomes: Outcomes, edges: Sequence[float] = BIN_EDGES) -> tuple[ConfidenceBin, ...]:
    """The dice by confidence; bins without dice are left out. A confidence of 1 is in the last bin."""
    bins = []
    for low, high in pairwise(edges):
        inside = [(p, right) for p, right in outcomes if low <= p < high or (high == edges[-1] and p >= high)]
        if inside:
            mean = sum(p for p, _ in inside) / len(inside)
            bins.append(ConfidenceBin(low, high, Rate.count(right for _, right in inside), mean))
    return tuple(bins)


def expected_calibration_error(outcomes: Outcomes, edges: Sequence[float] = BIN_EDGES) -> float | None:
    """Mean distance of confidence from accuracy over the bins, weighted by their dice (ECE; Guo et al. 2017)."""
    if not outcomes:
        return None
    distances = [
        abs(group.mean_confidence - (group.right.value or 0.0)) * group.right.of
        for group in reliability(outcomes, edges)
    ]
    return sum(distances) / len(outcomes)


def coverage_curve(outcomes: Outcomes, thresholds: Sequence[float] = THRESHOLDS) -> tuple[CoveragePoint, ...]:
    """Accuracy against coverage, one point for each threshold."""
    points = []
    for threshold in thresholds:
        above = [right for p, right in outcomes if p >= threshold]
        points.append(CoveragePoint(threshold, Rate(len(above), len(outcomes)), Rate.count(above)))
    return tuple(points)
