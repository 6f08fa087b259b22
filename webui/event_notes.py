"""What an event of a roll says besides what the rules need: the picture, its dice, and which of them people named."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any, Final

from tablesight.webui.errors import RequestError
from tablesight.webui.still_archive import ID

log = logging.getLogger(__name__)

ROLLS: Final = ("seat_rolled", "seat_rerolled", "hand_accepted")
PLACES: Final = ("by_hand", "played")
DIE_ID: Final = re.compile(r"[^/\\?#%\x00-\x1f\x7f]{1,80}")


def check_notes(event: Mapping[str, Any]) -> None:
    """Raises RequestError where a note of a roll is none. What is wrong with the dice, the rules say."""
    if event.get("type") not in ROLLS:
        return
    for name in (*PLACES, "ids", "reading"):
        if name in event and not _is_note(name, event[name], event.get("dice")):
            expected = {
                "ids": "a list of the names of dice, such as 't3', at most one for each die,",
                "reading": "the name of a picture (letters, digits, - and _)",
            }.get(name, "a list of different places in 'dice', counted from 0,")
            raise RequestError(f"expected {expected} as {name!r}, got {event[name]!r:.80}: send it so, or leave it out")


def readable_notes(event: Mapping[str, Any], seq: int) -> Mapping[str, Any]:
    """The event of entry `seq` without notes that are none: an older version let them into the log."""
    if event.get("type") not in ROLLS:
        return event
    bad = [
        name
        for name in (*PLACES, "ids", "reading")
        if name in event and not _is_note(name, event[name], event.get("dice"))
    ]
    if not bad:
        return event
    log.warning("entry %d of the log: %s cannot be understood and is left out", seq, ", ".join(bad))
    return {name: value for name, value in event.items() if name not in bad}


def _is_note(name: str, value: Any, dice: Any) -> bool:
    if name == "reading":
        return isinstance(value, str) and (not value or ID.fullmatch(value) is not None)
    if not isinstance(value, list):
        return False
    most = len(dice) if isinstance(dice, list) else 0
    if name == "ids":
        return len(value) <= most and all(isinstance(die, str) and DIE_ID.fullmatch(die) for die in value)
    if not all(type(place) is int and 0 <= place < most for place in value):
        return False
    return len(set(value)) == len(value)
