"""Flat things with print on them that lie on game tables and are no dice: sheets, cards, tiles, tokens, keys, dials."""

from __future__ import annotations

import string
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from tablesight.vision.frame import ImageBGR

Color = tuple[int, int, int]
_FOLDER: Final = Path("/usr/share/fonts/truetype")


class Pen:
    """Draws on a picture with random fonts and colours."""

    def __init__(self, width: int, height: int, paper: Color, rng: np.random.Generator) -> None:
        self.image = Image.new("RGB", (width, height), paper)
        self.draw = ImageDraw.Draw(self.image)
        self.rng = rng
        fonts = sorted(path for path in _FOLDER.rglob("*.ttf") if "emoji" not in path.name.lower())
        self._font = str(fonts[int(rng.integers(len(fonts)))]) if fonts else None

    def text(self, place: tuple[float, float], text: str, height: float, color: Color, middle: bool = True) -> None:
        """Text whose letters are about so high."""
        size = max(6, int(height * 1.35))
        font = ImageFont.truetype(self._font, size) if self._font else ImageFont.load_default(size)
        self.draw.text(place, text, color, font, anchor="mm" if middle else "lm")

    def bgr(self) -> ImageBGR:
        """The picture so far."""
        return np.ascontiguousarray(np.asarray(self.image, np.uint8)[..., ::-1])


def _light(rng: np.random.Generator) -> Color:
    r, g, b = (int(v) for v in rng.integers(190, 256, 3))
    return r, g, b


def _strong(rng: np.random.Generator) -> Color:
    r, g, b = (int(v) for v in rng.integers(0, 200, 3))
    return r, g, b


def score_sheet(rng: np.random.Generator) -> ImageBGR:
    """A ruled table of names and numbers."""
    pen = Pen(900, 1200, _light(rng), rng)
    ink, columns, rows = _strong(rng), int(rng.integers(3, 9)), int(rng.integers(6, 18))
    pen.text((450, 60), "".join(rng.choice(list(string.ascii_uppercase), 9)), 50, ink)
    for i in range(columns + 1):
        x = 40 + i * 820 / columns
        pen.draw.line((x, 130, x, 1160), ink, 3)
    for j in range(rows + 1):
        y = 130 + j * 1030 / rows
        pen.draw.line((40, y, 860, y), ink, 3)
        for i in range(columns):
            if j < rows and rng.random() < 0.7:
                pen.text((40 + (i + 0.5) * 820 / columns, y + 515 / rows), str(rng.integers(0, 140)), 400 / rows, ink)
    return pen.bgr()


def calendar(rng: np.random.Generator) -> ImageBGR:
    """The days of a month, each in its square."""
    pen = Pen(1000, 900, _light(rng), rng)
    ink = _strong(rng)
    for day in range(1, 32):
        x, y = 90 + (day - 1) % 7 * 135, 180 + (day - 1) // 7 * 140
        if rng.random() < 0.2:
            pen.draw.rectangle((x - 58, y - 58, x + 58, y + 58), _light(rng))
        pen.draw.rectangle((x - 60, y - 60, x + 60, y + 60), outline=ink, width=3)
        pen.text((x, y), str(day), 60, ink)
    return pen.bgr()


def playing_cards(rng: np.random.Generator) -> ImageBGR:
    """A row of cards: large numbers, or marks in the corners."""
    pen = Pen(1200, 620, _strong(rng), rng)
    for i in range(5):
        paper = _light(rng) if rng.random() < 0.6 else _strong(rng)
        ink = _strong(rng) if sum(paper) > 380 else _light(rng)
        left = 20 + i * 236
        pen.draw.rounded_rectangle((left, 100, left + 216, 500), 18, paper)
        number = str(rng.integers(1, 14))
        pen.text((left + 108, 300), number, 130, ink)
        pen.text((left + 30, 135), number, 34, ink)
        pen.text((left + 186, 465), number, 34, ink)
        if rng.random() < 0.5:
            pen.draw.ellipse((left + 20, 210, left + 196, 390), outline=ink, width=6)
    return pen.bgr()


def letter_tiles(rng: np.random.Generator) -> ImageBGR:
    """Wooden letter tiles with a small number each, strewn."""
    pen = Pen(1000, 800, (150, 120, 80), rng)
    for _ in range(int(rng.integers(4, 18))):
        x, y = rng.uniform(60, 940), rng.uniform(60, 740)
        pen.draw.rounded_rectangle((x - 48, y - 48, x + 48, y + 48), 8, (228, 205, 160), (120, 90, 50), 3)
        pen.text((x, y), string.ascii_uppercase[int(rng.integers(26))], 55, (30, 25, 20))
        pen.text((x + 32, y + 32), str(rng.integers(1, 11)), 16, (30, 25, 20))
    return pen.bgr()


def number_tokens(rng: np.random.Generator) -> ImageBGR:
    """Round tokens with numbers, as on island boards, and coins."""
    pen = Pen(1000, 800, _strong(rng), rng)
    for _ in range(int(rng.integers(4, 16))):
        x, y, r = rng.uniform(70, 930), rng.uniform(70, 730), rng.uniform(35, 70)
        paper = _light(rng)
        pen.draw.ellipse((x - r, y - r, x + r, y + r), paper, _strong(rng), 4)
        pen.text((x, y), str(rng.integers(1, 101)), r * 0.8, _strong(rng))
    return pen.bgr()


