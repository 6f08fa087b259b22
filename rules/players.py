"""Who plays: the names of a setup, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablesight.rules.errors import BadSetup
from tablesight.rules.game import Setup
from tablesight.rules.wording import join_words, quote

LONGEST_NAME: Final = 60


def checked_players(setup: Setup, counts: Sequence[int]) -> tuple[str, ...]:
    """The names, in seat order. Raises BadSetup for a wrong number, empty, doubled or overlong names."""
    players = setup.players
    if not isinstance(players, (tuple, list)) or any(not isinstance(name, str) for name in players):
        raise BadSetup(f"players: expected a list of names, got {quote(players)}")
    if len(players) not in counts:
        raise BadSetup(f"players: expected {join_words(map(str, counts))} players, got {len(players)}")
    names = tuple(name.strip() for name in players)
    for name in names:
        if not 1 <= len(name) <= LONGEST_NAME:
            raise BadSetup(f"players: expected names of 1 to {LONGEST_NAME} characters, got {quote(name)}")
        if names.count(name) > 1:
            raise BadSetup(f"players: expected different names, got {quote(name)} twice")
    return names
