"""JSON as a phone may send it and as the log keeps it: shallow, and of text that can be written down."""

from __future__ import annotations

import json
from typing import Any, Final

DEEPEST: Final = 32
"""Levels of nesting; what Tablesight writes has fewer than ten."""


def parsed(text: str | bytes) -> Any:
    """The value. Raises ValueError for what is no JSON, is nested too deeply, or holds NaN or half a character."""
    if isinstance(text, bytes):
        text = text.decode()
    try:
        value = json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError(f"expected JSON of at most {DEEPEST} levels, got more") from error
    if "\\u" not in text and text.count("[") + text.count("{") <= DEEPEST:
        return value  # nearly every entry of a log: nothing in it needs a look
    stack = [(value, 1)]
    while stack:
        part, level = stack.pop()
        if isinstance(part, str):
            _check_text(part)
        elif isinstance(part, dict | list):
            if level > DEEPEST:
                raise ValueError(f"expected JSON of at most {DEEPEST} levels, got more")
            if isinstance(part, dict):
                stack.extend((name, level + 1) for name in part)
                stack.extend((inner, level + 1) for inner in part.values())
            else:
                stack.extend((inner, level + 1) for inner in part)
    return value


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"expected whole characters, got half of one: {text!a:.40}") from error


def _no_number(word: str) -> Any:
    raise ValueError(f"expected a number, got {word}")
