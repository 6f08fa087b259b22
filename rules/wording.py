"""Words for messages: short quotes of values, lists, counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

QUOTED_CHARACTERS: Final = 80
SHOWN_BITS: Final = 200
ORDINALS: Final = (
    *("zeroth", "first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)


def quote(value: object) -> str:
    """A short `repr` for error messages; safe for huge numbers and deep nesting."""
    if isinstance(value, int) and value.bit_length() > SHOWN_BITS:
        return f"a whole number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"a {type(value).__name__} too large to show"
    return text if len(text) <= QUOTED_CHARACTERS else text[: QUOTED_CHARACTERS - 3] + "..."


def join_words(words: Iterable[str], last: str = "or") -> str:
    """`a, b or c`."""
    listed = list(words)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}" if len(listed) > 1 else "".join(listed)


def a_ordinal(count: int) -> str:
    """`an eleventh`, `a third`."""
    word = ORDINALS[count] if count < len(ORDINALS) else f"{count}th"
    return f"an {word}" if word[0] in "e8" else f"a {word}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 die`, `5 dice`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
