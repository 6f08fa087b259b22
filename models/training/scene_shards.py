"""A shard of drawn scenes, as `make_scenes.py` writes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

HELD_OUT = ("s_000", "s_100")
"""Shards that no detector is trained on."""


def scenes_of(path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each picture the bytes of its JPEG and the boxes (n, 4) of its dice, left, top, right, bottom, pixels."""
    shard = np.load(path)
    ends, files, boxes, owners = shard["ends"], shard["files"], shard["boxes"], shard["owners"]
    starts = np.concatenate([[0], ends[:-1]])
    return [(files[a:b], boxes[owners == i]) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]
