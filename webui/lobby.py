"""Before the game: the names and colours that all phones type into one list."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tablesight.webui.errors import Conflict, RequestError
from tablesight.webui.player_names import LONGEST_NAME, is_text
from tablesight.webui.seat_colours import SEAT_RGB, colours_of

MOST: Final = 10
FEWEST: Final = 2
ROW_ID: Final = re.compile("[0-9a-z]{1,32}")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list. `color` is a place in `SEAT_RGB`, None where nobody chose; `who` typed it last."""

    id: str
    name: str = ""
    color: int | None = None
    who: str = ""


class Lobby:
    """Safe to call from any thread. It is kept in memory only: the names of the last game come back by themselves."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._lock = threading.Lock()
        self._rows: tuple[Row, ...] = ()
        self.reset(names)

    def reset(self, names: Sequence[str]) -> None:
        """A new list, of these players."""
        shown = [*names, *[""] * FEWEST][: max(len(names), FEWEST)]
        with self._lock:
            self._rows = tuple(Row(str(place), name) for place, name in enumerate(shown, start=1))

    def to_json(self, liked: Mapping[str, int]) -> list[dict[str, Any]]:
        """The list as the pages show it, each row with a colour of its own."""
        rows = self._rows
        chosen = {row.id: row.color for row in rows if row.color is not None}
        by_name = {row.id: liked[row.name.casefold()] for row in rows if row.name.casefold() in liked}
        colours = colours_of([row.id for row in rows], by_name | chosen)
        return [{"id": row.id, "name": row.name, "color": colour} for row, colour in zip(rows, colours, strict=True)]

    def put(self, row_id: str, body: Mapping[str, Any], who: str, may_change_others: bool) -> None:
        """Adds or changes a row: any of `name`, `color`; `seen` is the name as the sender saw it.

        Raises Conflict where another phone has typed there meanwhile, RequestError for a wrong value.
        """
        name, color = body.get("name"), body.get("color")
        if not ROW_ID.fullmatch(row_id):
            raise RequestError(
                f"expected up to 32 small letters and digits as the id of a row, got {row_id!r:.40}: send another id"
            )
        if name is not None and not isinstance(name, str):
            raise RequestError(f"expected a text as the name, got {name!r:.40}: send letters in quotes")
        if color is not None:
            check_color(color)
        with self._lock:
            old = next((row for row in self._rows if row.id == row_id), None)
            if old is None and len(self._rows) >= MOST:
                raise RequestError(f"there are {MOST} players already: take one out first")
            if old and old.name and old.who != who and not may_change_others:
                raise RequestError("the table is locked, players change only their own name: ask the host", 403)
            if old and name is not None and body.get("seen", old.name) != old.name and old.name:
                raise Conflict("somebody else is typing in this line: use another one")
            new = old or Row(row_id)
            if name is not None:
                new = replace(new, name=_shown(name), who=who)
            if color is not None:
                self._free(color, new)
                new = replace(new, color=color)
            others = tuple(new if row is old else row for row in self._rows)
            self._rows = others if old else (*self._rows, new)

    def drop(self, row_id: str, who: str, may_change_others: bool) -> None:
        """Takes a row out; one that is gone already stays gone."""
        with self._lock:
            old = next((row for row in self._rows if row.id == row_id), None)
            if old and old.name and old.who != who and not may_change_others:
                raise RequestError("the table is locked, players change only their own name: ask the host", 403)
            if old and len(self._rows) > FEWEST:
                self._rows = tuple(row for row in self._rows if row is not old)

    def _free(self, color: int, mine: Row) -> None:
        taken = next((row for row in self._rows if row.id != mine.id and row.color == color), None)
        if taken and taken.name:
            raise Conflict(f"{taken.name} has this colour: choose another one")
        if taken:
            raise Conflict("somebody else has this colour: choose another one")


def check_color(color: Any) -> int:
    """A place in the list of colours. Raises RequestError."""
    if not isinstance(color, int) or isinstance(color, bool) or not 0 <= color < len(SEAT_RGB):
        raise RequestError(
            f"expected a colour from 0 to {len(SEAT_RGB) - 1}, got {color!r:.40}: send one of these numbers"
        )
    return color


def _shown(name: str) -> str:
    """A name while it is typed: what belongs into none is left out; the rest is checked when the game starts."""
    return "".join(letter for letter in name if is_text(letter))[:LONGEST_NAME]
