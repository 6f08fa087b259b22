"""What `legal` offers can be done, and what is done was offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import Timeline

Play = tuple[Setup, list[dict[str, Any]]]


def states(play: Callable[..., Play], game: str, seed: int) -> Iterator[tuple[Timeline[Any], dict[str, Any]]]:
    """Every state of a random game with the event that followed."""
    random = Random(seed)
    setup, events = play(game, random, random.choice(GAMES[game].player_counts))
    timeline = Timeline.start(GAMES[game], setup)
    for event in events:
        yield timeline, event
        timeline = timeline.apply(event)


@pytest.mark.parametrize("game", [pytest.param(game, id=game) for game in GAMES])
def test_what_is_done_was_offered(play: Callable[..., Play], game: str) -> None:
    for seed in range(8):
        for timeline, event in states(play, game, seed):
            assert event["type"] in [move["type"] for move in GAMES[game].legal(timeline.state)]


def offered(game: str, move: dict[str, Any]) -> list[dict[str, Any]]:
    """Complete events made from an offer, for the offers that leave nothing open."""
    kind = move["type"]
    if kind == "traded":
        base = {"type": kind, "seat": move["seat"], "give": move["give"]}
        return [{**base, "other": take["other"], "take": taken} for take in move["takes"] for taken in take["kinds"]]
    if kind == "drafted":
        return [{"type": kind, "seat": move["seat"], "kind": one} for one in move["kinds"]]
    if kind == "trading_ended":
        return [{"type": kind, "seat": move["seat"]}]
    if kind == "placed" and game == "pirate-box":
        return [{"type": kind, "seat": move["seat"], "space": space} for space in move["spaces"]]
    if kind == "opened":
        return [{"type": kind, "chest": ["rum" if space in move["spaces"] else None for space in range(16)]}]
    if kind == "moved":
        return [{"type": kind, "unit": one["unit"], "steps": one["steps"]} for one in move["units"]]
    if kind == "revived":
        return [{"type": kind, "unit": unit} for unit in move["units"]]
    if kind == "creature_fought":
        units = [unit for unit in move["units"] if not unit.startswith("creature")]
        return [{"type": kind, "unit": unit, "roll": 6} for unit in units]
    if kind in ("card_drawn", "card_discarded", "turn_ended", "shut", "creature_reborn", "temples_placed"):
        return [{"type": kind}]
    return []


@pytest.mark.parametrize("game", ["panda-royale", "pirate-box", "pandoras-box"])
def test_what_is_offered_can_be_done(play: Callable[..., Play], game: str) -> None:
    tried: set[str] = set()
    for seed in range(6):
        for timeline, _ in states(play, game, seed):
            for move in GAMES[game].legal(timeline.state):
                for event in offered(game, move):
                    timeline.apply(event)
                    tried.add(event["type"])
    assert len(tried) >= 3


def test_the_objective_is_offered_with_enough_tokens_only(play: Callable[..., Play]) -> None:
    game = GAMES["pandoras-box"]
    seen = set()
    for seed in range(10):
        for timeline, _ in states(play, "pandoras-box", seed):
            state = timeline.state
            if state.phase == "play":
                possible = state.me.tokens >= 4 and not state.turn.tried
                assert ("objective_rolled" in [move["type"] for move in game.legal(state)]) is possible
                seen.add(possible)
    assert seen == {True, False}
