"""A share with its confidence interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scipy.stats import binomtest


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` out of `of`."""

    hits: int
    of: int

    @classmethod
    def count(cls, outcomes: Iterable[bool | None]) -> Rate:
        """How many of the outcomes are true; those that are None are not counted at all."""
        known = [outcome for outcome in outcomes if outcome is not None]
        return cls(sum(known), len(known))

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None of nothing."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % confidence interval by Wilson's score; None of nothing."""
        if not self.of:
            return None
        found = binomtest(self.hits, self.of).proportion_ci(confidence_level=0.95, method="wilson")
        return (float(found.low), float(found.high))

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.hits + other.hits, self.of + other.of)

    def __str__(self) -> str:
        if self.value is None or self.interval is None:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({self.hits}/{self.of}, {100 * low:.1f}-{100 * high:.1f})"

    def to_json(self) -> dict[str, Any]:
        """`{"value", "hits", "of", "low", "high"}`, rounded; nulls of nothing."""
        low, high = self.interval or (None, None)
        return {
            "value": None if self.value is None else round(self.value, 5),
            "hits": self.hits,
            "of": self.of,
            "low": None if low is None else round(low, 5),
            "high": None if high is None else round(high, 5),
        }
