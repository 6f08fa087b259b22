"""How many stills a doubtful zone is given."""

from __future__ import annotations

import pytest

from tablesight.vision.hand_decoder import HandReading
from tablesight.vision.worker.reading_pass import ReadingPass
from tablesight.vision.worker.zone_book import ZoneHand


def zone_pass(unseen: int, looks: int, computed_ms: float, took_ms: float) -> ReadingPass:
    reading = ReadingPass(0, read_ms=took_ms, computed_ms=computed_ms)
    reading.hand = ZoneHand((), HandReading((), 1.0, (), (), unseen))
    reading._looks = [()] * looks
    return reading


@pytest.mark.parametrize(
    ("reading", "more"),
    [
        pytest.param(zone_pass(0, 1, 100, 100), False, id="nothing is doubtful"),
        pytest.param(zone_pass(1, 1, 100, 100), True, id="a die is missing"),
        pytest.param(zone_pass(1, 3, 100, 100), False, id="three stills were looked at"),
        pytest.param(zone_pass(1, 1, 500, 500), False, id="a slow machine"),
        pytest.param(zone_pass(1, 1, 100, 5000), True, id="a busy machine"),
    ],
)
def test_another_still_is_taken_where_it_may_help_and_costs_little(reading: ReadingPass, more: bool) -> None:
    assert reading.needs_more(3, 400) is more
