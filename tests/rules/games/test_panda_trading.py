"""Trades of clear dice, decision by decision."""

from __future__ import annotations

import pytest

from tablesight.rules.games.panda_trading import Trade, exchange, refusal, spent_after

HANDS = (("yellow-d6", "clear-d6"), ("yellow-d6", "green-d20"), ("yellow-d6", "clear-d6", "clear-d6"))
TURN = (0, 1, 2)


@pytest.mark.parametrize(
    ("turn", "spent", "trade", "why"),
    [
        pytest.param(TURN, (0, 0, 0), Trade(0, "clear-d6", 1, "green-d20"), None, id="clear for green"),
        pytest.param(TURN, (0, 0, 0), Trade(0, "clear-d6", 1, "yellow-d6"), None, id="the last yellow may go (PR-07)"),
        pytest.param(
            TURN, (0, 0, 1), Trade(0, "clear-d6", 2, "clear-d6"), None, id="a spent clear may be taken (PR-16)"
        ),
        pytest.param((1, 2), (0, 0, 0), Trade(0, "clear-d6", 1, "green-d20"), "turn", id="out of turn (PR-18)"),
        pytest.param((), (0, 0, 0), Trade(0, "clear-d6", 1, "green-d20"), "turn", id="everybody is done"),
        pytest.param(TURN, (0, 0, 0), Trade(0, "clear-d6", 0, "yellow-d6"), "another player", id="with oneself"),
        pytest.param(TURN, (0, 0, 0), Trade(0, "yellow-d6", 1, "green-d20"), "own clear die", id="giving a yellow"),
        pytest.param(
            (1,), (0, 0, 0), Trade(1, "clear-d6", 0, "clear-d6"), "own clear die", id="giving what one has not"
        ),
        pytest.param(
            TURN, (1, 0, 0), Trade(0, "clear-d6", 1, "green-d20"), "traded this round", id="a spent die (PR-15)"
        ),
        pytest.param((2,), (0, 0, 1), Trade(2, "clear-d6", 1, "green-d20"), None, id="one of two is still fresh"),
        pytest.param((2,), (0, 0, 2), Trade(2, "clear-d6", 1, "green-d20"), "traded this round", id="both are spent"),
        pytest.param(TURN, (0, 0, 0), Trade(0, "clear-d6", 1, "pink-d12"), "can be taken", id="the pink die (PR-19)"),
        pytest.param(TURN, (0, 0, 0), Trade(0, "clear-d6", 1, "red-d6"), "can be taken", id="what the other has not"),
    ],
)
def test_which_trades_are_legal(turn: tuple[int, ...], spent: tuple[int, ...], trade: Trade, why: str | None) -> None:
    reason = refusal(turn, HANDS, spent, trade)
    assert reason is None if why is None else why in str(reason)


def test_the_dice_change_hands() -> None:
    after = exchange(HANDS, Trade(0, "clear-d6", 1, "green-d20"))
    assert [sorted(hand) for hand in after[:2]] == [["green-d20", "yellow-d6"], ["clear-d6", "yellow-d6"]]


def test_the_other_dice_stay_where_they_are() -> None:
    hands = (("clear-d6", "yellow-d6", "red-d6", "red-d6"), ("blue-d6", "green-d20", "green-d20", "yellow-d6"))
    assert exchange(hands, Trade(0, "clear-d6", 1, "green-d20")) == (
        ("yellow-d6", "red-d6", "red-d6", "green-d20"),
        ("blue-d6", "green-d20", "yellow-d6", "clear-d6"),
    )


@pytest.mark.parametrize(
    ("trade", "strict", "expected"),
    [
        pytest.param(Trade(0, "clear-d6", 1, "green-d20"), False, {(0, 1, 1)}, id="the die given is spent"),
        pytest.param(Trade(0, "clear-d6", 2, "clear-d6"), False, {(0, 0, 2), (1, 0, 1)}, id="which one was taken?"),
        pytest.param(
            Trade(2, "clear-d6", 0, "clear-d6"), False, {(1, 0, 1)}, id="a hand without spent ones gives a fresh"
        ),
        pytest.param(Trade(0, "clear-d6", 2, "clear-d6", spent=False), False, {(0, 0, 2)}, id="the fresh one (PR-14)"),
        pytest.param(Trade(0, "clear-d6", 2, "clear-d6", spent=True), False, {(1, 0, 1)}, id="the spent one"),
        pytest.param(Trade(0, "clear-d6", 2, "clear-d6", spent=False), True, {(1, 0, 2)}, id="option: both are spent"),
    ],
)
def test_which_clear_dice_are_spent(trade: Trade, strict: bool, expected: set[tuple[int, ...]]) -> None:
    assert spent_after(HANDS, (0, 0, 1), trade, strict) == expected


def test_a_hand_with_spent_clear_dice_only_gives_a_spent_one() -> None:
    trade = Trade(0, "clear-d6", 2, "clear-d6")
    assert spent_after(HANDS, (0, 0, 2), trade, False) == {(1, 0, 2)}
    assert spent_after(HANDS, (0, 0, 2), Trade(0, "clear-d6", 2, "clear-d6", spent=False), False) == set()
