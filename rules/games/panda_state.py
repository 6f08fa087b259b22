"""Panda Royale: the state of a game."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tablesight.rules.games.panda_dice import PINK, YELLOW_D6, Hand, Kinds, kinds_of, without_pink
from tablesight.rules.games.panda_round import Outcome, Seats
from tablesight.rules.games.panda_stories import Story
from tablesight.rules.games.panda_trading import SpentClear, Trade
from tablesight.rules.options import Option

STATE_VERSION: Final = 1

Phase = Literal["roll", "reroll", "trade", "pool", "draft", "finished"]

OPTIONS: Final = (
    Option(
        "mode",
        "watching",
        ("watching", "strict"),
        "watching: only rolls are entered, trades and drafts are inferred; strict: every trade and draft is entered",
    ),
    Option("reroll", "all", ("all", "tied"), "who rolls again on a tie for the highest yellow sum", "PR-01"),
    Option("clear_taken_is_spent", False, (False, True), "a clear die taken in a trade cannot be given on", "PR-14"),
    Option("pool_drawn_by", "anyone", ("anyone", "panda"), "who draws the pool from the bag", "PR-22"),
    Option("cocked", "roll_again", ("roll_again", "count"), "what happens to cocked dice", "PR-26"),
)


@dataclass(frozen=True, slots=True)
class PandaOptions:
    """The table's choices, named as in OPTIONS."""

    mode: str
    reroll: str
    clear_taken_is_spent: bool
    pool_drawn_by: str
    cocked: str

    def to_json(self) -> dict[str, Any]:
        """The choices as they are written into a log."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Draft:
    """`seat` took `kind` from the pool."""

    seat: int
    kind: str


Layer = tuple[Hand | None, ...]
"""The hands of all seats after a roll; None where the seat has not rolled yet."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round as it was entered, and what it decides.

    `layers` holds the first roll and every re-roll, each with the whole hands; `accepted` the seats whose hand the
    host took as seen; `stories` how the hands can have come from those of the round before (watching); `trades`,
    `pool` and `drafts` what was entered after it (strict).
    """

    layers: tuple[Layer, ...]
    accepted: Seats = ()
    outcome: Outcome | None = None
    stories: tuple[Story, ...] = ()
    trades: tuple[Trade, ...] = ()
    pool: Kinds = ()
    drafts: tuple[Draft, ...] = ()

    @property
    def lying(self) -> Layer:
        """The dice as they lie now; None for a seat that has not rolled."""
        if len(self.layers) == 1:
            return self.layers[0]
        pairs = zip(self.layers[-1], self.layers[-2], strict=True)
        return tuple(last if last is not None else previous for last, previous in pairs)

    @property
    def waiting(self) -> Seats:
        """The seats whose roll or re-roll is missing."""
        return tuple(seat for seat, hand in enumerate(self.layers[-1]) if hand is None)


ChangeKind = Literal["score", "token", "pity", "trade_order", "draft_order", "total", "winners"]


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed: a seat's score of a round or game total, the token, an order, or the winners.

    `round_number` is 0 for the game total and the winners; `seat` is set for scores and totals.
    """

    what: ChangeKind
    round_number: int
    seat: int | None
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PandaState:
    """A game of Panda Royale.

    `rounds` ends with the current one. `owned` are the dice of each seat without the pink one: those that the next
    roll must show (strict), or those of the last complete roll (watching). `turn` holds the seats still to trade or
    to draft, next first; `spent` every possible count of spent clear dice; `changes` what the last event, a
    correction, changed.
    """

    players: tuple[str, ...]
    options: PandaOptions
    rounds: tuple[Round, ...]
    phase: Phase
    owned: tuple[Kinds, ...]
    turn: Seats = ()
    spent: tuple[SpentClear, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def round_number(self) -> int:
        """The current round, 1 to 10; in watching mode it stays until the next round's first roll is seen."""
        return len(self.rounds)

    @property
    def current(self) -> Round:
        """The current round."""
        return self.rounds[-1]

    @property
    def watching(self) -> bool:
        """Whether trades and drafts are inferred."""
        return self.options.mode == "watching"

    @property
    def totals(self) -> tuple[int, ...]:
        """The game total of each seat."""
        sums = [0] * len(self.players)
        for played in self.rounds:
            for seat, total in enumerate(played.outcome.totals if played.outcome else ()):
                sums[seat] += total
        return tuple(sums)

    @property
    def token(self) -> int | None:
        """The holder of the Panda token."""
        held = [played.outcome.token for played in self.rounds if played.outcome and played.outcome.token is not None]
        return held[-1] if held else None

    def pity_for(self, round_number: int) -> Seats:
        """The seats that roll a pink die in this round: the pity of the round before."""
        if round_number < 2 or round_number - 2 >= len(self.rounds):
            return ()
        outcome = self.rounds[round_number - 2].outcome
        return outcome.pity if outcome else ()

    def owned_before(self, round_number: int) -> tuple[Kinds, ...]:
        """What each seat owned in the round before this one (watching), without pink dice."""
        if round_number == 1:
            return ((),) * len(self.players)
        return tuple(without_pink(kinds_of(hand or ())) for hand in self.rounds[round_number - 2].lying)

    def with_round(self, played: Round, round_number: int | None = None, **changes: Any) -> PandaState:
        """The state with one round replaced, the current one where no number is given."""
        place = (round_number or len(self.rounds)) - 1
        return replace(self, rounds=(*self.rounds[:place], played, *self.rounds[place + 1 :]), **changes)


def new_round(players: int) -> Round:
    """A round in which nobody has rolled."""
    return Round(((None,) * players,))


def first_state(players: tuple[str, ...], options: PandaOptions) -> PandaState:
    """Everybody holds one yellow d6."""
    return PandaState(players, options, (new_round(len(players)),), "roll", ((YELLOW_D6,),) * len(players))


def with_pink(kinds: Kinds, holds_pink: bool) -> Kinds:
    """The dice a seat rolls."""
    return (*kinds, PINK) if holds_pink else kinds
