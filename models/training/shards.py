"""Shards of training pictures: arrays in one file, written whole or not at all, so that an interrupted run resumes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

HELD_OUT = ("s_000", "s_100")
"""Shards of scenes that no detector is trained on."""


def write_shard(path: Path, **arrays: np.ndarray) -> None:
    """NAME.npz."""
    part = path.with_suffix(".part")
    with part.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]  # the stub takes `allow_pickle` for one of the arrays
    os.replace(part, path)


def scenes_of(path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each picture that `make_scenes.py` wrote the bytes of its JPEG and the boxes (n, 4) of its dice, left, top,
    right, bottom, pixels."""
    shard = np.load(path)
    ends, files, boxes, owners = shard["ends"], shard["files"], shard["boxes"], shard["owners"]
    starts = np.concatenate([[0], ends[:-1]])
    return [(files[a:b], boxes[owners == i]) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]
