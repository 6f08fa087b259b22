"""The simulated table as a camera: the camera of `make run` when none is attached, and of the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from tablesight.vision.frame import Frame, ImageBGR
from tablesight.vision.mat_layout import Paper
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.held_mat import HeldMat
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import LyingDie, Moment, TableScript
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, TableSetting, lay_table
from tablesight.vision.zones import Zone, default_zones

FRAME_S: Final = 0.1


class SimulatedSource:
    """A camera over a table on which hands throw dice when `throw` says so.

    Pictures carry nothing but pixels; `lying` is the truth, for the page and the tests, never for the reading. With
    `wait` None, previews come as fast as they are asked for and the clock of the caller rules (tests). May be used
    from several threads.
    """

    def __init__(
        self,
        seed: int = 0,
        seats: int = 3,
        options: TableOptions | None = None,
        zones: Sequence[Zone] | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] | None = time.sleep,
    ) -> None:
        self._options = options or TableOptions(seed=seed)
        self._clock = clock
        self._wait = wait
        self._lock = threading.RLock()
        self._fonts = NumeralFonts.load()
        self._next_frame_s = 0.0
        self._throws = 0
        self._held: HeldMat | None = None
        self.drawn_s = 0.0
        """How long all pictures so far took to draw, seconds."""
        self.drawn_cpu_s = 0.0
        """What was computed for that, seconds of one core."""
        self._set_up(seats, zones or default_zones(seats))

    @property
    def name(self) -> str:
        """What the page calls it."""
        return "simulated table"

    @property
    def setting(self) -> TableSetting:
        """The table: camera, lamp and dice."""
        return self._setting

    def preview(self) -> Frame:
        """The next small picture, ten a second."""
        now_s = self._clock()
        if self._wait is not None:
            if now_s < self._next_frame_s:
                self._wait(self._next_frame_s - now_s)
                now_s = self._clock()
            self._next_frame_s = max(now_s, self._next_frame_s + FRAME_S)
        with self._lock, self._drawing():
            picture_bgr = self._camera.preview(self._script.moment(now_s))
            return Frame(self._with_held_mat(picture_bgr, self._setting.preview_camera, now_s), now_s)

    def still(self) -> Frame:
        """A large picture of the table as it is now."""
        with self._lock:
            now_s = self._clock()
            with self._drawing():
                picture_bgr = self._camera.still(self._script.moment(now_s))
                return Frame(self._with_held_mat(picture_bgr, self._setting.still_camera, now_s), now_s)

    def close(self) -> None:
        """Nothing to let go of."""

    def configure(self, seats: int, zones: Sequence[Zone]) -> None:
        """Another number of players (clears the table, which may get another size) or other zones."""
        with self._lock:
            if seats != self._seats:
                self._set_up(seats, zones)
            elif not self._setting.mats:  # on mats dice are thrown, wherever the page thinks that they are
                self._script.set_zones(zones)

    def throw(self, hands: Mapping[int, Sequence[str]], only_color: str | None = None) -> float:
        """Hands throw dice of these kinds, by seat; see `TableScript.throw`."""
        with self._lock:
            return self._script.throw(hands, self._clock(), only_color)

    def clear(self) -> float:
        """Hands take all dice away; returns when that is done, on the clock."""
        with self._lock:
            return self._script.clear(self._clock())

    def hold_mat(self, paper: Paper | None) -> None:
        """Somebody moves a mat about under the camera from now on; None: it is put away."""
        with self._lock:
            self._held = None if paper is None else HeldMat(paper, self._options.seed)

    def moment(self) -> Moment:
        """What is where right now."""
        with self._lock:
            return self._script.moment(self._clock())

    def truth(self) -> tuple[list[LyingDie], list[tuple[float, float, float, float]]]:
        """The dice that lie on the table and their boxes in the still, pixels."""
        with self._lock, self._drawing():
            lying = list(self.moment().lying)
            return lying, self._camera.boxes_xyxy_px(lying)

    def _with_held_mat(self, picture_bgr: ImageBGR, camera: PinholeCamera, at_s: float) -> ImageBGR:
        return picture_bgr if self._held is None else self._held.onto(picture_bgr, camera, at_s)

    @contextmanager
    def _drawing(self) -> Iterator[None]:
        """Held while a picture is drawn, or the truth is worked out: with a camera nobody would have to, so the time is
        told apart."""
        began_s, computed_s = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.drawn_s += time.perf_counter() - began_s
            self.drawn_cpu_s += time.process_time() - computed_s

    def _set_up(self, seats: int, zones: Sequence[Zone]) -> None:
        self._seats = seats
        self._setting = lay_table(seats, self._options, len(self._fonts))
        self._camera = TableCamera(self._setting, self._fonts, self._options.seed)
        self._throws += 1
        rolled_in = self._setting.mat_zones() or zones
        self._script = TableScript(
            self._setting, rolled_in, np.random.default_rng([self._options.seed, 40, self._throws])
        )