def keypad(rng: np.random.Generator) -> ImageBGR:
    """A telephone's, calculator's or keyboard's keys."""
    back, key = _strong(rng), _light(rng)
    pen = Pen(800, 1000, back, rng)
    across, down = int(rng.integers(3, 8)), int(rng.integers(4, 8))
    size = min(700 / across, 850 / down)
    keys = "123456789*0#+-=/" + string.ascii_uppercase
    for j in range(down):
        for i in range(across):
            x, y = 60 + (i + 0.5) * size, 100 + (j + 0.5) * size
            box = (x - size * 0.42, y - size * 0.42, x + size * 0.42, y + size * 0.42)
            pen.draw.rounded_rectangle(box, size * 0.1, key, (0, 0, 0), 2)
            pen.text((x, y), keys[(j * across + i) % len(keys)], size * 0.4, _strong(rng))
    return pen.bgr()


def telephone(rng: np.random.Generator) -> ImageBGR:
    """A phone's screen: the time, icons with numbers."""
    pen = Pen(560, 1150, (14, 14, 16), rng)
    pen.draw.rounded_rectangle((18, 18, 542, 1132), 40, _strong(rng))
    pen.text((280, 220), f"{rng.integers(24):02d}:{rng.integers(60):02d}", 110, _light(rng))
    for i in range(int(rng.integers(0, 20))):
        x, y = 95 + i % 4 * 123, 430 + i // 4 * 130
        pen.draw.rounded_rectangle((x - 45, y - 45, x + 45, y + 45), 20, _light(rng))
        pen.text((x, y), string.ascii_letters[int(rng.integers(52))], 45, _strong(rng))
        if rng.random() < 0.3:
            pen.draw.ellipse((x + 22, y - 62, x + 62, y - 22), (220, 30, 30))
            pen.text((x + 42, y - 42), str(rng.integers(1, 30)), 20, (255, 255, 255))
    return pen.bgr()


def clock(rng: np.random.Generator) -> ImageBGR:
    """A dial with hands."""
    pen = Pen(800, 800, _strong(rng), rng)
    ink = _strong(rng)
    pen.draw.ellipse((40, 40, 760, 760), _light(rng), ink, 14)
    for hour in range(1, 13):
        angle = hour * np.pi / 6
        pen.text((400 + 290 * np.sin(angle), 400 - 290 * np.cos(angle)), str(hour), 60, ink)
    for length, width in ((180, 16), (270, 9)):
        angle = rng.uniform(0, 2 * np.pi)
        pen.draw.line((400, 400, 400 + length * np.sin(angle), 400 - length * np.cos(angle)), ink, width)
    return pen.bgr()


def rules(rng: np.random.Generator) -> ImageBGR:
    """A page of text with headings, numbers and coloured boxes."""
    pen = Pen(900, 1200, _light(rng), rng)
    ink = _strong(rng)
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(40, 600), rng.uniform(60, 900)
        pen.draw.rectangle((x, y, x + rng.uniform(80, 260), y + rng.uniform(60, 240)), _light(rng), ink, 4)
    y = 70.0
    while y < 1150:
        height = float(rng.choice([18, 18, 18, 22, 46]))
        letters = list(string.ascii_lowercase + "0123456789")
        words = ["".join(rng.choice(letters, int(rng.integers(1, 9)))) for _ in range(9)]
        pen.text((50, y), " ".join(words)[: int(900 / height)], height, ink, middle=False)
        y += height * 2
    return pen.bgr()


def board(rng: np.random.Generator) -> ImageBGR:
    """A game board: squares in two colours, some with numbers."""
    side = int(rng.integers(5, 11))
    pen = Pen(1000, 1000, _light(rng), rng)
    dark, step = _strong(rng), 1000 / side
    for i in range(side):
        for j in range(side):
            if (i + j) % 2:
                pen.draw.rectangle((i * step, j * step, (i + 1) * step, (j + 1) * step), dark)
            if rng.random() < 0.35:
                ink = _light(rng) if (i + j) % 2 else _strong(rng)
                pen.text(((i + 0.5) * step, (j + 0.5) * step), str(rng.integers(1, 101)), step * 0.35, ink)
    return pen.bgr()


SHEETS: Final[tuple[Callable[[np.random.Generator], ImageBGR], ...]] = (
    score_sheet, calendar, playing_cards, letter_tiles, number_tokens, keypad, telephone, clock, rules, board,
)  # fmt: skip


def lay_sheet(canvas_bgr: npt.NDArray[np.float32], sheet_bgr: ImageBGR, light: float, rng: np.random.Generator) -> None:
    """Lays a sheet on the picture (changed in place), turned and seen a little from the side, with its shadow."""
    height, width = canvas_bgr.shape[:2]
    h, w = sheet_bgr.shape[:2]
    scale = rng.uniform(0.25, 0.9) * height / max(h, w)
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 * scale @ turn.T
    corners *= (1, rng.uniform(0.65, 1))
    corners += rng.normal(0, 0.02, (4, 2)) * height + (rng.uniform(0.2, 0.8) * width, rng.uniform(0.25, 0.75) * height)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    homography = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    if scale < 0.7:
        sheet_bgr = np.asarray(cv2.GaussianBlur(sheet_bgr, (0, 0), 0.4 / scale), np.uint8)
    laid = cv2.warpPerspective(sheet_bgr, homography, (width, height)).astype(np.float32)
    mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), homography, (width, height)).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(np.roll(mask, (4, 6), (0, 1)), (0, 0), 5)
    canvas_bgr *= 1 - 0.35 * shadow[..., None]
    canvas_bgr += (laid * light - canvas_bgr) * mask[..., None]
