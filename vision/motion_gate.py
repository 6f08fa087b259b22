"""The motion gate: watches small previews and says for each zone whether it is empty, moving or settled.

Pictures are compared in a logarithmic scale, where a lamp that flickers or an exposure that drifts only adds an offset
to each row; that offset is measured and taken away. What differs after that is something that moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.picture_change import changed, step_towards, surely_same
from tablesight.vision.visibility import Visibility
from tablesight.vision.zones import NO_ZONE, Zone, label_image

ZoneState = Literal["empty", "moving", "settled"]


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Thresholds of the gate."""

    work_width_px: int = 320
    """Width that previews are shrunk to up to 4 zones: halves sensor noise, and a 16 mm die is still 6 px across."""
    work_width_many_px: int = 480
    """The same with more zones, where the table is larger and a die smaller."""
    settle_s: float = 0.6
    """No motion for this long: settled. A die that stops spinning wobbles for less."""
    change_level: float = 13.0
    """Least difference that counts, in levels of the logarithmic scale (about 10 % of a mid grey)."""
    noise_factor: float = 7.0
    """... or this many times the measured noise of the picture, where that is more."""
    motion_px: int = 2
    """Changed pixels (after a 3x3 median) from which a zone moves: a numeral that turns changes more."""
    same_change_px: int = 3
    """Changed pixels (after a 3x3 median) from which a zone no longer shows the same picture: part of one numeral."""
    hand_share: float = 0.05
    """A foreground that touches the edge of the picture and covers this share of it is an arm over the table."""
    hand_patience_s: float = 6.0
    """An arm-like foreground that has not moved at all for this long is an object."""
    drift_frames: int = 4
    """The remembered pictures follow slow changes by one level every this many frames: 2.5 levels a second."""
    shaken: float = 0.3
    """Share of frames in which zones at rest seem to change from which the camera counts as shaking."""


@dataclass(frozen=True, slots=True)
class ZoneGate:
    """One zone: its state, since when (seconds), and how many different things have settled in it so far."""

    seat: int
    state: ZoneState
    since_s: float
    settled_count: int


@dataclass(frozen=True, slots=True)
class GateState:
    """What the gate says after a preview: `newly_settled` names the seats whose zone has just settled with something
    new in it, once for each time."""

    at_s: float
    can_see: bool
    zones: tuple[ZoneGate, ...]
    newly_settled: tuple[int, ...]

    def state_of(self, seat: int) -> ZoneState | None:
        """The state of a seat's zone; None where the seat has none."""
        return next((zone.state for zone in self.zones if zone.seat == seat), None)

    def settled(self) -> list[int]:
        """The seats whose zones lie still with something in them, as far as the table can be seen."""
        return [zone.seat for zone in self.zones if self.can_see and zone.state == "settled"]


@dataclass(slots=True)
class _ZoneMemory:
    seat: int
    state: ZoneState = "moving"
    since_s: float = 0.0
    moved_at_s: float = 0.0
    settled_count: int = 0
    knows_empty: bool = False
    has_settled_picture: bool = False
    box: tuple[int, int, int, int] = field(default=(0, 0, 0, 0))  # top, bottom, left, right


# 255 * log(1 + v/40) / log(1 + 255/40): nearly logarithmic, without blowing up the noise of dark pixels
_LOG: Final = np.round(255 * np.log1p(np.arange(256) / 40) / np.log1p(255 / 40)).astype(np.uint8)
_CUBE: Final = np.ones((3, 3), dtype=np.uint8)


