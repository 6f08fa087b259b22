"""The players of a simulated game: they trade, draft and roll; only their dice are seen, by the camera.

They know what people at the table know: whose turn it is and which dice they hold. They never tell the session
anything: it learns of their dice by pixels alone (questions are answered in `simulated_table`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablesight.rules.games.panda_dice import BOX, CLEAR, IN_BAG, Kinds, kinds_of
from tablesight.rules.games.panda_round import Outcome
from tablesight.rules.games.panda_state import PandaState, with_pink
from tablesight.rules.games.panda_trading import Trade, exchange, refusal, spent_after


@dataclass(frozen=True, slots=True)
class Pace:
    """How people play, seconds."""

    between_hands: float = 0.7
    """One hand is thrown this long after the one before."""
    between_rounds: float = 10.0
    """Time to look at the scores, and to stop the game for longer."""
    after_clearing: float = 1.5
    """From taking up the dice of the last round to the first throw."""
    patience: float = 15.0
    """Dice that were thrown and neither scored nor asked about are thrown again after this long."""
    answers_after: float = 8.0
    """An open question is answered after this long, unless somebody at a page is faster."""


class SimulatedPlayers:
    """`step` returns the messages for the camera process that are due now; it never blocks and draws no pixel."""

    def __init__(self, seed: int, pace: Pace | None = None) -> None:
        self._seed = seed
        self._pace = pace or Pace()
        self._game = ""
        self._hands: dict[int, tuple[Kinds, ...]] = {}
        self._thrown: dict[tuple[int, int, str], float] = {}
        self._moment: tuple[int, str] = (0, "")
        self._since_s = 0.0
        self._next_throw_s = 0.0
        self._clear_at_s = 0.0
        self._cleared = True
        self._hurry = False

    def hurry(self) -> None:
        """The next round is wanted now: nobody looks at the scores any more."""
        self._hurry = True

    def has_thrown(self, number: int) -> bool:
        """Whether anybody has thrown the dice of a round, seen by the camera or not."""
        return any(key[0] == number for key in self._thrown)

    def take_back(self, number: int) -> None:
        """The dice of a round are taken up again as if nobody had thrown them: it begins anew after `hurry`."""
        self._thrown = {key: at_s for key, at_s in self._thrown.items() if key[0] != number}
        self._cleared, self._clear_at_s, self._hurry = False, float("inf"), False

    def step(
        self,
        game_id: str,
        state: PandaState,
        waiting: Sequence[int],
        asked: Collection[int],
        now_s: float,
    ) -> list[dict[str, Any]]:
        """The throws that are due. `waiting` are the seats still to roll, `asked` those with an open question."""
        if game_id != self._game:
            self._game, self._hands, self._thrown = game_id, {}, {}
            self._moment = (0, "")
        number = state.round_number + (state.phase == "trade")
        moment = (number, f"reroll {len(state.current.layers)}" if state.phase == "reroll" else "roll")
        if state.phase == "finished":
            return []
        if moment != self._moment:
            first = self._moment == (0, "")
            self._moment, self._since_s = moment, now_s
            new_round = moment[1] == "roll" and number > 1
            self._clear_at_s = now_s + self._pace.between_rounds if new_round and not first else now_s
            self._next_throw_s = self._clear_at_s + self._pace.after_clearing if new_round else now_s + 1.0
            self._cleared = not new_round
        if self._hurry:
            self._hurry = False
            if not self._cleared and self._clear_at_s > now_s:
                self._clear_at_s, self._next_throw_s = now_s, now_s + self._pace.after_clearing
        if not self._cleared and now_s >= self._clear_at_s:
            self._cleared = True
            return [{"type": "clear"}]
        if now_s < self._next_throw_s:
            return []
        for seat in waiting:
            key = (number, seat, moment[1])
            if key in self._thrown and (seat in asked or now_s - self._thrown[key] < self._pace.patience):
                continue
            self._thrown[key] = now_s
            self._next_throw_s = now_s + self._pace.between_hands
            only = "yellow" if state.phase == "reroll" else None
            return [{"type": "throw", "seats": {str(seat): list(self._kinds(state, number, seat))}, "only": only}]
        return []

    def _kinds(self, state: PandaState, number: int, seat: int) -> Kinds:
        if state.phase == "reroll":
            return kinds_of(state.current.lying[seat] or ())
        if number not in self._hands:
            self._hands[number] = self._new_hands(state, number)
        return with_pink(self._hands[number][seat], seat in state.pity_for(number))

    def _new_hands(self, state: PandaState, number: int) -> tuple[Kinds, ...]:
        """The hands of a round: those of the round before, after trades and drafts."""
        if number == 1 or not state.watching:
            return state.owned
        before = self._hands.get(number - 1) or state.owned_before(number)
        before = tuple(
            tuple(sorted(hand)) for hand in before
        )  # drawn the same after a restart in the middle of a round
        outcome = state.rounds[number - 2].outcome
        assert outcome is not None
        rng = random.Random(f"{self._seed} {self._game} {number}")
        return drafted(traded(before, outcome, rng), outcome, rng)


def traded(hands: Sequence[Kinds], outcome: Outcome, rng: random.Random) -> tuple[Kinds, ...]:
    """The hands after everybody had a turn to trade: each clear die is given with probability one half."""
    now = tuple(hands)
    spent: tuple[int, ...] = (0,) * len(now)
    turn = list(outcome.trade_order)
    while turn:
        seat = turn[0]
        others = [other for other in range(len(now)) if other != seat and any(kind != CLEAR for kind in now[other])]
        if others and CLEAR in now[seat] and rng.random() < 0.5:
            other = rng.choice(others)
            take = rng.choice([kind for kind in now[other] if kind != CLEAR])
            trade = Trade(seat, CLEAR, other, take)
            if refusal(turn, now, spent, trade) is None:
                spent = min(spent_after(now, spent, trade, False))
                now = exchange(now, trade)
                continue
        turn.pop(0)
    return now


def drafted(hands: Sequence[Kinds], outcome: Outcome, rng: random.Random) -> tuple[Kinds, ...]:
    """The hands after the draft: n + 1 dice from the bag, one for each, the last goes back."""
    out = Counter(kind for hand in hands for kind in hand)
    bag = [kind for kind in IN_BAG for _ in range(BOX[kind] - out[kind])]
    pool = rng.sample(bag, len(hands) + 1)
    now = list(hands)
    for seat in outcome.draft_order:
        now[seat] = (*now[seat], pool.pop(rng.randrange(len(pool))))
    return tuple(now)


def simulated_seed(settings: Mapping[str, Any]) -> int:
    """The seed of the simulated players, from the settings or a new one."""
    seed = settings.get("seed")
    return seed if isinstance(seed, int) else random.SystemRandom().randrange(2**31)
