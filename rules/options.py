"""Table options: each doubtful decision of a rulebook is a choice with a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablesight.rules.errors import BadSetup
from tablesight.rules.wording import quote

OptionValue = str | bool | int


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. `choices` lists every value allowed, the default first in meaning; `decision` is its number."""

    name: str
    default: OptionValue
    choices: tuple[OptionValue, ...]
    meaning: str
    decision: str = ""


def chosen(options: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every option. Raises BadSetup for unknown names and values."""
    if not isinstance(given, Mapping):
        raise BadSetup(f"options: expected a JSON object, got {quote(given)}")
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadSetup(f"options: expected one of {', '.join(known)}, got {quote(name)}")
    values: dict[str, Any] = {option.name: option.default for option in options}
    for name, value in given.items():
        choices = known[name].choices
        # 1 == True in Python, but not at the table
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            shown = ", ".join(repr(choice) for choice in choices)
            raise BadSetup(f"option {name!r}: expected one of {shown}, got {quote(value)}")
        values[name] = value
    return values