class MotionGate:
    """Feeds on previews, in order; knows nothing of dice. Not safe from two threads at once."""

    def __init__(self, zones: Sequence[Zone], settings: GateSettings | None = None) -> None:
        self._settings = settings or GateSettings()
        self._zones = tuple(zones)
        self._memory = [_ZoneMemory(zone.seat) for zone in zones]
        self._size_px: tuple[int, int] | None = None
        self._source_size_px: tuple[int, int] | None = None
        self._noise = 0.0
        self._visibility = Visibility()
        self._shake = 0.0
        self._could_see = True
        self._at_s = 0.0
        self._frames = 0
        self._foreground: npt.NDArray[np.uint8] | None = None

    def update(self, image_bgr: ImageBGR, at_s: float) -> GateState:
        """Look at the next preview, shape (height, width, 3), taken at `at_s` (monotonic seconds).

        A picture of another size than before starts the gate afresh. Raises ValueError for an array of another form.
        """
        if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8 or image_bgr.size == 0:
            raise ValueError(f"expected a uint8 picture (height, width, 3), got {image_bgr.dtype} {image_bgr.shape}")
        self._at_s = at_s
        if self._source_size_px != (image_bgr.shape[1], image_bgr.shape[0]):
            self._begin(image_bgr, at_s)
        picture, brightness = self._shrink(image_bgr)
        if not self._visibility.sees(picture, brightness, self._noise):
            self._could_see = False
            return self._answer(False, ())
        if not self._could_see:  # what happened in the dark is unknown: every zone must prove that it is at rest
            self._could_see = True
            self._anchor[:] = picture
            for memory in self._memory:
                self._enter(memory, "moving", at_s)
                memory.moved_at_s = at_s
            return self._answer(True, ())
        return self._watch(picture, at_s)

    def still_for_s(self) -> float:
        """For how long nothing has moved in any zone, seconds."""
        return min((self._at_s - memory.moved_at_s for memory in self._memory), default=0.0)

    def rename(self, zones: Sequence[Zone]) -> bool:
        """The same polygons for other seats (a tray that goes from player to player); False where they differ."""
        if [zone.polygon for zone in zones] != [zone.polygon for zone in self._zones]:
            return False
        self._zones = tuple(zones)
        for memory, zone in zip(self._memory, zones, strict=True):
            memory.seat = zone.seat
        return True

    def accept(self, seat: int, has_dice: bool) -> None:
        """What the reader found in a settled zone: where no dice are, what lies there is from now on the empty zone."""
        for memory in self._memory:
            if memory.seat == seat and memory.state == "settled" and not has_dice:
                self._copy_zone(self._empty, self._anchor, memory)
                memory.knows_empty = True
                memory.has_settled_picture = False
                self._enter(memory, "empty", self._at_s)
                if all(other.knows_empty for other in self._memory):
                    self._visibility.learn_bare(self._empty)

    def is_bare(self, seat: int, box: tuple[float, float, float, float]) -> bool:
        """Whether the last preview shows nothing but the empty table in a box (left, top, right, bottom; fractions).

        False where the empty zone is not known, and under a hand.
        """
        memory = next((m for m in self._memory if m.seat == seat), None)
        if memory is None or not memory.knows_empty or not self._could_see:
            return False
        if self._foreground is None:
            self._foreground = self._changed(self._current, self._empty, envelope=True)
        height, width = self._foreground.shape
        left, top = int(box[0] * width), int(box[1] * height)
        right, bottom = max(left + 1, round(box[2] * width)), max(top + 1, round(box[3] * height))
        return not cv2.hasNonZero(np.ascontiguousarray(self._foreground[top:bottom, left:right]))

    def forget_settled(self, seat: int) -> None:
        """Whatever comes to rest in a zone next is something new, even if it looks the same."""
        for memory in self._memory:
            if memory.seat == seat:
                memory.has_settled_picture = False

    def _begin(self, image_bgr: ImageBGR, at_s: float) -> None:
        height, width = image_bgr.shape[:2]
        wanted = self._settings.work_width_px if len(self._zones) <= 4 else self._settings.work_width_many_px
        work_width = min(width, wanted)
        self._source_size_px = (width, height)
        self._size_px = (work_width, max(1, round(height * work_width / width)))
        self._labels = label_image(self._zones, *self._size_px)
        self._in_zones = (self._labels != NO_ZONE).astype(np.uint8)
        self._masks: dict[tuple[bool, ...], npt.NDArray[np.uint8]] = {}
        picture, _ = self._shrink(image_bgr)
        self._anchor = picture.copy()  # the zone at its last motion: a slow hand leaves it in the end
        self._empty = picture.copy()  # the zone with nothing in it
        self._settled = picture.copy()  # the zone as it last settled
        self._previous = self._current = picture
        self._foreground = None
        self._noise = 1.0
        self._visibility.reset()
        self._shake = 0.0
        for index, memory in enumerate(self._memory):
            rows, columns = np.nonzero(self._labels == index)
            box = (int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1)
            memory.box = box if rows.size else (0, 0, 0, 0)
            memory.knows_empty = memory.has_settled_picture = False
            self._enter(memory, "moving", at_s)
            memory.moved_at_s = at_s

    def _watch(self, picture: ImageBGR, at_s: float) -> GateState:
        self._measure_noise(picture)
        self._measure_shake(picture, self._previous)
        # the mean of two frames has less noise; motion still shows, at half strength in its first frame
        smooth = cv2.addWeighted(picture, 0.5, self._previous, 0.5, 0)
        picture, self._previous = np.asarray(smooth, dtype=np.uint8), picture
        self._current = picture
        self._foreground = None
        moved_px = self._changed_px(picture, self._anchor, envelope=True)
        newly_settled: list[int] = []
        for index, memory in enumerate(self._memory):
            if moved_px[index] >= self._settings.motion_px:
                memory.moved_at_s = at_s
                self._copy_zone(self._anchor, picture, memory)
                if memory.state != "moving":
                    self._enter(memory, "moving", at_s)
        rested = [m for m in self._memory if m.state == "moving" and at_s - m.moved_at_s >= self._settings.settle_s]
        if rested:
            arm_px = self._arm(picture)
            for memory in rested:
                still_s = at_s - memory.moved_at_s
                if arm_px[self._memory.index(memory)] and still_s < self._settings.hand_patience_s:
                    continue
                if self._come_to_rest(memory, picture, at_s):
                    newly_settled.append(memory.seat)
        self._follow_drift(picture)
        return self._answer(True, tuple(newly_settled))

    def _come_to_rest(self, memory: _ZoneMemory, picture: ImageBGR, at_s: float) -> bool:
        """A zone without motion becomes empty or settled; True where something new has settled in it."""
        index = self._memory.index(memory)
        if memory.knows_empty and self._same(picture, self._empty, index):
            memory.has_settled_picture = False
            self._enter(memory, "empty", at_s)
            return False
        is_new = not (memory.has_settled_picture and self._same(picture, self._settled, index))
        self._enter(memory, "settled", at_s)
        self._copy_zone(self._settled, picture, memory)
        self._copy_zone(self._anchor, picture, memory)
        memory.has_settled_picture = True
        memory.settled_count += is_new
        return is_new

    def _same(self, picture: ImageBGR, other: ImageBGR, index: int) -> bool:
        changed_px = self._changed_px(picture, other, envelope=self._shake > self._settings.shaken)
        return bool(changed_px[index] < self._settings.same_change_px)

    def _changed(self, picture: ImageBGR, other: ImageBGR, envelope: bool) -> npt.NDArray[np.uint8]:
        """Mask of what differs, 0 or 1, shape (height, width). `envelope` forgives a shift of one pixel (shake)."""
        if surely_same(picture, other, self._level(), envelope):
            return np.zeros(picture.shape[:2], dtype=np.uint8)
        return changed(picture, other, self._level(), envelope)

    def _changed_px(self, picture: ImageBGR, other: ImageBGR, envelope: bool) -> npt.NDArray[np.int64]:
        """Pixels of each zone that differ. What lies beside the zones, such as the tags of the mats, costs nothing."""
        if surely_same(picture, other, self._level(), envelope, self._in_zones):
            return np.zeros(len(self._zones), dtype=np.int64)
        return self._count(changed(picture, other, self._level(), envelope))

    def _level(self) -> float:
        """From which difference on something has changed, levels."""
        return max(self._settings.change_level, self._settings.noise_factor * self._noise)

    def _count(self, mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Set pixels of each zone."""
        if not cv2.hasNonZero(mask):
            return np.zeros(len(self._zones), dtype=np.int64)
        return np.bincount(self._labels[mask != 0], minlength=NO_ZONE + 1)[: len(self._zones)]

    def _arm(self, picture: ImageBGR) -> npt.NDArray[np.int64]:
        """Pixels of each zone under something large that reaches in from the edge of the picture.

        Only where the empty table is known: without it nothing can be told from the table itself.
        """
        known = [index for index, memory in enumerate(self._memory) if memory.knows_empty]
        if not known:
            return np.zeros(len(self._zones), dtype=np.int64)
        mask = self._changed(picture, self._empty, envelope=True)
        mask[~np.isin(self._labels, known)] = 0
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _CUBE, iterations=2), dtype=np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        height, width = mask.shape
        arms = np.zeros_like(mask)
        for part in range(1, count):
            left, top, part_width, part_height, area = (int(v) for v in stats[part])
            at_edge = left == 0 or top == 0 or left + part_width == width or top + part_height == height
            if at_edge and area >= self._settings.hand_share * width * height / max(1, len(self._zones)):
                arms[labels == part] = 1
        return self._count(arms)

    def _measure_noise(self, picture: ImageBGR) -> None:
        """Track the noise of the picture: the median change from one frame to the next, which motion hardly moves."""
        step = np.asarray(cv2.absdiff(_sparse(picture), _sparse(self._previous)), dtype=np.uint8)
        histogram = np.cumsum(np.bincount(step.ravel(), minlength=256))
        below = int(np.searchsorted(histogram, histogram[-1] / 2))
        before = int(histogram[below - 1]) if below else 0
        share = (histogram[-1] / 2 - before) / max(1, int(histogram[below]) - before)
        sigma = (below - 0.5 + share) * 1.4826 / 1.4142  # of one frame; the difference of two has sqrt(2) as much
        self._noise += 0.1 * (max(0.0, min(sigma, 12.0)) - self._noise)

    def _shrink(self, image_bgr: ImageBGR) -> tuple[ImageBGR, float]:
        """The preview at working size in the logarithmic scale, and its mean brightness, 0 to 255."""
        assert self._size_px is not None
        # the mean over areas of one and a third pixel takes five times as long as between two, and is hardly smoother
        is_nearly_so = image_bgr.shape[1] < 1.5 * self._size_px[0]
        small = cv2.resize(image_bgr, self._size_px, interpolation=cv2.INTER_LINEAR if is_nearly_so else cv2.INTER_AREA)
        return np.asarray(cv2.LUT(small, _LOG), dtype=np.uint8), max(cv2.mean(small)[:3])

    def _measure_shake(self, picture: ImageBGR, previous: ImageBGR) -> None:
        """Whether the camera shakes: zones at rest differ from frame to frame unless a pixel's shift is forgiven."""
        resting = [index for index, memory in enumerate(self._memory) if memory.state != "moving"]
        if self._frames % 3 or not resting:
            return
        changed_px = self._changed_px(picture, previous, envelope=False)
        shaken = any(changed_px[index] >= self._settings.same_change_px for index in resting)
        self._shake += 0.15 * (shaken - self._shake)

    def _follow_drift(self, picture: ImageBGR) -> None:
        """Let the remembered pictures of zones at rest follow slow changes of the light, a level every few frames."""
        self._frames += 1
        if self._frames % self._settings.drift_frames:
            return
        for target, states in (
            (self._anchor, ("empty", "settled")),
            (self._empty, ("empty",)),
            (self._settled, ("settled",)),
        ):
            resting = tuple(memory.state in states for memory in self._memory)
            if any(resting):
                step_towards(target, picture, self._mask_of(resting))

    def _mask_of(self, chosen: tuple[bool, ...]) -> npt.NDArray[np.uint8]:
        """1 in the chosen zones, shape (height, width, 3); the last ones asked for are kept."""
        if chosen not in self._masks:
            table = np.zeros(NO_ZONE + 1, dtype=np.uint8)
            table[: len(chosen)] = chosen
            if len(self._masks) >= 4:
                self._masks.clear()
            self._masks[chosen] = cv2.merge([cv2.LUT(self._labels, table)] * 3).astype(np.uint8, copy=False)
        return self._masks[chosen]

    def _copy_zone(self, target: ImageBGR, source: ImageBGR, memory: _ZoneMemory) -> None:
        top, bottom, left, right = memory.box
        if top < bottom:
            part = (slice(top, bottom), slice(left, right))
            mask = self._labels[part] == self._memory.index(memory)
            target[part][mask] = source[part][mask]

    def _enter(self, memory: _ZoneMemory, state: ZoneState, at_s: float) -> None:
        memory.state = state
        memory.since_s = at_s

    def _answer(self, can_see: bool, newly_settled: tuple[int, ...]) -> GateState:
        zones = tuple(ZoneGate(m.seat, m.state, m.since_s, m.settled_count) for m in self._memory)
        return GateState(self._at_s, can_see, zones, newly_settled)


def _sparse(picture: ImageBGR) -> ImageBGR:
    """A sixteenth of the pixels: every fourth row and column."""
    size = (max(1, picture.shape[1] // 4), max(1, picture.shape[0] // 4))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
