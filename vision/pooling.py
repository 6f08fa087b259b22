"""Several looks at one die become one opinion: a logarithmic pool, a little surer than each look where they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tablesight.vision.posterior import SHAPES, DiePosterior, Probabilities


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """`shared`: how much of what misleads one look at a number misleads the next one too, 0 to 1. Looks with 0 would be
    multiplied like independent witnesses, with 1 they are only averaged (in logarithms). A half is between the two, and
    about what simulated tables show (`tablesight.vision.evaluation.simulated_hands` measures what comes of it).
    `slip`: the share of each look that may be wrong altogether, so that no single one has a veto.

    Colour and ink are only averaged: the lamp misleads all looks alike. So is the choice between 6 and 9, and between 1
    and 7, of a die that has both: whatever turned the face once, or made a flag as long as a bar, does so again.
    """

    shared: float = 0.5
    slip: float = 0.02


SETTINGS: Final = PoolSettings()
ALIKE: Final = ((6, 9), (1, 7))
"""Numbers that are mistaken for each other in all looks alike."""


def pooled_posterior(looks: Sequence[DiePosterior], settings: PoolSettings = SETTINGS) -> DiePosterior:
    """The opinion of several looks at the same die; a single one is returned as it is. Raises ValueError for none."""
    if not looks:
        raise ValueError("expected at least one look at the die, got none")
    if len(looks) == 1:
        return looks[0]
    count = len(looks)
    witnesses = count / (1 + (count - 1) * settings.shared)
    even = np.full(count, 1 / count)
    shapes = np.array([look.shapes for look in looks])
    faces = np.zeros_like(looks[0].faces)
    for row, sides in enumerate(SHAPES):
        weights = shapes[:, row] + 1e-9  # what a look says of the faces of a shape that it does not see counts little
        weights = weights / weights.sum()
        seen = np.array([look.faces[row, :sides] for look in looks])
        faces[row, :sides] = _pool(seen, weights, witnesses, settings.slip)
        averaged = _pool(seen, weights, 1.0, settings.slip)
        for one, other in ALIKE:
            if other <= sides:
                _keep_choice(faces[row, :sides], averaged, one - 1, other - 1)
    return DiePosterior(
        _pool(np.array([look.colors for look in looks]), even, 1.0, settings.slip),
        _pool(shapes, even, witnesses, settings.slip),
        faces,
        _pool(np.array([look.inks for look in looks]), even, 1.0, settings.slip),
        float(np.mean([look.pips for look in looks])),
        _mean([look.flatness for look in looks]),
        _mean([look.level for look in looks]),
        float(np.mean([look.die for look in looks])),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _pool(looks: Probabilities, weights: Probabilities, witnesses: float, slip: float) -> Probabilities:
    """The weighted geometric mean of (looks, classes) to the power of `witnesses`, renormalised, (classes,)."""
    humble = (1 - slip) * looks + slip / looks.shape[1]
    logs = witnesses * (weights @ np.log(humble))
    pooled = np.exp(logs - logs.max())
    return np.asarray(pooled / pooled.sum())


def _keep_choice(faces: Probabilities, averaged: Probabilities, one: int, other: int) -> None:
    """Divide what two faces (indices) have together as in `averaged` (in place)."""
    together = faces[one] + faces[other]
    share = averaged[one] / max(averaged[one] + averaged[other], 1e-12)
    faces[one], faces[other] = together * share, together * (1 - share)
