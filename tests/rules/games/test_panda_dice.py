"""The box of Panda Royale, and reading a die."""

from __future__ import annotations

from typing import Any

import pytest

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.games.panda_dice import BOX, IN_BAG, SIDES, Die, in_play, in_words, pink_dice, read_die


def test_the_box_holds_106_dice_and_the_bag_92() -> None:
    assert sum(BOX.values()) == 106
    assert sum(BOX[kind] for kind in IN_BAG) == 92
    assert len(BOX) == 13


@pytest.mark.parametrize(("players", "pink"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (8, 3), (9, 3), (10, 4)])
def test_pink_dice_by_players(players: int, pink: int) -> None:
    assert pink_dice(players) == in_play("pink-d12", players) == pink
    assert in_play("yellow-d6", players) == players
    assert in_play("yellow-d8", players) == 7


@pytest.mark.parametrize("kind", sorted(BOX))
def test_every_face_of_every_kind_is_read_and_no_other(kind: str) -> None:
    faces = [value for value in range(-25, 26) if readable({"kind": kind, "value": value})]
    negative = list(range(-SIDES[kind], 0)) if kind.startswith("red") else []
    assert faces == [*negative, *range(1, SIDES[kind] + 1)]


def readable(data: Any) -> bool:
    try:
        return isinstance(read_die(data, "die"), Die)
    except IllegalEvent:
        return False


def test_hands_in_words() -> None:
    assert in_words(["red-d6", "yellow-d6", "red-d6"]) == "yellow d6, 2 red d6"
    assert in_words([]) == "no dice"
