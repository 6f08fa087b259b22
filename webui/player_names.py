"""The names of the players, as they are typed and as they are kept."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from tablesight.webui.errors import RequestError

LONGEST_NAME: Final = 24

BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters to Unicode, nothing to the eye."""


def player_names(players: Any) -> list[str]:
    """Trimmed names. Raises RequestError for a wrong number, an empty or a double name."""
    if not isinstance(players, list):
        raise RequestError(f"expected a list of names as 'players', got {players!r:.80}: send one name for each player")
    names: list[str] = []
    for place, name in enumerate(players, start=1):
        if not isinstance(name, str):
            raise RequestError(
                f"expected a text as the name of player {place}, got {name!r:.40}: send letters in quotes"
            )
        trimmed = " ".join("".join(letter for letter in name if letter.isspace() or is_text(letter)).split())
        if not any(unicodedata.category(letter)[0] in "LNPS" and letter not in BLANKS for letter in trimmed):
            raise RequestError(f"player {place} has no name: type one")
        if len(trimmed) > LONGEST_NAME:
            raise RequestError(
                f"the name of player {place} has {len(trimmed)} letters, at most {LONGEST_NAME} fit: shorten it"
            )
        if trimmed.casefold() in (other.casefold() for other in names):
            raise RequestError(f"two players are called {trimmed!r}: choose another name")
        names.append(trimmed)
    return names


def is_text(letter: str) -> bool:
    """Whether a letter belongs into a name: no control character, and nothing that turns the line round.

    What joins letters and emoji (U+200C, U+200D) stays.
    """
    return unicodedata.category(letter) not in ("Cc", "Cs", "Cf") or letter in "\u200c\u200d"
