"""A game as it is kept: how it was started, its events, and what the rules make of them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Game, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import REDONE, UNDONE, Timeline
from tablesight.webui.log_entry import LogEntry

log = logging.getLogger(__name__)

STARTED: Final = "game_started"

Place = tuple[int, int, int]
"""Round, seat and die, as in a correction."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What the rules do not need: the picture behind each roll, and which dice a person named or corrected."""

    stills: Mapping[tuple[int, int], str]
    by_hand: frozenset[Place]

    def after(self, event: Mapping[str, Any], round_number: int) -> Notes:
        """The notes after an event of round `round_number`."""
        match event["type"]:
            case "seat_rolled" | "seat_rerolled" | "hand_accepted":
                seat = event["seat"]
                named = {(round_number, seat, die) for die in event.get("by_hand", ())}
                kept = self.by_hand
                if event["type"] != "seat_rerolled":
                    kept = frozenset(place for place in kept if place[:2] != (round_number, seat))
                stills = dict(self.stills)
                if event.get("reading"):
                    stills[round_number, seat] = event["reading"]
                return Notes(stills, kept | named)
            case "corrected" if "die" in event:
                return replace(self, by_hand=self.by_hand | {(event["round"], event["seat"], event["die"])})
        return self


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `notes` and `undone_notes` run beside the states of the timeline."""

    id: str
    started_at_s: float
    simulated: bool
    timeline: Timeline[Any]
    notes: tuple[Notes, ...]
    undone_notes: tuple[Notes, ...]
    last: LogEntry

    @property
    def game(self) -> Game[Any]:
        """The rules."""
        return self.timeline.game

    @property
    def state(self) -> Any:
        """The present state of the rules."""
        return self.timeline.state

    @property
    def note(self) -> Notes:
        """The present notes."""
        return self.notes[-1]

    def tried(self, event: Mapping[str, Any]) -> Record:
        """The record after an event that is not in the log yet. Raises IllegalEvent, and then nothing has happened."""
        timeline = self.timeline.apply(event)
        if event["type"] == UNDONE:
            return replace(
                self, timeline=timeline, notes=self.notes[:-1], undone_notes=(*self.undone_notes, self.notes[-1])
            )
        if event["type"] == REDONE:
            return replace(
                self, timeline=timeline, notes=(*self.notes, self.undone_notes[-1]), undone_notes=self.undone_notes[:-1]
            )
        after = self.note.after(event, getattr(timeline.state, "round_number", 0))
        return replace(self, timeline=timeline, notes=(*self.notes, after), undone_notes=())


def started(entry: LogEntry) -> Record:
    """The record of a game whose `game_started` entry this is. Raises BadSetup, KeyError or TypeError."""
    event = entry.event
    game = GAMES[event["game"]]
    setup = Setup(tuple(event["players"]), event.get("options") or {})
    return Record(
        id=str(entry.game),
        started_at_s=entry.at_s,
        simulated=bool(event.get("simulated", False)),
        timeline=Timeline.start(game, setup),
        notes=(Notes({}, frozenset()),),
        undone_notes=(),
        last=entry,
    )


def replayed(entries: Iterable[LogEntry]) -> Record | None:
    """The record of one game from all its log entries; None where its start is missing or cannot be understood.

    An event that the rules of this version refuse is left out, with a warning: the rest of the game is worth more.
    """
    record: Record | None = None
    for entry in entries:
        if record is None:
            try:
                record = started(entry)
            except (ValueError, KeyError, TypeError) as error:
                log.warning("game %s cannot be opened: %s", entry.game, error)
                return None
            continue
        try:
            record = replace(record.tried(entry.event), last=entry)
        except (IllegalEvent, KeyError, TypeError) as error:
            log.warning("entry %d of game %s is left out: %s", entry.seq, entry.game, error)
    return record
