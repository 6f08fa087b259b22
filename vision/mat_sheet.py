"""Mats to print: a PDF with one sheet for each seat, drawn with Pillow and OpenCV's AprilTags."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from tablesight.vision.mat_layout import MatLayout, Paper, RectMM, tag_ids
from tablesight.vision.zones import MAX_SEATS

GREY: Final = 119
"""sRGB level of the grey patch: it reflects 18 % of the light, as a photographer's grey card does."""
PRINT_DPI: Final = 200

RGB = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class MatSeat:
    """Whose mat it is: the number of the seat (from 0), the player's name and the seat's colour."""

    seat: int
    name: str
    color_rgb: RGB


def mats_pdf(seats: Sequence[MatSeat], paper: Paper, dpi: int = PRINT_DPI) -> bytes:
    """The sheets of these seats as one PDF, to be printed at 100 %. Raises ValueError without seats or for others."""
    if not 1 <= len(seats) <= MAX_SEATS:
        raise ValueError(f"expected 1 to {MAX_SEATS} seats, got {len(seats)}")
    layout = MatLayout.on(paper)
    pages = [draw_mat(layout, seat, dpi) for seat in seats]
    out = io.BytesIO()
    pages[0].save(out, "PDF", save_all=True, append_images=pages[1:], resolution=float(dpi), title="Tablesight mats")
    return out.getvalue()


def draw_mat(layout: MatLayout, seat: MatSeat, dpi: int = PRINT_DPI) -> Image.Image:
    """One sheet, RGB, `dpi` dots an inch. Raises ValueError for a seat that is none."""
    if not 0 <= seat.seat < MAX_SEATS:
        raise ValueError(f"expected a seat from 0 to {MAX_SEATS - 1}, got {seat.seat!r}")
    scale = dpi / 25.4

    def px(rect: RectMM) -> tuple[int, int, int, int]:
        left, top, right, bottom = (round(value * scale) for value in rect)
        return left, top, right, bottom

    sheet = Image.new("RGB", (round(layout.width_mm * scale), round(layout.height_mm * scale)), "white")
    draw = ImageDraw.Draw(sheet)
    line = max(1, round(0.6 * scale))
    left, top, right, bottom = px(layout.roll_area_mm())
    draw.rounded_rectangle((left, top, right - 1, bottom - 1), round(6 * scale), None, seat.color_rgb, 3 * line)
    for rect, number in zip(layout.tags_mm(), tag_ids(seat.seat), strict=True):
        x0, y0, x1, _ = px(rect)
        sheet.paste(Image.fromarray(_tag(number, x1 - x0)), (x0, y0))
    for white, grey in layout.patches_mm():
        draw.rectangle(px(white), "white", (GREY,) * 3, line)
        draw.rectangle(px(grey), (GREY,) * 3)
    _write_name(sheet, layout, seat, scale)
    return sheet


def _tag(number: int, size_px: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, size_px), dtype=np.uint8)


def _write_name(sheet: Image.Image, layout: MatLayout, seat: MatSeat, scale: float) -> None:
    """The player's name under the roll area, where no dice lie that it could be taken for a number of."""
    _, _, _, bottom = layout.roll_area_mm()
    name = "".join(letter for letter in seat.name if letter.isprintable())[:24] or f"Seat {seat.seat + 1}"
    picture = _text(name, round(5 * scale), seat.color_rgb)
    sheet.paste(picture, (sheet.width // 2 - picture.width // 2, round((bottom + 1) * scale)))
    note = _text("Print at 100 %", round(2.6 * scale), (150, 150, 150))
    x = (layout.margin_mm + layout.rim_mm) * scale
    sheet.paste(note, (round(x), round((layout.height_mm - layout.margin_mm - 3.5) * scale)))


def _text(text: str, height_px: int, color_rgb: RGB) -> Image.Image:
    """A line of text on white, in the font that comes with OpenCV: it has the letters of most languages."""
    font = cv2.FontFace("sans")
    box = cv2.getTextSize((1, 1), text, (0, height_px), font, height_px)
    width, height = max(1, box[0] + box[2] + 2), round(height_px * 1.5)
    canvas = np.full((height, width, 3), 255, np.uint8)
    cv2.putText(canvas, text, (0, height_px), color_rgb, font, height_px)
    return Image.fromarray(canvas)
