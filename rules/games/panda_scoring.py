"""Panda Royale: the score of one hand [PR:62-94]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tablesight.rules.games.panda_dice import GLITTER, Die

COLOURS: Final = ("yellow", "purple", "blue", "red", "green", "clear", "pink")


@dataclass(frozen=True, slots=True)
class Score:
    """One row of the paper sheet, in its order."""

    yellow: int = 0
    purple: int = 0
    blue: int = 0
    red: int = 0
    green: int = 0
    clear: int = 0
    pink: int = 0

    @property
    def total(self) -> int:
        """The sum of the seven; red dice can make it negative."""
        return self.yellow + self.purple + self.blue + self.red + self.green + self.clear + self.pink

    def to_json(self) -> dict[str, int]:
        """The row with its total."""
        return {**{colour: getattr(self, colour) for colour in COLOURS}, "total": self.total}


def score_hand(hand: Iterable[Die]) -> Score:
    """The row for the dice as they lie. Their order does not matter."""
    sums = dict.fromkeys((*COLOURS, "glitter"), 0)
    red_dice, glitter = 0, False
    for die in hand:
        colour = die.kind.partition("-")[0]
        sums[colour] += die.value
        red_dice += colour == "red"
        glitter = glitter or die.kind == GLITTER
    return Score(
        yellow=sums["yellow"],
        purple=2 * sums["purple"],
        blue=(sums["blue"] + sums["glitter"]) * (2 if glitter else 1),
        red=sums["red"] * red_dice,
        green=sums["green"],
        clear=sums["clear"],
        pink=sums["pink"],
    )


def yellow_sum(hand: Iterable[Die]) -> int:
    """The sum of the yellow faces, 0 without yellow dice."""
    return sum(die.value for die in hand if is_yellow(die.kind))


def is_yellow(kind: str) -> bool:
    """Whether dice of this kind are re-rolled on a tie."""
    return kind.startswith("yellow")
