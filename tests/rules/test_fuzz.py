"""Ten thousand malformed events at each game: only clear errors, and a refused event leaves no trace."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import Timeline

EVENTS = 10_000
WORDS = [
    "",
    "red-d6",
    "yellow-d6",
    "clear-d6",
    "hero",
    "lancer-1",
    "ares",
    "crown",
    "blue",
    "mire",
    "\ud800",
    "x" * 5000,
]
NUMBERS = [10**400, -(10**30), 2**63, -1, 1.0, 1.5, float("nan"), float("inf"), -0.0, True, False, None]


def junk(random: Random, depth: int = 0) -> Any:
    choice = random.randrange(10)
    if choice < 2:
        return random.choice(NUMBERS)
    if choice < 4:
        return random.choice(WORDS)
    if choice == 4:
        nested: Any = []
        for _ in range(2000):
            nested = [nested]
        return nested
    if choice < 7 and depth < 3:
        return [junk(random, depth + 1) for _ in range(random.randint(0, 5))]
    if choice == 7 and depth < 3:
        keys = random.sample(["kind", "value", "type", "seat", "x"], random.randint(0, 4))
        return {key: junk(random, depth + 1) for key in keys}
    return random.randint(-1, 16)


def spoiled(random: Random, event: dict[str, Any]) -> Any:
    """An event of a real game with one or two fields lost, replaced or spoiled deeper down."""
    if random.random() < 0.02:
        return junk(random)
    wrong = json.loads(json.dumps(event))
    for _ in range(random.randint(1, 2)):
        key = random.choice(list(wrong)) if wrong else "type"
        if random.random() < 0.2:
            wrong.pop(key, None)
        elif isinstance(wrong.get(key), list) and wrong[key] and random.random() < 0.6:
            place = random.randrange(len(wrong[key]))
            inner = wrong[key][place]
            if isinstance(inner, list) and inner and random.random() < 0.5:
                inner[random.randrange(len(inner))] = junk(random)
            else:
                wrong[key][place] = junk(random)
        else:
            wrong[key] = junk(random)
    return wrong


def refusal(timeline: Timeline[Any], event: Any) -> str | None:
    """The message of the refusal; any other exception than a ValueError fails the test."""
    try:
        timeline.apply(event)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("game", [pytest.param(game, id=game) for game in GAMES])
def test_malformed_events_get_clear_errors(game: str, play: Callable[..., tuple[Setup, list[dict[str, Any]]]]) -> None:
    random = Random(2026)
    refused = 0
    tried = 0
    while tried < EVENTS:
        setup, events = play(game, random, random.choice(GAMES[game].player_counts))
        timeline = Timeline.start(GAMES[game], setup)
        for event in events:
            for _ in range(max(1, 200 // len(events))):
                before = timeline.state
                copy = GAMES[game].dump(before) if tried % 50 == 0 else None
                tried += 1
                message = refusal(timeline, spoiled(random, event))
                if message is not None:
                    refused += 1
                    assert "expected" in message or "nothing to" in message
                    assert len(message) < 1000
                assert timeline.state is before
                if copy is not None:
                    assert GAMES[game].dump(before) == copy
            timeline = timeline.apply(event)
    assert refused > EVENTS * 0.6
