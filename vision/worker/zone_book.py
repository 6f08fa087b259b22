"""What is known of each seat's zone: which dice lie there, since which throw, and which hand is expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tablesight.vision.look import SeenDie
from tablesight.vision.reading import DieReading
from tablesight.vision.reading_json import die_json
from tablesight.vision.tracks import TrackedDie, ZoneTracks


@dataclass(slots=True)
class _Page:
    tracks: ZoneTracks = field(default_factory=ZoneTracks)
    throw: int = 0
    expected: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ZoneReading:
    """The dice of a zone with their track ids, in which throw they came, and whether the page must be told."""

    seat: int
    throw: int
    dice: tuple[DieReading, ...]
    ids: tuple[int, ...]
    is_new_throw: bool

    @property
    def has_doubts(self) -> bool:
        """Whether another look might help."""
        return any(not die.accepted for die in self.dice)

    def dice_json(self, scale: float) -> list[dict[str, Any]]:
        """The dice as JSON, boxes times `scale`."""
        return [{**die_json(die, scale), "id": number} for die, number in zip(self.dice, self.ids, strict=True)]


class ZoneBook:
    """One page for each seat."""

    def __init__(self) -> None:
        self._pages: dict[int, _Page] = {}

    def expect(self, hands: Sequence[tuple[str, ...]] | None) -> None:
        """The hands that are expected from now on, by seat; None where nothing is known."""
        for seat in range(max(len(hands or ()), *(s + 1 for s in self._pages), 0)):
            page = self._page(seat)
            page.expected = hands[seat] if hands is not None and seat < len(hands) else None

    def cleared(self, seat: int) -> None:
        """The zone is empty."""
        self._page(seat).tracks.clear()

    def read(self, dice: Sequence[SeenDie], accept_from: float) -> tuple[DieReading, ...]:
        """The dice as they would be told, from top left to bottom right, without taking note of them."""
        ordered = sorted(dice, key=lambda die: (die.box_xyxy_px[1], die.box_xyxy_px[0]))
        return tuple(die.posterior.reading(die.box_xyxy_px, accept_from) for die in ordered)

    def enter(self, seat: int, dice: tuple[DieReading, ...]) -> ZoneReading:
        """Take note of what lies in a zone now."""
        page = self._page(seat)
        tracking = page.tracks.update([_tracked(die) for die in dice])
        page.throw += tracking.is_new_throw
        return ZoneReading(seat, page.throw, dice, tracking.ids, tracking.is_new_throw)

    def _page(self, seat: int) -> _Page:
        return self._pages.setdefault(seat, _Page())


def _tracked(die: DieReading) -> TrackedDie:
    left, top, right, bottom = die.box_xyxy_px
    center = ((left + right) / 2, (top + bottom) / 2)
    return TrackedDie(center, max(right - left, bottom - top), die.kind, die.value, die.accepted)
