"""Panda Royale, watching: which die was probably misread, when no story leads to the hands seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tablesight.rules.games.panda_dice import Kinds
from tablesight.rules.games.panda_stories import explain

MOST_SUSPECTS: Final = 3


@dataclass(frozen=True, slots=True)
class Suspect:
    """If this die of the seat, seen as `seen`, were a `likely`, everything would fit."""

    seat: int
    seen: str
    likely: str


def suspects(before: Sequence[Kinds], after: Sequence[Kinds]) -> tuple[Suspect, ...]:
    """The single misreadings that would explain everything, those of a seat's own lost dice first.

    A misread die looks like a new one, and the die that it is looks gone from that hand, or from the whole table.
    """
    vanished = Counter(kind for hand in before for kind in hand)
    vanished.subtract(kind for hand in after for kind in hand)
    gone_everywhere = list(+vanished)
    found: list[Suspect] = []
    for seat, (old, new) in enumerate(zip(before, after, strict=True)):
        gone = Counter(old) - Counter(new)
        for seen in Counter(new) - Counter(old):
            for likely in dict.fromkeys([*gone, *gone_everywhere]):
                place = new.index(seen)
                read = (*new[:place], likely, *new[place + 1 :])
                if explain(before, (*after[:seat], read, *after[seat + 1 :]), most=1):
                    found.append(Suspect(seat, seen, likely))
    own = [
        suspect for suspect in found if suspect.likely in Counter(before[suspect.seat]) - Counter(after[suspect.seat])
    ]
    return tuple([*own, *(suspect for suspect in found if suspect not in own)][:MOST_SUSPECTS])
