"""Pandora's Box: modifiers, battles, creatures, objective and target rolls, movement."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.rules.game import IllegalEvent
from tablesight.rules.games.pandora_battle import (
    Fighter,
    battle_mod,
    fight,
    fight_creature,
    movement,
    roll_objective,
    target,
)
from tablesight.rules.games.pandora_catalog import BATTLE_CARDS, CARDS, GODS, UNIT_TYPES

LANCER = Fighter("lancer", "hermes")
FIGHTERS = st.builds(
    Fighter,
    st.sampled_from(UNIT_TYPES[:5]),
    st.sampled_from(sorted(GODS)),
    st.booleans(),
    st.integers(0, 2),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
)
HANDS = st.lists(st.sampled_from(BATTLE_CARDS), max_size=3)


@pytest.mark.parametrize(
    ("unit", "other", "cards", "attacking", "expected"),
    [
        pytest.param(Fighter("cavalry", "ares"), Fighter("archer", "zeus"), [], True, 1, id="cavalry beats archer"),
        pytest.param(Fighter("archer", "ares"), LANCER, [], False, 1, id="archer beats lancer, defending too"),
        pytest.param(LANCER, Fighter("cavalry", "zeus"), [], True, 1, id="lancer beats cavalry"),
        pytest.param(LANCER, Fighter("archer", "zeus"), [], True, 0, id="lancer against archer gets nothing"),
        pytest.param(Fighter("spartan", "ares"), Fighter("cavalry", "zeus"), [], True, 1, id="a Spartan is no lancer"),
        pytest.param(Fighter("archer", "ares", forts=2), LANCER, [], True, 5, id="two forts add up"),
        pytest.param(Fighter("hero", "ares", forts=2), LANCER, [], True, 0, id="a fort is nothing to the hero"),
        pytest.param(Fighter("archer", "zeus", forts=2), Fighter("hero", "zeus"), [], True, 0, id="another god's fort"),
        pytest.param(Fighter("hero", "poseidon", seas=2), LANCER, [], True, 2, id="seas help Poseidon's hero"),
        pytest.param(LANCER, LANCER, ["leadership", "experience", "supremacy"], True, 6, id="1 + 2 + 3"),
        pytest.param(LANCER, LANCER, ["phalanx"], True, 0, id="Falange needs a second lancer"),
        pytest.param(Fighter("lancer", "ares", ally_lancer=True), LANCER, ["phalanx"], True, 2, id="Falange"),
        pytest.param(Fighter("spartan", "ares", ally_lancer=True), LANCER, ["phalanx"], True, 3, id="of Spartans too"),
        pytest.param(Fighter("lancer", "ares", ally_lancer=True), LANCER, ["phalanx"], False, 0, id="attacker only"),
        pytest.param(
            Fighter("archer", "ares", ally_lancer=True), Fighter("hero", "zeus"), ["phalanx"], True, 0, id="arc"
        ),
        pytest.param(Fighter("cavalry", "ares", jumped=True), LANCER, ["flank"], True, 1, id="Flanquear after a jump"),
        pytest.param(Fighter("cavalry", "ares"), LANCER, ["flank"], True, 0, id="Flanquear without a jump"),
        pytest.param(Fighter("cavalry", "ares", jumped=True), LANCER, [], True, 0, id="a jump without the card"),
        pytest.param(LANCER, LANCER, ["volley", "morale"], True, 0, id="cards that add nothing"),
    ],
)
def test_modifiers(unit: Fighter, other: Fighter, cards: list[str], attacking: bool, expected: int) -> None:
    assert battle_mod(unit, other, cards, attacking) == expected


def test_ties_roll_again_until_one_is_higher() -> None:
    result = fight(LANCER, Fighter("hero", "zeus"), ["experience"], [], [(2, 4), (1, 3), (6, 1)])
    assert (result.winner, result.exchanges, result.attacker_value) == ("attacker", 3, 8)
    with pytest.raises(IllegalEvent, match="both sides have 4 after 1, expected another pair"):
        fight(LANCER, Fighter("hero", "zeus"), ["experience"], [], [(2, 4)])


def test_ties_by_option() -> None:
    other = Fighter("hero", "zeus", relic=True)
    holds = fight(LANCER, other, [], [], [(3, 3)], "defender_holds")
    assert (holds.winner, holds.removed, holds.defender_tokens) == ("defender", "attacker", 2)
    nothing = fight(LANCER, other, [], [], [(3, 3)], "nothing")
    assert (nothing.winner, nothing.removed, nothing.defender_tokens) == (None, None, 0)


@given(FIGHTERS, FIGHTERS, HANDS, HANDS, st.integers(1, 6), st.integers(1, 6))
def test_a_battle_has_one_winner_who_gets_the_tokens(
    attacker: Fighter, defender: Fighter, own: list[str], other: list[str], first: int, second: int
) -> None:
    result = fight(attacker, defender, own, other, [(first, second)], "defender_holds")
    won = attacker if result.winner == "attacker" else defender
    lost = defender if result.winner == "attacker" else attacker
    assert {result.winner, result.removed} == {"attacker", "defender"}
    assert sorted((result.attacker_tokens, result.defender_tokens)) == [0, 2 if won.relic else 1]
    assert result.relic_to == (result.winner if lost.relic else None)
    assert (result.winner == "attacker") == (result.attacker_value > result.defender_value)


@pytest.mark.parametrize(
    ("unit", "roll", "more", "winner", "removed", "tokens", "relic_to"),
    [
        pytest.param(Fighter("hero", "zeus"), 4, {}, "unit", "creature", (1, 0), None, id="a hero needs 4"),
        pytest.param(LANCER, 4, {}, "creature", "unit", (0, 0), None, id="a troop needs 5"),
        pytest.param(Fighter("spartan", "ares"), 4, {}, "unit", "creature", (1, 0), None, id="a Spartan adds 1"),
        pytest.param(
            Fighter("archer", "ares", True), 5, {}, "unit", "creature", (2, 0), None, id="a relic: two tokens"
        ),
        pytest.param(LANCER, 1, {"sonnet": True}, "creature", None, (0, 0), None, id="Soneto de Pan saves the unit"),
        pytest.param(
            *(Fighter("archer", "ares", True), 1, {"controlled": True}, "creature", "unit", (0, 1), "creature"),
            id="a controlled creature takes the relic",
        ),
        pytest.param(
            Fighter("archer", "ares", True), 1, {}, "creature", "unit", (0, 0), None, id="a wild one leaves it"
        ),
        pytest.param(
            *(LANCER, 1, {"controlled": True, "creature_relic": True}, "creature", "unit", (0, 2), None),
            id="a controlled creature with a relic gains two",
        ),
        pytest.param(
            *(LANCER, 6, {"controlled": True, "creature_relic": True}, "unit", "creature", (1, 0), "unit"),
            id="the unit takes the creature's relic",
        ),
    ],
)
def test_creatures(
    unit: Fighter,
    roll: int,
    more: dict[str, bool],
    winner: str,
    removed: str | None,
    tokens: tuple[int, int],
    relic_to: str | None,
) -> None:
    result = fight_creature(unit, roll, [], **more)
    assert (result.winner, result.removed, result.relic_to) == (winner, removed, relic_to)
    assert (result.unit_tokens, result.creature_tokens) == tokens


@pytest.mark.parametrize(("mode", "price"), [("quick", 3), ("standard", 4), ("long", 5)])
def test_the_objective(mode: str, price: int) -> None:
    assert {roll_objective(mode, price - 1, roll) for roll in range(1, 7)} == {("illegal", price - 1)}
    results = [roll_objective(mode, price, roll) for roll in range(1, 7)]
    assert results == [("failure", price - 2), ("nothing", price), *[("success", 0)] * 4]


def test_the_counting_rule_of_the_manual() -> None:
    assert target(6, 0, 3) == 3
    assert target(6, 0, 6) == 1


@given(st.integers(2, 8), st.data())
def test_the_count_never_falls_on_oneself(players: int, data: st.DataObject) -> None:
    me = data.draw(st.integers(0, players - 1))
    picked = [target(players, me, roll) for roll in range(1, 7)]
    assert me not in picked
    assert set(picked[: players - 1]) == ({*range(players)} - {me} if players <= 7 else set(picked[: players - 1]))


@pytest.mark.parametrize(
    ("unit", "god", "more", "steps"),
    [
        pytest.param("lancer", "ares", {}, 2, id="Ares' lancers"),
        pytest.param("archer", "apolo", {}, 2, id="Apollo's archers"),
        pytest.param("cavalry", "poseidon", {}, 2, id="Poseidon's cavalry"),
        pytest.param("hero", "hermes", {}, 3, id="Hermes' hero"),
        pytest.param("archer", "ares", {}, 1, id="other troops"),
        pytest.param("hero", "zeus", {}, 2, id="other heroes"),
        pytest.param("spartan", "ares", {}, 2, id="a Spartan, not a lancer"),
        pytest.param("creature", "artemis", {}, 2, id="a controlled creature"),
        pytest.param("hero", "zeus", {"passive": "hermes"}, 3, id="Zeus with Hermes' power"),
        pytest.param("lancer", "poseidon", {"seas": 2}, 3, id="two seas"),
        pytest.param("lancer", "ares", {"seas": 2}, 2, id="seas help Poseidon only"),
        pytest.param("hero", "hermes", {"sandals": 1}, 5, id="a sandal"),
        pytest.param("archer", "zeus", {"cards": ["swift_step", "marathon", "chariot"]}, 5, id="troop cards"),
        pytest.param("hero", "zeus", {"cards": ["chariot", "marathon"]}, 4, id="hero cards"),
    ],
)
def test_movement(unit: str, god: str, more: dict[str, object], steps: int) -> None:
    assert movement(unit, god, **more) == steps  # type: ignore[arg-type]  # the table mixes the types of keywords


def test_every_unit_of_every_god_moves() -> None:
    assert all(1 <= movement(unit, god) <= 3 for unit, god in product(UNIT_TYPES, GODS))


def test_the_list_of_cards_adds_up_to_86() -> None:
    families = {
        family: sum(card.count for card in CARDS.values() if card.family == family)
        for family in ("battle", "movement", "effect")
    }
    assert families == {"battle": 28, "movement": 24, "effect": 34}
