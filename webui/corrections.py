"""What people said about dice that the camera had read: the rolls of the log as labelled pictures."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.games.panda_dice import BOX, Hand
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import PandaState
from tablesight.rules.log import REDONE, UNDONE
from tablesight.webui.event_notes import readable_notes
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.record import STARTED, started
from tablesight.webui.throws import SeenDie, throw_from_reading

log = logging.getLogger(__name__)

How = Literal["corrected", "answered", "left"]
"""Changed after it had counted or named as something else than was read; named as what was read; left as it was."""
Place = tuple[int, int]
"""Round and seat."""
KIND_ORDER: Final = {kind: place for place, kind in enumerate(BOX)}


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """A die in a picture: what it shows by the word of the players, and what the camera had read.

    `box_px` is in pixels of the picture that was kept.
    """

    kind: str
    value: int
    read_kind: str | None
    read_value: int
    box_px: tuple[float, float, float, float]
    how: How


@dataclass(frozen=True, slots=True)
class CorrectedRoll:
    """A roll in which a person named at least one die."""

    still: str
    game: str
    round_number: int
    seat: int
    seats: int
    simulated: bool
    dice: tuple[LabelledDie, ...]

    @property
    def corrected(self) -> int:
        """How many dice the camera had read wrong."""
        return sum(die.how == "corrected" for die in self.dice)


@dataclass(frozen=True, slots=True)
class _Shot:
    """One picture of a roll: which die of the reading (its id, "" where that is not known) lies in which place of the
    hand; `named`: the places that a person named."""

    still: str
    ids: Mapping[int, str]
    named: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Game:
    """The shots of one game, followed through its log as the rules follow its states."""

    shots: dict[Place, _Shot] = field(default_factory=dict)
    past: dict[tuple[int, int, str], tuple[_Shot, Hand]] = field(default_factory=dict)

    def copy(self) -> _Game:
        return _Game(dict(self.shots), dict(self.past))

    def after(self, event: Mapping[str, Any], before: PandaState, state: PandaState) -> _Game:
        """What is known after an event that led from one state to the next."""
        new = self.copy()
        match event["type"]:
            case "seat_rolled" | "hand_accepted":
                place = (state.round_number, event["seat"])
                shot = _shot(event, range(len(event["dice"])))
                new.past = {key: value for key, value in new.past.items() if key[:2] != place}
                new._put(place, shot)
            case "seat_rerolled":
                place = (before.round_number, event["seat"])
                lying = before.rounds[place[0] - 1].lying[place[1]] or ()
                if place in new.shots:
                    old = new.shots[place]
                    new.past[(*place, old.still)] = (old, lying)
                new._put(place, _shot(event, _rerolled_places(event["dice"], lying)))
            case "corrected":
                place = (event["round"], event["seat"])
                shown = new.shots.get(place)
                if shown is None:
                    pass
                elif "die" in event:
                    new.shots[place] = _Shot(shown.still, shown.ids, shown.named | {event["die"]})
                else:
                    new.shots[place] = _Shot(shown.still, shown.ids, shown.named | set(shown.ids))
        return new

    def _put(self, place: Place, shot: _Shot | None) -> None:
        if shot is None:
            self.shots.pop(place, None)
        else:
            self.shots[place] = shot


def corrected_rolls(
    entries: Iterable[LogEntry], reading: Callable[[str], Mapping[str, Any] | None], simulated: bool = False
) -> tuple[CorrectedRoll, ...]:
    """The rolls of the log in which people named dice, oldest first, as far as their pictures are kept.

    `reading` gives what was read in a picture, None where it is gone. Games on the simulated table only where
    `simulated`: drawn dice teach nothing. What was undone does not count.
    """
    games: dict[str, list[LogEntry]] = {}
    for entry in entries:
        if entry.game:
            games.setdefault(entry.game, []).append(entry)
    return tuple(roll for log_of_game in games.values() for roll in _of_game(log_of_game, reading, simulated))


def _of_game(
    entries: list[LogEntry], reading: Callable[[str], Mapping[str, Any] | None], simulated: bool
) -> list[CorrectedRoll]:
    first = entries[0]
    if first.event.get("type") != STARTED or first.event.get("game") != "panda-royale":
        return []
    try:
        record = started(first)
    except (ValueError, KeyError, TypeError) as error:
        log.warning("game %s cannot be opened: %s", first.game, error)
        return []
    if record.simulated and not simulated:
        return []
    timeline, done, undone = record.timeline, [_Game()], list[_Game]()
    for entry in entries[1:]:
        event = readable_notes(entry.event, entry.seq)
        try:
            after = timeline.apply(event)
            if event["type"] == UNDONE:
                undone.append(done.pop())
            elif event["type"] == REDONE:
                done.append(undone.pop())
            else:
                done.append(done[-1].after(event, timeline.state, after.state))
                undone.clear()
        except (IllegalEvent, KeyError, TypeError, LookupError, ValueError) as error:
            log.warning("entry %d of game %s is left out: %s", entry.seq, entry.game, error)
            continue
        timeline = after
    state, known = timeline.state, done[-1]
    shots: list[tuple[Place, _Shot, Hand]] = []
    for (number, seat, _), (shot, before) in known.past.items():
        # the yellow dice of then, and of the others, which were not rolled again, what is known of them now
        now = _lying(state, (number, seat)) or before
        then = tuple(old if is_yellow(old.kind) else new for old, new in zip(before, now, strict=False))
        shots.append(((number, seat), shot, then))
    for place, shot in known.shots.items():
        if hand := _lying(state, place):
            shots.append((place, shot, hand))
    rolls = []
    for (number, seat), shot, hand in sorted(shots, key=lambda item: item[0]):
        dice = _labelled(shot, hand, reading(shot.still), seat)
        if any(die.how != "left" for die in dice):
            players = len(state.players)
            rolls.append(CorrectedRoll(shot.still, record.id, number, seat, players, record.simulated, dice))
    return rolls


def _lying(state: PandaState, place: Place) -> Hand | None:
    number, seat = place
    return state.rounds[number - 1].lying[seat] if number <= len(state.rounds) else None


def _shot(event: Mapping[str, Any], places: Iterable[int]) -> _Shot | None:
    """The picture of a roll; None where nobody took one."""
    still = event.get("reading")
    if not isinstance(still, str) or not still:
        return None
    given = event.get("ids")
    ids = given if isinstance(given, list) and len(given) == len(event["dice"]) else [""] * len(event["dice"])
    order = list(places)
    named = frozenset(order[place] for place in event.get("by_hand", ()) if place < len(order))
    return _Shot(still, {place: str(die) for place, die in zip(order, ids, strict=True)}, named)


def _rerolled_places(dice: list[Mapping[str, Any]], lying: Hand) -> list[int]:
    """Where in the hand the dice of a re-roll lie: those of a kind in hand order, as the rules have it."""
    free = {kind: [place for place, die in enumerate(lying) if die.kind == kind] for kind in {d["kind"] for d in dice}}
    return [free[die["kind"]].pop(0) for die in dice if is_yellow(die["kind"])]


def _labelled(shot: _Shot, hand: Hand, reading: Mapping[str, Any] | None, seat: int) -> tuple[LabelledDie, ...]:
    """The dice of a shot with what the hand says of them; none where picture or reading are gone or do not fit."""
    if reading is None:
        return ()
    try:
        seen = throw_from_reading({**reading, "id": shot.still}, seat).dice
    except (KeyError, TypeError, ValueError) as error:
        log.warning("the reading %s cannot be understood: %s", shot.still, error)
        return ()
    by_place = _by_id(shot, seen) if all(shot.ids.values()) else _by_order(shot, seen, hand)
    labelled = []
    for place, die in sorted(by_place.items()):
        if place >= len(hand):
            return ()
        told = hand[place]
        how: How = "left"
        if (told.kind, told.value) != (die.kind, die.value):
            how = "corrected"
        elif place in shot.named:
            how = "answered"
        labelled.append(LabelledDie(told.kind, told.value, die.kind, die.value, die.box_px, how))
    return tuple(labelled)


def _by_id(shot: _Shot, seen: Iterable[SeenDie]) -> dict[int, SeenDie]:
    known = {die.id: die for die in seen}
    return {place: known[name] for place, name in shot.ids.items() if name in known}


def _by_order(shot: _Shot, seen: Iterable[SeenDie], hand: Hand) -> dict[int, SeenDie]:
    """For logs of versions that did not write the ids: a hand is written in the order of the kinds as they were read.
    Where that does not fit the dice of which nobody said anything, nothing is known."""
    ordered = sorted(seen, key=lambda die: (KIND_ORDER.get(die.kind or "", 99), -die.value))
    if len(ordered) != len(shot.ids) or len(ordered) != len(hand):
        return {}
    pairs = dict(zip(sorted(shot.ids), ordered, strict=True))
    fits = all(
        (hand[place].kind, hand[place].value) == (die.kind, die.value)
        for place, die in pairs.items()
        if place not in shot.named
    )
    return pairs if fits else {}
