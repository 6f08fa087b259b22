"""A game as it is kept: how it was started, its events, and what the rules make of them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Game, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import PandaState
from tablesight.rules.log import REDONE, UNDONE, Timeline
from tablesight.webui.event_notes import readable_notes
from tablesight.webui.log_entry import LogEntry

log = logging.getLogger(__name__)

STARTED: Final = "game_started"

SIMULATED: Final = "simulated"
"""Who tells, where the people at the simulated table do."""

Place = tuple[int, int, int]
"""Round, seat and die, as in a correction."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What the rules do not need: the picture behind each roll, and which dice a person named or corrected.

    `crops` has the picture of each die of a roll, in the order of the hand, by round and seat; `again` those of the
    yellow dice that were rolled again, each with its kind. `played` are the dice that were named by nobody but a
    simulated player. `event` is what has happened last: what undoing would take back.
    """

    stills: Mapping[tuple[int, int], str]
    by_hand: frozenset[Place]
    crops: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    again: Mapping[tuple[int, int], tuple[tuple[str, str], ...]] = field(default_factory=dict)
    played: frozenset[Place] = frozenset()
    event: Mapping[str, Any] = field(default_factory=dict)

    def after(self, event: Mapping[str, Any], round_number: int, who: str = "") -> Notes:
        """The notes after an event of round `round_number` that `who` told."""
        match event["type"]:
            case "seat_rolled" | "seat_rerolled" | "hand_accepted":
                seat = event["seat"]
                kept, played = self.by_hand, self.played
                if event["type"] == "seat_rerolled":
                    # where in the hand its dice lie only the rules know: `tried` notes who told them
                    event = {key: value for key, value in event.items() if key not in ("by_hand", "played")}
                    who = ""
                else:
                    kept, played = (
                        frozenset(place for place in places if place[:2] != (round_number, seat))
                        for places in (kept, played)
                    )
                named = {(round_number, seat, die) for die in event.get("by_hand", ())}
                # a log of an older version names only who told the last of them
                by_players = event.get("played", event.get("by_hand", ()) if who == SIMULATED else ())
                played |= {(round_number, seat, die) for die in by_players}
                stills = dict(self.stills)
                if event.get("reading"):
                    stills[round_number, seat] = event["reading"]
                return replace(
                    self._with_crops(event, round_number), stills=stills, by_hand=kept | named, played=played
                )
            case "corrected" if "die" in event:
                told = {(event["round"], event["seat"], event["die"])}
                return replace(self, by_hand=self.by_hand | told, played=self.played - told)
            case "corrected" if "round" in event and "seat" in event:
                place = (event["round"], event["seat"])  # the whole hand anew: nobody knows which die is which
                return replace(self, crops=_without(self.crops, place), again=_without(self.again, place))
        return self

    def rolled_again(self, event: Mapping[str, Any], yellow: Sequence[tuple[Place, str]]) -> Notes:
        """The notes after the yellow dice of a hand, each with its place and kind, were rolled again."""
        free = list(yellow)
        lie: dict[int, Place] = {}
        for number, die in enumerate(event["dice"]):  # those of a kind lie in the order of the hand
            if (found := next((one for one in free if one[1] == die["kind"]), None)) is not None:
                free.remove(found)
                lie[number] = found[0]
        anew = {place for place, _ in yellow}
        told, played = ({lie[die] for die in event.get(name, ()) if die in lie} for name in ("by_hand", "played"))
        return replace(self, by_hand=(self.by_hand - anew) | told, played=(self.played - anew) | played)

    def _with_crops(self, event: Mapping[str, Any], round_number: int) -> Notes:
        place = (round_number, event["seat"])
        crops, again = _without(self.crops, place), _without(self.again, place)
        ids, dice = event.get("ids") or (), event["dice"]
        pictures = tuple(f"/stills/{event['reading']}/dice/{die}.jpg" for die in ids) if event.get("reading") else ()
        shown = pictures if len(pictures) == len(dice) else ("",) * len(dice)
        if event["type"] == "seat_rerolled":
            crops = dict(self.crops)
            again[place] = tuple((die["kind"], picture) for die, picture in zip(dice, shown, strict=True))
        elif any(shown):
            crops[place] = shown
        return replace(self, crops=crops, again=again)

    def pictures(self, round_number: int, seat: int, kinds: Sequence[str]) -> tuple[str | None, ...]:
        """The picture of each die of a hand of these kinds, None where there is none."""
        crops = self.crops.get((round_number, seat), ())
        again = list(self.again.get((round_number, seat), ()))
        found: list[str | None] = list(crops) if len(crops) == len(kinds) else [None] * len(kinds)
        for place, kind in enumerate(kinds):
            if (rolled := next((pair for pair in again if pair[0] == kind), None)) is not None:
                again.remove(rolled)
                found[place] = rolled[1] or None
        return tuple(found)


def _without(pictures: Mapping[tuple[int, int], Any], place: tuple[int, int]) -> dict[tuple[int, int], Any]:
    return {key: value for key, value in pictures.items() if key != place}


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

    @property
    def turned(self) -> Mapping[str, Any] | None:
        """The event that the last entry took back or brought back; None where it is one of the game."""
        if self.last.event.get("type") == UNDONE and self.undone_notes:
            return self.undone_notes[-1].event
        return self.note.event if self.last.event.get("type") == REDONE else None

    def tried(self, event: Mapping[str, Any], who: str = "") -> Record:
        """The record after an event that is not in the log yet, and that `who` tells.

        Raises IllegalEvent, and then nothing has happened.
        """
        timeline = self.timeline.apply(event)
        if event["type"] == UNDONE:
            return replace(
                self, timeline=timeline, notes=self.notes[:-1], undone_notes=(*self.undone_notes, self.notes[-1])
            )
        if event["type"] == REDONE:
            return replace(
                self, timeline=timeline, notes=(*self.notes, self.undone_notes[-1]), undone_notes=self.undone_notes[:-1]
            )
        after = self.note.after(event, getattr(timeline.state, "round_number", 0), who)
        if event["type"] == "seat_rerolled":
            after = after.rolled_again(event, _yellow(timeline.state, event["seat"]))
        return replace(self, timeline=timeline, notes=(*self.notes, replace(after, event=event)), undone_notes=())


def _yellow(state: PandaState, seat: int) -> tuple[tuple[Place, str], ...]:
    """The places and kinds of the seat's yellow dice in the present round."""
    hand = state.current.lying[seat] or ()
    return tuple(((state.round_number, seat, place), die.kind) for place, die in enumerate(hand) if is_yellow(die.kind))


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
            record = replace(record.tried(readable_notes(entry.event, entry.seq), entry.who), last=entry)
        except (IllegalEvent, LookupError, TypeError, ValueError, AttributeError) as error:
            log.warning("entry %d of game %s is left out: %s", entry.seq, entry.game, error)
    return record
