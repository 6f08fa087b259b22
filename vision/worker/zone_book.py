"""What is known of each seat's zone: which dice lie there, since which throw, and which hand is expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tablesight.vision.hand_decoder import Expectation, HandReading, decode_hand
from tablesight.vision.ink_prints import InkPrints
from tablesight.vision.kinds import KINDS
from tablesight.vision.look import SeenDie
from tablesight.vision.posterior import SURELY_A_DIE
from tablesight.vision.reading import DieReading
from tablesight.vision.reading_json import die_json
from tablesight.vision.resting import Rest, rests
from tablesight.vision.strangers import is_stranger
from tablesight.vision.tracks import TrackedDie, ZoneTracks

IsBare = Callable[[tuple[float, float, float, float]], bool]
"""Whether the last preview shows the empty table in a box, shares of the picture."""


@dataclass(slots=True)
class _Page:
    tracks: ZoneTracks = field(default_factory=ZoneTracks)
    throw: int = 0
    expected: Expectation | None = None
    watchable: set[int] = field(default_factory=set)
    came: dict[int, int] = field(default_factory=dict)
    uneven: tuple[Rest, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneHand:
    """What lies in a zone: each die as seen, and the hand as read, both from the top left to the bottom right."""

    seen: tuple[SeenDie, ...]
    hand: HandReading
    rests: tuple[Rest, ...] = ()

    def another_still_may_help(self, accept_from: float) -> bool:
        """Whether a die is missing, or one is doubtful whose number or shape another still can tell.

        All stills see the same light on the same print: what they do not tell is a colour, an ink, or which way up a 6
        or 9 stands (see `pooling`), nor whether a reading that is sure fits into the hand. Of 12 hands of 50 that were
        looked at three times, none was any surer then.
        """
        return bool(self.hand.unseen) or any(
            not die.accepted and die.confidence < accept_from and _number_is_open(die) for die in self.hand.dice
        )

    def sure(self) -> list[SeenDie]:
        """The dice that need no other look."""
        return [die for die, reading in zip(self.seen, self.hand.dice, strict=True) if reading.accepted]

    def doubtful(self) -> list[SeenDie]:
        """The dice that another look may help."""
        return [die for die, reading in zip(self.seen, self.hand.dice, strict=True) if not reading.accepted]


@dataclass(frozen=True, slots=True)
class ZoneReading:
    """A hand with the track ids of its dice, the throw in which each came, and whether the last of those is new."""

    seat: int
    throw: int
    hand: HandReading
    ids: tuple[int, ...]
    throws: tuple[int, ...]
    is_new_throw: bool
    rests: tuple[Rest, ...]

    def to_json(self, left_px: float, top_px: float, scale: float) -> dict[str, Any]:
        """The fields of a `reading` message that tell of the dice; boxes in a picture that begins at this pixel of the
        still and is `scale` times as large."""
        hand = self.hand
        return {
            "zone": self.seat,
            "throw": self.throw,
            "dice": [
                {**die_json(_seen_from(die, left_px, top_px), scale), "id": number, "throw": throw, "rests": rest}
                for die, number, throw, rest in zip(hand.dice, self.ids, self.throws, self.rests, strict=True)
            ],
            "hand": {
                "p": round(hand.probability, 4),
                "missing": list(hand.missing),
                "unexpected": [self.ids[index] for index in hand.unexpected],
            },
        }


class ZoneBook:
    """One page for each seat, and the prints of the red dice, which are the same for all and are kept in a file."""

    def __init__(self, prints_file: Path | None = None) -> None:
        self.prints = InkPrints() if prints_file is None else InkPrints.load(prints_file)
        self._prints_file = prints_file
        self._pages: dict[int, _Page] = {}

    def expect(self, hands: Sequence[Expectation] | None) -> None:
        """The hands that are expected from now on, by seat; None where nothing is known."""
        for page in self._pages.values():
            page.expected = None
        for seat, expected in enumerate(hands or ()):
            self._page(seat).expected = expected

    def cleared(self, seat: int) -> None:
        """The zone is empty."""
        self._page(seat).tracks.clear()
        self._page(seat).uneven = ()

    def look_for_lifted(self, seat: int, is_bare: IsBare) -> bool:
        """Forget the dice of a zone whose places are bare now; whether there were any.

        Only those that the previews can see at all: a die of the colour of the table looks bare while it lies there.
        """
        page = self._page(seat)
        lifted = [
            number
            for number, die in page.tracks.lying().items()
            if number in page.watchable and is_bare(die.box_in_picture())
        ]
        for number in lifted:
            page.tracks.lifted(number)
        return bool(lifted)

    def shift(self, dx: float, dy: float) -> None:
        """The camera has been pushed, by shares of the picture's width and height."""
        for page in self._pages.values():
            page.tracks.shift(dx, dy)

    def read(self, seat: int, things: Sequence[SeenDie], accept_from: float) -> ZoneHand:
        """The dice of a zone as they would be told, without taking note of them.

        Things that are most probably none of the game's dice are left out, unless expected dice would be missing then.
        A die that was found only because one was missing must be as sure as a die by itself, with `accept_from`; one
        that does not lie flat is always a doubt.
        """
        expected = self._page(seat).expected
        dice = [thing for thing in things if not is_stranger(thing)]
        if dice and expected is not None and len(dice) < expected.total:
            dice = list(things)
        seen = tuple(sorted(dice, key=lambda die: (die.box_xyxy_px[1], die.box_xyxy_px[0])))
        posteriors = [self.prints.weighed(die.posterior) for die in seen]
        hand = decode_hand(posteriors, [die.box_xyxy_px for die in seen], expected, accept_from)
        rest = rests(seen, hand.dice)
        honest = tuple(
            replace(reading, accepted=False)
            if self.prints.contradicts(die.posterior, reading)
            or (die.is_weak and not _is_sure(die, reading, accept_from))
            or lies != "flat"
            else reading
            for die, reading, lies in zip(seen, hand.dice, rest, strict=True)
        )
        return ZoneHand(seen, replace(hand, dice=honest), rest)

    def uneven(self) -> str:
        """What the people should know of dice that do not lie flat, in a sentence; empty where all do."""
        for seat, page in sorted(self._pages.items()):
            if "stacked" in page.uneven:
                return f"Two dice of seat {seat + 1} lie on one another: lay them side by side, or roll again."
            if "leaning" in page.uneven:
                return f"A die of seat {seat + 1} leans: is it flat on the table? Else lay it flat, or roll it again."
        return ""

    def confirm_ink(self, kind: str, face: int, ink: str) -> None:
        """A person has said which ink a face of a red kind has. Raises ValueError."""
        self.prints.confirm(kind, face, ink)
        self._save()

    def enter(self, seat: int, found: ZoneHand, still_wh_px: tuple[int, int], is_bare: IsBare) -> ZoneReading:
        """Take note of what lies in a zone now, in a still of this width and height."""
        page = self._page(seat)
        tracking = page.tracks.update([_tracked(die, still_wh_px) for die in found.hand.dice])
        page.throw += tracking.is_new_throw
        page.watchable = {number for number, die in page.tracks.lying().items() if not is_bare(die.box_in_picture())}
        if tracking.is_new_throw:
            pairs = zip(found.seen, found.hand.dice, strict=True)
            if sum(self.prints.learn(die.posterior, reading) for die, reading in pairs):
                self._save()
        page.came = {number: page.came.get(number, page.throw) for number in tracking.ids}
        page.uneven = tuple(rest for rest in found.rests if rest != "flat")
        throws = tuple(page.came.values())
        return ZoneReading(seat, page.throw, found.hand, tracking.ids, throws, tracking.is_new_throw, found.rests)

    def _save(self) -> None:
        if self._prints_file is not None:
            self.prints.save(self._prints_file)

    def _page(self, seat: int) -> _Page:
        return self._pages.setdefault(seat, _Page())


