"""Several looks at dice that lie still become one: what they agree on is surer, glare and blur are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tablesight.vision.look import SeenDie
from tablesight.vision.matching import match_points
from tablesight.vision.pooling import pooled_posterior


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """`reach`: centres nearer than this share of a die are the same die (shake, moving boxes). `good`: a look counts
    when its picture of the die is at least this good compared with the best. `seen`: a die must be found in this share
    of the looks, rounded up, else it is a reflection or noise. `certain_score`: one look with this score suffices."""

    reach: float = 0.5
    good: float = 0.6
    seen: float = 0.5
    certain_score: float = 0.8


SETTINGS: Final = FusionSettings()


def fuse(looks: Sequence[Sequence[SeenDie]], settings: FusionSettings = SETTINGS) -> tuple[SeenDie, ...]:
    """The dice of several stills of the same table, boxes as in the last still that shows them."""
    groups: list[list[SeenDie]] = []
    for look in looks:
        sizes = [die.size_px for group in groups for die in group] + [die.size_px for die in look]
        reach = settings.reach * float(np.median(sizes)) if sizes else 0.0
        match = match_points([g[-1].center_xy_px for g in groups], [die.center_xy_px for die in look], reach)
        for group, die in match.pairs:
            groups[group].append(look[die])
        groups += [[look[die]] for die in match.only_second]
    needed = -(-len(looks) * settings.seen // 1)
    return tuple(
        _fused(group, settings)
        for group in groups
        if len(group) >= needed or max(die.score for die in group) >= settings.certain_score
    )


def _fused(group: Sequence[SeenDie], settings: FusionSettings) -> SeenDie:
    """The opinion of the good looks: the sharpest unclipped one, and those nearly as good."""
    quality = [_quality(die) for die in group]
    best = max(quality)
    good = tuple(die for die, q in zip(group, quality, strict=True) if q >= settings.good * best)
    evidence = tuple(view for die in good for view in die.evidence) or group[0].evidence
    return replace(
        group[-1],
        score=max(die.score for die in group),
        posterior=pooled_posterior(evidence),
        views=evidence if len(evidence) > 1 else (),
        is_reused=False,
        is_weak=all(die.is_weak for die in group),
        sharpness=max(die.sharpness for die in good),
        clipped=min(die.clipped for die in good),
    )


def _quality(die: SeenDie) -> float:
    return (die.sharpness + 0.1) * (1 - die.clipped) ** 2
