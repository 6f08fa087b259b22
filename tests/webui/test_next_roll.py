"""What the camera is told of the dice that come to a hand between two rounds."""

from __future__ import annotations

import pytest

from tablesight.rules.games.panda_dice import BOX, CLEAR, IN_BAG
from tablesight.webui.next_roll import TRADED, newcomers

IN_THE_BAG = sum(BOX[kind] for kind in IN_BAG)


def test_a_drafted_die_is_one_of_those_in_the_bag() -> None:
    come = newcomers([("yellow-d6", "glitter-d6"), ("yellow-d6", "blue-d6")], 0)
    assert sum(come.values()) == pytest.approx(1, abs=1e-3)
    assert "yellow-d6" not in come
    assert "pink-d12" not in come
    assert come["glitter-d6"] == pytest.approx((BOX["glitter-d6"] - 1) / (IN_THE_BAG - 2), abs=1e-4)


def test_a_kind_that_is_used_up_cannot_be_drafted() -> None:
    assert "glitter-d6" not in newcomers([("yellow-d6", *["glitter-d6"] * BOX["glitter-d6"]), ("yellow-d6",)], 1)


def test_a_clear_die_may_have_been_given_for_one_of_the_others() -> None:
    hands = [("yellow-d6", CLEAR), ("yellow-d6", "red-d6"), ("yellow-d6", "green-d20")]
    drafted = newcomers([("yellow-d6",), *hands[1:]], 0)
    giver, taker = newcomers(hands, 0), newcomers(hands, 1)
    assert giver["yellow-d6"] == pytest.approx(TRADED * 2 / 4)
    assert giver["red-d6"] > drafted["red-d6"]
    assert taker[CLEAR] > giver[CLEAR]