def _number_is_open(die: DieReading) -> bool:
    """Whether the second best explanation is another face or another shape, and not a 6 for a 9."""
    if len(die.candidates) < 2:
        return False
    first, second = die.candidates[:2]
    one, other = (KINDS[kind].sides if kind in KINDS else None for kind in (first.kind, second.kind))
    if first.face == second.face:
        return None not in (one, other) and one != other
    return {first.face, second.face} != {6, 9} or die.sides < 9


def _is_sure(die: SeenDie, reading: DieReading, accept_from: float) -> bool:
    """Whether what was found weakly may be taken: as sure by itself, or surely a die and as sure in the hand."""
    by_itself = die.posterior.candidates(count=1)[0].p
    return by_itself >= accept_from or (die.posterior.die >= SURELY_A_DIE and reading.confidence >= accept_from)


def _seen_from(die: DieReading, left_px: float, top_px: float) -> DieReading:
    left, top, right, bottom = die.box_xyxy_px
    return replace(die, box_xyxy_px=(left - left_px, top - top_px, right - left_px, bottom - top_px))


def _tracked(die: DieReading, still_wh_px: tuple[int, int]) -> TrackedDie:
    left, top, right, bottom = die.box_xyxy_px
    center = ((left + right) / 2, (top + bottom) / 2)
    return TrackedDie(center, max(right - left, bottom - top), die.kind, die.value, die.accepted, still_wh_px)
