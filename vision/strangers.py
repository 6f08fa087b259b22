"""Things that the detector takes for dice and the reader does not: coins, cards, somebody's d10."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablesight.vision.look import SeenDie
from tablesight.vision.posterior import DiePosterior


@dataclass(frozen=True, slots=True)
class StrangerSettings:
    """Measured on drawn coins, cards, phones and print (21 things) against 78 dice of all kinds on six tables.

    `die`: what is a die with less than this probability is none; nor with less than `hardly_die` where the detector's
    score is under `sure_score`. `known`: a thing that is one of the thirteen kinds with less than this probability is
    none of the game's dice; with less than `hardly_known`, neither when the score is under `weak_score`.
    `weak_reading`: nor is what has a score under `fair_score` and no explanation of at least this probability.
    """

    die: float = 0.1
    hardly_die: float = 0.25
    sure_score: float = 0.65
    known: float = 0.15
    hardly_known: float = 0.5
    weak_score: float = 0.55
    fair_score: float = 0.59
    weak_reading: float = 0.5


SETTINGS: Final = StrangerSettings()


def is_stranger(die: SeenDie, settings: StrangerSettings = SETTINGS) -> bool:
    """Whether what was seen is most probably none of the game's dice."""
    known = sum(die.posterior.kinds().values())
    if known < settings.known or (known < settings.hardly_known and die.score < settings.weak_score):
        return True
    return is_no_die(die.score, die.posterior, settings)


def is_no_die(score: float, posterior: DiePosterior, settings: StrangerSettings = SETTINGS) -> bool:
    """Whether neither the detector (its score) nor the reader is convinced: most probably print, dust or a corner."""
    if posterior.die < (settings.hardly_die if score < settings.sure_score else settings.die):
        return True
    return score < settings.fair_score and posterior.candidates(count=1)[0].p < settings.weak_reading
