"""What happens on the simulated table: hands bring dice, dice tumble and settle, hands take them away.

Everything is planned when it is asked for; afterwards `moment(at_s)` only looks up where things are at a time.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.kinds import KINDS, Ink, signed_value
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.hand import Hand
from tablesight.vision.simulator.table_setting import TableSetting
from tablesight.vision.zones import Zone, label_image

Array = npt.NDArray[np.float64]

ENTER_S: Final = 0.45
LEAVE_S: Final = 0.45
TUMBLE_S: Final = (0.7, 1.3)
GRAB_S: Final = 0.12
"""A hand over lying dice picks up one after the other this fast."""
GAP_MM: Final = 1.5
"""Dice come to rest at least this far apart."""
_SKINS: Final = ((118, 150, 205), (95, 130, 190), (60, 90, 140), (140, 170, 225), (45, 62, 95))
_SLEEVES: Final = ((90, 60, 40), (60, 60, 65), (150, 120, 60), (60, 90, 40), (190, 190, 200), (70, 40, 110))
_FOREVER: Final = math.inf


@dataclass(frozen=True, slots=True)
class LyingDie:
    """A die at rest and what it shows: the ground truth."""

    number: int
    seat: int
    kind: str
    face: int
    ink: Ink
    value: int
    placed: PlacedDie


@dataclass(frozen=True, slots=True)
class FlyingDie:
    """A die that still moves."""

    number: int
    seat: int
    placed: PlacedDie


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one time. `version` changes whenever another set of dice lies there."""

    version: int
    lying: tuple[LyingDie, ...]
    flying: tuple[FlyingDie, ...]
    hands: tuple[Hand, ...]

    @property
    def is_quiet(self) -> bool:
        """Nothing moves."""
        return not self.flying and not self.hands


@dataclass(slots=True)
class _Flight:
    die: LyingDie
    from_xy_mm: Array
    launch_s: float
    land_s: float
    spin_rad: float
    taken_s: float = _FOREVER


@dataclass(frozen=True, slots=True)
class _Gesture:
    """A hand's path: places (n, 2) at times (n,)."""

    times_s: tuple[float, ...]
    places_mm: Array
    spread: tuple[float, ...]
    towards_xy: tuple[float, float]
    seat: int


@dataclass(slots=True)
class _SeatPlan:
    busy_until_s: float = 0.0
    gestures: list[_Gesture] = field(default_factory=list)


