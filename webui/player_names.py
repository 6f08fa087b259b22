"""The names of the players, as they are typed and as they are kept."""

from __future__ import annotations

from typing import Any

from tablesight.webui.errors import RequestError


def player_names(players: Any) -> list[str]:
    """Trimmed names. Raises RequestError for a wrong number, an empty or a double name."""
    if not isinstance(players, list):
        raise RequestError(f"expected a list of names as 'players', got {players!r:.80}")
    names: list[str] = []
    for place, name in enumerate(players, start=1):
        if not isinstance(name, str):
            raise RequestError(f"expected a text as the name of player {place}, got {name!r:.40}")
        trimmed = " ".join(name.split())
        if not trimmed:
            raise RequestError(f"player {place} has no name: type one")
        if len(trimmed) > 24:
            raise RequestError(f"the name of player {place} is too long: at most 24 letters")
        if trimmed.casefold() in (other.casefold() for other in names):
            raise RequestError(f"two players are called {trimmed!r}: choose another name")
        names.append(trimmed)
    return names
