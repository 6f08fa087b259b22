"""The main loop of the camera process: previews to the gate, stills of settled zones to the reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from functools import partial
from logging import getLogger
from typing import Any

from tablesight.vision.camera_shift import CameraShift, Shift
from tablesight.vision.frame import Frame, ImageBGR
from tablesight.vision.lens import Lens
from tablesight.vision.mat_layout import Paper
from tablesight.vision.motion_gate import GateState, MotionGate
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.advice_message import advice_message
from tablesight.vision.worker.calibration_desk import CalibrationDesk
from tablesight.vision.worker.camera_line import CameraLine
from tablesight.vision.worker.camera_place import CameraPlace
from tablesight.vision.worker.frame_rate import FrameRate
from tablesight.vision.worker.mat_follower import MatFollower
from tablesight.vision.worker.pictures import PREVIEW_QUALITY, page_picture
from tablesight.vision.worker.reading_keeper import ReadingKeeper
from tablesight.vision.worker.reading_message import reading_message
from tablesight.vision.worker.reading_queue import ReadingQueue, WaitingZone
from tablesight.vision.worker.requests import (
    Advise,
    Calibrate,
    Clear,
    Configure,
    ConfirmInk,
    Expect,
    ReadNow,
    Request,
    Throw,
)
from tablesight.vision.worker.simulated_truth import SimulatedTruth
from tablesight.vision.worker.taken_still import TakenStill
from tablesight.vision.worker.watch_settings import SETTINGS, Pulse, WatchSettings
from tablesight.vision.worker.zone_book import ZoneBook, ZoneReading
from tablesight.vision.zones import Zone, default_zones

logger = getLogger(__name__)

Send = Callable[[dict[str, Any], bytes], None]


class TableWatch:
    """`turn` is called for ever. `reader` gives None as long as the models are not there; `problem` then says why."""

    def __init__(
        self,
        camera: CameraLine,
        reader: Callable[[], TableReader | None],
        problem: Callable[[], str],
        send: Send,
        seats: int,
        settings: WatchSettings = SETTINGS,
        wait: Callable[[float], None] = time.sleep,
        book: ZoneBook | None = None,
        place: CameraPlace | None = None,
        keep_lens: Callable[[str, Lens], None] = lambda *_: None,
        keeper: ReadingKeeper | None = None,
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._problem = problem
        self._send = send
        self._settings = settings
        self._wait = wait
        self._seats = seats
        self._zones: tuple[Zone, ...] = default_zones(seats)
        self._gate = MotionGate(self._zones)
        self._state: GateState | None = None
        self._queue = ReadingQueue()
        self._taken: TakenStill | None = None
        self._read: list[WaitingZone] = []
        self._book = book or ZoneBook()
        self._place = place or CameraPlace()
        self._truth = SimulatedTruth(send)
        self._keep_lens = keep_lens
        self._keeper = keeper or ReadingKeeper()
        self._calibration = CalibrationDesk(send, self._measured)
        self._rate = FrameRate()
        self._last_preview_s = -1e9
        self._openings = 0
        self._readings = 0
        self._shift = CameraShift()
        self._moved_at_s: float | None = None
        self._mats: MatFollower | None = None
        self._next_search_s = self._last_search_s = 0.0

    def status(self) -> dict[str, Any]:
        """The status message; called from the heartbeat's thread."""
        state, gate, line = self._state, {}, self._camera.state
        if state is not None and line == "watching":
            gate = {str(zone.seat): zone.state for zone in state.zones}
        cannot_see = line == "watching" and state is not None and not state.can_see
        message = self._camera.message
        if cannot_see:
            message = "The camera cannot see the table: is the lamp on, is something in front of the lens?"
        elif line == "watching" and self._reader() is None:
            message = self._problem()
        elif line == "watching":
            message = self._hint()
        return {
            "type": "status",
            "state": "cannot_see" if cannot_see else line,
            "source": self._camera.name,
            "simulated": isinstance(self._camera.source, SimulatedSource),
            "gate": gate,
            "frames_per_s": round(self._rate.per_s, 1) if line == "watching" else 0.0,
            "cpu_s": round(self._camera.effort().computed_s, 3),
            "message": message,
        }

    def _hint(self) -> str:
        """What else the people should know, in a sentence."""
        if self._mats is not None and self._mats.missing:
            seats = ", ".join(str(seat + 1) for seat in self._mats.missing)
            return f"Not all mats are seen: lay the mat of seat {seats} under the camera, its corners free."
        if uneven := self._book.uneven():
            return uneven
        if self._moved_at_s is not None and time.monotonic() - self._moved_at_s < self._settings.moved_hint_s:
            return "The camera has been moved: check that the zones still fit."
        return ""

    def handle(self, request: Request) -> None:
        """Do what the web process asks for (all but photos). Raises ValueError where that is not possible."""
        match request:
            case Configure():
                self._configure(request)
            case Expect(hands):
                self._book.expect(hands)
            case ConfirmInk(kind, face, ink):
                self._book.confirm_ink(kind, face, ink)
            case ReadNow():
                for zone in self._zones:
                    self._queue.wanted(zone.seat, self._camera.effort())
            case Throw(hands, only_color):
                self._simulated().throw(hands, only_color)
            case Clear():
                self._simulated().clear()
            case Calibrate(paper):
                self._calibrate(paper)
            case Advise():
                self._advise()

    def _advise(self) -> None:
        """Look at a still and say how well the camera hangs."""
        frame = self._camera.still()
        if frame is None:
            raise ValueError("expected an open camera to judge, got none")
        reader = self._reader()
        die_px = None if reader is None else reader.die_px
        mats = () if self._mats is None else self._mats.find(frame.image_bgr)
        self._send(advice_message(frame.image_bgr, mats, die_px, self._place.lens), b"")

    def _calibrate(self, paper: Paper | None) -> None:
        """Begin to measure the lens, or give it up; nothing is read meanwhile."""
        if paper is None:
            self._calibration.stop()
        else:
            self._drop_readings()
            self._calibration.start(paper, time.monotonic())
        if isinstance(self._camera.source, SimulatedSource):
            self._camera.source.hold_mat(paper)

    def _look_at_held_mat(self) -> None:
        if self._calibration.wants_still(time.monotonic()) and (frame := self._camera.still()) is not None:
            self._calibration.look(frame.image_bgr, time.monotonic())
            if not self._calibration.is_running:
                self._calibrate(None)

    def _measured(self, lens: Lens) -> None:
        """The lens of the camera has been measured."""
        self._place.measured(self._camera.name, lens)
        self._keep_lens(self._camera.name, lens)
        self._start_afresh()

    def turn(self, pulse: Pulse) -> None:
        """One preview, and what follows from it."""
        before = self._camera.state
        if not self._camera.open():
            self._wait(0.1)
        elif (frame := self._preview()) is not None:
            pulse.alive()
            self._take_preview(frame)
            try:
                if self._calibration.is_running:
                    self._look_at_held_mat()
                else:
                    self._finish_reading()
                    self._read_next(pulse)
                    self._look_for_mats()
            except Exception:  # a picture that upsets a model is passed over, and watched on
                logger.exception("a still could not be read")
                self._drop_readings()
        pulse.alive()
        if self._camera.state != before:
            pulse.now()

    def _preview(self) -> Frame | None:
        """The next preview, through the gate's eyes."""
        if self._camera.openings != self._openings:
            self._openings = self._camera.openings
            self._place.opened(self._camera.name)
            self._start_afresh()
        frame = self._camera.preview()
        if frame is None:
            self._state = None
            self._rate.stopped()
            return None
        self._rate.came()
        self._state = self._gate.update(frame.image_bgr, frame.captured_at_s)
        still = self._state.can_see and self._gate.still_for_s() >= self._settings.still_s
        shift = self._shift.update(frame.image_bgr, still)
        if shift is not None:
            self._notice(shift)
        for seat in self._state.newly_settled:
            self._queue.settled(seat, self._camera.effort())
        for zone in self._state.zones:
            if zone.state == "empty":
                self._queue.forget(zone.seat)
                self._book.cleared(zone.seat)
            elif zone.state == "moving" and self._state.can_see and self._lifted(zone.seat):
                self._gate.forget_settled(zone.seat)
        return frame

    def _lifted(self, seat: int) -> bool:
        return self._book.look_for_lifted(seat, partial(self._gate.is_bare, seat))

    def _take_preview(self, frame: Frame) -> None:
        now_s = time.monotonic()
        if now_s - self._last_preview_s >= self._settings.preview_gap_s:
            self._last_preview_s = now_s
            picture = page_picture(frame.image_bgr, frame.image_bgr.shape[1], PREVIEW_QUALITY)
            header = {"type": "preview", "width": picture.width, "height": picture.height, "at_s": time.time()}
            self._send(header, picture.jpeg)
        if isinstance(self._camera.source, SimulatedSource):
            self._truth.tell(self._camera.source)

    def _finish_reading(self) -> None:
        """Tell what was read before the last preview, where that shows that the zone has not stirred meanwhile."""
        settled = set(self._settled(self._queue.seats))
        if self._taken is not None:
            self._taken.shows.intersection_update(settled)
        self._queue.follow(settled, self._camera.effort())
        read, self._read = self._read, []
        for zone in read:
            if self._taken is not None and self._queue.holds(zone) and zone.seat in settled:
                self._finish(zone, self._taken)

    def _finish(self, zone: WaitingZone, taken: TakenStill) -> None:
        assert zone.reading.hand is not None  # it has been looked at, and has not stirred
        if zone.reading.needs_more(self._settings.looks, self._settings.more_looks_ms):
            return
        seat, hand = zone.seat, zone.reading.hand
        self._queue.forget(seat)
        self._gate.accept(seat, bool(hand.seen))
        if not hand.seen:
            self._book.cleared(seat)
        if hand.seen or zone.must_tell:
            size = (taken.image_bgr.shape[1], taken.image_bgr.shape[0])
            entered = self._book.enter(seat, hand, size, partial(self._gate.is_bare, seat))
            if entered.is_new_throw or zone.must_tell:
                self._tell(entered, zone, taken.image_bgr)

    def _read_next(self, pulse: Pulse) -> None:
        """Look at the zone whose turn it is, and at the next ones that the same still shows as long as no new preview
        can be there. The next preview tells whether they lay still all the while."""
        reader = self._reader()
        while reader is not None:
            waiting = self._settled(self._queue.seats - {zone.seat for zone in self._read})
            zone = self._queue.next(waiting)
            if zone is None or (self._read and not self._has_time_for(zone)):
                return
            if self._taken is None or zone.seat not in self._taken.shows:
                start_s = time.perf_counter()
                self._taken = self._still()
                zone.still_ms += (time.perf_counter() - start_s) * 1e3
            if self._taken is None:
                return
            pulse.alive()
            reader.nadir_xy, reader.focal = self._place.nadir_xy(self._mats), self._place.focal
            zone.reading.alive = pulse.alive
            image_bgr = self._taken.show(next(one for one in self._zones if one.seat == zone.seat))
            zone.reading.look(image_bgr, reader, self._book, self._zones)
            zone.taken_at_s = self._taken.at_s
            self._taken.shows.discard(zone.seat)
            self._read.append(zone)

    def _has_time_for(self, zone: WaitingZone) -> bool:
        early = self._rate.is_younger(self._settings.read_on_s)
        return early and self._taken is not None and zone.seat in self._taken.shows

    def _drop_readings(self) -> None:
        self._queue.clear()
        self._taken, self._read = None, []

    def _still(self) -> TakenStill | None:
        """A still, to be seen as under white light, by the mats' patches, where there are mats."""
        at_s = time.time()
        frame = self._camera.still()
        if frame is None:
            return None
        gains_bgr = None if self._mats is None else self._mats.gains_bgr
        return TakenStill(frame.image_bgr, at_s, set(self._settled(self._queue.seats)), gains_bgr)

    def _look_for_mats(self) -> None:
        """Search for mats from time to time while nothing moves or waits: often as long as one is missing.

        A search takes longer than to read a hand, so that it must not come between hands that settle one after another.
        """
        if self._queue.seats or self._read:
            return
        taken, self._taken = self._taken, None
        if self._mats is None:
            return
        now_s, gaps = time.monotonic(), self._settings
        quiet = self._state is not None and all(zone.state != "moving" for zone in self._state.zones)
        if taken is not None:
            self._next_search_s = min(self._next_search_s, self._last_search_s + gaps.read_gap_s)
        if now_s < self._next_search_s + (0.0 if quiet else gaps.restless_s):
            return
        self._last_search_s = now_s
        self._next_search_s = now_s + (gaps.search_gap_s if self._mats.missing else gaps.found_gap_s)
        if taken is not None:
            self._follow(taken.raw_bgr)
        elif (frame := self._camera.still()) is not None:
            self._follow(frame.image_bgr)

    def _follow(self, still_bgr: ImageBGR) -> None:
        """Take the zones from the mats in a still. What is known of the dice stays: they move with their mat."""
        if self._mats is not None and self._mats.look(still_bgr):
            self._zones = self._mats.zones
            self._gate = MotionGate(self._zones)
            self._state = None
            self._send(self._mats.to_json(), b"")

    def _notice(self, shift: Shift) -> None:
        """The camera has been pushed: the dice are where they were, only elsewhere in the picture."""
        logger.warning("the camera has moved by %.1f %% and %.1f %% of the picture", 100 * shift.dx, 100 * shift.dy)
        self._book.shift(shift.dx, shift.dy)
        reader = self._reader()
        if reader is not None:
            reader.forget_viewpoint()
        self._next_search_s = 0.0
        self._moved_at_s = time.monotonic()
        self._send({"type": "camera_moved", "dx": round(shift.dx, 4), "dy": round(shift.dy, 4)}, b"")

    def _tell(self, reading: ZoneReading, zone: WaitingZone, still_bgr: ImageBGR) -> None:
        self._readings += 1
        polygon = next((one.polygon for one in self._zones if one.seat == reading.seat), ())
        header, jpeg = reading_message(reading, zone, still_bgr, polygon, self._camera.effort(), self._readings)
        self._keeper.keep(header["id"], still_bgr, polygon, zone.reading.hand)
        self._send(header, jpeg)

    def _settled(self, seats: Collection[int]) -> list[int]:
        return [] if self._state is None else [seat for seat in self._state.settled() if seat in seats]

    def _configure(self, wanted: Configure) -> None:
        changed_seats = wanted.seats != self._seats
        self._seats, self._moved_at_s = wanted.seats, None
        if wanted.mats is not None:
            self._mats = MatFollower(wanted.seats, wanted.mats)
            self._zones = ()
            self._next_search_s = 0.0
            self._start_afresh()
            return
        had_mats, self._mats = self._mats is not None, None
        self._zones = wanted.zones
        if changed_seats or had_mats or not self._gate.rename(self._zones):
            self._start_afresh()
        elif isinstance(self._camera.source, SimulatedSource):
            self._camera.source.configure(self._seats, self._zones)

    def _start_afresh(self) -> None:
        """Nothing is known of what lies on the table."""
        if isinstance(self._camera.source, SimulatedSource):
            self._camera.source.configure(self._seats, self._zones or default_zones(self._seats))
        if self._mats is not None:
            self._mats.use(self._place.lens)
        self._gate = MotionGate(self._zones)
        self._shift.reset()
        self._drop_readings()
        for seat in range(self._seats):
            self._book.cleared(seat)
        reader = self._reader()
        if reader is not None:
            reader.forget_size()

    def _simulated(self) -> SimulatedSource:
        if not isinstance(self._camera.source, SimulatedSource):
            raise ValueError("expected the simulated table, got a real camera: nobody can throw its dice but people")
        return self._camera.source