class TableScript:
    """Plans throws in the zones of a table; the dice fall as `rng` says. Times are seconds of any steady clock."""

    def __init__(self, setting: TableSetting, zones: Sequence[Zone], rng: np.random.Generator) -> None:
        self._setting = setting
        self._rng = rng
        self._flights: list[_Flight] = []
        self._numbers = itertools.count(1)
        self._plans: dict[int, _SeatPlan] = {}
        self._to_table = np.linalg.inv(setting.still_camera.table_to_px())
        self.set_zones(zones)

    def set_zones(self, zones: Sequence[Zone]) -> None:
        """The zones from now on; dice that lie somewhere stay there."""
        self._zones = {zone.seat: zone for zone in zones}
        self._room = {zone.seat: _room(zone, zones) for zone in zones}

    def throw(self, hands: Mapping[int, Sequence[str]], now_s: float, only_color: str | None = None) -> float:
        """Each seat's hand takes its lying dice away (those of `only_color`, or all) and throws these kinds.

        With `only_color`, the dice of other colours stay where they are, and none of them is thrown.
        Returns the time when all lie still. Raises ValueError for an unknown kind or a seat without a zone, or where
        there is no room; then nothing happens at all.
        """
        for seat, kinds in hands.items():
            if seat not in self._zones:
                raise ValueError(f"expected a seat with a zone ({sorted(self._zones)}), got {seat!r}")
            for kind in kinds:
                if kind not in KINDS:
                    raise ValueError(f"expected one of {', '.join(KINDS)}, got {kind!r}")
        if only_color is not None:
            hands = {seat: [k for k in kinds if KINDS[k].color == only_color] for seat, kinds in hands.items()}
        end_s = now_s
        # all places are found before anything is moved: where there is no room, nothing happens
        spots = {seat: self._spots(seat, kinds, only_color) for seat, kinds in hands.items()}
        for seat, kinds in hands.items():
            start_s = max(now_s + float(self._rng.uniform(0, 0.6)), self._plan(seat).busy_until_s)
            start_s = self._take(seat, start_s, only_color)
            end_s = max(end_s, self._throw(seat, list(kinds), spots[seat], start_s))
        return end_s

    def clear(self, now_s: float) -> float:
        """Hands take all dice away; returns the time when the table is empty."""
        seats = sorted({flight.die.seat for flight in self._flights if flight.taken_s == _FOREVER})
        return max([now_s, *(self._take(seat, max(now_s, self._plan(seat).busy_until_s), None) for seat in seats)])

    def moment(self, at_s: float) -> Moment:
        """The table at a time, not before the latest one asked for."""
        self._forget(at_s)
        lying = tuple(f.die for f in self._flights if f.land_s <= at_s < f.taken_s)
        flying = tuple(
            FlyingDie(f.die.number, f.die.seat, _in_flight(f, at_s))
            for f in self._flights
            if f.launch_s <= at_s < min(f.land_s, f.taken_s)
        )
        hands = tuple(
            hand for plan in self._plans.values() for gesture in plan.gestures if (hand := _hand_at(gesture, at_s))
        )
        return Moment(hash(tuple(die.number for die in lying)), lying, flying, hands)

    def _plan(self, seat: int) -> _SeatPlan:
        return self._plans.setdefault(seat, _SeatPlan())

    def _forget(self, at_s: float) -> None:
        self._flights = [f for f in self._flights if f.taken_s > at_s]
        for plan in self._plans.values():
            plan.gestures = [g for g in plan.gestures if g.times_s[-1] >= at_s]

    def _to_take(self, seat: int, only_color: str | None) -> list[_Flight]:
        return [
            flight
            for flight in self._flights
            if flight.die.seat == seat
            and flight.taken_s == _FOREVER
            and only_color in (None, KINDS[flight.die.kind].color)
        ]

    def _take(self, seat: int, start_s: float, only_color: str | None) -> float:
        """Plan a hand that picks up the seat's dice; returns when it is done."""
        mine = self._to_take(seat, only_color)
        if not mine:
            return start_s
        mine.sort(key=lambda flight: (flight.die.placed.x_mm, flight.die.placed.y_mm))
        outside, towards = self._side(seat)
        time_s = max(start_s, *(flight.land_s for flight in mine)) + ENTER_S
        times, places = [time_s - ENTER_S], [outside]
        for flight in mine:
            times.append(time_s)
            # the palm lies over the die when it disappears: pictures show a hand there, never a die that fades
            places.append(np.array([flight.die.placed.x_mm, flight.die.placed.y_mm]))
            flight.taken_s = time_s
            time_s += GRAB_S
        end_s = time_s + LEAVE_S
        self._gesture(seat, [*times, time_s, end_s], [*places, places[-1], outside], [0.4] * (len(times) + 2), towards)
        return end_s

    def _throw(self, seat: int, kinds: list[str], spots: list[Array], start_s: float) -> float:
        if not kinds:
            return start_s
        rng = self._rng
        outside, towards = self._side(seat)
        release_s = start_s + ENTER_S
        middle = np.mean(spots, axis=0)
        release = middle - np.array(towards) * float(rng.uniform(70, 110))
        land_s = release_s
        for kind, spot in zip(kinds, spots, strict=True):
            launch_s = release_s + float(rng.uniform(-0.05, 0.1))
            until_s = launch_s + float(rng.uniform(*TUMBLE_S))
            start = release + rng.normal(0, 12, 2)
            die = self._roll(seat, kind, spot)
            self._flights.append(_Flight(die, start, launch_s, until_s, float(rng.normal(0, 3))))
            land_s = max(land_s, until_s)
        leave_s = release_s + 0.15
        self._gesture(
            seat,
            [start_s, release_s, leave_s, leave_s + LEAVE_S],
            [outside, release, release, outside],
            [0.0, 0.3, 1.0, 0.6],
            towards,
        )
        return max(land_s, leave_s + LEAVE_S)

    def _gesture(
        self, seat: int, times_s: list[float], places: list[Array], spread: list[float], towards: tuple[float, float]
    ) -> None:
        plan = self._plan(seat)
        plan.gestures.append(_Gesture(tuple(times_s), np.array(places), tuple(spread), towards, seat))
        plan.busy_until_s = max(plan.busy_until_s, times_s[-1])

    def _roll(self, seat: int, kind: str, spot: Array) -> LyingDie:
        number = next(self._numbers)
        face = int(self._rng.integers(1, KINDS[kind].sides + 1))
        ink = self._setting.ink_of(kind, face)
        placed = PlacedDie(
            self._setting.style_of(kind, number % 12),
            face,
            float(spot[0]),
            float(spot[1]),
            float(self._rng.uniform(0, 2 * math.pi)),
        )
        return LyingDie(number, seat, kind, face, ink, signed_value(KINDS[kind].color, ink, face), placed)

    def _side(self, seat: int) -> tuple[Array, tuple[float, float]]:
        """Where the seat's hand comes from, outside of the picture, and the unit vector from there into the zone."""
        camera = self._setting.still_camera
        x, y = self._zones[seat].center
        wide = camera.width_px / camera.height_px
        sides = ((x * wide, (-0.5, y)), ((1 - x) * wide, (1.5, y)), (y, (x, -0.5)), (1 - y, (x, 1.5)))
        side = min(sides, key=lambda side: side[0])[1]
        middle, outside = (self._mm(*point) for point in ((x, y), side))
        way = middle - outside
        way = way / np.linalg.norm(way)
        reach = 320 * camera.width_px / camera.focal_px * camera.distance_mm / 700
        return middle - way * max(reach, float(np.linalg.norm(middle - outside)) * 0.6), (float(way[0]), float(way[1]))

    def _mm(self, x: float, y: float) -> Array:
        """The table point (2,), millimetres, at a point of the picture given in fractions."""
        camera = self._setting.still_camera
        point = self._to_table @ np.array([x * camera.width_px, y * camera.height_px, 1.0])
        return np.asarray(point[:2] / point[2], dtype=np.float64)

    def _spots(self, seat: int, kinds: Sequence[str], only_color: str | None) -> list[Array]:
        """Places (2,), mm, in the seat's zone where these dice can lie without touching any that stays there."""
        camera = self._setting.still_camera
        room = self._room[seat]
        height, width = room.shape
        px_per_mm = width / camera.width_px * camera.px_per_mm() * 0.93  # the far side of a tilted table is smaller
        leaving = {flight.die.number for flight in self._to_take(seat, only_color)}
        taken: list[tuple[Array, float]] = [
            (np.array([f.die.placed.x_mm, f.die.placed.y_mm]), _reach_mm(f.die.kind))
            for f in self._flights
            if f.taken_s == _FOREVER and f.die.number not in leaving
        ]
        free = np.argwhere(room >= (_reach_mm("green-d20") + 4) * px_per_mm)
        if not len(free):
            raise ValueError(f"expected a zone with room for a die, got one that is too small (seat {seat})")
        heart = free[int(self._rng.integers(len(free)))]
        placed: dict[int, Array] = {}
        for index in sorted(range(len(kinds)), key=lambda index: -_reach_mm(kinds[index])):
            reach = _reach_mm(kinds[index])
            for attempt in range(600):
                # dice of one throw lie near each other; the longer none fits, the wider they spread
                spread = (0.1 + 0.003 * attempt) * width / 2
                row, column = np.round(heart + self._rng.normal(0, spread, 2)).astype(int)
                if not (0 <= row < height and 0 <= column < width) or room[row, column] < (reach + 4) * px_per_mm:
                    continue
                spot = self._mm((column + 0.5) / width, (row + 0.5) / height)
                if all(np.linalg.norm(spot - other) >= reach + other_reach + GAP_MM for other, other_reach in taken):
                    break
            else:
                raise ValueError(f"expected room for {len(kinds)} dice in the zone of seat {seat}, got too little")
            taken.append((spot, reach))
            placed[index] = spot
        return [placed[index] for index in range(len(kinds))]


