"""The inference of trades and drafts from hands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, CLEAR, IN_BAG, Kinds
from tablesight.rules.games.panda_round import trade_order
from tablesight.rules.games.panda_stories import explain
from tablesight.rules.games.panda_trading import Trade, exchange, refusal, spent_after
from tablesight.rules.log import replay

Hands = tuple[Kinds, ...]
Play = tuple[Setup, list[dict[str, Any]]]
SEEN = ("rolled", "rerolled")
PANDA = GAMES["panda-royale"]


def tidy(hands: Hands) -> Hands:
    return tuple(tuple(sorted(hand)) for hand in hands)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_stories_of_a_watched_game_are_legal_in_a_strict_one(play: Callable[..., Play], seed: int) -> None:
    random = Random(seed)
    players = random.randint(2, 10)
    setup, events = play("panda-royale", random, players)
    watched = replay(PANDA, Setup.seats(players), [event for event in events if event["type"] in SEEN])
    report = PANDA.report(watched.state)
    assert report["rounds"] == PANDA.report(replay(PANDA, setup, events).state)["rounds"]
    # every story, put in the place of what really happened, gives a legal strict game with the same rolls
    stories = iter(report["stories"])
    retold: list[dict[str, Any]] = []
    for event in events:
        if event["type"] in SEEN:
            retold.append(event)
        elif retold[-1]["type"] in SEEN:
            retold.extend(next(stories)["events"])
    again = replay(PANDA, setup, retold)
    assert again.state.phase == "finished"
    assert PANDA.report(again.state)["rounds"] == report["rounds"]


def moves(turn: tuple[int, ...], hands: Hands, spent: tuple[int, ...]) -> Iterator[Trade]:
    seat = turn[0]
    for other, hand in enumerate(hands):
        for kind in dict.fromkeys(hand):
            for taken_spent in (False, True) if kind == CLEAR else (None,):
                trade = Trade(seat, CLEAR, other, kind, taken_spent)
                if refusal(turn, hands, spent, trade) is None and spent_after(hands, spent, trade, False):
                    yield trade


def reachable(hands: Hands, token: int) -> dict[Hands, int]:
    """All hands after the trades of a round, with the fewest trades that lead to them: by trying everything."""
    start = (trade_order(token, len(hands)), tidy(hands), (0,) * len(hands))
    fewest, frontier = {start: 0}, [start]
    while frontier:
        state = frontier.pop(0)
        turn, held, spent = state
        if not turn:
            continue
        following = [((turn[1:], held, spent), 0)]
        for trade in moves(turn, held, spent):
            (after,) = spent_after(held, spent, trade, False)
            following.append(((turn, tidy(exchange(held, trade)), after), 1))
        for reached, cost in following:
            if fewest.get(reached, 99) > fewest[state] + cost:
                fewest[reached] = fewest[state] + cost
                frontier.append(reached)
    ends: dict[Hands, int] = {}
    for (turn, held, _), trades in fewest.items():
        if not turn:
            ends[held] = min(trades, ends.get(held, 99))
    return ends


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_fewest_trades_are_found_and_nothing_else_is_possible(seed: int) -> None:
    """Against a search through every legal round of a small table."""
    random = Random(seed)
    kinds = ("clear-d6", "red-d6", "blue-d8", "clear-d6")
    players = random.randint(2, 3)
    before: Hands = tuple(
        ("yellow-d6", *random.choices(kinds, k=random.randint(1, 2) if players == 2 else 1)) for _ in range(players)
    )
    size = len(before[0])
    before = tuple(hand[:size] if len(hand) >= size else (*hand, "red-d6") for hand in before)
    drawn = random.choices(("clear-d6", "red-d6", "blue-d8", "green-d20"), k=players)
    ends = reachable(before, random.randrange(players))
    possible: dict[Hands, int] = {}
    for held, trades in ends.items():
        for drafts in permutations(drawn):
            after = tidy(tuple((*hand, draft) for hand, draft in zip(held, drafts, strict=True)))
            possible[after] = min(trades, possible.get(after, 99))
    for after, trades in possible.items():
        stories = explain(before, after)
        assert stories, (before, after)
        assert {len(story.takes) for story in stories} == {trades}, (before, after, stories)
    # and hands that no round leads to have no story
    everything = [kind for hand in next(iter(possible)) for kind in hand]
    for _ in range(20):
        random.shuffle(everything)
        tried = tidy(tuple(tuple(everything[i * (size + 1) : (i + 1) * (size + 1)]) for i in range(players)))
        assert bool(explain(before, tried)) is (tried in possible), (before, tried)


def test_without_trades_the_new_die_is_the_draft() -> None:
    before = (("yellow-d6",), ("yellow-d6",))
    (story,) = explain(before, (("yellow-d6", "red-d6"), ("green-d20", "yellow-d6")))
    assert (story.takes, story.drafts) == ((), ("red-d6", "green-d20"))


def test_who_drew_what_is_settled_by_who_has_it() -> None:
    before = (("yellow-d6", "clear-d6"), ("yellow-d6", "red-d6"), ("yellow-d6", "red-d6"))
    after = (
        ("yellow-d6", "red-d6", "green-d20"),
        ("yellow-d6", "clear-d6", "red-d6"),
        ("yellow-d6", "red-d6", "green-d20"),
    )
    stories = explain(before, after)
    assert {tuple((take.seat, take.other, take.kind) for take in story.takes) for story in stories} == {
        ((0, 1, "red-d6"),)
    }


def test_two_gainers_and_two_losers_are_four_dice_and_two_stories() -> None:
    clear, red, blue = ("yellow-d6", "clear-d6"), ("yellow-d6", "red-d6"), "blue-d12"
    before = (clear, clear, red, red)
    after = ((*red, blue), (*red, blue), (*clear, blue), (*clear, blue))
    stories = explain(before, after)
    assert len(stories) == 2
    assert all(len(story.takes) == 2 for story in stories)


def test_more_trades_are_told_on_request() -> None:
    before = (("yellow-d6", "clear-d6"), ("yellow-d6", "red-d6"))
    after = (("yellow-d6", "clear-d6", "red-d6"), ("yellow-d6", "clear-d6", "red-d6"))
    trades = [len(story.takes) for story in explain(before, after, more_trades=2)]
    assert trades == sorted(trades)
    assert (trades[0], trades[-1]) == (0, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param((("yellow-d6",),) * 2, (("yellow-d6", "yellow-d6"),) * 2, id="a yellow d6 from the bag"),
        pytest.param((("yellow-d6",),) * 2, (("yellow-d6", "pink-d12"),) * 2, id="a pink die from the bag"),
        pytest.param((("yellow-d6",),) * 2, (("yellow-d6",), ("yellow-d6", "red-d6", "red-d6")), id="uneven hands"),
        pytest.param(
            (("yellow-d6", "red-d6"),) * 2,
            (("yellow-d6", "red-d6", "red-d6"), ("yellow-d6", "red-d8", "red-d8")),
            id="a swap without a clear die",
        ),
    ],
)
def test_no_story(before: Hands, after: Hands) -> None:
    assert explain(before, after) == ()


def test_ten_players_with_every_clear_die_out_stay_fast() -> None:
    for seed in range(5):
        random = Random(seed)
        bag = [kind for kind in IN_BAG if kind != CLEAR for _ in range(BOX[kind])]
        random.shuffle(bag)
        first = [CLEAR if seat < 7 else bag.pop() for seat in range(10)]
        held: Hands = tuple(("yellow-d6", kind, *(bag.pop() for _ in range(6))) for kind in first)
        before = held
        for seat in range(7):
            other = 9 - seat % 3
            kind = next(kind for kind in held[other] if kind not in (CLEAR, "yellow-d6"))
            held = exchange(held, Trade(seat, CLEAR, other, kind))
        after = tuple((*hand, bag.pop()) for hand in held)
        started = time.perf_counter()
        stories = explain(before, after)
        assert time.perf_counter() - started < 0.5
        assert 1 <= len(stories[0].takes) <= 7
