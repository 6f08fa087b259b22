"""Tracks: a die that stays where it is, or is nudged, stays the same die from one look to the next."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tablesight.vision.matching import match_points


@dataclass(frozen=True, slots=True)
class TrackedDie:
    """What a track remembers of a die: where it lay (pixels), how large, what it showed, whether that is sure,
    and how large the still was."""

    center_xy_px: tuple[float, float]
    size_px: float
    kind: str | None
    value: int
    is_sure: bool = True
    still_wh_px: tuple[int, int] = (0, 0)

    def box_in_picture(self) -> tuple[float, float, float, float]:
        """Where it lay: left, top, right, bottom, in shares of the picture."""
        (x, y), half, (width, height) = self.center_xy_px, self.size_px / 2, self.still_wh_px
        return ((x - half) / width, (y - half) / height, (x + half) / width, (y + half) / height)


@dataclass(frozen=True, slots=True)
class TrackSettings:
    """In sizes of the die. `untouched`: a die that moved less is the same one, even where one of two doubtful readings
    says otherwise. `stayed`, then `nudged`: one that moved less and shows the same is the same die, pushed along."""

    untouched: float = 0.15
    stayed: float = 0.35
    nudged: float = 0.8


SETTINGS: Final = TrackSettings()


@dataclass(frozen=True, slots=True)
class Tracking:
    """The track ids of the dice in the order given, and what happened: how many are new and how many have gone."""

    ids: tuple[int, ...]
    new: int
    gone: int

    @property
    def is_new_throw(self) -> bool:
        """Whether a die lies there that did not before: taking dice up is no throw, and a nudge is none."""
        return self.new > 0


@dataclass(slots=True)
class ZoneTracks:
    """The tracks of one zone."""

    settings: TrackSettings = SETTINGS
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _tracks: dict[int, TrackedDie] = field(default_factory=dict)
    _lifted: dict[int, TrackedDie] = field(default_factory=dict)

    def clear(self) -> None:
        """The zone is empty: what comes next is new."""
        self._tracks.clear()
        self._lifted.clear()

    def lying(self) -> dict[int, TrackedDie]:
        """The tracks by number."""
        return dict(self._tracks)

    def lifted(self, number: int) -> None:
        """The place where this die lay was seen bare: whatever lies there next has been thrown."""
        if number in self._tracks:
            self._lifted[number] = self._tracks.pop(number)

    def shift(self, dx: float, dy: float) -> None:
        """The camera has moved, and all dice with it: by shares of the still's width and height.

        That is also why places were bare: dice that seemed to be lifted since the last look were not.
        """
        self._tracks |= self._lifted
        self._lifted.clear()
        for number, die in self._tracks.items():
            x, y = die.center_xy_px
            moved = (x + dx * die.still_wh_px[0], y + dy * die.still_wh_px[1])
            self._tracks[number] = replace(die, center_xy_px=moved)

    def update(self, dice: Sequence[TrackedDie]) -> Tracking:
        """Assign the dice that lie in the zone now to its tracks; dice without one begin a new track.

        A die that lies where one lay but shows another kind is new; one that shows another value has been turned or
        thrown again, and is new too.
        """
        before = dict(self._tracks)
        self._lifted.clear()
        ids: dict[int, int] = {}
        for number, index in self._untouched(before, dice):
            ids[index] = number
        for reach in (self.settings.stayed, self.settings.nudged):
            open_tracks = [number for number in before if number not in ids.values()]
            open_dice = [index for index in range(len(dice)) if index not in ids]
            for number, index in self._same(before, open_tracks, dice, open_dice, reach):
                ids[index] = number
        new = [index for index in range(len(dice)) if index not in ids]
        for index in new:
            ids[index] = next(self._numbers)
        self._tracks = {ids[index]: die for index, die in enumerate(dice)}
        return Tracking(tuple(ids[index] for index in range(len(dice))), len(new), len(before) - len(dice) + len(new))

    def _untouched(self, before: dict[int, TrackedDie], dice: Sequence[TrackedDie]) -> list[tuple[int, int]]:
        """Pairs of a track and a die in the very same place, unless both are sure and show different things."""
        numbers = list(before)
        if not dice or not numbers:
            return []
        reach = self.settings.untouched * max(die.size_px for die in dice)
        match = match_points([before[n].center_xy_px for n in numbers], [die.center_xy_px for die in dice], reach)
        pairs = [(numbers[a], b) for a, b in match.pairs]
        return [
            (number, index)
            for number, index in pairs
            if (before[number].kind, before[number].value) == (dice[index].kind, dice[index].value)
            or not (before[number].is_sure and dice[index].is_sure)
        ]

    def _same(
        self,
        before: dict[int, TrackedDie],
        open_tracks: list[int],
        dice: Sequence[TrackedDie],
        open_dice: list[int],
        reach: float,
    ) -> list[tuple[int, int]]:
        """Pairs (track, index of a die) within `reach` sizes that show the same kind and value."""
        pairs: list[tuple[int, int]] = []
        shown = {(before[number].kind, before[number].value) for number in open_tracks}
        for what in sorted(shown, key=str):
            tracks = [n for n in open_tracks if (before[n].kind, before[n].value) == what]
            mine = [i for i in open_dice if (dice[i].kind, dice[i].value) == what]
            if not mine:
                continue
            size = max(dice[i].size_px for i in mine)
            match = match_points(
                [before[n].center_xy_px for n in tracks], [dice[i].center_xy_px for i in mine], reach * size
            )
            pairs += [(tracks[a], mine[b]) for a, b in match.pairs]
        return pairs
