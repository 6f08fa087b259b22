"""Smooth random fields, drawn once and cut from thereafter."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]
_TILE_PX = 512
_SHEET_PX = 2 * _TILE_PX


@cache
def _sheet(scale_px: int) -> Field:
    rng = np.random.default_rng(scale_px)
    cells = max(4, _TILE_PX // scale_px)
    coarse = rng.random((cells, cells)).astype(np.float32)
    tile = cv2.resize(coarse, (_TILE_PX, _TILE_PX), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    sheet: Field = np.block([[tile, tile[:, ::-1]], [tile[::-1], tile[::-1, ::-1]]])  # mirrored: repeats without a seam
    return sheet


def smooth_noise(height: int, width: int, scale_px: float, rng: np.random.Generator) -> Field:
    """A field (height, width), float32 around 0 to 1, whose bumps are about `scale_px` wide."""
    step = float(np.clip(scale_px, 1, 128))
    source = _sheet(int(2 ** round(np.log2(step))))
    zoom = step / 2 ** round(np.log2(step))
    need_h, need_w = int(np.ceil(height / zoom)), int(np.ceil(width / zoom))
    if need_h > _SHEET_PX or need_w > _SHEET_PX:
        source = np.tile(source, (need_h // _SHEET_PX + 2, need_w // _SHEET_PX + 2))
    y = int(rng.integers(source.shape[0] - need_h + 1))
    x = int(rng.integers(source.shape[1] - need_w + 1))
    cut = source[y : y + need_h, x : x + need_w]
    if rng.random() < 0.5:
        cut = cut[:, ::-1]
    if (need_h, need_w) != (height, width):
        cut = np.asarray(cv2.resize(cut, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.ascontiguousarray(cut, np.float32)
