"""`tablesight record`: records a session that `serve --camera DIR` plays back."""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from tablesight.vision.frame import FrameSource, SourceError
from tablesight.vision.motion_gate import MotionGate
from tablesight.vision.recording import Recording, RecordingError
from tablesight.vision.sources.opening import CHOICES, FLICKER_HZ, open_source
from tablesight.vision.still_plan import StillPlan
from tablesight.vision.zones import default_zones

PROGRESS_S: Final = 1.0
"""How often the progress line is written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder for the recording")
    parser.add_argument("--camera", default="auto", help=f"{CHOICES} (default: auto)")
    parser.add_argument("--seconds", type=_positive, help="stop after so many seconds (default: at Ctrl-C)")
    parser.add_argument("--flicker", type=int, default=50, choices=FLICKER_HZ, help="mains frequency (default: 50)")


def run(args: argparse.Namespace) -> int:
    """Records until the time is over or Ctrl-C; exit status 1 where camera or disk fail."""
    try:
        source = open_source(args.camera, flicker_hz=args.flicker, loop=False)
    except SourceError as error:
        print(f"tablesight record: {error}", file=sys.stderr)
        return 1
    try:
        with _stoppable() as stopped:
            return record(source, args.folder, args.seconds, stopped)
    finally:
        source.close()


def record(
    source: FrameSource,
    folder: Path,
    seconds: float | None,
    stopped: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Records previews as they come and stills when dice have settled, until `seconds` are over or `stopped` says so.

    Returns the exit status: 1 where the camera or the disk failed; what was recorded until then is kept.
    """
    try:
        with Recording(folder, source.name) as recording:
            status = _record(source, recording, seconds, stopped, clock)
            _print_end(folder, recording)
            return status
    except RecordingError as error:
        print(f"\ntablesight record: {error}", file=sys.stderr)
        return 1


def _record(
    source: FrameSource,
    recording: Recording,
    seconds: float | None,
    stopped: Callable[[], bool],
    clock: Callable[[], float],
) -> int:
    print(f"recording {source.name}; Ctrl-C ends it", file=sys.stderr)
    gate = MotionGate(default_zones(1))
    plan = StillPlan()
    started_at_s = told_at_s = clock()
    while not stopped() and (seconds is None or clock() - started_at_s < seconds):
        try:
            frame = source.preview()
            recording.add_preview(frame)
            state = gate.update(frame.image_bgr, frame.captured_at_s)
            if plan.due(frame.captured_at_s, state.state_of(0) == "moving", bool(state.newly_settled)):
                recording.add_still(source.still())
        except SourceError as error:
            print(f"\ntablesight record: the camera stopped: {error}", file=sys.stderr)
            return 1
        if clock() - told_at_s >= PROGRESS_S:
            told_at_s = clock()
            print(f"\r{_progress(recording, told_at_s - started_at_s)}  ", end="", file=sys.stderr, flush=True)
    return 0


def _progress(recording: Recording, seconds: float) -> str:
    return (
        f"{seconds:.0f} s, {recording.previews} previews, {recording.stills} stills, "
        f"{recording.size_bytes / 1e6:.0f} MB"
    )


def _print_end(folder: Path, recording: Recording) -> None:
    print(
        f"\nrecorded {recording.previews} previews and {recording.stills} stills "
        f"({recording.size_bytes / 1e6:.1f} MB); play it with: tablesight serve --camera {folder}",
        file=sys.stderr,
    )


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not math.isfinite(value) or value <= 0:
        raise argparse.ArgumentTypeError(f"expected seconds above 0, got {text!r}: give a number such as 60")
    return value


@contextmanager
def _stoppable() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM end the recording after the picture in hand; a second one ends the program."""
    asked: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        asked.append(number)
        signal.signal(number, signal.SIG_DFL)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
