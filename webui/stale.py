"""Two people speak of one die: the slower is told what is true now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablesight.rules.games.panda_dice import Die
from tablesight.webui.errors import Conflict
from tablesight.webui.throws import SeenDie


def refuse_stale(state: Any, correction: Mapping[str, Any]) -> None:
    """Raises Conflict where the scored die is not the one `seen` any more."""
    try:
        hand = state.rounds[correction["round"] - 1].lying[correction["seat"]]
        die: Die = hand[correction["die"]]
    except (LookupError, TypeError, AttributeError):
        return  # the rules say what is wrong with it
    _refuse(correction.get("seen"), die.kind, die.value)


def refuse_stale_doubt(die: SeenDie, correction: Mapping[str, Any]) -> None:
    """Raises Conflict where the die that does not count yet is not the one `seen` any more."""
    now = die.told
    _refuse(correction.get("seen"), now.kind if now else die.kind, now.value if now else die.value)


def refuse_answered(die: SeenDie, body: Mapping[str, Any], who: str) -> None:
    """Raises Conflict where another device has answered the question otherwise, unless the sender has `seen` that."""
    if isinstance(body.get("seen"), Mapping):
        refuse_stale_doubt(die, body)
        return
    told = die.answer
    if told is None or (who and told.who == who):
        return
    if body.get("none") is True or (body.get("kind"), body.get("value")) != (told.kind, told.value):
        raise _faster(told.kind, told.value)


def _refuse(seen: Any, kind: str | None, value: int) -> None:
    if isinstance(seen, Mapping) and (kind, value) != (seen.get("kind"), seen.get("value")):
        raise _faster(kind, value)


def _faster(kind: str | None, value: int) -> Conflict:
    return Conflict(f"somebody was faster: this die is now a {(kind or 'die').replace('-', ' ')} with {value}")
