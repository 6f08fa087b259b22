"""The Raspberry Pi's own camera, by picamera2: a small stream to watch, a full-resolution one to read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Final

import cv2

from tablesight.vision.frame import Frame, SourceError
from tablesight.vision.sources.errors import NoCamera
from tablesight.vision.sources.exposure_lock import ExposureLock
from tablesight.vision.sources.pixel_formats import to_bgr
from tablesight.vision.sources.preview import PREVIEW_WIDTH_PX, Clock, shrink

logger = getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Picamera2Settings:
    """How the camera is driven."""

    max_still_px: int = 16_500_000  # 4608 x 2592 and 4056 x 3040 fit; a 64-megapixel sensor is scaled by the ISP
    buffers: int = 3  # each full-resolution buffer of a Camera Module 3 has 36 MB of contiguous memory
    wait_s: float = 2.5  # a picture must come: the page shows a camera that hangs within five seconds
    focus_s: float = 8.0  # a sweep of the lens takes one to three seconds
    stale_pictures: int = 6  # pictures from before the question for a still, thrown away at most


SETTINGS: Final = Picamera2Settings()


def _load_picamera2() -> Any:
    try:
        from picamera2 import Picamera2
    except Exception as error:  # reason: a half-installed libcamera raises anything from ImportError to ValueError
        raise NoCamera(
            f"expected picamera2, got {type(error).__name__} ({error}): on a Raspberry Pi run "
            "'sudo apt install python3-picamera2' and make the venv with --system-site-packages"
        ) from error
    return Picamera2


class Picamera2Source:
    """Both streams run all the time, so that a still needs no switch of mode and is never older than the question.

    The lens is swept once and held; exposure and white balance are held once they have settled (`ExposureLock`).
    `load` gives the class `Picamera2`; tests give their own. Raises `NoCamera` where libcamera sees none.
    """

    def __init__(
        self,
        clock: Clock = time.monotonic,
        flicker_hz: int = 50,
        settings: Picamera2Settings = SETTINGS,
        load: Callable[[], Any] = _load_picamera2,
    ) -> None:
        self._clock = clock
        self._settings = settings
        self._lock = ExposureLock()
        self._camera: Any = None
        picamera2 = load()
        number, self._model = _first_camera(picamera2)
        try:
            self._camera = picamera2(number)
            self._configure(flicker_hz)
            self._camera.start()
            self._focus()
        except SourceError:
            self.close()
            raise
        except Exception as error:  # reason: libcamera's errors come as RuntimeError, IndexError, TimeoutError ...
            self.close()
            raise SourceError(
                f"expected the Raspberry Pi camera {self._model} to start, got {_words(error)!r}: "
                "is another program using it? Else check its ribbon cable"
            ) from error

    @property
    def name(self) -> str:
        """The sensor and the resolution of its stills."""
        width, height = self._streams["main"]["size"]
        return f"Raspberry Pi camera {self._model} ({width} x {height})"

    def preview(self) -> Frame:
        """The next picture of the small stream."""
        frame, metadata = self._capture("lores" if "lores" in self._streams else "main", fresh=False)
        preview = Frame(shrink(frame.image_bgr), frame.captured_at_s)
        controls = self._lock.update(metadata, float(cv2.mean(cv2.cvtColor(preview.image_bgr, cv2.COLOR_BGR2GRAY))[0]))
        known = {name: value for name, value in controls.items() if name in self._camera.camera_controls}
        if known:
            logger.info("exposure %s", "held" if self._lock.locked else "measured anew, the light has changed")
            self._camera.set_controls(known)
        return preview

    def still(self) -> Frame:
        """A picture at full resolution whose exposure began after this call."""
        frame, _ = self._capture("main", fresh=True)
        return frame

    def close(self) -> None:
        """Stops and lets the camera go."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        # a capture that timed out is still in the queue, and stopping would wait behind it for ever
        for step in ("cancel_all_and_flush", "stop", "close"):
            try:
                getattr(camera, step)()
            except Exception as error:  # reason: a camera that hangs must not keep us from going on
                logger.warning("closing %s: %s", self._model, error)

    def _configure(self, flicker_hz: int) -> None:
        width, height = _still_size(self._camera.sensor_resolution, self._settings.max_still_px)
        preview_height = round(height * PREVIEW_WIDTH_PX / width / 2) * 2
        configuration = self._camera.create_video_configuration(
            main={"size": (width, height), "format": "RGB888"},  # BGR in memory
            lores={"size": (PREVIEW_WIDTH_PX, preview_height), "format": "YUV420"},  # all that a Pi 4 can do there
            raw=None,
            buffer_count=self._settings.buffers,
            queue=False,
            controls=self._flicker_controls(flicker_hz),
        )
        self._camera.configure(configuration)
        # libcamera may have changed sizes and formats to what the camera can do
        given = self._camera.camera_configuration()
        self._streams = {name: given[name] for name in ("main", "lores") if given.get(name)}

    def _flicker_controls(self, flicker_hz: int) -> dict[str, Any]:
        if flicker_hz == 0 or "AeFlickerPeriod" not in self._camera.camera_controls:
            return {}
        # lamps flicker twice a cycle; libcamera: AeFlickerMode 1 is manual, the period is in microseconds
        return {"AeFlickerMode": 1, "AeFlickerPeriod": round(1_000_000 / (2 * flicker_hz))}

    def _focus(self) -> None:
        """Sweeps the lens once and holds it; without a motor nothing happens."""
        if "AfMode" not in self._camera.camera_controls:
            return
        try:
            job = self._camera.autofocus_cycle(wait=False)
            sharp = self._camera.wait(job, timeout=self._settings.focus_s)
            with self._camera.captured_request(wait=self._settings.wait_s) as request:
                position = request.get_metadata().get("LensPosition")
        except Exception as error:  # reason: a blurred picture is better than none, the setup page shows the sharpness
            logger.warning("focusing failed: %s", error)
            return
        if position is not None:
            self._camera.set_controls({"AfMode": 0, "LensPosition": position})  # libcamera: AfModeManual
        logger.info("focus %s at %s dioptres", "held" if sharp else "uncertain, held", position)

    def _capture(self, stream: str, fresh: bool) -> tuple[Frame, Mapping[str, Any]]:
        if self._camera is None:
            raise SourceError(f"the Raspberry Pi camera {self._model} is closed: open it again")
        asked_at_ns = time.monotonic_ns()
        configuration = self._streams[stream]
        try:
            for left in range(self._settings.stale_pictures, -1, -1):
                with self._camera.captured_request(wait=self._settings.wait_s) as request:
                    metadata = request.get_metadata()
                    if fresh and left and _exposed_since_ns(metadata) < asked_at_ns:
                        continue
                    array = request.make_array(stream)
                    captured_at_s = self._clock()
                    image_bgr = to_bgr(array, configuration["format"], configuration["size"])
                return Frame(image_bgr, captured_at_s), metadata
        except SourceError:
            raise
        except Exception as error:  # reason: as at the start; most of all TimeoutError when the sensor is silent
            raise SourceError(
                f"expected a picture from the Raspberry Pi camera {self._model}, got {_words(error)!r}: "
                "it is started again; if that does not help, check its ribbon cable"
            ) from error
        raise AssertionError("the last picture is always taken")


def _first_camera(picamera2: Any) -> tuple[int, str]:
    """Index and model of the first camera that is not on USB (those are better read by V4L2)."""
    for index, camera in enumerate(picamera2.global_camera_info()):
        if "/usb" not in str(camera.get("Id", "")):
            return index, str(camera.get("Model", "without a name"))
    raise NoCamera(
        "expected a Raspberry Pi camera, got none: switch the Pi off, push the ribbon cable in straight "
        "and close its latch"
    )


def _still_size(sensor_wh: tuple[int, int], max_px: int) -> tuple[int, int]:
    """The sensor's size, halved until it has at most `max_px` pixels; both sides even."""
    width, height = sensor_wh
    while width * height > max_px:
        width, height = width // 2, height // 2
    return width // 2 * 2, height // 2 * 2


def _exposed_since_ns(metadata: Mapping[str, Any]) -> int:
    """When the exposure began, nanoseconds on the kernel's monotonic clock; the end of time where it is not told."""
    ended_ns = metadata.get("SensorTimestamp")
    if ended_ns is None:
        return 2**63
    return int(ended_ns) - 1000 * int(metadata.get("ExposureTime", 0))


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
