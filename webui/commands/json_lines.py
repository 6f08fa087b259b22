"""Input of the referee's commands: one JSON value, a JSON list, or JSON lines, from a file or standard input."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tablesight.rules.wording import quote


class UnreadableInput(ValueError):
    """The file is not there, or holds no JSON at all."""


@dataclass(frozen=True, slots=True)
class Item:
    """One value of the input, or why it could not be read."""

    value: Any = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    """The values in order; `single` where the input is one JSON value that is no list."""

    items: tuple[Item, ...]
    single: bool


def read_input(source: str) -> Input:
    """The values in the file, or in standard input for "-". Raises UnreadableInput."""
    text = read_text(source)
    if not text.strip():
        raise UnreadableInput(f"{named(source)}: expected JSON, got an empty input: name a file that has some")
    whole = _parse(text)
    if whole.error is None:
        if isinstance(whole.value, list):
            return Input(tuple(Item(value) for value in whole.value), single=False)
        return Input((whole,), single=True)
    lines = [_parse(line) for line in text.split("\n") if line.strip()]
    if all(line.error for line in lines):
        wrong = (whole.error or "").removeprefix("expected JSON, ")
        raise UnreadableInput(f"{named(source)}: expected JSON, a list or one value a line, {wrong}")
    return Input(tuple(lines), single=False)


def read_text(source: str) -> str:
    """The text of a file or of standard input, UTF-8. Raises UnreadableInput."""
    try:
        if source != "-":
            return Path(source).read_bytes().decode("utf-8-sig")
        if sys.stdin.isatty():
            complain("reading JSON from the terminal; end it with Ctrl-D")
        stream = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read() if stream is None else stream.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInput(
            f"{named(source)}: expected UTF-8 text, got the byte {error.object[error.start]:#x} at {error.start}: "
            "save the file as UTF-8"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableInput(
            f"{named(source)}: expected a readable file, got {reason.lower()!r}: check its name and rights"
        ) from error


def named(source: str) -> str:
    """The input as a person would call it."""
    return "standard input" if source == "-" else source


def _parse(text: str) -> Item:
    try:
        return Item(json.loads(text, parse_constant=_no_constant))
    except RecursionError:
        return Item(error="expected JSON, got one nested too deeply: give the values as the help shows them")
    except ValueError as error:
        return Item(error=f"expected JSON, got {quote(text.strip()[:60])}: {error}; correct it")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def print_json(value: Any, readable: bool = False) -> None:
    """One line on standard output; several, indented, for a person at a terminal (`readable`)."""
    try:
        json.dump(value, sys.stdout, indent=2 if readable and sys.stdout.isatty() else None)
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read has seen enough (`| head`): nothing more is written, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


def complain(message: str) -> None:
    """A line for the person at the terminal."""
    print(f"tablesight: {message}", file=sys.stderr)
