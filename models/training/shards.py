"""Shards of training pictures: arrays in one file, written whole or not at all, so that an interrupted run resumes."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np
from draws import DATA

HELD_OUT = ("s_000", "s_100")
"""Shards of scenes that no detector is trained on."""


def write_shard(path: Path, **arrays: np.ndarray) -> None:
    """NAME.npz."""
    part = path.with_suffix(".part")
    with part.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]  # the stub takes `allow_pickle` for one of the arrays
    os.replace(part, path)


Draw = Callable[[np.random.Generator, int, str], Mapping[str, np.ndarray]]
"""Draws a shard of so many pictures, showing how far it is by this name."""


def draw_shards(name: str, first_seed: int, shards: int, size: int, draw: Draw, about: str | None) -> None:
    """The command that writes data/NAME/s_NNN.npz, each seeded by its number."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--shards", type=int, default=shards)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--size", type=int, default=size)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    folder = DATA / name
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(args.first, args.first + args.shards):
        path = folder / f"s_{shard:03d}.npz"
        if path.exists():
            continue
        start = time.monotonic()
        write_shard(path, **draw(np.random.default_rng(first_seed + shard), args.size, path.name))
        print(f"{path.name}: {args.size} in {time.monotonic() - start:.0f} s", flush=True)


def scenes_of(path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each picture that `make_scenes.py` wrote the bytes of its JPEG and the boxes (n, 4) of its dice, left, top,
    right, bottom, pixels."""
    shard = np.load(path)
    ends, files, boxes, owners = shard["ends"], shard["files"], shard["boxes"], shard["owners"]
    starts = np.concatenate([[0], ends[:-1]])
    return [(files[a:b], boxes[owners == i]) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]
