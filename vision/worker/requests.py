"""What the web process asks for, checked before anything is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tablesight.vision.hand_decoder import Expectation
from tablesight.vision.kinds import COLORS, KINDS
from tablesight.vision.mat_layout import PAPERS_MM, Paper
from tablesight.vision.messages import Message
from tablesight.vision.zones import MAX_SEATS, MIN_SEATS, Zone, zones_from_json

MAX_HAND: Final = 30
"""Dice in one hand; the box holds 106, a hand of Panda Royale 11."""


@dataclass(frozen=True, slots=True)
class Configure:
    """How many seats there are and which part of the picture is whose; `mats` is the paper of mats that tell it."""

    seats: int
    zones: tuple[Zone, ...]
    mats: Paper | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """What each seat's hand is expected to hold; None where nothing is known."""

    hands: tuple[Expectation, ...] | None


@dataclass(frozen=True, slots=True)
class Throw:
    """Simulated table: these seats throw these kinds, after taking away their dice (of one colour only, or all)."""

    hands: dict[int, tuple[str, ...]]
    only_color: str | None


@dataclass(frozen=True, slots=True)
class Clear:
    """Simulated table: take all dice away."""


@dataclass(frozen=True, slots=True)
class ReadNow:
    """Read all zones as they are."""


@dataclass(frozen=True, slots=True)
class Advise:
    """Say how well the camera hangs."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Measure the lens, with a mat on this paper that somebody moves about; None: give it up."""

    paper: Paper | None


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """Read the dice of an uploaded photo. With `lesson` they are to be taught: only dice of these kinds lie there (any
    where it is empty), and their pictures are wanted."""

    id: str
    content: bytes
    lesson: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConfirmInk:
    """A person has said that a face of a red kind of dice is printed in this ink, "black" or "white"."""

    kind: str
    face: int
    ink: str


@dataclass(frozen=True, slots=True)
class LearnTaught:
    """The taught dice in the data folder have changed."""


Request = Configure | Expect | Throw | Clear | ReadNow | Advise | Calibrate | ReadPhoto | LearnTaught | ConfirmInk


def parse_request(message: Message) -> Request:
    """The request in a message. Raises ValueError: what was expected and what came."""
    header = message.header
    match message.type:
        case "configure":
            seats = header.get("seats")
            if not isinstance(seats, int) or isinstance(seats, bool) or not MIN_SEATS <= seats <= MAX_SEATS:
                raise ValueError(f"expected {MIN_SEATS} to {MAX_SEATS} seats, got {seats!r}")
            if header.get("zones") == "mats":
                return Configure(seats, (), _paper(header.get("paper", "a4")))
            return Configure(seats, zones_from_json(header.get("zones"), seats))
        case "expect":
            hands = header.get("seats")
            if hands is None:
                return Expect(None)
            if not isinstance(hands, list) or len(hands) > MAX_SEATS:
                raise ValueError(f"expected a list of at most {MAX_SEATS} hands or null, got {hands!r:.100}")
            return Expect(_expectations(hands, header.get("open"), header.get("count"), header.get("new")))
        case "throw":
            return _throw(header)
        case "clear":
            return Clear()
        case "read_now":
            return ReadNow()
        case "advise":
            return Advise()
        case "calibrate":
            return Calibrate(None if header.get("paper") is None else _paper(header["paper"]))
        case "read_photo":
            if not isinstance(header.get("id"), str | int) or not message.payload:
                raise ValueError(f"expected an id and a file, got {header!r:.100} and {len(message.payload)} bytes")
            lesson = header.get("lesson")
            return ReadPhoto(str(header["id"]), message.payload, None if lesson is None else _hand(lesson))
        case "learn_taught":
            return LearnTaught()
        case "confirm_ink":
            face = header.get("face")
            if not isinstance(face, int) or isinstance(face, bool):
                raise ValueError(f"expected the number of a face, got {face!r:.40}")
            return ConfirmInk(str(header.get("kind")), face, str(header.get("ink")))
    raise ValueError(
        "expected configure, expect, throw, clear, read_now, advise, calibrate, read_photo, learn_taught or "
        f"confirm_ink, got a message of type {message.type!r:.40}"
    )


def _paper(value: Any) -> Paper:
    for paper in PAPERS_MM:
        if paper == value:
            return paper
    raise ValueError(f"expected paper of {' or '.join(PAPERS_MM)}, got {value!r:.40}")


def _throw(header: dict[str, Any]) -> Throw:
    seats, only = header.get("seats"), header.get("only")
    if not isinstance(seats, dict) or not all(isinstance(s, str) and s.isdecimal() for s in seats):
        raise ValueError(f"expected an object with a hand for each seat number, got {seats!r:.100}")
    if only is not None and (not isinstance(only, str) or only not in COLORS):
        raise ValueError(f"expected one of {', '.join(COLORS)} or null, got {only!r:.40}")
    return Throw({int(seat): _hand(hand) for seat, hand in seats.items()}, only)


def _expectations(hands: list[Any], newcomers: Any, totals: Any, new: Any) -> tuple[Expectation, ...]:
    """The hands with `open`, how many dice of each are not known (drafted, traded), and `count`, how many lie there
    together: a number for each seat, or none; `new`: of each kind how many come that are not known, on the mean."""
    opens = _numbers("open", newcomers, len(hands)) or [0] * len(hands)
    counts: Sequence[int | None] = _numbers("count", totals, len(hands)) or [None] * len(hands)
    if new is not None and (not isinstance(new, list) or len(new) != len(hands)):
        raise ValueError(f"expected 'new' with an object for each of {len(hands)} seats, got {new!r:.100}")
    of_new = [{}] * len(hands) if new is None else [_shares(kinds) for kinds in new]
    return tuple(
        Expectation(_hand(hand), unknown, count, kinds)
        for hand, unknown, count, kinds in zip(hands, opens, counts, of_new, strict=True)
    )


def _shares(value: Any) -> dict[str, float]:
    """How many dice of each kind come, on the mean."""
    if not isinstance(value, dict) or not all(
        kind in KINDS and isinstance(count, int | float) and not isinstance(count, bool) and 0 <= count <= MAX_HAND
        for kind, count in value.items()
    ):
        raise ValueError(f"expected an object with a number of dice by kind, got {value!r:.100}")
    return {kind: float(count) for kind, count in value.items()}


def _numbers(name: str, value: Any, seats: int) -> list[int] | None:
    if value is None:
        return None
    if (
        not isinstance(value, list)
        or len(value) != seats
        or not all(isinstance(count, int) and 0 <= count <= MAX_HAND for count in value)
    ):
        raise ValueError(f"expected {name!r} with a number of dice for {seats} seats, got {value!r:.100}")
    return value


def _hand(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_HAND:
        raise ValueError(f"expected a list of at most {MAX_HAND} kinds of dice, got {value!r:.100}")
    for kind in value:
        if not isinstance(kind, str) or kind not in KINDS:
            raise ValueError(f"expected one of {', '.join(KINDS)}, got {kind!r:.40}")
    return tuple(value)
