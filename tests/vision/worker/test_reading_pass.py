"""How many stills a doubtful zone is given."""

from __future__ import annotations

import pytest

from tablesight.vision.hand_decoder import HandReading
from tablesight.vision.kinds import KINDS
from tablesight.vision.reading import Candidate, DieReading
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


def die(*candidates: tuple[str | None, int, float], accepted: bool = False) -> DieReading:
    """A die with these explanations, best first."""
    kind, face, p = candidates[0]
    sides = KINDS[kind].sides if kind else 6
    told = tuple(Candidate(kind, face, face, p) for kind, face, p in candidates)
    return DieReading((0, 0, 9, 9), kind, "blue", sides, "numeral", "white", face, face, p, accepted, told)


@pytest.mark.parametrize(
    ("dice", "more"),
    [
        pytest.param([die(("blue-d6", 3, 0.6), ("blue-d6", 5, 0.4))], True, id="one of two numbers"),
        pytest.param([die(("blue-d8", 3, 0.6), ("blue-d12", 3, 0.4))], True, id="one of two shapes"),
        pytest.param([die(("blue-d6", 3, 0.6), ("glitter-d6", 3, 0.4))], False, id="one of two colours"),
        pytest.param([die(("red-d6", 3, 0.6), ("red-d6", 3, 0.4))], False, id="one of two inks"),
        pytest.param([die((None, 3, 0.6), ("blue-d6", 3, 0.4))], False, id="perhaps somebody's own die"),
        pytest.param([die(("blue-d12", 9, 0.6), ("blue-d12", 6, 0.4))], False, id="which way up"),
        pytest.param([die(("purple-d8", 6, 0.6), ("purple-d8", 3, 0.4))], True, id="a six without a nine"),
        pytest.param([die(("blue-d6", 3, 0.99), ("blue-d6", 5, 0.01))], False, id="sure, but not of this hand"),
        pytest.param([die(("blue-d6", 3, 0.9), ("blue-d6", 5, 0.1), accepted=True)], False, id="sure enough"),
        pytest.param(
            [die(("blue-d6", 3, 0.6), ("glitter-d6", 3, 0.4)), die(("blue-d6", 3, 0.6), ("blue-d6", 5, 0.4))],
            True,
            id="a colour, and a number",
        ),
    ],
)
def test_another_still_is_taken_for_what_it_can_tell(dice: list[DieReading], more: bool) -> None:
    reading = zone_pass(0, 1, 100, 100)
    reading.hand = ZoneHand((), HandReading(tuple(dice), 1.0, (), ()))
    reading._accept_from = 0.95
    assert reading.needs_more(3, 400) is more
