"""The colours of the players: red, green, blue, 0 to 255, as in the pages' style sheet; and who has which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

SEAT_RGB: Final[tuple[tuple[int, int, int], ...]] = (
    (0xB3, 0x26, 0x1E),
    (0x15, 0x65, 0xC0),
    (0x2E, 0x7D, 0x32),
    (0x8E, 0x24, 0xAA),
    (0xA8, 0x5B, 0x00),
    (0x00, 0x79, 0x6B),
    (0xAD, 0x14, 0x57),
    (0x45, 0x5A, 0x64),
    (0x6D, 0x4C, 0x41),
    (0x39, 0x49, 0xAB),
)


def colours_of(names: Sequence[str], liked: Mapping[str, int]) -> tuple[int, ...]:
    """The colour of each player, a place in `SEAT_RGB`, no two the same.

    `liked` has the colours that people chose, by name in lower case. A colour that an earlier player has is not given
    twice; who has none gets the first that is left, the own seat's where it can be.
    """
    wanted = [liked.get(name.casefold()) for name in names]
    given: list[int | None] = [
        colour if colour is not None and colour not in wanted[:seat] else None for seat, colour in enumerate(wanted)
    ]
    for seat, colour in enumerate(given):
        if colour is None:
            order = (seat % len(SEAT_RGB), *range(len(SEAT_RGB)))
            given[seat] = next((one for one in order if one not in given), order[0])
    return tuple(colour or 0 for colour in given)
