"""Logs as they happen at a table: rolls seat by seat, corrections, hands taken as seen, undo and redo, in any order."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, SIDES
from tablesight.rules.log import Timeline, replay

PANDA = GAMES["panda-royale"]


def any_die(random: Random) -> dict[str, Any]:
    kind = random.choice(list(BOX))
    return {"kind": kind, "value": random.randint(1, SIDES[kind])}


def interruption(random: Random, state: Any) -> dict[str, Any]:
    """Something that people do between two rolls."""
    seat, number = random.randrange(len(state.players)), random.randint(1, state.round_number)
    choice = random.randrange(6)
    if choice < 2:
        return {"type": random.choice(["undone", "redone"])}
    hand = state.rounds[number - 1].lying[seat] or ()
    if choice == 2 or not hand:
        return {"type": "hand_accepted", "seat": seat, "dice": [any_die(random) for _ in range(random.randint(1, 4))]}
    event: dict[str, Any] = {"type": "corrected", "round": number, "seat": seat, "as_seen": random.random() < 0.5}
    if choice == 3:
        return {**event, "dice": [any_die(random) for _ in range(len(hand))]}
    place = random.randrange(len(hand))
    if choice == 4:
        return {**event, "die": place, **any_die(random)}
    return {**event, "die": place, "value": random.randint(1, SIDES[hand[place].kind])}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_log_replays_to_the_live_state(play: Callable[..., Any], seed: int) -> None:
    random = Random(seed)
    players = random.randint(2, 5)
    options = {"reroll": random.choice(["all", "tied"])}
    _, events = play("panda-royale", random, players, rounds=random.randint(2, 10), **options)
    setup = Setup.seats(players, options)
    live = Timeline.start(PANDA, setup)
    log: list[dict[str, Any]] = []

    def attempt(event: dict[str, Any]) -> None:
        nonlocal live
        before = live
        try:
            live = live.apply(event)
        except IllegalEvent:
            return
        log.append(event)
        json.dumps(PANDA.view(live.state))
        if event["type"] not in ("undone", "redone"):
            assert live.apply({"type": "undone"}).state == before.state

    for whole in events:
        if whole["type"] not in ("rolled", "rerolled"):
            continue
        for seat in random.sample(range(players), players):
            attempt({"type": "seat_" + whole["type"], "seat": seat, "dice": whole["dice"][seat]})
            if random.random() < 0.15:
                attempt(interruption(random, live.state))
    again = replay(PANDA, setup, json.loads(json.dumps(log)))
    assert again.state == live.state
    assert PANDA.load(json.loads(json.dumps(PANDA.dump(live.state)))) == live.state
    report = PANDA.report(live.state)
    assert report["totals"] == [
        sum(row["scores"][seat]["total"] for row in report["rounds"]) for seat in range(players)
    ]
