"""Who will win? The rest of the game played many times by chance, all games at once.

What is not modelled: trades, and players who choose well (everybody draws at random). A red face is as often minus as
plus, since the print of the faces is not given (PR-23).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.rules.games.panda_dice import BOX, IN_BAG, LAST_ROUND, PINK, SIDES, pink_dice, without_pink
from tablesight.rules.games.panda_state import PandaState

Whole = npt.NDArray[np.int64]

KINDS: Final = tuple(kind for kind in BOX if kind != PINK)
"""The order of the columns of a hand; the pink die is kept apart."""
COLUMN: Final = {kind: place for place, kind in enumerate(KINDS)}
COLUMN_SIDES: Final = np.array([SIDES[kind] for kind in KINDS])
BAG: Final = np.array([BOX[kind] if kind in IN_BAG else 0 for kind in KINDS])
GLITTER: Final = COLUMN["glitter-d6"]


def _columns(color: str) -> list[int]:
    return [place for kind, place in COLUMN.items() if kind.startswith(color)]


YELLOW, PURPLE, BLUE = _columns("yellow"), _columns("purple"), [*_columns("blue"), GLITTER]
RED, PLAIN = _columns("red"), [*_columns("green"), *_columns("clear")]
MOST_REROLLS: Final = 30


@dataclass(frozen=True, slots=True)
class Rolled:
    """Sums of the faces of each kind, (games, seats, 12); red faces with their sign."""

    sums: Whole

    def yellow(self) -> Whole:
        """Yellow score, (games, seats)."""
        return np.asarray(self.sums[..., YELLOW].sum(-1))


def roll(hands: Whole, rng: np.random.Generator) -> Rolled:
    """Rolls every die: `hands` counts the dice of each kind, (games, seats, 12)."""
    sums = np.zeros_like(hands)
    for column, sides in enumerate(COLUMN_SIDES):
        counts = hands[..., column]
        most = int(counts.max(initial=0))
        if most == 0:
            continue
        faces = rng.integers(1, sides + 1, (*counts.shape, most))
        if column in RED:
            faces = faces * rng.choice((-1, 1), faces.shape)
        sums[..., column] = np.where(np.arange(most) < counts[..., None], faces, 0).sum(-1)
    return Rolled(sums)


def totals(hands: Whole, rolled: Rolled) -> Whole:
    """The round totals without pink dice, (games, seats)."""
    sums = rolled.sums
    blue = sums[..., BLUE].sum(-1) * np.where(hands[..., GLITTER] > 0, 2, 1)
    red = sums[..., RED].sum(-1) * hands[..., RED].sum(-1)
    plain = sums[..., PLAIN].sum(-1)
    return np.asarray(rolled.yellow() + 2 * sums[..., PURPLE].sum(-1) + blue + red + plain)


def _break_ties(hands: Whole, rolled: Rolled, rng: np.random.Generator) -> Whole:
    """Rolls all yellow dice again where several lead; changes `rolled`; returns the token's seat, (games,)."""
    for _ in range(MOST_REROLLS):
        yellow = rolled.yellow()
        tied = (yellow == yellow.max(1, keepdims=True)).sum(1) > 1
        if not tied.any():
            break
        again = roll(hands[tied], rng)
        for column in YELLOW:
            rolled.sums[tied, :, column] = again.sums[..., column]
    return np.asarray(rolled.yellow().argmax(1))


def _pity(round_totals: Whole, token: Whole, dice: int) -> npt.NDArray[np.bool_]:
    """Who holds a pink die in the next round, (games, seats)."""
    games, seats = round_totals.shape
    order = (token[:, None] - 1 - np.arange(seats)) % seats
    places = (round_totals * seats + order).argsort(1)[:, :dice]
    held = np.zeros((games, seats), bool)
    np.put_along_axis(held, places, True, 1)
    return held


def _draft(hands: Whole, rng: np.random.Generator) -> None:
    """Each seat draws one die from what the bag still holds; changes `hands`."""
    games, seats, _ = hands.shape
    bag = np.maximum(BAG - hands.sum(1), 0)
    for seat in range(seats):
        at = rng.integers(0, bag.sum(1).clip(1))
        drawn = (bag.cumsum(1) > at[:, None]).argmax(1)
        hands[np.arange(games), seat, drawn] += 1
        bag[np.arange(games), drawn] -= 1


def win_chances(state: PandaState, games: int = 1000, seed: int | None = None) -> tuple[float, ...]:
    """The share of games that each seat wins, shared wins divided; from a state in which no roll is half entered.

    Rolls of the present round that are entered already count as they lie.
    """
    rng = np.random.default_rng(seed)
    seats = len(state.players)
    points = np.tile(np.array(state.totals), (games, 1))
    settled = state.current.outcome is not None
    number = state.round_number
    if settled:
        hands = _counted(state, games)
        pink = np.zeros((games, seats), bool)
        outcome = state.current.outcome
        pink[:, list(outcome.pity if outcome else ())] = True
        if number < LAST_ROUND and len(state.owned[0]) == number:
            _draft(hands, rng)
        number += 1
    else:
        hands = _counted(state, games)
        while int(hands[0, 0].sum()) < number:
            _draft(hands, rng)
        pink = np.zeros((games, seats), bool)
        pink[:, list(state.pity_for(number))] = True
    for later in range(number, LAST_ROUND + 1):
        rolled = roll(hands, rng)
        token = _break_ties(hands, rolled, rng) if later < LAST_ROUND else None
        won = totals(hands, rolled) + np.where(pink, rng.integers(1, 13, pink.shape), 0)
        points = points + won
        if token is not None:
            pink = _pity(won, token, pink_dice(seats))
            _draft(hands, rng)
    best = points == points.max(1, keepdims=True)
    return tuple(float(share) for share in (best / best.sum(1, keepdims=True)).mean(0))


def _counted(state: PandaState, games: int) -> Whole:
    """The dice that the seats own, as counts."""
    owned = state.owned
    if state.watching and state.current.outcome is None and state.round_number > 1:
        owned = state.owned_before(state.round_number)
    hands = np.zeros((len(owned), len(KINDS)), np.int64)
    for seat, kinds in enumerate(owned):
        for kind, count in Counter(without_pink(kinds)).items():
            hands[seat, COLUMN[kind]] = count
    return np.tile(hands, (games, 1, 1))
