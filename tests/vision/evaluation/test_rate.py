"""Shares and their intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.evaluation.rate import Rate


def test_wilson_interval_against_a_table() -> None:
    # Brown, Cai, DasGupta (2001): 0 of 10 -> upper 0.2775; 9 of 10 -> 0.5958 to 0.9821
    assert Rate(0, 10).interval == pytest.approx((0, 0.2775), abs=1e-4)
    assert Rate(9, 10).interval == pytest.approx((0.5958, 0.9821), abs=1e-4)


def test_of_nothing_nothing_is_said() -> None:
    assert Rate(0, 0).value is None
    assert Rate(0, 0).interval is None
    assert str(Rate(0, 0)) == "-"
    assert Rate(0, 0).to_json() == {"value": None, "hits": 0, "of": 0, "low": None, "high": None}


def test_what_is_unknown_is_not_counted() -> None:
    assert Rate.count([True, None, False, True]) == Rate(2, 3)
    assert Rate(2, 3) + Rate(0, 4) == Rate(2, 7)
    assert str(Rate(2, 4)) == "50.0 % (2/4, 15.0-85.0)"


@given(of=st.integers(1, 5000), data=st.data())
def test_the_interval_holds_the_share(of: int, data: st.DataObject) -> None:
    rate = Rate(data.draw(st.integers(0, of)), of)
    assert rate.interval is not None
    assert rate.value is not None
    low, high = rate.interval
    assert -1e-9 <= low <= rate.value + 1e-9
    assert rate.value - 1e-9 <= high <= 1 + 1e-9
