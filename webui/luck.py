"""Luck: what was rolled against what the same dice score on average."""

from __future__ import annotations

import math

from tablesight.rules.games.panda_dice import SIDES, kinds_of
from tablesight.rules.games.panda_state import PandaState


def expected_total(kinds: tuple[str, ...]) -> float:
    """What a hand scores on average, the pink die included: what luck is measured against."""
    mean = {kind: (SIDES[kind] + 1) / 2 for kind in kinds}
    glitter = "glitter-d6" in kinds
    total = 0.0
    for kind in kinds:
        color = kind.partition("-")[0]
        factor = 2 if color == "purple" or (glitter and color in ("blue", "glitter")) else 0 if color == "red" else 1
        total += factor * mean[kind]
    return total


def spread_total(kinds: tuple[str, ...]) -> float:
    """The standard deviation of what a hand scores: two hands in three of these dice end within it of the average."""
    reds = sum(kind.startswith("red-") for kind in kinds)
    glitter = "glitter-d6" in kinds
    variance = 0.0
    for kind in kinds:
        color, sides = kind.partition("-")[0], SIDES[kind]
        if color == "red":  # plus as often as minus, and times the number of red dice
            variance += reds**2 * (sides + 1) * (2 * sides + 1) / 6
        else:
            factor = 2 if color == "purple" or (glitter and color in ("blue", "glitter")) else 1
            variance += factor**2 * (sides**2 - 1) / 12
    return math.sqrt(variance)


def spreads(state: PandaState) -> tuple[float, ...]:
    """The standard deviation of each seat's luck over its scored rounds: the scale on which luck is told."""
    scored = [played for played in state.rounds if played.outcome is not None]
    return tuple(
        round(math.hypot(*(spread_total(kinds_of(played.lying[seat] or ())) for played in scored)), 1)
        for seat in range(len(state.players))
    )


def lucky(state: PandaState) -> tuple[float, ...]:
    """By how much each seat's scored rounds beat the average of the same dice."""
    luck = [0.0] * len(state.players)
    for played in state.rounds:
        if played.outcome is None:
            continue
        for seat, hand in enumerate(played.lying):
            luck[seat] += played.outcome.totals[seat] - expected_total(kinds_of(hand or ()))
    return tuple(round(value, 1) for value in luck)
