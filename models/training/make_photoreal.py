"""Renders photoreal tables: crops for training, held-out crops, whole hands and tables without dice.

`python models/training/make_photoreal.py --tables 240` leaves in data/photoreal: train_NNN.npz and held_NNN.npz in the
form of `make_crops.py`, and folders of pictures with labels.csv for `tablesight evaluate` (train, held, hands, empty).
A table that is there is left alone, so an interrupted run is resumed by running it again. Blender (the Python package
bpy) runs in an environment of its own: `make photoreal` makes it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from draws import DATA, random_optics, training_fonts
from photoreal.album import Album
from photoreal.crops import cut_crops
from photoreal.develop import develop, random_development
from photoreal.job import write_job
from photoreal.plan import PARTS, Part, ScenePlan, plan_scene
from photoreal.truth import scene_truth

from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import photograph

HERE = Path(__file__).resolve().parent
ORDER: tuple[Part, ...] = ("train", "held", "train", "train", "hands", "train", "held", "train")
"""Whatever the number of tables, about so many are of each part."""


class Blender:
    """The renderer, kept running; started anew now and then, since it never gives memory back."""

    def __init__(self, python: Path, jobs_per_start: int = 40) -> None:
        self._python, self._most, self._done = python, jobs_per_start, 0
        self._process: subprocess.Popen[str] | None = None

    def render(self, job: Path) -> dict[str, Any]:
        """The worker's answer; raises RuntimeError where it fails or dies."""
        if self._process is None or self._done >= self._most:
            self.close()
            self._process = subprocess.Popen(
                [str(self._python), "-m", "photoreal.blender_worker"], text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": str(HERE), "PATH": "/usr/bin:/bin", "HOME": str(DATA), "OMP_NUM_THREADS": "1"},
            )  # fmt: skip
            self._done = 0
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{job}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(
                f"expected an answer from Blender for {job}, got none: run photoreal.blender_worker by hand"
            )
        self._done += 1
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"expected Blender to render {job}, got {answer['error']}")
        return answer

    def close(self) -> None:
        """Let it end."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(60)
        self._process = None


def finish(plan: ScenePlan, job: Path, album: Album) -> int:
    """Picture, labels and crops of a rendered table; how many crops."""
    rng = np.random.default_rng([PARTS.index(plan.part), plan.number, 77])
    light = np.load(job / "light.npy")
    with np.load(job / "hulls.npz") as hulls:
        dice = scene_truth(plan, [hulls[f"die{i}"] for i in range(len(plan.dice))])
    canvas = develop(light, plan.light.white, random_development(rng))
    image = photograph(canvas.copy(), random_optics(rng, 0.8), rng)
    crops = []
    if plan.part in ("train", "held"):
        crops = cut_crops(develop(light, plan.light.white, random_development(rng)), dice, rng)
    album.add(plan.part, plan.number, image, dice, crops)
    return len(crops)


def main() -> None:
    """Render what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=240)
    parser.add_argument("--part", choices=PARTS, help="only tables of this part")
    parser.add_argument("--until", help="start no table after this time, HH:MM")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=DATA / "photoreal")
    parser.add_argument("--python", type=Path, default=DATA / "venv-bpy/bin/python", help="the one that has bpy")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = {"train": training_fonts(), "held": NumeralFonts.load()}
    album, blender = Album(args.out), Blender(args.python)
    counters = dict.fromkeys(PARTS, 0)
    for table in range(args.tables):
        part: Part = args.part or ORDER[table % len(ORDER)]
        number = counters[part]
        counters[part] += 1
        if album.has(part, number):
            continue
        if args.until is not None and time.strftime("%H:%M") >= args.until:
            break
        start = time.monotonic()
        numerals = fonts["train" if part == "train" else "held"]
        plan = plan_scene(part, number, len(numerals))
        job = args.out / "work" / plan.name
        write_job(job, plan, numerals, args.threads)
        answer = blender.render(job)
        count = finish(plan, job, album)
        shutil.rmtree(job)
        print(
            f"{table + 1}/{args.tables} {plan.name}: {len(plan.dice)} dice, {count} crops, "
            f"rendered in {answer['render_s']} s ({answer['cpu_s']} s of CPU), {time.monotonic() - start:.0f} s in all",
            flush=True,
        )
    blender.close()
    album.close()


if __name__ == "__main__":
    main()
