"""Calibration and coverage, on outcomes whose figures are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tablesight.vision.evaluation.calibration import coverage_curve, expected_calibration_error, reliability
from tablesight.vision.evaluation.rate import Rate

FOUR = [(0.55, True), (0.58, False), (0.92, True), (1.0, True)]


def test_reliability_by_bins() -> None:
    bins = reliability(FOUR)
    assert [(group.low, group.high, group.right) for group in bins] == [
        (0.5, 0.6, Rate(1, 2)),
        (0.9, 0.95, Rate(1, 1)),
        (0.99, 1.0, Rate(1, 1)),
    ]
    assert bins[0].mean_confidence == pytest.approx(0.565)


def test_the_error_is_the_weighted_distance() -> None:
    expected = (abs(0.565 - 0.5) * 2 + abs(0.92 - 1) + abs(1.0 - 1)) / 4
    assert expected_calibration_error(FOUR) == pytest.approx(expected)
    assert expected_calibration_error([]) is None


def test_a_calibrated_reader_has_a_small_error_and_an_overconfident_one_a_large() -> None:
    rng = np.random.default_rng(5)
    confidences = rng.uniform(0.3, 1, 20_000)
    honest = [(float(p), bool(rng.random() < p)) for p in confidences]
    boaster = [(min(1.0, p + 0.2), right) for p, right in honest]
    honest_error, boaster_error = expected_calibration_error(honest), expected_calibration_error(boaster)
    assert honest_error is not None
    assert boaster_error is not None
    assert honest_error < 0.01
    assert boaster_error > 0.1


def test_accuracy_against_coverage() -> None:
    points = {point.threshold: point for point in coverage_curve(FOUR, (0.0, 0.9, 1.0))}
    assert (points[0.0].coverage, points[0.0].accuracy) == (Rate(4, 4), Rate(3, 4))
    assert (points[0.9].coverage, points[0.9].accuracy) == (Rate(2, 4), Rate(2, 2))
    assert (points[1.0].coverage, points[1.0].accuracy) == (Rate(1, 4), Rate(1, 1))
    assert coverage_curve([], (0.5,))[0].accuracy.value is None
