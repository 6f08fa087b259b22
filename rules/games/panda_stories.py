"""Panda Royale, watching: which trades and drafts lead from the hands of one round to those of the next.

Nobody types trades and drafts; the hands before and after are seen. A story is a list of trades, legal in the order of
the table, and one drafted die per seat. Three facts make the search small. Only the giver of a clear die gains by a
trade, and each clear die a player starts with can be given once, so a seat gains at most as many dice by trading as it
had clear dice (taking a fresh clear die for a clear die gains nothing). A die gained can always be taken straight from
the seat that lost it, since that seat held it all the time. And the clear dice come out right by counting. So the
fewest trades are the fewest gains, and finding them is an assignment of the drafted dice to the seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any, Final

from tablesight.rules.games.panda_dice import BOX, CLEAR, IN_BAG, Kinds

MOST_STORIES: Final = 8
IMPOSSIBLE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Take:
    """`seat` gave a clear die to `other` for `kind`."""

    seat: int
    other: int
    kind: str


@dataclass(frozen=True, slots=True)
class Story:
    """`takes` in the order of the table; `drafts[seat]` the die that the seat drew; `left` a die left in the pool.

    Which die is left goes back into the bag unseen; `left` is one that can have been it.
    """

    takes: tuple[Take, ...]
    drafts: Kinds
    left: str

    def events(self, trade_order: Sequence[int], draft_order: Sequence[int]) -> list[dict[str, Any]]:
        """The story as events of a strict game."""
        events: list[dict[str, Any]] = []
        for seat in trade_order:
            for take in self.takes:
                if take.seat == seat:
                    events.append(
                        {"type": "traded", "seat": seat, "give": CLEAR, "other": take.other, "take": take.kind}
                    )
            events.append({"type": "trading_ended", "seat": seat})
        pool = [*(self.drafts[seat] for seat in draft_order), self.left]
        events.append({"type": "pool_drawn", "dice": pool})
        events.extend({"type": "drafted", "seat": seat, "kind": self.drafts[seat]} for seat in draft_order)
        return events


def explain(
    before: Sequence[Kinds], after: Sequence[Kinds], most: int = MOST_STORIES, more_trades: int = 0
) -> tuple[Story, ...]:
    """The stories with the fewest trades (and up to `more_trades` more), fewest first, at most `most` of them.

    `before` and `after` are the dice that each seat owns, without pink ones, in seat order; every hand after has one
    die more. Empty where no legal story exists.
    """
    if any(len(new) != len(old) + 1 for old, new in zip(before, after, strict=True)):
        return ()
    drawn = drawn_dice(before, after)
    if drawn is None or any(kind not in IN_BAG for kind in drawn):
        return ()
    left = die_left(after)
    if left is None:
        return ()
    stories = _stories(before, after, drawn, left, more_trades)
    return tuple(islice(stories, most))


def drawn_dice(before: Sequence[Kinds], after: Sequence[Kinds]) -> Counter[str] | None:
    """The dice that came out of the bag between two rounds; None where a die has vanished."""
    drawn = Counter(kind for hand in after for kind in hand)
    drawn.subtract(kind for hand in before for kind in hand)
    return None if any(count < 0 for count in drawn.values()) else +drawn


def die_left(after: Sequence[Kinds]) -> str | None:
    """A kind that the bag still holds when these hands are out; None where a kind is out more often than it exists."""
    out = Counter(kind for hand in after for kind in hand)
    if any(out[kind] > BOX[kind] for kind in out):
        return None
    return max(IN_BAG, key=lambda kind: BOX[kind] - out[kind])


def gains(before: Kinds, after: Kinds, draft: str) -> Counter[str]:
    """What a seat gained by trades if it drew `draft`; clear dice are the currency and do not count."""
    gained = Counter(after)
    gained.subtract(before)
    gained[draft] -= 1
    gained[CLEAR] = 0
    return +gained


def losses(before: Kinds, after: Kinds, draft: str) -> Counter[str]:
    """What a seat lost to others' trades if it drew `draft`."""
    lost = Counter(before)
    lost.subtract(after)
    lost[draft] += 1
    lost[CLEAR] = 0
    return +lost


