"""Strict reading of JSON values: the right type in the right range, or an error that quotes what came."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.wording import join_words, quote

T = TypeVar("T")
MISSING: Final = object()


def mapping(value: object, what: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, Mapping):
        raise IllegalEvent(f"{what}: expected a JSON object, got {quote(value)}")
    return value


def get(event: Mapping[str, Any], key: str, what: str | None = None) -> Any:
    """A field that must be there."""
    value = event.get(key, MISSING)
    if value is MISSING:
        raise IllegalEvent(
            f"{what or quote(event.get('type', 'event'))}: expected a field {key!r}, got {quote(dict(event))}"
        )
    return value


def whole(value: object, what: str, low: int, high: int) -> int:
    """A whole number from low to high; true, 1.0 and "1" are not whole numbers."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise IllegalEvent(f"{what}: expected a whole number from {low} to {high}, got {quote(value)}")
    return int(value)


def flag(value: object, what: str) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise IllegalEvent(f"{what}: expected true or false, got {quote(value)}")
    return value


def one_of(value: object, what: str, choices: Collection[str]) -> str:
    """One word of a closed list."""
    if not isinstance(value, str) or value not in choices:
        raise IllegalEvent(f"{what}: expected {join_words([repr(choice) for choice in choices])}, got {quote(value)}")
    return value


def sequence(value: object, what: str, low: int = 0, high: int = 1000) -> list[Any] | tuple[Any, ...]:
    """A JSON list with low to high entries."""
    if not isinstance(value, (list, tuple)):
        raise IllegalEvent(f"{what}: expected a list, got {quote(value)}")
    if not low <= len(value) <= high:
        expected = "1 entry" if low == high == 1 else f"{low} entries" if low == high else f"{low} to {high} entries"
        raise IllegalEvent(f"{what}: expected {expected}, got {len(value)}: {quote(value)}")
    return value


def each(value: object, what: str, read: Callable[[object, str], T], low: int = 0, high: int = 1000) -> tuple[T, ...]:
    """A JSON list read entry by entry."""
    return tuple(read(entry, f"{what}[{index}]") for index, entry in enumerate(sequence(value, what, low, high)))


def event_type(event: object, known: Collection[str]) -> str:
    """The type of an event, one of those known."""
    return one_of(get(mapping(event, "event"), "type", "event"), "event type", known)


def expect_phase(phase: str, event: Mapping[str, Any], *phases: str) -> None:
    """An event that belongs to certain phases of a game."""
    if phase not in phases:
        expected = join_words([repr(name) for name in phases])
        raise IllegalEvent(f"{quote(event['type'])} in the phase {phase!r}: expected the phase {expected}")
