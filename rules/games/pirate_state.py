"""Pirate Box: the state of a game."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tablesight.rules.games.pirate_scoring import ICONS, PirateScore, Reading, score_counts
from tablesight.rules.options import Option

STATE_VERSION: Final = 1

TOKENS_EACH: Final = {2: 6, 3: 5, 4: 4}
ROUNDS: Final = {2: 4, 3: 3, 4: 4}

Phase = Literal["memorize", "place", "collect", "finished"]

OPTIONS: Final = (
    Option("first_captain", 0, (0, 1, 2, 3), "the seat of the first captain"),
    Option("leftovers_with_a_pair", True, (True, False), "single crowns or jewels still count beside a pair", "PB-05"),
    Option(
        "swords",
        "set_worth_doubles",
        ("set_worth_doubles", "own_gain_doubles"),
        "2, 3, 4 swords are worth 2, 4, 8, or 2, 6, 14",
        "PB-06",
    ),
    Option("swords_5_6", "as_4", ("as_4", "zero"), "5 or 6 swords are worth as much as 4, or nothing", "PB-07"),
    Option("negative_total", "kept", ("kept", "floored"), "a game total below 0 is kept, or shown as 0", "PB-10"),
    Option("timer_s", 30, (0, 15, 30, 45, 60), "seconds for looking into the chest, 0 without a timer", "PB-17"),
)


@dataclass(frozen=True, slots=True)
class PirateOptions:
    """The table's choices, named as in OPTIONS."""

    first_captain: int
    leftovers_with_a_pair: bool
    swords: str
    swords_5_6: str
    negative_total: str
    timer_s: int

    @property
    def reading(self) -> Reading:
        """The options that change the score."""
        return Reading(self.leftovers_with_a_pair, self.swords, self.swords_5_6)

    def to_json(self) -> dict[str, Any]:
        """The choices as they are written into a log."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Token:
    """A token of `seat` on a space of the grid, 0 to 15."""

    seat: int
    space: int


IconCounts = tuple[int, ...]
"""The number of dice per icon, in the order of ICONS."""


@dataclass(frozen=True, slots=True)
class PirateRound:
    """One round: the tokens in the order in which they were put down, and what lay under them.

    `chest` has an icon for each of the 16 spaces (None where nobody has a token and nobody looked); `counted` holds
    the dice of each seat where they were counted instead.
    """

    tokens: tuple[Token, ...] = ()
    chest: tuple[str | None, ...] | None = None
    counted: tuple[IconCounts, ...] | None = None

    @property
    def collected(self) -> bool:
        """Whether the round can be scored."""
        return self.chest is not None or self.counted is not None

    def counts(self, seat: int) -> dict[str, int]:
        """The dice of a seat by icon, those it has."""
        if self.counted is not None:
            pairs = zip(ICONS, self.counted[seat], strict=True)
            return {icon: count for icon, count in pairs if count}
        found: dict[str, int] = {}
        for token in self.tokens:
            icon = self.chest[token.space] if self.chest else None
            if token.seat == seat and icon is not None:
                found[icon] = found.get(icon, 0) + 1
        return found


@dataclass(frozen=True, slots=True)
class PirateState:
    """A game of Pirate Box; `rounds` ends with the current one."""

    players: tuple[str, ...]
    options: PirateOptions
    rounds: tuple[PirateRound, ...] = (PirateRound(),)
    phase: Phase = "memorize"

    @property
    def current(self) -> PirateRound:
        """The current round."""
        return self.rounds[-1]

    @property
    def tokens_each(self) -> int:
        """Tokens, and so dice, of each player in a round [PB:23-25]."""
        return TOKENS_EACH[len(self.players)]

    def captain(self, round_number: int) -> int:
        """The Key goes on clockwise after each round (PB-11)."""
        return (self.options.first_captain + round_number - 1) % len(self.players)

    @property
    def turn(self) -> int:
        """The seat that places the next token, or that collects first."""
        return (self.captain(len(self.rounds)) + len(self.current.tokens)) % len(self.players)

    def scores(self, round_number: int) -> tuple[PirateScore, ...]:
        """The points of each seat in a collected round."""
        played = self.rounds[round_number - 1]
        reading = self.options.reading
        return tuple(score_counts(played.counts(seat), reading) for seat in range(len(self.players)))

    def running(self, round_number: int) -> tuple[int, ...]:
        """The totals after a round."""
        totals = [0] * len(self.players)
        for number in range(1, round_number + 1):
            if self.rounds[number - 1].collected:
                for seat, score in enumerate(self.scores(number)):
                    totals[seat] += score.total
                    if self.options.negative_total == "floored":
                        totals[seat] = max(0, totals[seat])
        return tuple(totals)

    @property
    def totals(self) -> tuple[int, ...]:
        """The game totals."""
        return self.running(len(self.rounds))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with most points; ties share [PB:65,66]."""
        return tuple(seat for seat, total in enumerate(self.totals) if total == max(self.totals))

    def with_round(self, played: PirateRound, round_number: int, **changes: Any) -> PirateState:
        """The state with one round replaced."""
        rounds = (*self.rounds[: round_number - 1], played, *self.rounds[round_number:])
        return replace(self, rounds=rounds, **changes)
