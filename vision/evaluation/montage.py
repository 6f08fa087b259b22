"""A picture of the dice that were read wrong, the surest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tablesight.vision.evaluation.outcome import DieOutcome, FolderOutcome
from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.reading import BoxXYXY


@dataclass(frozen=True, slots=True)
class MontageStyle:
    """Sizes in pixels."""

    tile_px: int = 180
    caption_px: int = 44
    columns: int = 6
    margin: float = 1.4  # of the crop to the box: some of the table helps to understand the light


STYLE: Final = MontageStyle()
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


def worst_reads(folders: Sequence[FolderOutcome], count: int = 36) -> list[DieOutcome]:
    """The dice whose face was read wrong in the given box, the most confident first."""
    wrong = [die for folder in folders for die in folder.dice if die.face_right is False]
    return sorted(wrong, key=lambda die: -die.given_box.confidence if die.given_box else 0.0)[:count]


def draw_montage(dice: Sequence[DieOutcome], style: MontageStyle = STYLE) -> ImageBGR | None:
    """One tile for each die with what was read and what is true; None for no dice. Shape (height, width, 3)."""
    tiles = [tile for die in dice if (tile := _tile(die, style)) is not None]
    if not tiles:
        return None
    while len(tiles) % style.columns:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[i : i + style.columns]) for i in range(0, len(tiles), style.columns)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(die: DieOutcome, style: MontageStyle) -> ImageBGR | None:
    box, reading = die.label.box_xyxy_px, die.given_box
    if box is None or reading is None:
        return None
    try:
        picture = _crop(decode_photo(die.photo), box, style)
    except PhotoError:
        return None
    tile: ImageBGR = np.full((style.tile_px + style.caption_px, style.tile_px, 3), 255, np.uint8)
    tile[: style.tile_px] = picture
    cv2.rectangle(tile, (0, 0), (style.tile_px - 1, tile.shape[0] - 1), (160, 160, 160), 1)
    lines = (
        f"d{reading.sides} {reading.face} for {die.label.face}, {100 * reading.confidence:.0f} %",
        f"{die.photo.parent.name[:14]} {die.photo.stem}"[:26],
    )
    for line, (baseline, scale) in zip(lines, ((16, 0.45), (34, 0.34)), strict=True):
        origin = (4, style.tile_px + baseline)
        cv2.putText(tile, line, origin, _FONT, scale, (20, 20, 20), 1, cv2.LINE_AA)
    return tile


def _crop(image_bgr: ImageBGR, box_xyxy_px: BoxXYXY, style: MontageStyle) -> ImageBGR:
    x0, y0, x1, y1 = box_xyxy_px
    side = max(x1 - x0, y1 - y0) * style.margin
    scale = style.tile_px / side
    matrix = np.array(
        [
            [scale, 0, style.tile_px / 2 - scale * (x0 + x1) / 2],
            [0, scale, style.tile_px / 2 - scale * (y0 + y1) / 2],
        ]
    )
    if scale < 0.5:
        # INTER_AREA does not work in warps: average first
        image_bgr = np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), 0.4 / scale), np.uint8)
    return np.asarray(cv2.warpAffine(image_bgr, matrix, (style.tile_px, style.tile_px)), np.uint8)
