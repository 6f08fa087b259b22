"""Whole games of Panda Royale in strict mode: laws and refusals."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, IN_BAG
from tablesight.rules.log import Timeline, replay

PANDA = GAMES["panda-royale"]
SEEDS = st.integers(0, 2**32)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_dice_are_conserved_and_never_more_than_the_box_holds(play: Callable[..., Any], seed: int) -> None:
    random = Random(seed)
    players = random.randint(2, 10)
    setup, events = play("panda-royale", random, players)
    timeline = Timeline.start(PANDA, setup)
    for event in events:
        before = sum(len(kinds) for kinds in timeline.state.owned)
        timeline = timeline.apply(event)
        out = Counter(kind for kinds in timeline.state.owned for kind in kinds)
        assert out.total() == before + (event["type"] == "drafted")
        assert all(count <= BOX[kind] for kind, count in out.items())
        assert out["yellow-d6"] == players
        assert out["pink-d12"] == 0
    assert {len(kinds) for kinds in timeline.state.owned} == {10}


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_the_order_of_dice_in_a_hand_does_not_matter(play: Callable[..., Any], seed: int) -> None:
    random = Random(seed)
    setup, events = play("panda-royale", random, random.randint(2, 5))
    shuffled = [
        {**event, "dice": [random.sample(hand, len(hand)) for hand in event["dice"]]}
        if event["type"] == "rolled"
        else event
        for event in events
    ]
    assert PANDA.report(replay(PANDA, setup, shuffled).state) == PANDA.report(replay(PANDA, setup, events).state)


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_somebody_always_has_a_yellow_die(play: Callable[..., Any], seed: int) -> None:
    """PR-06: nobody without yellow dice holds the token in rounds 1 to 9."""
    random = Random(seed)
    setup, events = play("panda-royale", random, random.randint(2, 10))
    for row in PANDA.report(replay(PANDA, setup, events).state)["rounds"][:9]:
        assert row["scores"][row["token"]]["yellow"] >= 1
        assert row["draft_order"][0] == row["token"]
        assert row["trade_order"][-1] == row["token"]


def test_ten_games_a_second(play: Callable[..., Any]) -> None:
    games = [play("panda-royale", Random(seed), 10) for seed in range(5)]
    started = time.process_time()
    for setup, events in games:
        assert replay(PANDA, setup, events).state.phase == "finished"
    assert time.process_time() - started < 0.1 * len(games)


def strict(play: Callable[..., Any], phase: str, **options: Any) -> Timeline[Any]:
    """A game of three in strict mode, stopped at the first event of a later round in this phase."""
    setup, events = play("panda-royale", Random(12), 3, **options)
    timeline = Timeline.start(PANDA, setup)
    for event in events:
        fresh = any(move["type"] == "traded" for move in PANDA.legal(timeline.state))
        if timeline.state.phase == phase and timeline.state.round_number > 3 and (fresh or phase != "trade"):
            return timeline
        timeline = timeline.apply(event)
    raise AssertionError(phase)


def test_an_illegal_trade_names_the_reason(play: Callable[..., Any]) -> None:
    timeline = strict(play, "trade")
    seat = timeline.state.turn[0]
    other = (seat + 1) % 3
    event = {"type": "traded", "seat": seat, "give": "clear-d6", "other": other, "take": "pink-d12"}
    with pytest.raises(IllegalEvent, match="not a die that can be taken"):
        timeline.apply(event)
    with pytest.raises(IllegalEvent, match="not this player's turn to trade"):
        timeline.apply({**event, "seat": other, "other": seat})
    with pytest.raises(IllegalEvent, match="trade with another player"):
        timeline.apply({**event, "other": seat})


def test_trading_ends_in_turn(play: Callable[..., Any]) -> None:
    timeline = strict(play, "trade")
    wrong = (timeline.state.turn[0] + 1) % 3
    with pytest.raises(IllegalEvent, match=f"seat {wrong} wants to trade: expected seat {timeline.state.turn[0]}"):
        timeline.apply({"type": "trading_ended", "seat": wrong})


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        pytest.param(["red-d6"] * 3, "expected 4 entries, got 3", id="one too few"),
        pytest.param(
            ["red-d6", "red-d8", "yellow-d6", "red-d8"], "yellow-d6 drawn, expected at most the 0", id="boxed"
        ),
        pytest.param(["red-d6", "red-d8", "pink-d12", "red-d8"], "pink-d12 drawn, expected at most the 0", id="pink"),
        pytest.param("red-d6", "expected a list, got 'red-d6'", id="no list"),
    ],
)
def test_a_pool_that_the_bag_cannot_give(play: Callable[..., Any], dice: Any, message: str) -> None:
    with pytest.raises(IllegalEvent, match=message):
        strict(play, "pool").apply({"type": "pool_drawn", "dice": dice})


def test_a_pool_of_dice_that_are_all_out(play: Callable[..., Any]) -> None:
    setup, events = play("panda-royale", Random(1), 10)
    timeline = Timeline.start(PANDA, setup)
    for event in events:
        out = Counter(kind for kinds in timeline.state.owned for kind in kinds)
        gone = [kind for kind in IN_BAG if out[kind] == BOX[kind]]
        if event["type"] == "pool_drawn" and gone:
            with pytest.raises(IllegalEvent, match=f"1 {gone[0]} drawn, expected at most the 0 left in the bag"):
                timeline.apply({**event, "dice": [gone[0], *event["dice"][1:]]})
            return
        timeline = timeline.apply(event)
    raise AssertionError("no kind ran out")


def test_only_the_panda_draws_where_the_table_says_so(play: Callable[..., Any]) -> None:
    setup, events = play("panda-royale", Random(3), 4, rounds=1)
    cut = [event["type"] for event in events].index("pool_drawn")
    timeline = replay(PANDA, Setup(setup.players, {**setup.options, "pool_drawn_by": "panda"}), events[:cut])
    token = timeline.state.token
    with pytest.raises(IllegalEvent, match="seat"):
        timeline.apply(events[cut])
    with pytest.raises(IllegalEvent, match="the holder of the Panda token draws"):
        timeline.apply({**events[cut], "seat": (token + 1) % 4})
    assert timeline.apply({**events[cut], "seat": token}).state.phase == "draft"


def test_a_draft_comes_from_the_pool_and_in_turn(play: Callable[..., Any]) -> None:
    timeline = strict(play, "draft")
    pool = PANDA.view(timeline.state)["pool"]
    seat = timeline.state.turn[0]
    missing = next(kind for kind in IN_BAG if kind not in pool)
    with pytest.raises(IllegalEvent, match="expected a die of the pool, which holds"):
        timeline.apply({"type": "drafted", "seat": seat, "kind": missing})
    with pytest.raises(IllegalEvent, match=f"wants to choose: expected seat {seat}"):
        timeline.apply({"type": "drafted", "seat": (seat + 1) % 3, "kind": pool[0]})


def test_a_roll_must_show_the_hand_that_is_known(play: Callable[..., Any]) -> None:
    setup, events = play("panda-royale", Random(5), 2, rounds=2)
    cut = [index for index, event in enumerate(events) if event["type"] == "rolled"][1]
    wrong = {**events[cut], "dice": [hand[::-1][:1] for hand in events[cut]["dice"]]}
    with pytest.raises(IllegalEvent, match=r"seat 0 shows .*, expected yellow d6"):
        replay(PANDA, setup, events[:cut]).apply(wrong)


def test_which_spent_clear_die_was_taken_stays_open_until_it_matters() -> None:
    """Seat 1 holds a spent and a fresh clear die; seat 2 takes one of them and may or may not trade with it."""
    hands = {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": value}] for value in (6, 2, 1)]}
    ends = [{"type": "trading_ended", "seat": seat} for seat in (1, 2, 0)]
    pool = {"type": "pool_drawn", "dice": ["clear-d6", "clear-d6", "clear-d6", "red-d6"]}
    drafts = [{"type": "drafted", "seat": seat, "kind": "clear-d6"} for seat in (0, 1, 2)]
    clear = {"kind": "clear-d6", "value": 1}
    second = [[{"kind": "yellow-d6", "value": value}, clear] for value in (6, 2, 1)]
    second[2].append({"kind": "pink-d12", "value": 1})
    trade = {"type": "traded", "give": "clear-d6"}
    events: list[dict[str, Any]] = [
        *(hands, *ends, pool, *drafts, {"type": "rolled", "dice": second}),
        {**trade, "seat": 1, "other": 2, "take": "yellow-d6"},
        {"type": "trading_ended", "seat": 1},
        {**trade, "seat": 2, "other": 0, "take": "clear-d6"},
    ]
    timeline = replay(PANDA, Setup.seats(3, {"mode": "strict"}), events)
    assert timeline.state.spent == ((1, 0, 1),)
    timeline = timeline.apply({**trade, "seat": 2, "other": 1, "take": "yellow-d6"})
    assert timeline.state.spent == ((1, 1, 1),)
    with pytest.raises(IllegalEvent, match="this clear die was traded this round"):
        timeline.apply({**trade, "seat": 2, "other": 1, "take": "yellow-d6"})
