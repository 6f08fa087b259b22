"""A throw: the dice of one seat as the camera read them, before they count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tablesight.rules.games.panda_dice import BOX
from tablesight.vision.picture_part import Edges, place_of


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said about a die, and which device told it."""

    kind: str
    value: int
    who: str = ""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die of a reading. `box_px` is in pixels of the still; `candidates` are (kind, value, p), best first; `throw`
    is the one in which it came, where the camera process tells."""

    id: str
    kind: str | None
    value: int
    confidence: float
    accepted: bool
    box_px: tuple[float, float, float, float]
    candidates: tuple[tuple[str, int, float], ...]
    answer: Answer | None = None
    throw: int | None = None
    place: Edges | None = None
    """Where it lies in what the camera sees, in shares of it; None where the reading has no picture."""

    @property
    def is_sure(self) -> bool:
        """Whether it may count without asking."""
        return self.answer is not None or (self.accepted and self.kind in BOX)

    @property
    def told(self) -> Answer | None:
        """Kind and value as they count: what a person said, else what was read; None where the kind is unknown."""
        if self.answer:
            return self.answer
        return Answer(self.kind, self.value) if self.kind in BOX and self.kind else None

    def choices(self, most: int = 2) -> tuple[tuple[str, int], ...]:
        """The best different (kind, value) pairs to ask about."""
        pairs = dict.fromkeys((kind, value) for kind, value, _ in self.candidates if kind in BOX)
        return tuple(pairs)[:most]


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice that lie in a seat's zone. `problem` says why they cannot count as they are, for people.

    `number` counts the throws of the zone, as the camera process tells them apart; None where it does not.
    """

    reading: str
    at_s: float
    seat: int
    dice: tuple[SeenDie, ...]
    problem: str = ""
    number: int | None = None

    @property
    def doubts(self) -> tuple[SeenDie, ...]:
        """The dice to ask about, the least certain first."""
        return tuple(sorted((die for die in self.dice if not die.is_sure), key=lambda die: die.confidence))

    def answered(self, die_id: str, answer: Answer) -> Throw:
        """The throw after a person named one die."""
        return replace(
            self, dice=tuple(replace(die, answer=answer) if die.id == die_id else die for die in self.dice), problem=""
        )

    def with_answers_of(self, earlier: Throw | None) -> Throw:
        """The throw with what is known of the same dice already.

        What people said is never overwritten by a later still; and a die that was read for certain and has not been
        touched stays read, however badly the next still shows it.
        """
        if earlier is None:
            return self
        known = {die.id: die for die in earlier.dice}
        return replace(self, dice=tuple(_still_known(die, known.get(die.id)) for die in self.dice))


def _still_known(die: SeenDie, before: SeenDie | None) -> SeenDie:
    if before is None:
        return die
    if before.answer or (before.is_sure and not die.is_sure):
        return replace(before, box_px=die.box_px, place=die.place)
    return die


def throw_from_reading(header: Mapping[str, Any], seat: int) -> Throw:
    """A `reading` or `photo` message of the camera process as a throw. Raises KeyError, TypeError or ValueError."""
    dice = []
    for place, die in enumerate(header["dice"]):
        x0, y0, x1, y1 = (float(edge) for edge in die["box"])
        dice.append(
            SeenDie(
                id=str(die.get("id", place)),
                kind=die["kind"],
                value=int(die["value"]),
                confidence=float(die["confidence"]),
                accepted=bool(die["accepted"]),
                box_px=(x0, y0, x1, y1),
                place=place_of(die["box"], header) if "width" in header else None,
                throw=die["throw"] if isinstance(die.get("throw"), int) else None,
                candidates=tuple(
                    (
                        candidate["kind"],
                        int(candidate["value"]) if "value" in candidate else int(candidate["face"]),
                        float(candidate["p"]),
                    )
                    for candidate in die.get("candidates", ())
                    if candidate.get("kind")
                ),
            )
        )
    number = header.get("throw")
    return Throw(
        str(header["id"]),
        float(header.get("at_s", 0.0)),
        seat,
        tuple(dice),
        number=number if isinstance(number, int) else None,
    )
