"""Which die of one list is which of another: Hungarian assignment of their centres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Match:
    """`pairs` of indices (into the first list, into the second), and what of each is left over."""

    pairs: tuple[tuple[int, int], ...]
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]


def match_points(
    first_xy: Sequence[tuple[float, float]], second_xy: Sequence[tuple[float, float]], reach: float
) -> Match:
    """The assignment with the least sum of squared distances; points farther apart than `reach` never match."""
    if not first_xy or not second_xy:
        return Match((), tuple(range(len(first_xy))), tuple(range(len(second_xy))))
    a, b = np.asarray(first_xy, dtype=np.float64), np.asarray(second_xy, dtype=np.float64)
    squared: Points = ((a[:, None] - b[None]) ** 2).sum(axis=2)
    # imported here: it takes as long as everything else, and the camera should be seen before (`ModelShelf` loads it)
    from scipy.optimize import linear_sum_assignment

    # beyond reach all pairs cost the same and more than any match within reach: they never displace one
    too_far = squared > reach * reach
    cost = np.where(too_far, reach * reach * (len(a) + len(b) + 1), squared)
    rows, columns = linear_sum_assignment(cost)
    pairs = tuple((int(r), int(c)) for r, c in zip(rows, columns, strict=True) if not too_far[r, c])
    used_first, used_second = {r for r, _ in pairs}, {c for _, c in pairs}
    return Match(
        pairs,
        tuple(i for i in range(len(a)) if i not in used_first),
        tuple(i for i in range(len(b)) if i not in used_second),
    )
