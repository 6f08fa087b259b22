"""The main loop of the camera process: previews to the gate, stills of settled zones to the reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Final, Protocol

from tablesight.vision.frame import Frame
from tablesight.vision.fusion import fuse
from tablesight.vision.look import SeenDie
from tablesight.vision.motion_gate import GateState, MotionGate
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.camera_line import CameraLine
from tablesight.vision.worker.pictures import PREVIEW_QUALITY, PagePicture, page_picture
from tablesight.vision.worker.requests import Clear, Configure, Expect, ReadNow, Request, Throw
from tablesight.vision.worker.simulated_truth import SimulatedTruth
from tablesight.vision.worker.zone_book import ZoneBook, ZoneHand, ZoneReading
from tablesight.vision.zones import default_zones

logger = getLogger(__name__)

Send = Callable[[dict[str, Any], bytes], None]


class Pulse(Protocol):
    """The heartbeat, as the loop feeds it: `tablesight.vision.worker.heartbeat.Heartbeat`."""

    def alive(self) -> None:
        """The loop has got on."""

    def now(self) -> None:
        """The status has changed."""


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """`preview_gap_s`: time between previews sent to the page. `looks`: stills taken of doubtful dice at most, the
    first one included."""

    preview_gap_s: float = 0.3
    looks: int = 3


SETTINGS: Final = WatchSettings()


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
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._problem = problem
        self._send = send
        self._settings = settings
        self._wait = wait
        self._seats = seats
        self._zones = default_zones(seats)
        self._gate = MotionGate(self._zones)
        self._state: GateState | None = None
        self._pending: set[int] = set()
        self._forced: set[int] = set()
        self._book = book or ZoneBook()
        self._truth = SimulatedTruth(send)
        self._frames_per_s = 0.0
        self._last_frame_s: float | None = None
        self._last_preview_s = -1e9
        self._openings = 0
        self._readings = 0

    def status(self) -> dict[str, Any]:
        """The status message; called from the heartbeat's thread."""
        state, gate = self._state, {}
        line = self._camera.state
        if state is not None and line == "watching":
            gate = {str(zone.seat): zone.state for zone in state.zones}
        cannot_see = line == "watching" and state is not None and not state.can_see
        message = self._camera.message
        if cannot_see:
            message = "The camera cannot see the table: is the lamp on, is something in front of the lens?"
        elif line == "watching" and self._reader() is None:
            message = self._problem()
        return {
            "type": "status",
            "state": "cannot_see" if cannot_see else line,
            "source": self._camera.name,
            "simulated": isinstance(self._camera.source, SimulatedSource),
            "gate": gate,
            "frames_per_s": round(self._frames_per_s, 1) if line == "watching" else 0.0,
            "message": message,
        }

    def handle(self, request: Request) -> None:
        """Do what the web process asks for (all but photos). Raises ValueError where that is not possible."""
        match request:
            case Configure(seats, zones):
                self._configure(seats, zones)
            case Expect(hands):
                self._book.expect(hands)
            case ReadNow():
                self._pending |= {zone.seat for zone in self._zones}
                self._forced |= {zone.seat for zone in self._zones}
            case Throw(hands, only_color):
                self._simulated().throw(hands, only_color)
            case Clear():
                self._simulated().clear()

    def turn(self, pulse: Pulse) -> None:
        """One preview, and what follows from it."""
        before = self._camera.state
        if not self._camera.open():
            self._wait(0.1)
        elif (frame := self._preview()) is not None:
            pulse.alive()
            self._take_preview(frame)
            if self._pending:
                self._read_pending(pulse)
        pulse.alive()
        if self._camera.state != before:
            pulse.now()

    def _preview(self) -> Frame | None:
        """The next preview, through the gate's eyes."""
        if self._camera.openings != self._openings:
            self._openings = self._camera.openings
            self._start_afresh()
        frame = self._camera.preview()
        if frame is None:
            self._state = None
            self._last_frame_s = None
            return None
        now_s = time.monotonic()
        if self._last_frame_s is not None:
            rate = 1 / max(0.001, now_s - self._last_frame_s)
            self._frames_per_s += 0.1 * (min(rate, 100.0) - self._frames_per_s)
        self._last_frame_s = now_s
        self._state = self._gate.update(frame.image_bgr, frame.captured_at_s)
        self._pending |= set(self._state.newly_settled)
        for zone in self._state.zones:
            if zone.state == "empty":
                self._pending.discard(zone.seat)
                self._book.cleared(zone.seat)
        return frame

    def _take_preview(self, frame: Frame) -> None:
        now_s = time.monotonic()
        if now_s - self._last_preview_s >= self._settings.preview_gap_s:
            self._last_preview_s = now_s
            picture = page_picture(frame.image_bgr, frame.image_bgr.shape[1], PREVIEW_QUALITY)
            header = {"type": "preview", "width": picture.width, "height": picture.height, "at_s": time.time()}
            self._send(header, picture.jpeg)
        if isinstance(self._camera.source, SimulatedSource):
            self._truth.tell(self._camera.source)

    def _read_pending(self, pulse: Pulse) -> None:
        """Read the zones that lie still and have not been read; those that stir meanwhile wait for the next time."""
        reader = self._reader()
        seats = self._settled(self._pending)
        if reader is None or not seats:
            return
        start = time.perf_counter()
        looks: list[dict[int, tuple[SeenDie, ...]]] = []
        detect_ms = read_ms = 0.0
        hands: dict[int, ZoneHand] = {}
        still: Frame | None = None
        at_s = time.time()
        for _ in range(self._settings.looks):
            still = self._camera.still()
            pulse.alive()
            # the next preview tells whether anything has stirred since the zone settled
            if still is None or self._preview() is None:
                return
            seats = self._settled(seats)
            if not seats:
                return
            look = reader.look(still.image_bgr, self._zones, seats)
            pulse.alive()
            detect_ms, read_ms = detect_ms + look.detect_ms, read_ms + look.read_ms
            looks.append(look.dice)
            hands = {
                seat: self._book.read(seat, fuse([dice[seat] for dice in looks]), reader.accept_from) for seat in seats
            }
            if all(hand.is_clear for hand in hands.values()):
                break
        assert still is not None
        picture: PagePicture | None = None
        for seat in seats:
            self._pending.discard(seat)
            forced = seat in self._forced
            self._forced.discard(seat)
            self._gate.accept(seat, bool(hands[seat].seen))
            if not hands[seat].seen:
                self._book.cleared(seat)
                if not forced:
                    continue
            entered = self._book.enter(seat, hands[seat])
            if entered.is_new_throw or forced:
                picture = picture or page_picture(still.image_bgr)
                total_ms = (time.perf_counter() - start) * 1e3
                times = {"detect": round(detect_ms, 1), "read": round(read_ms, 1), "total": round(total_ms, 1)}
                self._tell(entered, picture, at_s, {**times, "looks": len(looks)})

    def _tell(self, reading: ZoneReading, picture: PagePicture, at_s: float, times: dict[str, float]) -> None:
        self._readings += 1
        header = {
            "type": "reading",
            "id": f"{int(at_s * 1000):x}-{reading.seat}-{self._readings}",
            "at_s": at_s,
            "width": picture.width,
            "height": picture.height,
            "ms": times,
            **reading.to_json(picture.scale),
        }
        self._send(header, picture.jpeg)

    def _settled(self, seats: Collection[int]) -> list[int]:
        state = self._state
        if state is None or not state.can_see:
            return []
        return [zone.seat for zone in state.zones if zone.seat in seats and zone.state == "settled"]

    def _configure(self, seats: int, zones: Sequence[Any]) -> None:
        changed_seats = seats != self._seats
        self._seats, self._zones = seats, tuple(zones)
        if isinstance(self._camera.source, SimulatedSource):
            self._camera.source.configure(seats, self._zones)
        if changed_seats or not self._gate.rename(self._zones):
            self._start_afresh()

    def _start_afresh(self) -> None:
        """Nothing is known of what lies on the table."""
        if isinstance(self._camera.source, SimulatedSource):
            self._camera.source.configure(self._seats, self._zones)
        self._gate = MotionGate(self._zones)
        self._pending.clear()
        self._forced.clear()
        for zone in self._zones:
            self._book.cleared(zone.seat)
        reader = self._reader()
        if reader is not None:
            reader.forget_size()

    def _simulated(self) -> SimulatedSource:
        if not isinstance(self._camera.source, SimulatedSource):
            raise ValueError("expected the simulated table, got a real camera: nobody can throw its dice but people")
        return self._camera.source
