from __future__ import annotations

import random
from collections import Counter

from tablesight.rules.game import Setup
from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_dice import BOX, CLEAR
from tablesight.rules.games.panda_round import Outcome
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.simulated_players import Pace, SimulatedPlayers, drafted, traded

GAME = GAMES["panda-royale"]
PACE = Pace(between_hands=1.0, between_rounds=4.0, after_clearing=2.0, patience=15.0, answers_after=8.0)


def scored(first: int, second: int) -> PandaState:
    state: PandaState = GAME.initial(Setup(("Ana", "Ben"), {}))
    dice = [[{"kind": "yellow-d6", "value": first}], [{"kind": "yellow-d6", "value": second}]]
    return GAME.apply(state, {"type": "rolled", "dice": dice})  # type: ignore[no-any-return]  # GAMES is untyped


def test_hands_are_thrown_one_after_the_other() -> None:
    players = SimulatedPlayers(1, PACE)
    state: PandaState = GAME.initial(Setup(("Ana", "Ben"), {}))
    assert players.step("g", state, [0, 1], (), 0.0) == []
    assert players.step("g", state, [0, 1], (), 1.0) == [
        {"type": "throw", "seats": {"0": ["yellow-d6"]}, "only": None}
    ]  # fmt: skip
    assert players.step("g", state, [0, 1], (), 1.5) == []
    assert players.step("g", state, [1], (), 2.0) == [{"type": "throw", "seats": {"1": ["yellow-d6"]}, "only": None}]
    assert players.step("g", state, [1], (), 3.0) == []


def test_what_was_thrown_and_not_scored_is_thrown_again_but_not_while_a_question_is_open() -> None:
    players = SimulatedPlayers(1, PACE)
    state: PandaState = GAME.initial(Setup(("Ana", "Ben"), {}))
    players.step("g", state, [0], (), 0.0)
    players.step("g", state, [0], (), 1.0)
    assert players.step("g", state, [0], {0}, 15.5) == []
    assert players.step("g", state, [0], {0}, 40.0) == []
    assert players.step("g", state, [0], (), 41.0)[0]["only"] is None


def test_a_tie_rolls_the_yellow_dice_alone_and_a_second_tie_again() -> None:
    players = SimulatedPlayers(1, PACE)
    state = scored(4, 4)
    assert state.phase == "reroll"
    players.step("g", state, [0, 1], (), 0.0)
    assert players.step("g", state, [0, 1], (), 1.0)[0]["only"] == "yellow"
    again = [[{"kind": "yellow-d6", "value": 2}]] * 2
    state = GAME.apply(state, {"type": "rerolled", "dice": again})
    players.step("g", state, [0, 1], (), 3.0)
    assert players.step("g", state, [0, 1], (), 4.0)[0]["seats"].keys() == {"0"}


def test_between_rounds_the_dice_are_taken_up_before_the_next_throw() -> None:
    players = SimulatedPlayers(1, PACE)
    players.step("g", GAME.initial(Setup(("Ana", "Ben"), {})), [0, 1], (), 0.0)
    state = scored(4, 5)
    assert players.step("g", state, [0, 1], (), 10.0) == []
    assert players.step("g", state, [0, 1], (), 14.0) == [{"type": "clear"}]
    assert players.step("g", state, [0, 1], (), 15.0) == []
    (throw,) = players.step("g", state, [0, 1], (), 16.0)
    assert len(throw["seats"]["0"]) == 3  # two own dice and the pink one: the fewest points
    assert throw["seats"]["0"][-1] == "pink-d12"


def test_a_restarted_server_finds_the_same_hands() -> None:
    state = scored(4, 5)
    throws = []
    for _ in range(2):
        players = SimulatedPlayers(7, PACE)
        for now_s in (0.0, 0.1, 3.0):
            found = players.step("g", state, [0, 1], (), now_s)
        throws.append(found)
    assert throws[0] == throws[1]
    assert throws[0][0]["type"] == "throw"


def test_trades_and_drafts_keep_the_dice_of_the_box() -> None:
    rng = random.Random(2)
    hands: tuple[tuple[str, ...], ...] = (
        ("yellow-d6", CLEAR, CLEAR),
        ("yellow-d6", "red-d8", CLEAR),
        ("yellow-d6",) * 3,
    )
    outcome = Outcome((), 0, (1,), (1, 2, 0), (0, 1, 2))
    for _ in range(100):
        after = traded(hands, outcome, rng)
        assert [len(hand) for hand in after] == [3, 3, 3]
        assert Counter(kind for hand in after for kind in hand) == Counter(kind for hand in hands for kind in hand)
        new = drafted(after, outcome, rng)
        assert [len(hand) for hand in new] == [4, 4, 4]
        counts = Counter(kind for hand in new for kind in hand)
        assert all(counts[kind] <= BOX[kind] for kind in counts)
