"""BOX: the lattice of visible dots, placements and squares [BX:22-39]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.parsing import sequence, whole
from tablesight.rules.wording import quote

GRAY: Final = "gray"
MOST_COVERED: Final = 4
SIDES: Final = range(2, 11)
FAR: Final = 100_000
"""Lattice coordinates go from -FAR to FAR."""

LONGEST_COLOUR: Final = 20
NEIGHBOURS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))

Place = tuple[int, int]
Board = Mapping[Place, str]


@dataclass(frozen=True, slots=True)
class Dot:
    """A visible dot; on a card the place is relative, and `colour` is None on a blank cell (empty dot space)."""

    x: int
    y: int
    colour: str | None


Card = tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """A card tried: `why` in words, and the board after it where it is legal."""

    legal: bool
    why: str
    board: dict[Place, str] | None


@dataclass(frozen=True, slots=True)
class Square:
    """A square by its least corner and its side in dots, both corners counted; worth its side."""

    x: int
    y: int
    side: int


def place_card(board: Board, card: Card, x: int, y: int, blank_covers: bool = True) -> Placement:
    """A card laid with its origin at (x, y): it covers 1 to 4 dots, or none and is next to one (BX-04 to BX-07)."""
    cells = {(x + dot.x, y + dot.y): dot.colour for dot in card}
    opaque = {place: colour for place, colour in cells.items() if blank_covers or colour is not None}
    covered = sum(place in board for place in opaque)
    if covered > MOST_COVERED:
        return Placement(False, f"covers {covered}", None)
    if covered == 0 and not any(colour is not None and _next_to(board, place) for place, colour in cells.items()):
        return Placement(False, "touches no dot", None)
    after = {place: colour for place, colour in board.items() if place not in opaque}
    after.update((place, colour) for place, colour in cells.items() if colour is not None)
    return Placement(True, f"covers {covered}" if covered else "next to", after)


def _next_to(board: Board, place: Place) -> bool:
    return any((place[0] + dx, place[1] + dy) in board for dx, dy in NEIGHBOURS)


def turned(card: Card, quarter_turns: int) -> Card:
    """The card turned clockwise (y grows downwards) about its origin."""
    for _ in range(quarter_turns % 4):
        card = tuple(Dot(-dot.y, dot.x, dot.colour) for dot in card)
    return card


def squares(board: Board, colour: str) -> tuple[Square, ...]:
    """Every axis-parallel square with four corners of this colour, sides 2 to 10, in order of (x, y, side)."""
    corners = {place for place, shown in board.items() if shown == colour}
    found = []
    for x, y in sorted(corners):
        for side in SIDES:
            far = side - 1
            if {(x + far, y), (x, y + far), (x + far, y + far)} <= corners:
                found.append(Square(x, y, side))
    return tuple(found)


def score_squares(found: Iterable[Square]) -> int:
    """1 point for each dot place on a side."""
    return sum(square.side for square in found)


def colours_of(board: Board) -> tuple[str, ...]:
    """The colours that can score, in the order in which they appear; gray is nobody's (BX-13)."""
    return tuple(dict.fromkeys(colour for colour in board.values() if colour != GRAY))


def read_colour(value: object, what: str) -> str:
    """The name of a colour: one word."""
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_COLOUR or not value.isalpha():
        raise IllegalEvent(f"{what}: expected the name of a colour, one word, got {quote(value)}")
    return value.lower()


def read_coordinate(value: object, what: str) -> int:
    """A place on the lattice; 2.0 is 2."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= FAR:
        value = int(value)
    return whole(value, what, -FAR, FAR)


def read_board(data: object, what: str, most: int = 2000) -> dict[Place, str]:
    """A list of `[x, y, colour]`, each place once."""
    board: dict[Place, str] = {}
    for index, entry in enumerate(sequence(data, what, 0, most)):
        where = f"{what}[{index}]"
        x, y, colour = sequence(entry, where, 3, 3)
        place = (read_coordinate(x, f"{where}[0]"), read_coordinate(y, f"{where}[1]"))
        if place in board:
            raise IllegalEvent(f"{where}: expected each place once, got {place} twice")
        board[place] = read_colour(colour, f"{where}[2]")
    return board


def read_card(data: object, what: str) -> Card:
    """A list of `[dx, dy, colour or null]`, each cell once, at least one of them a dot."""
    cells = [sequence(entry, f"{what}[{index}]", 3, 3) for index, entry in enumerate(sequence(data, what, 1, 100))]
    card = tuple(
        Dot(
            read_coordinate(x, f"{what}[{index}][0]"),
            read_coordinate(y, f"{what}[{index}][1]"),
            None if colour is None else read_colour(colour, f"{what}[{index}][2]"),
        )
        for index, (x, y, colour) in enumerate(cells)
    )
    if len({(dot.x, dot.y) for dot in card}) < len(card):
        raise IllegalEvent(f"{what}: expected each cell once, got {quote(data)}")
    return card


def on_lattice(at: object) -> bool:
    """Whether a position, a list of two numbers, falls on the lattice (BX-01). Raises IllegalEvent for other values."""
    pair = sequence(at, "at", 2, 2)
    for value in pair:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= FAR:
            raise IllegalEvent(f"at: expected two numbers from {-FAR} to {FAR}, got {quote(at)}")
    return all(float(value).is_integer() for value in pair)


def board_json(board: Board) -> list[list[object]]:
    """The dots sorted by place."""
    return [[x, y, board[x, y]] for x, y in sorted(board)]
