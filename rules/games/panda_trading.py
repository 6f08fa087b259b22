"""Panda Royale: trades of clear dice [PR:100-102].

Two clear dice look alike, so which of them is spent is not always known when a clear die is taken from a hand that
holds both. A `SpentClear` is one possibility: the number of spent clear dice in each hand; the game keeps them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablesight.rules.games.panda_dice import CLEAR, PINK, Kinds

SpentClear = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trade:
    """`seat` gives `give` to `other` and takes `take`. `spent`: whether a clear die taken is a spent one, if known."""

    seat: int
    give: str
    other: int
    take: str
    spent: bool | None = None


def refusal(turn: Sequence[int], hands: Sequence[Kinds], spent: SpentClear, trade: Trade) -> str | None:
    """Why the trade is illegal, or None. `turn` holds the seats still to trade, next first."""
    if not turn or turn[0] != trade.seat:
        return "not this player's turn to trade"
    if trade.other == trade.seat:
        return "trade with another player"
    own_clear = hands[trade.seat].count(CLEAR)
    if trade.give != CLEAR or own_clear == 0:
        return "only an own clear die can be given"
    if own_clear <= spent[trade.seat]:
        return "this clear die was traded this round"
    if trade.take == PINK or trade.take not in hands[trade.other]:
        return "not a die that can be taken"
    return None


def exchange(hands: Sequence[Kinds], trade: Trade) -> tuple[Kinds, ...]:
    """The hands after a legal trade."""
    changed = list(hands)
    changed[trade.seat] = (*_without(hands[trade.seat], trade.give), trade.take)
    changed[trade.other] = (*_without(hands[trade.other], trade.take), trade.give)
    return tuple(changed)


def spent_after(hands: Sequence[Kinds], spent: SpentClear, trade: Trade, taken_is_spent: bool) -> set[SpentClear]:
    """Every possibility after a legal trade; `hands` are those before it (PR-14, PR-15, PR-16)."""
    given = list(spent)
    given[trade.other] += 1
    if trade.take != CLEAR:
        return {tuple(given)}
    possible = set()
    held, held_spent = hands[trade.other].count(CLEAR), spent[trade.other]
    if held_spent and trade.spent is not False:
        moved = list(given)
        moved[trade.other] -= 1
        moved[trade.seat] += 1
        possible.add(tuple(moved))
    if held > held_spent and trade.spent is not True:
        fresh = list(given)
        fresh[trade.seat] += taken_is_spent
        possible.add(tuple(fresh))
    return possible


def _without(hand: Kinds, kind: str) -> Kinds:
    place = hand.index(kind)
    return hand[:place] + hand[place + 1 :]
