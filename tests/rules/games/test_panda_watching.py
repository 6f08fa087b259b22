"""Panda Royale watched: seats roll one by one, hands that cannot be, re-rolls, hands taken as seen."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import IN_BAG
from tablesight.rules.games.panda_watch import can_follow
from tablesight.rules.log import Timeline, replay

PANDA = GAMES["panda-royale"]


def dice(*pairs: str) -> list[dict[str, Any]]:
    """`dice("yellow-d6=3", "red-d6=-2")`."""
    return [{"kind": pair.split("=")[0], "value": int(pair.split("=")[1])} for pair in pairs]


def rolled(seat: int, *pairs: str, **more: Any) -> dict[str, Any]:
    return {"type": "seat_rolled", "seat": seat, "dice": dice(*pairs), **more}


def table(*events: dict[str, Any], names: tuple[str, ...] = ("Anna", "Ben", "Cleo"), **options: Any) -> Timeline[Any]:
    return replay(PANDA, Setup(names, options), events)


ROUND_1 = (rolled(0, "yellow-d6=6"), rolled(1, "yellow-d6=4"), rolled(2, "yellow-d6=2"))
"""Anna takes the token, Cleo the pity die."""


def test_seats_roll_one_after_another() -> None:
    timeline = table(ROUND_1[1], ROUND_1[0])
    view = PANDA.view(timeline.state)
    assert (view["phase"], view["waiting_for"]) == ("roll", [2])
    assert view["rounds"][0]["seats"][1]["score"]["yellow"] == 4
    assert view["rounds"][0]["seats"][2]["score"] is None
    view = PANDA.view(timeline.apply(ROUND_1[2]).state)
    assert (view["phase"], view["token"], view["totals"]) == ("trade", 0, [6, 4, 2])
    assert (view["trade_order"], view["draft_order"], view["pink"]) == ([1, 2, 0], [0, 1, 2], [2])
    assert view["expected"][2] == {"kinds": ["yellow-d6", "pink-d12"], "unknown": 1, "sure": True}


def test_the_order_in_which_seats_roll_does_not_matter() -> None:
    states = {table(*(ROUND_1[i] for i in order)).state for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0))}
    assert len(states) == 1


def test_a_roll_may_be_replaced_while_the_round_is_open() -> None:
    state = table(ROUND_1[0], rolled(0, "yellow-d6=1"), *ROUND_1[1:]).state
    assert state.totals == (1, 4, 2)


def test_the_roll_just_scored_is_replaced_when_its_round_is_named() -> None:
    timeline = table(*ROUND_1)
    assert timeline.apply(rolled(0, "yellow-d6=1", round=1)).state.token == 1
    with pytest.raises(IllegalEvent, match="Anna shows 1 die, expected 2"):
        timeline.apply(rolled(0, "yellow-d6=1"))


def test_a_tie_asks_for_every_yellow_die_again() -> None:
    timeline = table(rolled(0, "yellow-d6=6"), rolled(1, "yellow-d6=6"), rolled(2, "yellow-d6=2"))
    view = PANDA.view(timeline.state)
    assert (view["phase"], view["waiting_for"]) == ("reroll", [0, 1, 2])
    assert view["expected"][2] == {"kinds": ["yellow-d6"], "unknown": 0, "sure": True}
    for seat, value in enumerate((1, 2, 5)):
        timeline = timeline.apply({"type": "seat_rerolled", "seat": seat, "dice": dice(f"yellow-d6={value}")})
    assert timeline.state.token == 2
    assert timeline.state.totals == (1, 2, 5)
    assert PANDA.view(timeline.state)["rounds"][0]["rerolls"] == 1


def test_by_the_house_rule_only_the_tied_roll_again() -> None:
    first = (rolled(0, "yellow-d6=6"), rolled(1, "yellow-d6=6"), rolled(2, "yellow-d6=2"))
    timeline = table(*first, reroll="tied")
    assert PANDA.view(timeline.state)["waiting_for"] == [0, 1]
    with pytest.raises(IllegalEvent, match="Cleo does not roll again: expected Anna and Ben"):
        timeline.apply({"type": "seat_rerolled", "seat": 2, "dice": dice("yellow-d6=5")})
    timeline = timeline.apply({"type": "rerolled", "dice": [dice("yellow-d6=1"), dice("yellow-d6=2"), []]})
    assert (timeline.state.token, timeline.state.totals) == (1, (1, 2, 2))


def test_a_reroll_without_all_yellow_dice_is_refused() -> None:
    timeline = table(rolled(0, "yellow-d6=6"), rolled(1, "yellow-d6=6"), rolled(2, "yellow-d6=2"))
    with pytest.raises(IllegalEvent, match="Anna rolls no dice again, expected all their yellow dice: yellow d6"):
        timeline.apply({"type": "seat_rerolled", "seat": 0, "dice": []})


def test_two_yellow_kinds_may_be_seen_in_any_order() -> None:
    timeline = table(
        *ROUND_1,
        rolled(0, "yellow-d6=3", "yellow-d8=4"),
        rolled(1, "yellow-d8=5", "yellow-d6=2"),
        rolled(2, "pink-d12=1", "yellow-d6=2", "red-d6=3"),
    )
    assert timeline.state.phase == "reroll"
    again = [dice("yellow-d8=8", "yellow-d6=1"), dice("yellow-d6=1", "yellow-d8=1"), dice("yellow-d6=1")]
    state = timeline.apply({"type": "rerolled", "dice": again}).state
    assert [(die.kind, die.value) for die in state.current.lying[0]] == [("yellow-d6", 1), ("yellow-d8", 8)]
    assert state.token == 0


@pytest.mark.parametrize(
    ("event", "message"),
    [
        pytest.param(
            rolled(0, "yellow-d6=3", "red-d6=2", "red-d6=1"), "Anna shows 3 dice, expected 2", id="one die too many"
        ),
        pytest.param(
            rolled(2, "yellow-d6=3", "red-d6=2"), r"Cleo shows 2 dice, expected 3 \(the pink", id="pink forgot"
        ),
        pytest.param(
            rolled(2, "yellow-d6=3", "pink-d12=2", "pink-d12=1"),
            "Cleo shows two pink dice, expected one",
            id="two pinks",
        ),
        pytest.param(
            rolled(0, "yellow-d6=3", "pink-d12=2"), "expected none: this round's pity goes to Cleo", id="pink"
        ),
        pytest.param(
            rolled(2, "yellow-d6=3", "red-d6=2", "red-d6=2"), "no pink die, expected one: it was won", id="none"
        ),
        pytest.param(
            rolled(0, "yellow-d6=3", "yellow-d6=2"),
            "yellow d6 new, of which none is in the bag",
            id="a yellow d6 cannot be drafted",
        ),
        pytest.param(
            rolled(0, "red-d6=3", "red-d8=2"), "red d6, red d8 new and yellow d6 gone", id="the own die is gone"
        ),
        pytest.param(
            rolled(0, "yellow-d6=3", "red-d6=7"), "1 to 6 or -6 to -1 on a red d6, got 7", id="a face too high"
        ),
        pytest.param(rolled(0, "yellow-d6=3", "blue-d6=-1"), "1 to 6 on a blue d6, got -1", id="black ink on blue"),
        pytest.param(rolled(0, "yellow-d6=3", "blue-d4=1"), "expected 'yellow-d6', ", id="a kind that is none"),
        pytest.param(rolled(3, "yellow-d6=3"), "seat: expected a whole number from 0 to 2, got 3", id="a fourth seat"),
    ],
)
def test_hands_that_cannot_be(event: dict[str, Any], message: str) -> None:
    timeline = table(*ROUND_1)
    with pytest.raises(IllegalEvent, match=message):
        timeline.apply(event)


def test_a_cocked_die_is_rolled_again() -> None:
    cocked = {"type": "seat_rolled", "seat": 0, "dice": [{"kind": "yellow-d6", "value": 3, "cocked": True}]}
    with pytest.raises(IllegalEvent, match="the yellow d6 is cocked: roll it again"):
        table(cocked)
    assert table(cocked, cocked="count").state.current.lying[0] is not None


def test_each_hand_is_possible_but_not_all_together() -> None:
    # Anna gave her clear die away, but nobody has it
    round_2 = (rolled(0, "yellow-d6=3", "clear-d6=2"), rolled(1, "yellow-d6=5", "red-d6=1"))
    timeline = table(*ROUND_1, *round_2, rolled(2, "yellow-d6=1", "pink-d12=3", "red-d8=2"))
    assert timeline.state.pity_for(3) == (0,)
    gone = (
        rolled(0, "yellow-d6=3", "red-d6=2", "red-d8=2", "pink-d12=1"),
        rolled(1, "yellow-d6=5", "red-d6=1", "blue-d6=4"),
    )
    for event in gone:
        timeline = timeline.apply(event)
    last = rolled(2, "yellow-d6=1", "red-d8=2", "green-d20=3")
    message = r"clear d6 has left the table.*; look again at Anna's red d6 \(is it a clear d6\?\)"
    with pytest.raises(IllegalEvent, match=message):
        timeline.apply(last)
    accepted = timeline.apply({**last, "type": "hand_accepted"})
    view = PANDA.view(accepted.state)
    assert view["phase"] == "trade"
    assert view["rounds"][2]["stories"] == []
    assert "round 3: no trades and drafts explain the hands; they count as seen" in view["warnings"]


def test_an_eleventh_red_die() -> None:
    names = tuple("ABCDEFGHIJ")
    events: list[dict[str, Any]] = [rolled(seat, f"yellow-d6={6 if seat == 0 else 1}") for seat in range(10)]
    timeline = replay(PANDA, Setup(names), events)
    pity = timeline.state.pity_for(2)
    for seat in range(10):
        pairs = [f"yellow-d6={6 if seat == 0 else 1}", "red-d6=1", *(["pink-d12=1"] if seat in pity else [])]
        timeline = timeline.apply(rolled(seat, *pairs))
    pity = timeline.state.pity_for(3)
    pairs = ["yellow-d6=6", "red-d6=1", "red-d6=1", *(["pink-d12=1"] if 0 in pity else [])]
    # the bag holds no tenth: all ten red d6 lie on the table
    with pytest.raises(IllegalEvent, match="no draft and trades explain"):
        timeline.apply(rolled(0, *pairs))
    timeline = timeline.apply({**rolled(0, *pairs), "type": "hand_accepted"})
    for seat in range(1, 10):
        pairs = ["yellow-d6=1", "red-d6=1", "blue-d6=2", *(["pink-d12=1"] if seat in pity else [])]
        if seat < 9:
            timeline = timeline.apply(rolled(seat, *pairs))
    with pytest.raises(IllegalEvent, match="J shows an eleventh red d6 on the table, the box holds 10"):
        timeline.apply(rolled(9, *pairs))
    timeline = timeline.apply({**rolled(9, *pairs), "type": "hand_accepted"})
    # once taken as seen, the eleventh is no news in the next round
    assert timeline.state.phase == "trade"
    assert 0 not in timeline.state.pity_for(4)
    again = rolled(0, "yellow-d6=6", "red-d6=1", "red-d6=1", "green-d20=1")
    assert timeline.apply(again).state.round_number == 4


def test_nothing_but_rolls_is_entered_in_a_watched_game() -> None:
    for event in (
        {"type": "traded", "seat": 1, "give": "clear-d6", "other": 0, "take": "red-d6"},
        {"type": "trading_ended", "seat": 1},
        {"type": "pool_drawn", "dice": []},
        {"type": "drafted", "seat": 0, "kind": "red-d6"},
    ):
        with pytest.raises(IllegalEvent, match="in a watched game: expected only rolls"):
            table(*ROUND_1).apply(event)


def test_a_watched_game_seat_by_seat_is_the_same_as_round_by_round(play: Callable[..., Any]) -> None:
    random = Random(8)
    _, events = play("panda-royale", random, 5)
    whole = [event for event in events if event["type"] in ("rolled", "rerolled")]
    single: list[dict[str, Any]] = []
    for event in whole:
        seats = random.sample(range(5), 5)
        kind = "seat_" + event["type"]
        single += [{"type": kind, "seat": seat, "dice": event["dice"][seat]} for seat in seats if event["dice"][seat]]
    assert replay(PANDA, Setup.seats(5), single).state == replay(PANDA, Setup.seats(5), whole).state


def test_a_finished_game_takes_no_more_rolls_and_has_winners(play: Callable[..., Any]) -> None:
    _, events = play("panda-royale", Random(4), 3)
    state = replay(PANDA, Setup.seats(3), [event for event in events if "rolled" in event["type"]]).state
    view = PANDA.view(state)
    assert (view["phase"], view["next_roll"]) == ("finished", None)
    assert view["winners"] == [seat for seat in range(3) if view["totals"][seat] == max(view["totals"])]
    with pytest.raises(IllegalEvent, match="in the phase 'finished'"):
        PANDA.apply(state, rolled(0, "yellow-d6=3"))


def test_a_drafted_die_misread_is_noticed_when_it_lies_there_again() -> None:
    timeline = table(
        *ROUND_1,
        rolled(0, "yellow-d6=6", "red-d6=2"),
        rolled(1, "yellow-d6=4", "blue-d8=2"),
        rolled(2, "yellow-d6=2", "green-d20=2", "pink-d12=3"),
    )
    third = rolled(2, "yellow-d6=2", "purple-d12=2", "blue-d6=1")
    message = "blue d6, purple d12 new and green d20 gone.*; or the green d20 of round 2 was a "
    with pytest.raises(IllegalEvent, match=message):
        timeline.apply(third)
    corrected = {"type": "corrected", "round": 2, "seat": 2, "die": 1, "kind": "purple-d12"}
    assert timeline.apply(corrected).apply(third).state.current.lying[2] is not None


@pytest.mark.parametrize(
    ("others", "after", "possible"),
    [
        pytest.param(("red-d6",), ("yellow-d6", "clear-d6", "blue-d6"), True, id="only a draft"),
        pytest.param(("red-d6",), ("yellow-d6", "red-d6", "blue-d6"), True, id="the clear die for a red one"),
        pytest.param(("red-d6",), ("yellow-d6", "red-d8", "blue-d6"), False, id="drew one, but nobody had the other"),
        pytest.param(("red-d6",), ("clear-d6", "red-d6", "blue-d6"), False, id="lost a die to nobody's clear die"),
        pytest.param(
            ("clear-d6",), ("clear-d6", "clear-d6", "blue-d6"), True, id="lost the yellow die for a clear one"
        ),
        pytest.param(("clear-d6",), ("red-d6", "red-d8", "blue-d6"), False, id="three new dice"),
    ],
)
def test_whether_one_hand_can_follow_another(others: tuple[str, ...], after: tuple[str, ...], possible: bool) -> None:
    before = (("yellow-d6", "clear-d6"), ("yellow-d6", *others))
    assert can_follow(before, 0, after) is possible


def test_misread_dice_are_mostly_noticed_at_once(play: Callable[..., Any]) -> None:
    """One die of one hand read as another kind: refused at once, unless it is the die just drafted."""
    random = Random(5)
    noticed = missed = helped = 0
    for _ in range(60):
        players = random.randint(3, 6)
        _, events = play("panda-royale", random, players)
        events = [event for event in events if event["type"] in ("rolled", "rerolled")]
        place = random.choice([i for i, event in enumerate(events) if event["type"] == "rolled"][2:])
        timeline = replay(PANDA, Setup.seats(players), events[:place])
        seat = random.randrange(players)
        before = [die.kind for die in timeline.state.current.lying[seat]]
        hand = list(events[place]["dice"][seat])
        old = [die for die in range(len(hand)) if hand[die]["kind"] in before and hand[die]["kind"] != "pink-d12"]
        die = random.choice(old)
        seen = random.choice([kind for kind in IN_BAG if kind not in before and kind != hand[die]["kind"]])
        wrong = [*hand[:die], {"kind": seen, "value": 1}, *hand[die + 1 :]]
        dice = [*events[place]["dice"][:seat], wrong, *events[place]["dice"][seat + 1 :]]
        try:
            timeline.apply({"type": "rolled", "dice": dice})
        except IllegalEvent as error:
            noticed += 1
            helped += hand[die]["kind"].replace("-", " ") in str(error)
        else:
            missed += 1
    assert noticed > 0.8 * (noticed + missed)
    assert helped > 0.8 * noticed