def _reach_mm(kind: str) -> float:
    """How far a die reaches from its centre on the table at most, millimetres."""
    return {6: 11.4, 8: 13.5, 12: 12.5, 20: 14.0}[KINDS[kind].sides]


def _room(zone: Zone, zones: Sequence[Zone]) -> npt.NDArray[np.float32]:
    """How far each point of a small picture is from the zone's border, in its pixels, shape (360, 640)."""
    inside = (label_image(zones, 640, 360) == [z.seat for z in zones].index(zone.seat)).astype(np.uint8)
    inside[[0, -1]] = 0
    inside[:, [0, -1]] = 0
    return np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 5), dtype=np.float32)


def _in_flight(flight: _Flight, at_s: float) -> PlacedDie:
    """The die rolls out: its way, its turning and its hops die down together and end exactly at rest."""
    die = flight.die.placed
    progress = min(1.0, max(0.0, (at_s - flight.launch_s) / (flight.land_s - flight.launch_s)))
    left = (1 - progress) ** 2
    end = np.array([die.x_mm, die.y_mm])
    way = flight.from_xy_mm - end
    place = end + way * left
    length = float(np.linalg.norm(way))
    axis = np.array([way[1], -way[0], 0.0]) / max(length, 1e-6)
    turn = _rotation(axis, length * left / die.inradius_mm() * 0.9) @ _rotation(
        np.array([0.0, 0.0, 1.0]), flight.spin_rad * left
    )
    hop_mm = 30 * (1 - progress) ** 2 * abs(math.cos(progress * 5 * math.pi))
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in turn)
    return PlacedDie(die.style, die.face, float(place[0]), float(place[1]), die.yaw_rad, hop_mm, rows)


def _rotation(axis: Array, angle_rad: float) -> Array:
    return np.asarray(cv2.Rodrigues(axis * angle_rad)[0], dtype=np.float64)


def _hand_at(gesture: _Gesture, at_s: float) -> Hand | None:
    times = gesture.times_s
    if not times[0] <= at_s <= times[-1]:
        return None
    after = min(len(times) - 1, max(1, int(np.searchsorted(times, at_s))))
    before = after - 1
    share = (at_s - times[before]) / max(1e-6, times[after] - times[before])
    eased = share * share * (3 - 2 * share)
    palm = gesture.places_mm[before] * (1 - eased) + gesture.places_mm[after] * eased
    spread = gesture.spread[before] * (1 - eased) + gesture.spread[after] * eased
    skin = _SKINS[gesture.seat % len(_SKINS)]
    sleeve = _SLEEVES[(gesture.seat * 5 + 1) % len(_SLEEVES)]
    return Hand((float(palm[0]), float(palm[1])), gesture.towards_xy, spread, skin, sleeve)
