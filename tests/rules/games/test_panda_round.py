"""What a round decides: ties, token, pity, trade and draft order."""

from __future__ import annotations

import pytest

from tablesight.rules.games.panda_dice import Die
from tablesight.rules.games.panda_round import (
    contenders_after,
    draft_order,
    pity_order,
    settle,
    token_after_tie,
    trade_order,
    winners,
)


def yellow(*values: int) -> list[tuple[Die, ...]]:
    return [(Die("yellow-d6", value),) if value else () for value in values]


@pytest.mark.parametrize(
    ("layers", "only_tied", "expected"),
    [
        pytest.param([yellow(6, 5, 5)], False, (0,), id="a tie below the top is none"),
        pytest.param([yellow(6, 6, 1)], False, (0, 1), id="two lead"),
        pytest.param([yellow(6, 6, 1), yellow(1, 2, 5)], False, (2,), id="a seat that was not tied can win the token"),
        pytest.param([yellow(6, 6, 1), yellow(1, 2, 5)], True, (1,), id="house rule: only the tied compete on"),
        pytest.param([yellow(6, 6, 1), yellow(3, 3, 3)], False, (0, 1, 2), id="a new tie, now of all three"),
        pytest.param([yellow(6, 6, 1), yellow(3, 3, 3)], True, (0, 1), id="house rule: the same two again"),
        pytest.param([yellow(0, 1, 1)], False, (1, 2), id="no yellow dice count as 0"),
    ],
)
def test_who_leads(layers: list[list[tuple[Die, ...]]], only_tied: bool, expected: tuple[int, ...]) -> None:
    assert contenders_after(layers, only_tied) == expected


@pytest.mark.parametrize(
    ("totals", "token", "pink", "expected"),
    [
        pytest.param([9, 3, 5, 3], 0, 2, (3, 1), id="a tie with dice for all: both"),
        pytest.param([3, 3, 3, 3], 1, 2, (0, 3), id="a tie with too few dice: from the holder's right, backwards"),
        pytest.param([3, 3, 3], 1, 1, (0,), id="the holder is last of the tied"),
        pytest.param([5, -2, 0], 0, 1, (1,), id="negative is lower than nothing"),
    ],
)
def test_pity(totals: list[int], token: int, pink: int, expected: tuple[int, ...]) -> None:
    assert pity_order(totals, token, pink) == expected


def test_trades_begin_left_of_the_token_and_end_with_its_holder() -> None:
    assert trade_order(2, 5) == (3, 4, 0, 1, 2)


def test_drafts_go_by_yellow_and_ties_clockwise_from_the_token() -> None:
    assert draft_order([4, 9, 4, 1, 4], 1) == (1, 2, 4, 0, 3)


def test_the_last_round_decides_nothing_but_scores() -> None:
    outcome = settle(yellow(6, 6), 10, 0, 1)
    assert outcome.token is None
    assert (outcome.pity, outcome.trade_order, outcome.draft_order) == ((), (), ())
    assert outcome.totals == (6, 6)


@pytest.mark.parametrize(
    ("tied", "holder", "expected"),
    [
        pytest.param((0, 3), 3, 3, id="the holder keeps it if he is tied"),
        pytest.param((0, 3), 1, 3, id="else the next clockwise"),
        pytest.param((1, 2), None, 1, id="nobody held it"),
    ],
)
def test_an_old_tie_that_cannot_be_rolled_again(tied: tuple[int, ...], holder: int | None, expected: int) -> None:
    assert token_after_tie(tied, holder, 4) == expected


def test_ties_share_the_win() -> None:
    assert winners([5, 9, 9]) == (1, 2)
