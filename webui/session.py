"""The game at the table: what the camera and the people say becomes events of the log."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tablesight.rules.errors import BadSetup, IllegalEvent
from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, Hand, check_value
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import PandaState
from tablesight.rules.log import REDONE, UNDONE
from tablesight.webui.errors import Conflict, Missing, RequestError
from tablesight.webui.freshness import Freshness
from tablesight.webui.next_roll import ExpectedHand, Roll, expected_hand, next_roll
from tablesight.webui.player_names import player_names
from tablesight.webui.record import SIMULATED, STARTED, Record, replayed, started
from tablesight.webui.sight import Sight
from tablesight.webui.stale import refuse_answered, refuse_stale, refuse_stale_doubt
from tablesight.webui.store import Store
from tablesight.webui.throws import Answer, SeenDie, Throw, throw_from_reading

log = logging.getLogger(__name__)

KIND_ORDER: Final = {kind: place for place, kind in enumerate(BOX)}


class Session:
    """One game at a time; all others stay in the log. Safe to call from any thread.

    `changed` is called after every change, with the lock released or not: it must only take note.
    """

    def __init__(self, store: Store, changed: Callable[[], None]) -> None:
        self._store = store
        self._changed = changed
        self._lock = threading.RLock()
        self._throws: dict[int, Throw] = {}
        self._sight = Sight()
        self._fresh = Freshness()
        self._tray = 0
        self._record = self._latest()

    # what is

    @property
    def lock(self) -> threading.RLock:
        """Held while a consistent view is taken."""
        return self._lock

    @property
    def record(self) -> Record | None:
        """The game at the table."""
        return self._record

    @property
    def throws(self) -> Mapping[int, Throw]:
        """Dice read that do not count yet, by seat."""
        return dict(self._throws)

    @property
    def gate(self) -> Mapping[int, str]:
        """What the camera's motion gate says of each seat's zone."""
        return self._sight.gate

    @property
    def look(self) -> dict[str, Any] | None:
        """The last reading, whatever became of it."""
        return self._sight.look

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """What was read of the dice that lie there now; boxes as fractions of the picture."""
        return self._sight.boxes

    def reload(self) -> None:
        """Takes the latest game from the log again, after a backup was restored."""
        with self._lock:
            self._forget_throws()
            self._record = self._latest()
        self._changed()

    def game(self, game_id: str) -> Record:
        """Any game of the log. Raises Missing."""
        with self._lock:
            if self._record and self._record.id == game_id:
                return self._record
        record = replayed(self._store.entries(game_id))
        if record is None:
            raise Missing(f"there is no game {game_id!r:.40}: choose one of the list of games")
        return record

    # what people do

    def start(self, players: Sequence[Any], options: Mapping[str, Any], game: str, simulated: bool, who: str) -> Record:
        """A new game. Raises RequestError."""
        if game not in GAMES:
            raise RequestError(f"expected a game of {', '.join(GAMES)}, got {game!r:.40}: send one of these")
        names = player_names(players)
        counts = GAMES[game].player_counts
        if len(names) not in counts:
            raise RequestError(
                f"{GAMES[game].title} is for {min(counts)} to {max(counts)} players, got {len(names)}: change the list"
            )
        event: dict[str, Any] = {"type": STARTED, "version": 1, "game": game, "players": names}
        event |= {"options": dict(options), "simulated": simulated}
        with self._lock:
            try:
                GAMES[game].initial(Setup(tuple(names), options))
            except BadSetup as error:
                raise RequestError(f"{error}") from error
            entry = self._store.append(secrets.token_hex(6), event, who)
            self._record = started(entry)
            self._forget_throws()
            record = self._record
        self._changed()
        return record

    def apply(self, game_id: str, event: Mapping[str, Any], who: str, last_seq: int | None = None) -> Record:
        """Adds an event to the game at the table. Raises RequestError; then nothing has changed: Conflict where the
        log does not end with the entry `last_seq`."""
        with self._lock:
            record = self._current(game_id)
            if last_seq is not None and record.last.seq != last_seq:
                raise Conflict("something else has happened meanwhile: look again")
            try:
                after = record.tried(event, who)
            except IllegalEvent as error:
                raise RequestError(str(error), 409 if event.get("type") in (UNDONE, REDONE) else 400) from error
            entry = self._store.append(record.id, dict(event), who)
            self._record = replace(after, last=entry)
            self._tidy(event)
            record = self._record
        self._changed()
        return record

    def correct(self, game_id: str, correction: Mapping[str, Any], who: str) -> Record:
        """`{round, seat, die, value[, kind][, seen]}`: a die of any round, scored or still in doubt.

        `seen` is the die as the person saw it: Conflict where somebody else has changed it since.
        """
        with self._lock:
            record = self._current(game_id)
            seat, round_number, place = (correction.get(name) for name in ("seat", "round", "die"))
            throw = self._throws.get(seat) if isinstance(seat, int) else None
            roll = self.next_roll(seat) if throw and isinstance(seat, int) else None
            if (
                isinstance(seat, int)
                and throw
                and roll
                and round_number == roll.round_number
                and isinstance(place, int)
            ):
                if not 0 <= place < len(throw.dice):
                    raise RequestError(
                        f"expected a die from 0 to {len(throw.dice) - 1}, got {place!r}: look at the dice again"
                    )
                die = throw.dice[place]
                refuse_stale_doubt(die, correction)
                return self._name(seat, throw, die, correction.get("kind", die.kind), correction.get("value"), who)
            event = {"type": "corrected", **{key: correction[key] for key in correction if key != "seen"}}
            event.pop("who", None)
            refuse_stale(record.state, correction)
            if not isinstance(event.get("kind", ""), str):
                raise _no_kind(event["kind"])
        return self.apply(game_id, event, who)

    def answer(self, game_id: str, body: Mapping[str, Any], who: str) -> Record:
        """An answer to a question about a throw that does not count yet. Raises RequestError."""
        with self._lock:
            record = self._current(game_id)
            seat = body.get("seat")
            throw = self._throws.get(seat) if isinstance(seat, int) else None
            if throw is None or not isinstance(seat, int):
                raise Conflict("this question is answered already: look at the dice again")
            if body.get("again") is True:
                del self._throws[seat]
                self._fresh.look_again(seat)
            elif body.get("accept") is True:
                return self._count(seat, throw, who, accept=True)
            else:
                die = next((die for die in throw.dice if die.id == str(body.get("die"))), None)
                if die is None:
                    raise Conflict("these dice were read again meanwhile: look at the new question")
                refuse_answered(die, body, who)
                if body.get("none") is True:
                    fewer = replace(throw, dice=tuple(one for one in throw.dice if one is not die), problem="")
                    return self._count(seat, fewer, who)
                return self._name(seat, throw, die, body.get("kind"), body.get("value"), who)
        self._changed()
        return record

    def roll(self, game_id: str, seat: int, round_number: int, dice: Any, who: str) -> Record:
        """A whole roll told by a person: by taps, or from a photo."""
        with self._lock:
            self._current(game_id)
            roll = self.next_roll(seat)
            if roll is None or roll.round_number != round_number:
                raise Conflict("this roll is entered already: tap a die to correct it")
            hand = list(dice) if isinstance(dice, list) else dice
            event: dict[str, Any] = {"type": roll.event, "seat": seat, "dice": hand}
            event["by_hand"] = list(range(len(hand))) if isinstance(hand, list) else []
        return self.apply(game_id, event, who)

    # what the camera does

    def take_gate(self, gate: Mapping[str, str]) -> None:
        """The motion gate's word on every zone."""
        with self._lock:
            if not self._sight.take_gate(gate):
                return
            for seat, state in self._sight.gate.items():
                if state == "empty":
                    self._fresh.emptied(seat)
        self._changed()

    def camera_restarted(self) -> None:
        """The camera process was started again: it remembers nothing of the table."""
        with self._lock:
            self._fresh.camera_restarted()

    def take_reading(self, header: Mapping[str, Any], simulated: bool, counts: bool = True) -> bool:
        """A settled zone was read. Returns whether it became a roll or a question; otherwise it is only shown."""
        zone = header.get("zone")
        throw = throw_from_reading(header, zone if isinstance(zone, int) else -1)
        with self._lock:
            counts = counts and self._record is not None and self._record.simulated == simulated
            used = counts and self._offer(throw, "")
        self._changed()
        return used

    def take_photo(self, header: Mapping[str, Any], seat: int, who: str) -> bool:
        """A phone photo of one seat's dice was read."""
        throw = throw_from_reading(header, seat)
        with self._lock:
            self._fresh.look_again(seat)
            used = self._record is not None and self._offer(throw, who)
        self._changed()
        return used

    def show(self, look: dict[str, Any]) -> None:
        """The last reading, for the pages."""
        with self._lock:
            self._sight.show(look)

    def next_roll(self, seat: int) -> Roll | None:
        """What this seat is to roll now, None where it has rolled or nothing is to be rolled."""
        state = self._record.state if self._record else None
        return next_roll(state, seat) if isinstance(state, PandaState) else None

    def tray_seat(self) -> int:
        """With one tray for all: whose dice lie in it, or who is to roll next.

        The next player is up when the tray has been seen empty after a scored roll.
        """
        with self._lock:
            state = self._record.state if self._record else None
            if not isinstance(state, PandaState):
                return 0
            seats = len(state.players)
            self._tray = min(self._tray, seats - 1)
            if self.next_roll(self._tray) is None or self._is_between(state):
                first = (state.token + 1) % seats if state.token is not None else 0
                waiting = [seat for step in range(seats) if self.next_roll(seat := (first + step) % seats)]
                if waiting and self._sight.is_empty(self._tray):
                    self._tray = waiting[0]
            return self._tray

    def _is_between(self, state: PandaState) -> bool:
        """Whether a round is scored and nobody has rolled the next one."""
        return state.phase == "trade" and not self._throws

    def expected_hands(self, tray: bool = False) -> tuple[ExpectedHand, ...] | None:
        """What each seat's zone should show, for the camera's decoder; None where nothing is known."""
        state = self._record.state if self._record else None
        if not isinstance(state, PandaState):
            return None
        return tuple(expected_hand(state, seat, self.next_roll(seat), tray) for seat in range(len(state.players)))

    # inside

    def _latest(self) -> Record | None:
        for entry, _ in self._store.beginnings():
            record = replayed(self._store.entries(entry.game))
            if record is not None:
                self._fresh.forget()
                return record
        return None

    def _current(self, game_id: str) -> Record:
        if self._record is None or self._record.id != game_id:
            raise Missing(f"the game {game_id!r:.40} is not at the table: look at the one that is")
        return self._record

    def _forget_throws(self) -> None:
        self._throws.clear()
        self._fresh.forget()

    def _offer(self, throw: Throw, who: str) -> bool:
        """Takes a throw as the seat's roll, asks about it, or leaves it."""
        roll = self.next_roll(throw.seat)
        if roll is None or not throw.dice:
            return False
        state: PandaState = self._record.state  # type: ignore[union-attr]  # there is a roll only in a game
        if not self._fresh.is_new(throw, _last_hand(state, throw.seat, roll), roll):
            return False
        if roll.event == "seat_rerolled":
            # the others stay where they are: they count already, however doubtful they look now
            thrown = [die for die in throw.dice if self._fresh.came_since(throw.seat, die)]
            yellow = tuple(die for die in thrown if (die.told and is_yellow(die.told.kind)) or not die.is_sure)
            throw = replace(throw, dice=yellow)
        throw = throw.with_answers_of(self._throws.get(throw.seat))
        ordered = sorted(throw.dice, key=lambda die: (KIND_ORDER.get(die.kind or "", 99), -die.value))
        self._count(throw.seat, replace(throw, dice=tuple(ordered)), who)
        return True

    def _name(self, seat: int, throw: Throw, die: SeenDie, kind: Any, value: Any, who: str) -> Record:
        if not isinstance(kind, str) or kind not in BOX:
            raise _no_kind(kind)
        try:
            checked = check_value(kind, value, "value")
        except IllegalEvent as error:
            raise RequestError(str(error)) from error
        return self._count(seat, throw.answered(die.id, Answer(kind, checked, who)), who)

    def _count(self, seat: int, throw: Throw, who: str, accept: bool = False) -> Record:
        """Scores the throw where nothing is in doubt, else keeps it with its question."""
        assert self._record is not None
        roll = self.next_roll(seat)
        if roll is None:
            raise Conflict("this roll is scored already: tap a die to correct it")
        hand = [die.told for die in throw.dice]
        if throw.doubts or not all(hand):
            self._throws[seat] = throw
        elif len(hand) != roll.count and not accept:
            self._throws[seat] = replace(throw, problem=f"{len(hand)}/{roll.count}")
        else:
            event = {
                "type": "hand_accepted" if accept and roll.event == "seat_rolled" else roll.event,
                "seat": seat,
                "dice": [{"kind": told.kind, "value": told.value} for told in hand if told],
                "reading": throw.reading,
                "ids": [die.id for die in throw.dice],
                "by_hand": [place for place, die in enumerate(throw.dice) if die.answer],
                "played": [place for place, die in enumerate(throw.dice) if die.answer and die.answer.who == SIMULATED],
            }
            try:
                self._throws.pop(seat, None)
                record = self.apply(self._record.id, event, who)
                self._fresh.used(seat, throw)
                return record
            except RequestError as error:
                self._throws[seat] = replace(throw, problem=str(error))
                if accept:
                    raise
        self._changed()
        return self._record

    def _tidy(self, event: Mapping[str, Any]) -> None:
        """Throws of another moment are void, and what lies in a scored zone does not count again."""
        if event["type"] in ("seat_rolled", "seat_rerolled", "hand_accepted"):
            self._fresh.used(event["seat"], self._throws.pop(event["seat"], None))
        elif event["type"] in (UNDONE, REDONE, "rolled", "rerolled"):
            self._forget_throws()


def _no_kind(kind: Any) -> RequestError:
    return RequestError(f"expected one of the thirteen kinds of dice, got {kind!r:.40}: send one such as 'red-d6'")


def _last_hand(state: PandaState, seat: int, roll: Roll) -> Hand | None:
    """The dice that the seat rolled last: what may still lie there."""
    if roll.event == "seat_rerolled":
        return state.current.lying[seat]
    return state.rounds[roll.round_number - 2].lying[seat] if roll.round_number > 1 else None
