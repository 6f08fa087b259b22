"""Pirate Box: scores by category and their other readings, placements, rounds, the winner."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.pirate_scoring import ICONS, Reading, score_counts
from tablesight.rules.log import Timeline, replay

PIRATES = GAMES["pirate-box"]
COUNTS = st.dictionaries(st.sampled_from(ICONS), st.integers(0, 6))


@pytest.mark.parametrize(
    ("icon", "points"),
    [
        pytest.param("sword", (0, 0, 2, 4, 8, 8, 8), id="swords"),
        pytest.param("silver", (0, 1, 2, 3, 4, 5, 6), id="silver"),
        pytest.param("rum", (0, 2, 1, 0, -1, -1, -1), id="rum"),
        pytest.param("mask", (0, -1, -2, 5, 9, 9, 9), id="masks"),
        pytest.param("crown", (0, 1, 2, 3, 4, 5, 6), id="crowns alone"),
        pytest.param("jewel", (0, 1, 2, 3, 4, 5, 6), id="jewels alone"),
    ],
)
def test_points_by_count(icon: str, points: tuple[int, ...]) -> None:
    assert tuple(score_counts({icon: count}).total for count in range(7)) == points


@pytest.mark.parametrize(
    ("crowns", "jewels", "points", "without_leftovers"),
    [
        pytest.param(1, 1, 3, 3, id="one pair"),
        pytest.param(1, 3, 5, 3, id="a pair and two jewels"),
        pytest.param(4, 2, 8, 6, id="two pairs and two crowns"),
        pytest.param(0, 4, 4, 4, id="no pair: the other reading changes nothing"),
        pytest.param(3, 3, 9, 9, id="three pairs"),
    ],
)
def test_crowns_and_jewels(crowns: int, jewels: int, points: int, without_leftovers: int) -> None:
    counts = {"crown": crowns, "jewel": jewels}
    assert score_counts(counts).crowns_jewels == points
    assert score_counts(counts, Reading(leftovers_with_a_pair=False)).crowns_jewels == without_leftovers


@pytest.mark.parametrize(
    ("reading", "points"),
    [
        pytest.param(Reading(swords="own_gain_doubles"), (0, 0, 2, 6, 14, 14, 14), id="each pair's own gain doubles"),
        pytest.param(Reading(swords_5_6="zero"), (0, 0, 2, 4, 8, 0, 0), id="5 or 6 are worth nothing"),
    ],
)
def test_swords_read_otherwise(reading: Reading, points: tuple[int, ...]) -> None:
    assert tuple(score_counts({"sword": count}, reading).swords for count in range(7)) == points


@given(COUNTS, COUNTS)
def test_crowns_and_jewels_are_alike(first: dict[str, int], second: dict[str, int]) -> None:
    counts = {**first, **second}
    swapped = {**counts, "crown": counts.get("jewel", 0), "jewel": counts.get("crown", 0)}
    assert score_counts(swapped) == score_counts(counts)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_whole_game(play: Callable[..., Any], seed: int) -> None:
    random = Random(seed)
    players = random.choice((2, 3, 4))
    setup, events = play("pirate-box", random, players)
    report = PIRATES.report(replay(PIRATES, setup, events).state)
    first = setup.options["first_captain"]
    assert [row["captain"] for row in report["rounds"]] == [(first + r) % players for r in range(len(report["rounds"]))]
    assert len(report["rounds"]) == {2: 4, 3: 3, 4: 4}[players]
    tokens = {2: 6, 3: 5, 4: 4}[players]
    for row in report["rounds"]:
        assert row["placements"][0][0] == row["captain"]
        assert len({space for _, space in row["placements"]}) == tokens * players
        assert all(sum(counts.values()) == tokens for counts in row["counts"])
    assert report["totals"] == [sum(row["points"][seat] for row in report["rounds"]) for seat in range(players)]
    assert report["winners"] == [seat for seat in range(players) if report["totals"][seat] == max(report["totals"])]


def start(players: int = 2, **options: Any) -> Timeline[Any]:
    return Timeline.start(PIRATES, Setup.seats(players, options))


def placed(timeline: Timeline[Any], count: int) -> Timeline[Any]:
    for space in range(count):
        timeline = timeline.apply({"type": "placed", "seat": timeline.state.turn, "space": space})
    return timeline


@pytest.mark.parametrize(
    ("event", "message"),
    [
        pytest.param({"type": "placed", "seat": 0, "space": 5}, "expected seat 1, whose turn it is", id="out of turn"),
        pytest.param({"type": "placed", "seat": 1, "space": 0}, "a token of seat 0", id="an occupied space"),
        pytest.param({"type": "placed", "seat": 1, "space": 16}, "from 0 to 15, got 16", id="beyond the grid"),
        pytest.param({"type": "opened", "chest": ["rum"] * 16}, "expected the phase 'collect'", id="opened too early"),
        pytest.param({"type": "shut"}, "expected the phase 'memorize'", id="shut already"),
        pytest.param({"type": "counted", "counts": [{"rum": 6}, {"rum": 5}]}, "got 5 dice", id="a die not counted"),
        pytest.param({"type": "counted", "counts": [{"gold": 6}, {"rum": 6}]}, "'crown', ", id="an icon that is none"),
        pytest.param({"type": "corrected", "round": 1}, "a round that is collected", id="nothing to correct yet"),
    ],
)
def test_what_cannot_be(event: dict[str, Any], message: str) -> None:
    timeline = placed(start(), 1)
    with pytest.raises(IllegalEvent, match=message):
        timeline.apply(event)


def test_the_chest_needs_an_icon_under_each_token_only() -> None:
    timeline = placed(start(), 12)
    with pytest.raises(IllegalEvent, match=r"chest\[11\]: expected an icon, seat 1 has a token there"):
        timeline.apply({"type": "opened", "chest": ["rum"] * 11 + [None] * 5})
    state = timeline.apply({"type": "opened", "chest": ["silver"] * 12 + [None] * 4}).state
    assert state.totals == (6, 6)
    assert PIRATES.view(state)["captain"] == 1


def test_an_icon_is_put_right_in_an_earlier_round() -> None:
    timeline = placed(start(), 12).apply({"type": "opened", "chest": ["silver"] * 16})
    timeline = placed(timeline, 3).apply({"type": "corrected", "round": 1, "space": 0, "icon": "mask"})
    assert timeline.state.totals == (4, 6)
    assert len(timeline.state.current.tokens) == 3


def test_dice_may_be_counted_instead_and_counts_put_right() -> None:
    timeline = start().apply({"type": "counted", "counts": [{"rum": 6}, {"mask": 4, "sword": 2}]})
    assert timeline.state.totals == (-1, 11)
    timeline = timeline.apply({"type": "corrected", "round": 1, "seat": 0, "counts": {"rum": 1, "silver": 5}})
    assert timeline.state.totals == (7, 11)


def test_negative_totals_and_the_parrot() -> None:
    event = {"type": "counted", "counts": [{"rum": 4, "mask": 2}, {"silver": 6}]}
    view = PIRATES.view(start().apply(event).state)
    assert (view["totals"], view["parrots"]) == ([-3, 6], [0, 6])
    assert start(negative_total="floored").apply(event).state.totals == (0, 6)


def test_leftovers_count_unless_the_table_says_otherwise() -> None:
    event = {"type": "counted", "counts": [{"crown": 4, "jewel": 2}, {"silver": 6}]}
    assert start().apply(event).state.totals == (8, 6)
    assert start(leftovers_with_a_pair=False).apply(event).state.totals == (6, 6)


def test_the_first_captain_sits_at_the_table() -> None:
    with pytest.raises(ValueError, match="first_captain: expected 0 to 1, got 2"):
        start(2, first_captain=2)
