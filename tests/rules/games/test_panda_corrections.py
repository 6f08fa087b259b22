"""Correcting a die of any round: everything after it is computed again, nothing entered later is lost."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import Timeline, replay

PANDA = GAMES["panda-royale"]
NAMES = ("Anna", "Ben", "Cleo")


def dice(*pairs: str) -> list[dict[str, Any]]:
    return [{"kind": pair.split("=")[0], "value": int(pair.split("=")[1])} for pair in pairs]


def rolled(*hands: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "rolled", "dice": [dice(*hand) for hand in hands]}


def fixed(round_number: int, seat: int, die: int, **more: Any) -> dict[str, Any]:
    return {"type": "corrected", "round": round_number, "seat": seat, "die": die, **more}


def table(*events: dict[str, Any], **options: Any) -> Timeline[Any]:
    return replay(PANDA, Setup(NAMES, options), events)


ROUND_1 = rolled(("yellow-d6=6",), ("yellow-d6=4",), ("yellow-d6=2",))
ROUND_2 = rolled(
    ("yellow-d6=3", "red-d6=2"), ("yellow-d6=5", "blue-d8=1"), ("yellow-d6=1", "green-d20=9", "pink-d12=1")
)


def changes(timeline: Timeline[Any]) -> dict[str, tuple[Any, Any]]:
    view = PANDA.view(timeline.state)
    names = [f"{change['what']} {change['round']} {change['seat']}" for change in view["changes"]]
    return dict(zip(names, [(change["before"], change["after"]) for change in view["changes"]], strict=True))


def test_a_correction_in_an_earlier_round_tells_everything_it_changed() -> None:
    timeline = table(ROUND_1, ROUND_2)
    later = timeline.state.rounds[1]
    timeline = timeline.apply(fixed(1, 0, 0, value=1))
    assert changes(timeline) == {
        "score 1 0": (6, 1),
        "token 1 None": (0, 1),
        "pity 1 None": ([2], [0]),
        "trade_order 1 None": ([1, 2, 0], [2, 0, 1]),
        "draft_order 1 None": ([0, 1, 2], [1, 2, 0]),
        "total None 0": (11, 6),
    }
    assert timeline.state.rounds[1] == later
    view = PANDA.view(timeline.state)
    assert view["changes"][1]["text"] == "round 1: the Panda token: Anna becomes Ben"
    assert view["warnings"] == [
        "round 2: Anna rolled no pink, but a pink die is due",
        "round 2: Cleo rolled 1 pink, but no pink die is due",
    ]


def test_a_correction_of_the_current_round_changes_who_gets_the_pink_die_next() -> None:
    timeline = table(ROUND_1, ROUND_2)
    assert timeline.state.pity_for(3) == (0,)
    assert timeline.apply(fixed(2, 0, 1, value=6)).state.pity_for(3) == (1,)


def test_the_same_value_changes_nothing() -> None:
    timeline = table(ROUND_1, ROUND_2)
    again = timeline.apply(fixed(1, 0, 0, value=6))
    assert again.state == timeline.state
    assert changes(again) == {}


def test_what_a_correction_changed_is_told_once() -> None:
    timeline = table(ROUND_1).apply(fixed(1, 0, 0, value=5))
    assert changes(timeline)
    assert not changes(timeline.apply(ROUND_2))


def test_a_correction_can_be_undone() -> None:
    timeline = table(ROUND_1, ROUND_2)
    assert timeline.apply(fixed(1, 0, 0, value=1)).apply({"type": "undone"}).state == timeline.state


def test_a_wrong_kind_is_put_right_and_the_story_with_it() -> None:
    timeline = table(ROUND_1, ROUND_2)
    timeline = timeline.apply(fixed(2, 1, 1, kind="purple-d8"))
    assert timeline.state.rounds[1].lying[1][1].kind == "purple-d8"
    (story,) = timeline.state.rounds[1].stories
    assert story.drafts == ("red-d6", "purple-d8", "green-d20")
    assert changes(timeline)["score 2 1"] == (6, 7)
    assert timeline.state.owned[1] == ("yellow-d6", "purple-d8")


def test_a_kind_that_nothing_explains_counts_as_seen_and_is_warned_about() -> None:
    timeline = table(ROUND_1, ROUND_2).apply(fixed(2, 0, 1, kind="yellow-d6", value=1, as_seen=True))
    assert (
        "round 2: no trades and drafts explain the hands; they count as seen" in PANDA.view(timeline.state)["warnings"]
    )


def test_a_whole_hand_can_be_put_right() -> None:
    event = {"type": "corrected", "round": 2, "seat": 0, "dice": dice("yellow-d6=3", "red-d8=-2")}
    state = table(ROUND_1, ROUND_2).apply(event).state
    assert [die.kind for die in state.rounds[1].lying[0]] == ["yellow-d6", "red-d8"]
    assert state.totals[0] == 7


def test_two_dice_mixed_up_are_put_right_one_after_the_other() -> None:
    """Anna's red and Ben's blue die were read the wrong way round; in between nothing explains the hands."""
    third = rolled(
        ("yellow-d6=3", "red-d6=2", "pink-d12=2", "green-d20=1"),
        ("yellow-d6=5", "blue-d8=1", "green-d20=2"),
        ("yellow-d6=1", "green-d20=9", "red-d8=1"),
    )
    timeline = table(ROUND_1, ROUND_2, third).apply(fixed(3, 0, 1, kind="blue-d8"))
    warning = "round 3: no trades and drafts explain the hands; they count as seen"
    assert warning in PANDA.view(timeline.state)["warnings"]
    timeline = timeline.apply(fixed(2, 0, 1, kind="blue-d8"))
    assert timeline.state.rounds[1].stories
    assert PANDA.view(timeline.state)["warnings"] == []


def test_a_kind_put_right_while_others_still_roll_is_checked_at_the_end() -> None:
    first = {"type": "seat_rolled", "seat": 0, "dice": dice("yellow-d6=3", "red-d6=2")}
    timeline = table(ROUND_1, first).apply(fixed(2, 0, 0, kind="yellow-d8"))
    timeline = timeline.apply({"type": "seat_rolled", "seat": 1, "dice": dice("yellow-d6=5", "blue-d8=1")})
    last = {"type": "seat_rolled", "seat": 2, "dice": dice("yellow-d6=1", "green-d20=9", "pink-d12=1")}
    with pytest.raises(IllegalEvent, match=r"yellow d6 has left the table.*Anna's (red d6|yellow d8)"):
        timeline.apply(last)


def test_a_kind_put_right_before_a_reroll_stands_even_if_nothing_explains_it() -> None:
    tie = rolled(
        ("yellow-d6=5", "red-d6=2"), ("yellow-d6=5", "blue-d8=1"), ("yellow-d6=1", "green-d20=9", "pink-d12=1")
    )
    timeline = table(ROUND_1, tie).apply(fixed(2, 2, 0, kind="yellow-d8"))
    assert timeline.state.phase == "reroll"
    assert timeline.state.current.accepted == (2,)


def test_a_whole_hand_of_the_wrong_size_needs_the_hosts_word() -> None:
    event = {"type": "corrected", "round": 2, "seat": 0, "dice": dice("yellow-d6=3")}
    with pytest.raises(IllegalEvent, match="dice: expected 2, got 1"):
        table(ROUND_1, ROUND_2).apply(event)
    assert table(ROUND_1, ROUND_2).apply({**event, "as_seen": True}).state.totals[0] == 9


def test_a_first_roll_is_put_right_before_its_reroll_has_begun() -> None:
    timeline = table(rolled(("yellow-d6=6",), ("yellow-d6=6",), ("yellow-d6=2",)))
    assert timeline.state.phase == "reroll"
    timeline = timeline.apply(fixed(1, 0, 0, value=3))
    assert (timeline.state.phase, timeline.state.token) == ("trade", 1)


def test_a_correction_makes_a_tie_that_is_rolled_again() -> None:
    timeline = table(ROUND_1).apply(fixed(1, 1, 0, value=6))
    assert timeline.state.phase == "reroll"
    again = [dice("yellow-d6=1"), dice("yellow-d6=1"), dice("yellow-d6=3")]
    assert timeline.apply({"type": "rerolled", "dice": again}).state.token == 2


def test_a_tie_found_too_late_leaves_the_token_where_it_was() -> None:
    timeline = table(ROUND_1, ROUND_2).apply(fixed(1, 1, 0, value=6))
    assert timeline.state.rounds[0].outcome.token == 0
    assert timeline.state.phase == "trade"
    assert "round 1: a tie for the highest yellow sum was never rolled again" in PANDA.view(timeline.state)["warnings"]


def test_after_a_reroll_the_value_that_lies_is_corrected() -> None:
    tie = rolled(("yellow-d6=6",), ("yellow-d6=6",), ("yellow-d6=2",))
    again = {"type": "rerolled", "dice": [dice("yellow-d6=1"), dice("yellow-d6=3"), dice("yellow-d6=2")]}
    timeline = table(tie, again).apply(fixed(1, 2, 0, value=5))
    assert timeline.state.token == 2
    assert [layer[2][0].value for layer in timeline.state.rounds[0].layers] == [2, 5]


def test_a_seat_that_did_not_roll_again_is_corrected_in_every_roll() -> None:
    tie = rolled(("yellow-d6=6",), ("yellow-d6=6",), ("yellow-d6=2",))
    again = {"type": "rerolled", "dice": [dice("yellow-d6=1"), dice("yellow-d6=3"), []]}
    state = table(tie, again, reroll="tied").apply(fixed(1, 2, 0, value=5)).state
    assert [layer[2][0].value for layer in state.rounds[0].layers] == [5, 5]
    assert state.token == 1


def test_a_reroll_that_was_not_needed_falls_away() -> None:
    timeline = table(rolled(("yellow-d6=6",), ("yellow-d6=6",), ("yellow-d6=2",)))
    timeline = timeline.apply({"type": "seat_rerolled", "seat": 2, "dice": dice("yellow-d6=5")})
    timeline = timeline.apply(fixed(1, 0, 0, value=3))
    assert (timeline.state.phase, timeline.state.token, timeline.state.totals) == ("trade", 1, (3, 6, 2))


@pytest.mark.parametrize(
    ("event", "message"),
    [
        pytest.param(fixed(3, 0, 0, value=1), "round: expected a whole number from 1 to 2, got 3", id="a later round"),
        pytest.param(fixed(1, 3, 0, value=1), "seat: expected a whole number from 0 to 2, got 3", id="a fourth seat"),
        pytest.param(fixed(1, 0, 1, value=1), "die: expected a whole number from 0 to 0, got 1", id="a second die"),
        pytest.param(fixed(1, 0, 0), "expected a 'value', a 'kind' or both", id="nothing to correct"),
        pytest.param(fixed(1, 0, 0, value=7), "1 to 6 on a yellow d6, got 7", id="a face too high"),
        pytest.param(fixed(2, 2, 1, kind="red-d8"), "8 or -8 to -1 on a red d8, got 9", id="the old face does not fit"),
        pytest.param(
            fixed(2, 0, 1, kind="pink-d12"), "a second pink d12 on the table, 1 are in play", id="a second pink"
        ),
    ],
)
def test_corrections_that_cannot_be(event: dict[str, Any], message: str) -> None:
    with pytest.raises(IllegalEvent, match=message):
        table(ROUND_1, ROUND_2).apply(event)


def test_in_a_strict_game_only_values_are_corrected(play: Callable[..., Any]) -> None:
    setup, events = play("panda-royale", Random(2), 3)
    timeline = replay(PANDA, setup, events)
    with pytest.raises(IllegalEvent, match="in a strict game the kinds follow from trades and drafts"):
        timeline.apply(fixed(3, 0, 0, kind="yellow-d8", value=1))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_corrected_log_equals_the_log_without_the_mistake(play: Callable[..., Any], seed: int) -> None:
    """A value misread in some round, corrected at the end, gives the results of the right values; strict or watched."""
    random = Random(seed)
    players = random.randint(2, 6)
    setup, events = play("panda-royale", random, players)
    if random.random() < 0.5:
        setup, events = Setup.seats(players), [event for event in events if "rolled" in event["type"]]
    right = replay(PANDA, setup, events)
    number = random.randint(1, 10)
    lying = right.state.rounds[number - 1].lying
    seat = random.randrange(players)
    die = random.randrange(len(lying[seat]))
    good = lying[seat][die].value
    sides = int(lying[seat][die].kind.split("-d")[1])
    wrong = right.apply(fixed(number, seat, die, value=random.randint(1, sides)))
    mended = wrong.apply(fixed(number, seat, die, value=good))
    assert PANDA.report(mended.state)["totals"] == PANDA.report(right.state)["totals"]
    assert [played.lying for played in mended.state.rounds] == [played.lying for played in right.state.rounds]
    assert len(wrong.state.rounds) == len(right.state.rounds)
    assert PANDA.report(wrong.state)["totals"][seat] - PANDA.report(right.state)["totals"][seat] == sum(
        change.after[0] - change.before[0] for change in wrong.state.changes if change.what == "score"
    )


def test_a_correction_after_the_end_tells_when_the_winners_change(play: Callable[..., Any]) -> None:
    _, events = play("panda-royale", Random(6), 3)
    timeline = replay(PANDA, Setup(NAMES), [event for event in events if "rolled" in event["type"]])
    totals = timeline.state.totals
    loser = totals.index(min(totals))
    seen = []
    for number in range(1, 11):
        for place, die in enumerate(timeline.state.rounds[number - 1].lying[loser]):
            before = PANDA.view(timeline.state)["winners"]
            timeline = timeline.apply(fixed(number, loser, place, value=int(die.kind.split("-d")[1])))
            after = PANDA.view(timeline.state)["winners"]
            told = [change for change in timeline.state.changes if change.what == "winners"]
            assert bool(told) is (before != after)
            seen += [(list(change.before), list(change.after)) for change in told]
    assert PANDA.view(timeline.state)["winners"] == [loser]
    assert seen[-1][1] == [loser]


def test_in_the_middle_of_trading_the_order_follows_the_new_token() -> None:
    timeline = table(ROUND_1, mode="strict").apply({"type": "trading_ended", "seat": 1})
    assert timeline.state.turn == (2, 0)
    timeline = timeline.apply(fixed(1, 0, 0, value=3))
    # Ben holds the token now and would trade last; he has ended, so Cleo and Anna follow
    assert timeline.state.token == 1
    assert timeline.state.turn == (2, 0)
    timeline = timeline.apply({"type": "trading_ended", "seat": 2}).apply({"type": "trading_ended", "seat": 0})
    assert (timeline.state.phase, timeline.state.turn) == ("pool", (1, 0, 2))
