"""Pirate Box: the score of the dice that one player collects in a round [PB:45-56]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tablesight.rules.parsing import mapping, one_of, whole

ICONS: Final = ("crown", "jewel", "sword", "silver", "rum", "mask")
SPACES: Final = 16

SWORDS: Final = {
    "set_worth_doubles": (0, 0, 2, 4, 8),
    "own_gain_doubles": (0, 0, 2, 6, 14),
}
"""The worth of 0 to 4 sword dice, each die a pair of swords (PB-04, PB-06)."""

RUM: Final = (0, 2, 1, 0, -1)
MASKS: Final = (0, -1, -2, 5, 9)

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """How the doubtful sentences are read; the defaults are those of the specification."""

    leftovers_with_a_pair: bool = True
    swords: str = "set_worth_doubles"
    swords_5_6: str = "as_4"


@dataclass(frozen=True, slots=True)
class PirateScore:
    """The points of one round by category."""

    crowns_jewels: int
    swords: int
    silver: int
    rum: int
    masks: int

    @property
    def total(self) -> int:
        """The sum; rum and masks can make it negative."""
        return self.crowns_jewels + self.swords + self.silver + self.rum + self.masks

    def to_json(self) -> dict[str, int]:
        """The categories with their total."""
        return {
            "crowns_jewels": self.crowns_jewels,
            "swords": self.swords,
            "silver": self.silver,
            "rum": self.rum,
            "masks": self.masks,
            "total": self.total,
        }


def score_counts(counts: Counts, reading: Reading | None = None) -> PirateScore:
    """The points for these dice; icons left out count as none."""
    reading = reading or Reading()
    crowns, jewels = counts.get("crown", 0), counts.get("jewel", 0)
    pairs = min(crowns, jewels)
    leftovers = abs(crowns - jewels) if reading.leftovers_with_a_pair or pairs == 0 else 0
    swords = counts.get("sword", 0)
    sword_points = SWORDS[reading.swords][min(swords, 4)]
    if swords > 4 and reading.swords_5_6 == "zero":
        sword_points = 0
    return PirateScore(
        crowns_jewels=3 * pairs + leftovers,
        swords=sword_points,
        silver=counts.get("silver", 0),
        rum=RUM[min(counts.get("rum", 0), 4)],
        masks=MASKS[min(counts.get("mask", 0), 4)],
    )


def read_counts(data: object, what: str, most: int = SPACES) -> dict[str, int]:
    """`{"crown": 2, ...}`: at most `most` dice in all. Raises IllegalEvent."""
    fields = mapping(data, what)
    counts = {one_of(icon, f"{what}: icon", ICONS): whole(n, f"{what}.{icon}", 0, most) for icon, n in fields.items()}
    whole(sum(counts.values()), f"{what}: dice in all", 0, most)
    return counts
