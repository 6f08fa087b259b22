"""What a seat is to roll now, and what its zone should show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tablesight.rules.games.panda_dice import BOX, CLEAR, IN_BAG, Kinds, kinds_of
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import PandaState, with_pink

TRADED: Final = 0.5
"""How often a clear die is given for another one, about: nobody knows."""


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll that is due. `kinds` is None where the new dice are not known (watching, from round 2 on).

    `event` is the type of the event that enters it.
    """

    round_number: int
    count: int
    kinds: tuple[str, ...] | None
    event: str


@dataclass(frozen=True, slots=True)
class ExpectedHand:
    """Kinds that should lie there, how many dice of unknown kinds may lie there besides or instead, and how many dice
    there are together; `of_new`: how many of those of unknown kinds are of each kind, on the mean."""

    kinds: tuple[str, ...]
    open: int
    count: int
    of_new: Mapping[str, float] = field(default_factory=dict)


def next_roll(state: PandaState, seat: int) -> Roll | None:
    """What this seat is to roll now, None where it has rolled or nothing is to be rolled."""
    if not 0 <= seat < len(state.players):
        return None
    number = state.round_number
    if state.phase == "trade" and state.watching:
        number += 1
    elif state.phase not in ("roll", "reroll") or seat not in state.current.waiting:
        return None
    if state.phase == "reroll":
        yellow = tuple(kind for kind in kinds_of(state.current.lying[seat] or ()) if is_yellow(kind))
        return Roll(number, len(yellow), yellow, "seat_rerolled")
    pink = seat in state.pity_for(number)
    known = number == 1 or not state.watching
    return Roll(number, number + pink, with_pink(state.owned[seat], pink) if known else None, "seat_rolled")


def expected_hand(state: PandaState, seat: int, roll: Roll | None, tray: bool = False) -> ExpectedHand:
    """What lies, or will lie, in the zone of a seat; in a `tray` only the dice just rolled lie.

    In a watched game the hand is the last one, one die just drafted, and for each clear die in play perhaps a trade.
    """
    lying = kinds_of(state.current.lying[seat] or ())
    if tray and roll is not None and state.phase == "reroll":
        return ExpectedHand(roll.kinds or (), 0, roll.count)
    if roll is None or state.phase == "reroll":
        return ExpectedHand(lying, 0, len(lying))
    if roll.kinds is not None:
        return ExpectedHand(roll.kinds, 0, roll.count)
    before = state.owned_before(roll.round_number)
    trades = sum(hand.count(CLEAR) for hand in before)
    kinds = with_pink(before[seat], seat in state.pity_for(roll.round_number))
    return ExpectedHand(kinds, 1 + min(trades, len(before[seat])), roll.count, newcomers(before, seat))


def newcomers(before: Sequence[Kinds], seat: int) -> dict[str, float]:
    """How many dice of each kind come to a seat between two rounds, on the mean, by what all hands held before.

    One is drafted: any of those in the bag. For each own clear die that is given, one of somebody else's comes; and
    somebody else's clear die may come for one of this seat's.
    """
    others = Counter(kind for place, kinds in enumerate(before) if place != seat for kind in kinds)
    out = others + Counter(before[seat])
    bag = Counter({kind: BOX[kind] - out[kind] for kind in IN_BAG if out[kind] < BOX[kind]})
    come = {kind: count / bag.total() for kind, count in bag.items()}
    for kind, count in others.items():
        come[kind] = come.get(kind, 0.0) + TRADED * before[seat].count(CLEAR) * count / others.total()
    come[CLEAR] = come.get(CLEAR, 0.0) + TRADED * others[CLEAR] / max(1, len(before) - 1)
    return {kind: round(count, 4) for kind, count in come.items() if count}