def draft_costs(before: Kinds, after: Kinds, drawable: Sequence[str]) -> dict[str, int]:
    """For each die the seat can have drawn: how many trades of its own explain the rest."""
    clear = before.count(CLEAR)
    costs = {kind: gains(before, after, kind).total() for kind in drawable if kind in after}
    return {kind: cost for kind, cost in costs.items() if cost <= clear}


def _stories(
    before: Sequence[Kinds], after: Sequence[Kinds], drawn: Counter[str], left: str, more_trades: int
) -> Iterator[Story]:
    kinds = tuple(kind for kind in IN_BAG if drawn[kind])
    costs = [draft_costs(old, new, kinds) for old, new in zip(before, after, strict=True)]

    @cache
    def fewest(seat: int, remaining: Kinds) -> int:
        if seat == len(costs):
            return 0
        choices = costs[seat]
        return min(
            (
                choices[kind] + fewest(seat + 1, _drop(remaining, kind))
                for kind in dict.fromkeys(remaining)
                if kind in choices
            ),
            default=IMPOSSIBLE,
        )

    def assignments(seat: int, remaining: Kinds, trades: int) -> Iterator[Kinds]:
        if seat == len(costs):
            if trades == 0:
                yield ()
            return
        for kind in dict.fromkeys(remaining):
            cost = costs[seat].get(kind, IMPOSSIBLE)
            rest = _drop(remaining, kind)
            if cost + fewest(seat + 1, rest) <= trades:
                yield from ((kind, *others) for others in assignments(seat + 1, rest, trades - cost))

    everything = tuple(drawn.elements())
    least = fewest(0, everything)
    if least >= IMPOSSIBLE:
        return
    for trades in range(least, least + more_trades + 1):
        for drafts in assignments(0, everything, trades):
            for takes in _pairings(before, after, drafts):
                yield Story(takes, drafts, left)


def _drop(kinds: Kinds, kind: str) -> Kinds:
    place = kinds.index(kind)
    return kinds[:place] + kinds[place + 1 :]


def _pairings(before: Sequence[Kinds], after: Sequence[Kinds], drafts: Kinds) -> Iterator[tuple[Take, ...]]:
    """Every way to say who took which die from whom."""
    seats = range(len(drafts))
    gained = [gains(before[seat], after[seat], drafts[seat]) for seat in seats]
    lost = [losses(before[seat], after[seat], drafts[seat]) for seat in seats]
    kinds = [kind for kind in BOX if any(hand[kind] for hand in gained)]
    per_kind = [
        tuple(
            _matchings(
                tuple((seat, gained[seat][kind]) for seat in seats if gained[seat][kind]),
                tuple((seat, lost[seat][kind]) for seat in seats if lost[seat][kind]),
                kind,
            )
        )
        for kind in kinds
    ]
    for choice in product(*per_kind):
        yield tuple(take for takes in choice for take in takes)


def _matchings(
    gainers: tuple[tuple[int, int], ...], losers: tuple[tuple[int, int], ...], kind: str
) -> Iterator[tuple[Take, ...]]:
    if not gainers:
        yield ()
        return
    (gainer, count), rest = gainers[0], gainers[1:]
    sizes = [range(min(count, available) + 1) for _, available in losers]
    for amounts in product(*sizes):
        if sum(amounts) != count:
            continue
        pairs = tuple(zip(losers, amounts, strict=True))
        takes = tuple(Take(gainer, loser, kind) for (loser, _), amount in pairs for _ in range(amount))
        left = tuple((loser, available - amount) for (loser, available), amount in pairs)
        yield from ((*takes, *others) for others in _matchings(rest, left, kind))
