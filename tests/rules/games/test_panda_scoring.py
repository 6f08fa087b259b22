"""The score of a hand: the rulebook's examples, and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.rules.games.panda_dice import SIDES, Die
from tablesight.rules.games.panda_scoring import Score, score_hand

DICE = st.sampled_from(sorted(SIDES)).flatmap(
    lambda kind: st.builds(
        Die, st.just(kind), st.integers(-SIDES[kind] if "red" in kind else 1, SIDES[kind]).filter(bool)
    )
)


def hand(*dice: tuple[str, int]) -> tuple[Die, ...]:
    return tuple(Die(kind, value) for kind, value in dice)


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        pytest.param(hand(("purple-d8", 8), ("purple-d12", 1)), Score(purple=18), id="purple counts twice"),
        pytest.param(
            hand(("blue-d6", 1), ("glitter-d6", 3), ("blue-d8", 4)), Score(blue=16), id="one glitter doubles all blue"
        ),
        pytest.param(hand(("glitter-d6", 2), ("glitter-d6", 3)), Score(blue=10), id="two glitter dice double once"),
        pytest.param(hand(("glitter-d6", 1)), Score(blue=2), id="a single glitter die doubles itself"),
        pytest.param(hand(("blue-d12", 11)), Score(blue=11), id="no glitter, no doubling"),
        pytest.param(
            hand(("red-d6", 6), ("red-d6", 5), ("red-d8", -4), ("red-d6", -1)), Score(red=24), id="red times its dice"
        ),
        pytest.param(hand(("red-d6", -6), ("red-d8", -8)), Score(red=-28), id="red below zero"),
        pytest.param((), Score(), id="no dice at all"),
        pytest.param(
            hand(
                *(("yellow-d6", 2), ("yellow-d8", 4), ("purple-d8", 6), ("glitter-d6", 2), ("blue-d8", 3)),
                *(("red-d6", 5), ("red-d6", -3), ("green-d20", 14), ("clear-d6", 4), ("pink-d12", 12)),
            ),
            Score(yellow=6, purple=12, blue=10, red=4, green=14, clear=4, pink=12),
            id="the sheet's example row, 62",
        ),
    ],
)
def test_a_hand_scores(dice: tuple[Die, ...], expected: Score) -> None:
    assert score_hand(dice) == expected
    row = score_hand(dice).to_json()
    assert row.pop("total") == sum(row.values()) == expected.total


def test_the_row_of_the_sheet_in_its_order() -> None:
    row = Score(yellow=6, purple=12, blue=10, red=-4, green=14, clear=4, pink=12).to_json()
    assert list(row.items()) == [
        *(("yellow", 6), ("purple", 12), ("blue", 10), ("red", -4), ("green", 14), ("clear", 4), ("pink", 12)),
        ("total", 54),
    ]


@given(st.lists(DICE, max_size=11), st.randoms())
def test_the_order_of_dice_does_not_matter(dice: list[Die], random: object) -> None:
    shuffled = list(dice)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert score_hand(shuffled) == score_hand(dice)


@given(st.lists(DICE, max_size=11))
def test_dice_of_other_colours_do_not_change_a_colour(dice: list[Die]) -> None:
    for colour in ("yellow", "purple", "red", "green", "clear", "pink"):
        alone = [die for die in dice if die.kind.startswith(colour)]
        assert getattr(score_hand(dice), colour) == score_hand(alone).total
