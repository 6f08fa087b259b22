"""The final score sheet as a picture to share: names, rounds, colours, totals."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from tablesight.rules.games.panda_round import winners
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.record import Record
from tablesight.webui.seat_colours import SEAT_RGB

PAPER: Final = (253, 250, 243)
INK: Final = (35, 33, 28)
SOFT: Final = (98, 93, 80)
LINE: Final = (217, 211, 196)
GOLD: Final = (201, 138, 0)
CELL_PX: Final = 84
NAME_PX: Final = 330
ROW_PX: Final = 76
EDGE_PX: Final = 40
HEAD_PX: Final = 150

Colour = tuple[int, int, int]
"""Red, green, blue."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """The picture being drawn, (height, width, 3) uint8 RGB, and its font."""

    pixels: npt.NDArray[np.uint8]
    font: cv2.FontFace


def sheet_png(record: Record, colours: Sequence[int]) -> bytes:
    """A PNG: one row a player, best first; a column a round, and the sum. `colours` by seat, places in `SEAT_RGB`."""
    state: PandaState = record.state
    rounds = [played for played in state.rounds if played.outcome]
    order = sorted(range(len(state.players)), key=lambda seat: (-state.totals[seat], seat))
    best = winners(state.totals) if rounds else ()
    width = 2 * EDGE_PX + NAME_PX + CELL_PX * (len(rounds) + 2)
    height = 2 * EDGE_PX + HEAD_PX + ROW_PX * (len(order) + 1)
    width = max(width, 760)
    draw = Canvas(np.full((height, width, 3), PAPER, np.uint8), cv2.FontFace("sans"))
    _text(draw, (EDGE_PX, EDGE_PX), "Panda Royale", 56, INK)
    ended = state.phase == "finished"
    title = " & ".join(state.players[seat] for seat in best) if ended else f"{len(rounds)} / 10"
    _text(draw, (EDGE_PX, EDGE_PX + 72), title, 38, GOLD if ended else SOFT)
    top = EDGE_PX + HEAD_PX
    for place in range(len(rounds)):
        _right(draw, EDGE_PX + NAME_PX + CELL_PX * (place + 1), top + 22, str(place + 1), 28, SOFT)
    for row, seat in enumerate(order, start=1):
        y = top + row * ROW_PX
        cv2.line(draw.pixels, (EDGE_PX, y), (width - EDGE_PX, y), LINE, 2)
        cv2.rectangle(draw.pixels, (EDGE_PX, y + 14), (EDGE_PX + 14, y + ROW_PX - 14), SEAT_RGB[colours[seat]], -1)
        _text(draw, (EDGE_PX + 30, y + 18), _fitted(draw, state.players[seat], 34, NAME_PX - 40), 34, INK)
        for place, played in enumerate(rounds):
            assert played.outcome
            value = str(played.outcome.totals[seat]).replace("-", "\u2212")
            _right(draw, EDGE_PX + NAME_PX + CELL_PX * (place + 1), y + 20, value, 30, INK)
        total = str(state.totals[seat]).replace("-", "\u2212")
        _right(draw, width - EDGE_PX - 6, y + 14, total, 42, GOLD if seat in best and ended else INK)
    out = io.BytesIO()
    Image.fromarray(draw.pixels).save(out, "PNG", optimize=True)
    return out.getvalue()


def _text(draw: Canvas, at: tuple[float, float], text: str, size: int, colour: Colour) -> None:
    """A line of text; `at` is its top left corner. OpenCV's own font has the letters of most languages."""
    cv2.putText(draw.pixels, text, (round(at[0]), round(at[1] + size * 0.9)), colour, draw.font, size)


def _right(draw: Canvas, x: float, y: float, text: str, size: int, colour: Colour) -> None:
    _text(draw, (x - _width(draw, text, size), y), text, size, colour)


def _width(draw: Canvas, text: str, size: int) -> int:
    left, _, width, _ = cv2.getTextSize((1, 1), text, (0, size), draw.font, size)
    return int(left + width)


def _fitted(draw: Canvas, name: str, size: int, width: float) -> str:
    """The name, shortened where it is too long."""
    short = name
    while len(short) > 1 and _width(draw, short if short == name else f"{short}\u2026", size) > width:
        short = short[:-1]
    return short if short == name else f"{short}\u2026"
