"""Panda Royale: what the dice of one round decide [PR:62-106]: token, pity, trade order, draft order, scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablesight.rules.games.panda_dice import LAST_ROUND, Hand
from tablesight.rules.games.panda_scoring import Score, score_hand, yellow_sum

Seats = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a finished round. In round 10 the token is None and the three orders are empty (PR-08)."""

    scores: tuple[Score, ...]
    token: int | None
    pity: Seats
    trade_order: Seats
    draft_order: Seats

    @property
    def totals(self) -> tuple[int, ...]:
        """The total of each seat."""
        return tuple(score.total for score in self.scores)


def leaders(hands: Sequence[Hand], contenders: Sequence[int]) -> Seats:
    """The contenders with the highest yellow sum."""
    sums = {seat: yellow_sum(hands[seat]) for seat in contenders}
    best = max(sums.values())
    return tuple(seat for seat in contenders if sums[seat] == best)


def contenders_after(layers: Sequence[Sequence[Hand]], only_tied_reroll: bool) -> Seats:
    """The seats that lead after the first roll and each re-roll; more than one is a tie (PR-01, PR-04).

    `layers` holds the hands of all seats as they lay after the first roll and after each complete re-roll. By the
    house rule only those tied compete on; by the rulebook everybody does.
    """
    everybody = range(len(layers[0]))
    if not only_tied_reroll:
        return leaders(layers[-1], everybody)
    seats: Seats = tuple(everybody)
    for hands in layers:
        seats = leaders(hands, seats)
    return seats


def pity_order(totals: Sequence[int], token: int, pink_dice: int) -> Seats:
    """The seats that take a pink die: lowest total first, ties counter-clockwise from the token (PR-10, PR-11)."""
    seats = range(len(totals))
    return tuple(sorted(seats, key=lambda seat: (totals[seat], (token - 1 - seat) % len(totals)))[:pink_dice])


def trade_order(token: int, players: int) -> Seats:
    """Clockwise from the token's left; the holder is last [PR:102]."""
    return tuple((token + 1 + step) % players for step in range(players))


def draft_order(yellows: Sequence[int], token: int) -> Seats:
    """Highest yellow score first, ties clockwise from the token [PR:106]."""
    seats = range(len(yellows))
    return tuple(sorted(seats, key=lambda seat: (-yellows[seat], (seat - token) % len(yellows))))


def settle(hands: Sequence[Hand], round_number: int, token: int, pink_dice: int) -> Outcome:
    """The results of a round from the dice as they finally lie; `token` is the seat that leads in yellow."""
    scores = tuple(score_hand(hand) for hand in hands)
    if round_number == LAST_ROUND:
        return Outcome(scores, None, (), (), ())
    totals = tuple(score.total for score in scores)
    yellows = tuple(score.yellow for score in scores)
    return Outcome(
        scores,
        token,
        pity_order(totals, token, pink_dice),
        trade_order(token, len(hands)),
        draft_order(yellows, token),
    )


def token_after_tie(tied: Sequence[int], before: int | None, players: int) -> int:
    """Who holds the token when a correction leaves an old tie that can no longer be rolled again.

    The first of the tied, clockwise from the last holder (himself first); the rulebook knows no such case.
    """
    return min(tied, key=lambda seat: (seat - (before or 0)) % players)


def winners(totals: Sequence[int]) -> Seats:
    """The seats with the highest total: ties share the win [PR:110]."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))
