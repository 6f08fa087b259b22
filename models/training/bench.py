"""How quick the models are beside well-known detectors, in one run: `python models/training/bench.py`.

Finding and reading ten dice in a still of 2304 x 1296 px is timed against one pass of YOLOv8n and of YOLO11n at 640 px,
with 1 and 2 threads, the runs taken in turn. With `--references DIR` (yolov8n.onnx, yolo11n.onnx) those are used; else
they are made with random weights, for their speed alone, in an environment outside of this folder that is thrown away
(`bench_references.py`). At the end: the most memory that the camera process took.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort
from bench_memory import peak_of_camera_process
from bench_references import NAMES, make_references

from tablesight.vision.detector import DiceDetector
from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo_reader import PhotoReader
from tablesight.vision.reader import DiceReader, ReaderSettings
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.table_reader import TableReader
from tablesight.vision.zones import default_zones

HANDS = {
    0: ["yellow-d6", "yellow-d8", "blue-d6", "blue-d8", "purple-d12"],
    1: ["red-d6", "red-d8", "clear-d6", "green-d20", "pink-d12"],
}
FIRST_READING = ReaderSettings(turns_rad=(), small_turns_rad=(), sure=0.0)
"""Every die looked at once (a six or nine of a d12 or d20 still twice)."""


@dataclass(frozen=True, slots=True)
class Stills:
    """A table with ten dice as a still (1296, 2304, 3) and at 12 megapixels (2592, 4608, 3), and without dice."""

    still_bgr: ImageBGR
    large_bgr: ImageBGR
    empty_bgr: ImageBGR


def draw_stills(seed: int) -> Stills:
    """The simulated table of this seed."""
    clock = [0.0]
    table = SimulatedSource(seed=seed, seats=2, clock=lambda: clock[0], wait=None)
    empty = table.still().image_bgr
    clock[0] = table.throw(HANDS) + 1.0
    still = table.still().image_bgr
    moment, setting = table.moment(), table.setting
    large = replace(setting, still_camera=setting.still_camera.resized(4608))
    return Stills(still, TableCamera(large, NumeralFonts.load(), seed).still(moment), empty)


def reference(path: Path, threads: int) -> Callable[[], object]:
    """One pass of a detector on a picture of 640 px."""
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # as our own
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    picture = np.random.default_rng(0).random((1, 3, 640, 640), np.float32)
    name = session.get_inputs()[0].name
    return lambda: session.run(None, {name: picture})


def tasks(
    stills: Stills, references: dict[str, Path], threads: int, models_folder: Path | None = None
) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    detector, models = DiceDetector.load(models_folder, threads), DiceReader.load(models_folder, threads)
    photos = PhotoReader.load(models_folder, threads)
    zones = default_zones(2)

    def table(settings: ReaderSettings) -> Callable[[], object]:
        reader = DiceReader.load(models_folder, threads)
        reader.settings = settings
        looker = TableReader(detector, reader)
        looker.look(stills.still_bgr, zones, (0, 1))  # it learns how large the dice are
        return lambda: looker.look(stills.still_bgr, zones, (0, 1))

    def finding() -> Callable[[], object]:
        looker = TableReader(detector, models)
        known = [die for few in looker.look(stills.still_bgr, zones, (0, 1)).dice.values() for die in few]
        return lambda: looker.look(stills.still_bgr, zones, (0, 1), known)  # dice that are known are not read

    named: dict[str, Callable[[], object]] = {name: reference(path, threads) for name, path in references.items()}
    return {
        **named,
        "finding ten dice": finding(),
        "finding and first reading": table(FIRST_READING),
        "the same, doubtful dice read again": table(models.settings),
        "as a photo (all sizes of dice)": lambda: photos.read(stills.still_bgr),
        "photo of 12 megapixels": lambda: photos.read(stills.large_bgr),
    }


def timed(tasks: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The best of so many runs of each, milliseconds; each round runs all of them, so that others on the same machine
    disturb all alike."""
    best = dict.fromkeys(tasks, float("inf"))
    for task in tasks.values():
        task()
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best[name], (time.perf_counter() - start) * 1e3)
    return best


def main() -> None:
    """Time, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--references", type=Path, help="a folder with yolov8n.onnx and yolo11n.onnx")
    parser.add_argument("--no-references", action="store_true", help="only our own models; no ratios")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument(
        "--models", type=Path, help="the models of this folder (the memory is that with the installed ones)"
    )
    parser.add_argument("--no-memory", action="store_true", help="do not run the camera process")
    args = parser.parse_args()
    stills = draw_stills(args.seed)
    with tempfile.TemporaryDirectory(prefix="tablesight-bench-") as folder:
        paths: dict[str, Path] = {}
        if not args.no_references:
            place = args.references or make_references(Path(folder))
            paths = {f"one pass of {title}": place / f"{name}.onnx" for name, title in NAMES.items()}
        for threads in args.threads:
            cv2.setNumThreads(threads)
            times = timed(tasks(stills, paths, threads, args.models), args.rounds)
            print(f"\n{threads} thread{'s' if threads > 1 else ''}, best of {args.rounds}:")
            for name, ms in times.items():
                ratios = "".join(f"{ms / times[key]:9.2f} x {key.split()[-1]}" for key in paths)
                print(f"  {name:<38}{ms:8.1f} ms{ratios}")
    if not args.no_memory:
        for title, image in (("2304 x 1296", stills.still_bgr), ("4608 x 2592", stills.large_bgr)):
            peak = peak_of_camera_process(stills.empty_bgr, image)
            print(
                f"\ncamera process, stills of {title}: at most {peak.most_mb:.0f} MB, {peak.readings} readings",
                flush=True,
            )


if __name__ == "__main__":
    main()
