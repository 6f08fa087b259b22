"""Luck: what was rolled against what the same dice score on average."""

from __future__ import annotations

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


def lucky(state: PandaState) -> tuple[float, ...]:
    """By how much each seat's scored rounds beat the average of the same dice."""
    luck = [0.0] * len(state.players)
    for played in state.rounds:
        if played.outcome is None:
            continue
        for seat, hand in enumerate(played.lying):
            luck[seat] += played.outcome.totals[seat] - expected_total(kinds_of(hand or ()))
    return tuple(round(value, 1) for value in luck)
