"""From what the user wrote after `--camera` to an open camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from logging import getLogger
from pathlib import Path
from typing import Final

from tablesight.vision.frame import FrameSource, SourceError
from tablesight.vision.photo_format import describe_other, photo_format
from tablesight.vision.recording_index import is_recording
from tablesight.vision.sources.errors import NoCamera, NoCameraWanted
from tablesight.vision.sources.folder import PhotoFolderSource
from tablesight.vision.sources.pacing import PacedSource
from tablesight.vision.sources.photo_file import PhotoFileSource
from tablesight.vision.sources.picamera2_source import Picamera2Source
from tablesight.vision.sources.preview import Clock
from tablesight.vision.sources.recording import RecordingSource
from tablesight.vision.sources.snapshot import SnapshotSource, gives_snapshots
from tablesight.vision.sources.stream import StreamSource, without_password
from tablesight.vision.sources.v4l2 import V4L2Source
from tablesight.vision.sources.v4l2_nodes import v4l2_nodes
from tablesight.vision.sources.video_file import VideoFileSource

logger = getLogger(__name__)

CHOICES: Final = "auto, picamera2, v4l2:N, an address (rtsp://... or http://...), a file, a folder, simulated, or none"
FLICKER_HZ: Final = (0, 50, 60)
PI_MODEL: Final = Path("/proc/device-tree/model")
"""Where a Raspberry Pi says what it is."""


def open_source(
    spec: str,
    clock: Clock = time.monotonic,
    flicker_hz: int = 50,
    loop: bool = True,
    seed: int | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> FrameSource:
    """Opens the camera that `spec` names: one of `CHOICES`.

    `flicker_hz` is the frequency of the mains (0: leave it to the camera), `loop` says whether videos and recordings
    start anew at their end, `seed` makes the simulated table repeatable. Previews come ten a second at most; `wait` is
    how they are held back. Raises `NoCamera` when `auto` or `picamera2` finds none attached, `NoCameraWanted`
    for `none`, `SourceError` for everything else.
    """
    if flicker_hz not in FLICKER_HZ:
        raise SourceError(f"expected a mains frequency of {FLICKER_HZ} Hz, got {flicker_hz!r}")
    spec = spec.strip()
    if spec == "none":
        raise NoCameraWanted("no camera is wanted: to have one, name it with --camera")
    if spec == "simulated":
        source = _open_simulated(clock, seed, wait)  # keeps its own time
    else:
        source = PacedSource(_open(spec, clock, flicker_hz, loop), clock, wait)
    logger.info("camera: %s", source.name)
    return source


def _open(spec: str, clock: Clock, flicker_hz: int, loop: bool) -> FrameSource:
    if spec == "auto":
        return _open_auto(clock, flicker_hz)
    if spec == "picamera2":
        return Picamera2Source(clock, flicker_hz)
    if spec.startswith(("v4l2:", "/dev/video")):
        digits = spec.removeprefix("v4l2:").removeprefix("/dev/video")
        if not (digits.isascii() and digits.isdecimal()):
            raise SourceError(f"expected v4l2:N with the number of /dev/videoN, got {spec!r}")
        return V4L2Source(int(digits), clock, flicker_hz)
    if "://" in spec:
        return SnapshotSource(spec, clock) if gives_snapshots(spec) else StreamSource(spec, clock)
    return _open_path(spec, clock, loop)


def _open_auto(clock: Clock, flicker_hz: int) -> FrameSource:
    reasons: list[SourceError] = []
    try:
        return Picamera2Source(clock, flicker_hz)
    except SourceError as error:
        reasons.append(error)
    for node in v4l2_nodes():
        if not node.is_camera:
            logger.info("video%d (%s) is no camera one can read", node.number, node.name)
            continue
        try:
            return V4L2Source(node.number, clock, flicker_hz)
        except SourceError as error:
            reasons.append(error)
    # a camera that is there but does not work must not be mistaken for none
    broken = [error for error in reasons if not isinstance(error, NoCamera)]
    if broken:
        raise SourceError("; ".join(str(error) for error in broken))
    advice = "plug in a USB camera, or name another with --camera"
    if not _on_a_pi():
        logger.info("no Raspberry Pi camera: %s", reasons[0])
        raise NoCamera(f"no camera found: {advice}")
    raise NoCamera(f"no camera found: {advice}; for the Raspberry Pi's own, {reasons[0]}")


def _on_a_pi() -> bool:
    try:
        return "Raspberry Pi" in PI_MODEL.read_text(errors="replace")
    except OSError:
        return False


def _open_simulated(clock: Clock, seed: int | None, wait: Callable[[float], None]) -> FrameSource:
    from tablesight.vision.sources.simulated import SimulatedSource  # loads its fonts; only when wanted

    return SimulatedSource(seed=seed or 0, clock=clock, wait=wait)


def _open_path(spec: str, clock: Clock, loop: bool) -> FrameSource:
    path = Path(spec).expanduser()
    if not spec or not path.exists():
        raise SourceError(f"expected {CHOICES}; got {without_password(spec)!r}, and nothing of that name exists")
    if path.is_dir():
        return RecordingSource(path, clock, loop) if is_recording(path) else PhotoFolderSource(path, clock)
    if not path.is_file():
        raise SourceError(f"expected a file or folder, got {spec!r}, a device: for a USB camera use v4l2:N")
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise SourceError(
            f"expected a readable file, got {spec!r} ({(error.strerror or 'unreadable').lower()}): check its rights"
        ) from error
    if photo_format(head) is not None:
        return PhotoFileSource(path, clock)
    kind = describe_other(head)
    if head and ("text" in kind or "PDF" in kind or "SVG" in kind or "web page" in kind or "zero" in kind):
        raise SourceError(f"expected a video or a photo, got {kind} in {path.name!r}: choose another file")
    return VideoFileSource(path, clock, loop)
