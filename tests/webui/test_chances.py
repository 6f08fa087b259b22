from __future__ import annotations

import random
import time

import numpy as np
import pytest

from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, PINK, Die
from tablesight.rules.games.panda_scoring import score_hand
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.chances import COLUMN, KINDS, Rolled, roll, totals, win_chances
from tablesight.webui.luck import expected_total, lucky
from tablesight.webui.simulated_players import drafted

GAME = GAMES["panda-royale"]


def after_rounds(players: int, rounds: int, seed: int = 1) -> PandaState:
    """A watched game after some scored rounds, values at random."""
    rng = random.Random(seed)
    state: PandaState = GAME.initial(Setup.seats(players))
    hands: tuple[tuple[str, ...], ...] = (("yellow-d6",),) * players

    def value(kind: str) -> int:
        face = rng.randint(1, int(kind.partition("-d")[2]))
        return -face if kind.startswith("red") and rng.random() < 0.5 else face

    for number in range(1, rounds + 1):
        pity = state.pity_for(number)
        dice = [
            [{"kind": kind, "value": value(kind)} for kind in (*hand, *((PINK,) if seat in pity else ()))]
            for seat, hand in enumerate(hands)
        ]
        state = GAME.apply(state, {"type": "rolled", "dice": dice})
        while state.phase == "reroll":
            again = [
                [{"kind": die.kind, "value": value(die.kind)} for die in hand or () if die.kind.startswith("yellow")]
                for hand in state.current.lying
            ]
            state = GAME.apply(state, {"type": "rerolled", "dice": again})
        if number < 10:
            assert state.current.outcome
            hands = drafted(hands, state.current.outcome, rng)
    return state


def test_a_roll_scores_as_the_rules_score_it() -> None:
    rng = random.Random(3)
    for _ in range(200):
        hand = [rng.choice(KINDS) for _ in range(rng.randint(1, 11))]
        dice = [
            Die(kind, rng.randint(1, int(kind.partition("-d")[2])) * (rng.choice((1, -1)) if "red" in kind else 1))
            for kind in hand
        ]
        counts = np.zeros((1, 1, len(KINDS)), np.int64)
        sums = np.zeros((1, 1, len(KINDS)), np.int64)
        for die in dice:
            counts[0, 0, COLUMN[die.kind]] += 1
            sums[0, 0, COLUMN[die.kind]] += die.value
        assert totals(counts, Rolled(sums))[0, 0] == score_hand(dice).total


def test_every_face_comes_equally_often() -> None:
    counts = np.zeros((20_000, 1, len(KINDS)), np.int64)
    counts[..., COLUMN["green-d20"]] = 1
    counts[..., COLUMN["red-d6"]] = 2
    sums = roll(counts, np.random.default_rng(1)).sums[:, 0]
    green = sums[:, COLUMN["green-d20"]]
    assert (green.min(), green.max()) == (1, 20)
    assert abs(green.mean() - 10.5) < 0.2
    assert abs(sums[:, COLUMN["red-d6"]].mean()) < 0.2


def test_everybody_has_the_same_chance_at_the_start_and_together_one() -> None:
    chances = win_chances(after_rounds(4, 0), games=4000, seed=1)
    assert sum(chances) == pytest.approx(1)
    assert max(chances) - min(chances) < 0.06


def test_after_the_last_round_it_is_certain() -> None:
    state = after_rounds(3, 10)
    assert state.phase == "finished"
    best = max(state.totals)
    assert win_chances(state, games=10) == tuple(
        float(total == best) / state.totals.count(best) for total in state.totals
    )


def test_who_leads_late_in_the_game_has_the_better_chance() -> None:
    state = after_rounds(3, 9, seed=5)
    chances = win_chances(state, seed=1)
    leader = max(range(3), key=lambda seat: state.totals[seat])
    assert chances[leader] == max(chances)


@pytest.mark.parametrize("rounds", [0, 1, 5, 9])
def test_a_thousand_games_take_less_than_a_second_of_processor_time(rounds: int) -> None:
    state = after_rounds(10, rounds)
    win_chances(state)
    begun = time.process_time()
    win_chances(state)
    assert time.process_time() - begun < 1


def test_luck_is_what_was_rolled_above_the_average_of_the_same_dice() -> None:
    assert expected_total(("yellow-d6",)) == 3.5
    assert expected_total(("purple-d8", "blue-d6", "glitter-d6", "red-d8", "green-d20")) == 9 + 7 + 7 + 10.5
    state = after_rounds(2, 1)
    assert lucky(state) == tuple(total - 3.5 for total in state.totals)
    assert set(KINDS) | {PINK} == set(BOX)
