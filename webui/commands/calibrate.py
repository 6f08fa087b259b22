"""`tablesight calibrate`: measures the lens of a camera in a minute, from a printed mat moved about under it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablesight.vision.frame import FrameSource, SourceError
from tablesight.vision.lens import LENSES_FILE, LensError, save_lens
from tablesight.vision.lens_study import LensStudy
from tablesight.vision.mat_layout import PAPERS_MM, MatLayout, Paper
from tablesight.vision.sources.opening import CHOICES, open_source
from tablesight.webui.commands.serve import default_data_dir

PAUSE_S: Final = 0.3
"""Between two stills: time to move the mat."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--camera", default="auto", help=f"{CHOICES} (default: auto)")
    parser.add_argument("--paper", choices=sorted(PAPERS_MM), default="a4", help="what the mat is printed on")
    parser.add_argument("--seconds", type=float, default=60, help="give up after so long (default: 60)")
    parser.add_argument("--data-dir", type=Path, default=default_data_dir(), help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    """Measures and keeps the lens; 1 and a sentence where that fails."""
    simulated = args.camera.partition(":")[0] == "simulated"
    try:
        source = _simulated(args.camera, args.paper) if simulated else open_source(args.camera, loop=False)
    except SourceError as error:
        print(f"tablesight calibrate: {error}", file=sys.stderr)
        return 1
    try:
        # the simulated table has another lens each evening
        path = None if simulated else args.data_dir.expanduser() / LENSES_FILE
        return calibrate(source, MatLayout.on(args.paper), path, args.seconds)
    finally:
        source.close()


def _simulated(spec: str, paper: Paper) -> FrameSource:
    """The simulated camera, with somebody who moves a mat about under it. Raises SourceError."""
    # imported here: a real camera does without
    from tablesight.vision.sources.simulated import SimulatedSource
    from tablesight.vision.worker.source_choice import choose_source

    source = choose_source(spec, seats=2, seed=1)
    assert isinstance(source, SimulatedSource)
    source.hold_mat(paper)
    return source


def calibrate(
    source: FrameSource,
    layout: MatLayout,
    path: Path | None,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Looks at stills of an open camera until enough views were seen, or `seconds` are over, and keeps the lens in
    `path`. The exit status."""
    study = LensStudy(layout)
    print(
        "Move one mat slowly about under the camera: into each corner of the picture, and tilted to each side.\n"
        "Hold it flat on a board or a book.",
        flush=True,
    )
    end_s = clock() + seconds
    try:
        while not study.is_complete and clock() < end_s:
            if study.look(source.still().image_bgr):
                done, wanted = study.progress
                print(f"  view {done} of {wanted}", flush=True)
            wait(PAUSE_S)
        lens = study.lens()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_lens(path, source.name, lens)
    except KeyboardInterrupt:
        print("stopped: nothing was changed")
        return 1
    except (SourceError, LensError) as error:
        print(f"tablesight calibrate: {error}", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(
            f"tablesight calibrate: the lens could not be kept in {path} ({error}): "
            "make that folder writable, or name another with --data-dir",
            file=sys.stderr,
        )
        return 1
    print(f"{source.name}: {lens.field_deg():.0f} degrees wide, lines straight again to {lens.error:.2%} of the width")
    return 0
