"""Things that the detector takes for dice and the reader does not: coins, cards, somebody's d10."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablesight.vision.look import SeenDie


@dataclass(frozen=True, slots=True)
class StrangerSettings:
    """`known`: a thing that is one of the thirteen kinds with less than this probability is none of the game's dice.
    `weak_score` and `weak_reading`: neither the detector (its score) nor the reader (its best explanation) believes in
    it."""

    known: float = 0.15
    weak_score: float = 0.5
    weak_reading: float = 0.25


SETTINGS: Final = StrangerSettings()


def is_stranger(die: SeenDie, settings: StrangerSettings = SETTINGS) -> bool:
    """Whether what was seen is most probably none of the game's dice."""
    if sum(die.posterior.kinds().values()) < settings.known:
        return True
    return die.score < settings.weak_score and die.posterior.candidates(count=1)[0].p < settings.weak_reading
