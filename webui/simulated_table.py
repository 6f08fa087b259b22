"""The people at the simulated table: they throw dice, and they look when the camera asks what a die shows.

They tell the session what a person would: an answer to an open question, by taps. What lies there they know from the
simulator; the session and the referee never ask it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import PandaState
from tablesight.vision.picture_part import in_pixels
from tablesight.webui.camera_supervisor import CameraStatus
from tablesight.webui.errors import RequestError
from tablesight.webui.record import SIMULATED, Record
from tablesight.webui.session import Session
from tablesight.webui.simulated_players import Pace, SimulatedPlayers
from tablesight.webui.throws import SeenDie, Throw

log = logging.getLogger(__name__)

WHO: Final = SIMULATED
NEAR_DIE_SIZES: Final = 0.75
"""A die of the simulator and one that was seen are the same where their middles are closer, in widths of the die."""


class SimulatedTable:
    """`step` is called a few times a second; what it does takes no time.

    `paused_file` keeps which game is paused while the program does not run.
    """

    def __init__(
        self,
        session: Session,
        send: Callable[[dict[str, Any]], object],
        changed: Callable[[], None],
        seed: int,
        pace: Pace | None = None,
        paused_file: Path | None = None,
    ) -> None:
        self._session = session
        self._send = send
        self._changed = changed
        self._pace = pace or Pace()
        self._players = SimulatedPlayers(seed, self._pace)
        self._truth: Mapping[str, Any] = {"dice": []}
        self._open: dict[tuple[str, int, str], float] = {}
        self._answered: dict[int, float] = {}
        self._looked_again: set[tuple[str, int, int]] = set()
        self._told: dict[str, Any] | None = None
        self._answers = 0
        self._game = ""
        self._paused_file = paused_file
        self._paused = False
        self._let: int | None = None
        record = session.record
        if record is not None and record.id == self._paused_game():
            self._game, self._paused = record.id, True

    @property
    def truth(self) -> Mapping[str, Any]:
        """What the simulator says lies on the table now."""
        return self._truth

    @property
    def told(self) -> dict[str, Any] | None:
        """The last answer of a simulated player, for the pages: `{"number", "seat", "kind", "value"}`."""
        return self._told

    @property
    def paused(self) -> bool:
        """Whether the players wait until somebody at a page lets them go on."""
        return self._paused

    @property
    def stands(self) -> bool:
        """Whether they wait now; not while they play the one round that somebody asked for."""
        record = self._session.record
        return self._paused and record is not None and record.id == self._game and not self.comes

    @property
    def comes(self) -> bool:
        """Whether somebody has asked for the round that is rolled now or next."""
        record = self._session.record
        return bool(record and isinstance(record.state, PandaState) and self._let == _round_to_roll(record.state))

    def pause(self, paused: bool) -> None:
        """The players stop where they are, or go on by themselves.

        Who pauses at the scores of a round looks at them: dice of the next one that are in the air, or lie there
        unread, are taken up again.
        """
        with self._session.lock:
            if self._session.record is not None:
                self._notice(self._session.record)
            number = self._between()
            # a page that goes on at the scores says at once that the next round comes
            self._paused, self._let = paused, None if paused else number
            self._keep_pause()
            if not paused:
                self._players.hurry()
            elif number is not None and self._players.has_thrown(number):
                self._players.take_back(number)
                self._send({"type": "clear"})
        self._changed()

    def _between(self) -> int | None:
        """The number of the round to come while the pages show the scores of the last one, else None."""
        record = self._session.record
        state = record.state if record else None
        if not isinstance(state, PandaState) or self._session.throws or not (state.phase == "trade" and state.watching):
            return None
        return _round_to_roll(state)

    def _paused_game(self) -> str:
        """The game that was paused before the program was started again, "" where none was."""
        try:
            return self._paused_file.read_text(encoding="utf-8") if self._paused_file else ""
        except (OSError, ValueError):
            return ""

    def _keep_pause(self) -> None:
        """A table that waits waits also after the program was started again."""
        if self._paused_file is None:
            return
        try:
            if self._paused:
                self._paused_file.write_text(self._game, encoding="utf-8")
            else:
                self._paused_file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("the pause is forgotten at the next start, %s cannot be written: %s", self._paused_file, error)

    def play_next(self) -> None:
        """Nobody looks at the scores any more: the next round now, where the players wait one round alone."""
        with self._session.lock:
            record = self._session.record
            if record is not None and isinstance(record.state, PandaState):
                self._notice(record)
                self._let = _round_to_roll(record.state)
                self._players.hurry()
        self._changed()

    def take_reading(self, header: Mapping[str, Any], simulated: bool) -> None:
        """A `reading` of the camera process, for the session. While they wait at the scores of a round it is of dice
        that were taken up again, or of those of the last one: it does not count."""
        with self._session.lock:  # no pause comes in between
            record = self._session.record
            holds = record is not None and record.simulated and self.stands and self._between() is not None
            self._session.take_reading(header, simulated, counts=not holds)

    def take_truth(self, header: Mapping[str, Any]) -> None:
        """A `truth` message of the camera process."""
        self._truth = {key: value for key, value in header.items() if key not in ("type", "payload")}

    def watch(self, status: Callable[[], CameraStatus], is_tray: Callable[[], bool], closing: threading.Event) -> None:
        """Steps until `closing`, while the camera is the simulated one."""
        while not closing.wait(0.2):
            now = status()
            if not now.simulated or now.state not in ("watching", "cannot_see"):
                continue
            try:
                self.step(time.monotonic(), is_tray())
            except Exception:
                log.exception("the simulated players stumbled")

    def step(self, now_s: float, is_tray: bool = False) -> None:
        """Answers what has been asked for long enough, then throws what is due."""
        with self._session.lock:
            record = self._session.record
            if record is None or not record.simulated or not isinstance(record.state, PandaState):
                return
            self._notice(record)
            if self._paused and self._let != _round_to_roll(record.state):
                return
            throws = self._session.throws
            self._answer(record.id, record.state, throws, now_s)
            state: PandaState = record.state
            waiting = [seat for seat in range(len(state.players)) if self._session.next_roll(seat)]
            if is_tray:
                waiting = self._tray_turn(waiting)
            # who has just answered waits for what the camera makes of it
            busy = {seat for seat, at_s in self._answered.items() if now_s - at_s < self._pace.patience}
            # with the lock still held: nobody throws once a pause is told
            for message in self._players.step(record.id, state, waiting, busy | throws.keys(), now_s):
                self._send(message)

    def _notice(self, record: Record) -> None:
        """A new game begins by itself; what was tapped since it began stays."""
        if record.id != self._game:
            self._game, self._paused, self._let = record.id, False, None
        # a round that was asked for is over once it is scored, also where its last roll is taken back then
        if self._let is not None and isinstance(record.state, PandaState) and self._let < _round_to_roll(record.state):
            self._let = None

    def _tray_turn(self, waiting: list[int]) -> list[int]:
        """In a tray one hand lies at a time: it is taken up when it is scored."""
        seat = self._session.tray_seat()
        if seat not in waiting and waiting and self._session.gate.get(seat) == "settled":
            self._send({"type": "clear"})
        return [seat] if seat in waiting else []

    # answers

    def _answer(self, game: str, state: PandaState, throws: Mapping[int, Throw], now_s: float) -> None:
        questions = {(game, seat, _asked(throw)): (seat, throw) for seat, throw in throws.items()}
        self._open = {key: self._open.get(key, now_s) for key in questions}
        for key, (seat, throw) in questions.items():
            if now_s - self._open[key] < self._pace.answers_after:
                continue
            self._answered[seat] = now_s
            self._open[key] = now_s  # where the answer changes nothing, the next one comes as late
            try:
                self._tell(game, state, seat, throw)
            except RequestError as error:
                log.info("a simulated player's answer was refused: %s", error)

    def _tell(self, game: str, state: PandaState, seat: int, throw: Throw) -> None:
        lying = [die for die in self._truth["dice"] if die["seat"] == seat]
        if throw.doubts:
            doubt = throw.doubts[0]
            size_px = (float(self._truth.get("width", 1)), float(self._truth.get("height", 1)))
            die = _same(doubt, lying, size_px)
            body: dict[str, Any] = {"seat": seat, "die": doubt.id}
            body |= {"kind": die["kind"], "value": die["value"]} if die else {"none": True}
            self._session.answer(game, body, WHO)
            self._note(seat, die)
            return
        key = (game, state.round_number, seat)
        if key not in self._looked_again:  # as a person would: first let the camera look again
            self._looked_again.add(key)
            self._session.answer(game, {"seat": seat, "again": True}, WHO)
            self._send({"type": "read_now"})
            return
        roll = self._session.next_roll(seat)
        if roll is None or not lying:
            return
        again = roll.event == "seat_rerolled"
        dice = [{"kind": d["kind"], "value": d["value"]} for d in lying if not again or is_yellow(d["kind"])]
        try:
            self._session.roll(game, seat, roll.round_number, dice, WHO)
        except RequestError:
            if again:
                raise
            # no trade and draft explains what lies there: as a host would, they let it count
            self._session.answer(game, {"seat": seat, "accept": True}, WHO)
        self._note(seat, None)

    def _note(self, seat: int, die: Mapping[str, Any] | None) -> None:
        self._answers += 1
        self._told = {"number": self._answers, "seat": seat}
        if die:
            self._told |= {"kind": die["kind"], "value": die["value"]}
        self._changed()


def _round_to_roll(state: PandaState) -> int:
    """The number of the round that is rolled now or next."""
    return state.round_number + (state.phase == "trade" and state.watching)


def _asked(throw: Throw) -> str:
    """What is asked now: another question starts the clock anew."""
    return f"{throw.doubts[0].id}" if throw.doubts else f"{throw.reading} {throw.problem}"


def _same(doubt: SeenDie, lying: Sequence[Mapping[str, Any]], size_px: tuple[float, float]) -> Mapping[str, Any] | None:
    """The die that lies where the doubtful one was seen, in a picture of this size; None where none does."""
    if doubt.place is None:
        return None
    box_px = in_pixels(doubt.place, *size_px)
    x, y = _middle(box_px)
    size = max(box_px[2] - box_px[0], box_px[3] - box_px[1], 1.0)
    near = [(max(abs(middle[0] - x), abs(middle[1] - y)), die) for die in lying for middle in [_middle(die["box"])]]
    distance, die = min(near, key=lambda pair: pair[0], default=(size, {}))
    return die if distance < NEAR_DIE_SIZES * size else None


def _middle(box: Sequence[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
