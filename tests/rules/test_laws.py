"""Laws of every game, over random games."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import Timeline, replay

Play = tuple[Setup, list[dict[str, Any]]]
SEEDS = st.integers(0, 2**32)
GAME_IDS = [pytest.param(game, id=game) for game in GAMES]


def players_of(game: str, random: Random) -> int:
    return random.choice(GAMES[game].player_counts)


@pytest.mark.parametrize("game", GAME_IDS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_replay_of_the_log_is_the_live_state(game: str, play: Callable[..., Play], seed: int) -> None:
    random = Random(seed)
    setup, events = play(game, random, players_of(game, random))
    live = Timeline.start(GAMES[game], setup)
    for event in events:
        live = live.apply(event)
    # the log has been written to disk and read again
    again = replay(GAMES[game], setup, json.loads(json.dumps(events)))
    assert again.state == live.state


@pytest.mark.parametrize("game", GAME_IDS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_undo_is_the_previous_state_and_redo_brings_it_back(game: str, play: Callable[..., Play], seed: int) -> None:
    random = Random(seed)
    setup, events = play(game, random, players_of(game, random))
    cut = random.randint(1, len(events))
    before = replay(GAMES[game], setup, events[: cut - 1])
    after = before.apply(events[cut - 1])
    undone = after.apply({"type": "undone"})
    assert undone.state == before.state
    assert undone.apply({"type": "redone"}).state == after.state
    # the log only grows: replaying all three entries gives the same
    log = [*events[:cut], {"type": "undone"}, {"type": "redone"}]
    assert replay(GAMES[game], setup, log).state == after.state


@pytest.mark.parametrize("game", GAME_IDS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_everything_can_be_undone_to_the_start(game: str, play: Callable[..., Play], seed: int) -> None:
    random = Random(seed)
    setup, events = play(game, random, players_of(game, random))
    timeline = replay(GAMES[game], setup, [*events, *[{"type": "undone"}] * len(events)])
    assert timeline.state == GAMES[game].initial(setup)
    with pytest.raises(IllegalEvent, match="nothing to undo"):
        timeline.apply({"type": "undone"})


@pytest.mark.parametrize("game", GAME_IDS)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_a_state_survives_json(game: str, play: Callable[..., Play], seed: int) -> None:
    random = Random(seed)
    setup, events = play(game, random, players_of(game, random))
    state = replay(GAMES[game], setup, events[: random.randint(0, len(events))]).state
    written = json.loads(json.dumps(GAMES[game].dump(state), allow_nan=False))
    assert GAMES[game].load(written) == state
    json.dumps(GAMES[game].view(state), allow_nan=False)
    json.dumps(GAMES[game].report(state), allow_nan=False)


@pytest.mark.parametrize("game", GAME_IDS)
def test_unknown_keys_of_an_event_are_ignored(game: str, play: Callable[..., Play]) -> None:
    setup, events = play(game, Random(3), GAMES[game].player_counts[1])
    noted = [{**event, "seen_at": "2026-11-29T20:15", "note": {"by": "host"}} for event in events]
    assert replay(GAMES[game], setup, noted).state == replay(GAMES[game], setup, events).state


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_state_of_another_game_or_version_is_refused(game: str) -> None:
    played = GAMES[game]
    written = played.dump(played.initial(Setup.seats(played.player_counts[0])))
    for wrong in ({**written, "version": 99}, {**written, "game": "chess"}, None, [], {**written, "state": {}}):
        with pytest.raises(ValueError, match="expected"):
            played.load(wrong)


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_option_has_its_default_among_its_choices_and_each_choice_starts_a_game(game: str) -> None:
    played = GAMES[game]
    for option in played.options:
        assert option.default in option.choices
        for choice in option.choices:
            players = max(played.player_counts)
            state = played.initial(Setup.seats(players, {option.name: choice}))
            assert played.view(state)["options"][option.name] == choice


@pytest.mark.parametrize("game", GAME_IDS)
@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        pytest.param((), {}, "players, got 0", id="nobody"),
        pytest.param(tuple("abcdefghijk"), {}, "players, got 11", id="eleven players"),
        pytest.param(("Anna", "Anna"), {}, "different names", id="a name twice"),
        pytest.param(("Anna", "  "), {}, "names of 1 to 60 characters", id="an empty name"),
        pytest.param(("Anna", 7), {}, "a list of names", id="a name that is a number"),
        pytest.param(("Anna", "Ben"), {"colour": "red"}, "got 'colour'", id="an unknown option"),
    ],
)
def test_a_bad_setup_is_refused(game: str, players: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAMES[game].initial(Setup(players, options))
