"""Pandora's Box: battles, creature fights, objective and target rolls, movement [GD:141-202]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.games.pandora_catalog import PRICES, TOKENS_LOST

BEATS: Final = {"cavalry": "archer", "archer": "lancer", "lancer": "cavalry"}
CARD_BONUS: Final = {"leadership": 1, "experience": 2, "supremacy": 3}
FORT_BONUS: Final = 2
PHALANX_BONUS: Final = 2
HERO_NEED: Final = 4
TROOP_NEED: Final = 5

Side = Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit as it stands on the board.

    `forts` and `seas` count those adjacent; `ally_lancer` says that a lancer or Spartan of the same player stands
    beside it; `jumped` that it passed over an enemy in its move; `distance` the spaces between it and its target.
    """

    type: str
    god: str
    relic: bool = False
    forts: int = 0
    seas: int = 0
    ally_lancer: bool = False
    jumped: bool = False
    distance: int = 0


@dataclass(frozen=True, slots=True)
class BattleResult:
    """The result for both sides; `removed` is None where equal values decide nothing (option of GD-20)."""

    attacker_mod: int
    defender_mod: int
    attacker_value: int
    defender_value: int
    winner: Side | None
    attacker_tokens: int
    defender_tokens: int
    relic_to: Side | None
    exchanges: int

    @property
    def removed(self) -> Side | None:
        """The side whose unit leaves the board."""
        if self.winner is None:
            return None
        return "defender" if self.winner == "attacker" else "attacker"


@dataclass(frozen=True, slots=True)
class CreatureResult:
    """The result of a fight with a creature; with Soneto de Pan a losing unit stays."""

    mod: int
    need: int
    value: int
    winner: Literal["unit", "creature"]
    removed: Literal["unit", "creature"] | None
    unit_tokens: int
    creature_tokens: int
    relic_to: Literal["unit", "creature"] | None


def terrain_mod(fighter: Fighter) -> int:
    """Spartan +1, forts beside Ares' troops +2 each, seas beside Poseidon's units +1 each (GD-19, GD-33)."""
    mod = 1 if fighter.type == "spartan" else 0
    if fighter.god == "ares" and fighter.type not in ("hero", "creature"):
        mod += FORT_BONUS * fighter.forts
    if fighter.god == "poseidon":
        mod += fighter.seas
    return mod


def card_mod(fighter: Fighter, cards: Sequence[str], attacking: bool) -> int:
    """What the battle cards add; Falange and Flanquear only for an attacker of the right type (GD-15)."""
    mod = sum(CARD_BONUS.get(card, 0) for card in cards)
    if attacking and fighter.type in ("lancer", "spartan") and fighter.ally_lancer:
        mod += PHALANX_BONUS * cards.count("phalanx")
    if attacking and fighter.type == "cavalry" and fighter.jumped:
        mod += cards.count("flank")
    return mod


def battle_mod(fighter: Fighter, other: Fighter, cards: Sequence[str], attacking: bool) -> int:
    """All that is added to the die in a battle between two units."""
    triangle = 1 if BEATS.get(fighter.type) == other.type else 0
    return triangle + terrain_mod(fighter) + card_mod(fighter, cards, attacking)


def fight(
    attacker: Fighter,
    defender: Fighter,
    attacker_cards: Sequence[str],
    defender_cards: Sequence[str],
    rolls: Sequence[tuple[int, int]],
    ties: str = "roll_again",
) -> BattleResult:
    """One battle; equal values roll again, so `rolls` holds every exchange (GD-20). Raises IllegalEvent.

    `ties` may also be "defender_holds" or "nothing". After a Moral card a roll is the one that stands (GD-17).
    """
    mods = (
        battle_mod(attacker, defender, attacker_cards, True),
        battle_mod(defender, attacker, defender_cards, False),
    )
    winner: Side | None = None
    values = (0, 0)
    exchanges = 0
    for roll in rolls:
        exchanges += 1
        values = (roll[0] + mods[0], roll[1] + mods[1])
        if values[0] != values[1] or ties != "roll_again":
            break
    if values[0] == values[1] and ties == "roll_again":
        raise IllegalEvent(f"rolls: both sides have {values[0]} after {exchanges}, expected another pair of rolls")
    if values[0] != values[1]:
        winner = "attacker" if values[0] > values[1] else "defender"
    elif ties == "defender_holds":
        winner = "defender"
    relics = {"attacker": attacker.relic, "defender": defender.relic}
    gain = {side: (2 if relics[side] else 1) if side == winner else 0 for side in relics}
    loser = None if winner is None else "defender" if winner == "attacker" else "attacker"
    return BattleResult(
        *mods,
        *values,
        winner,
        gain["attacker"],
        gain["defender"],
        winner if loser and relics[loser] else None,
        exchanges,
    )


def fight_creature(
    unit: Fighter,
    roll: int,
    cards: Sequence[str],
    *,
    sonnet: bool = False,
    controlled: bool = False,
    creature_relic: bool = False,
    attacking: bool = True,
) -> CreatureResult:
    """Only the unit rolls: 4 (hero) or 5 (troop) with its modifiers kills the creature (GD-23, GD-24)."""
    mod = terrain_mod(unit) + card_mod(unit, cards, attacking)
    need = HERO_NEED if unit.type == "hero" else TROOP_NEED
    value = roll + mod
    if value >= need:
        tokens = 2 if unit.relic else 1
        return CreatureResult(mod, need, value, "unit", "creature", tokens, 0, "unit" if creature_relic else None)
    killed = not sonnet
    tokens = (2 if creature_relic else 1) if killed and controlled else 0
    relic_to: Literal["creature"] | None = "creature" if killed and controlled and unit.relic else None
    return CreatureResult(mod, need, value, "creature", "unit" if killed else None, 0, tokens, relic_to)


def roll_objective(mode: str, tokens: int, roll: int) -> tuple[str, int]:
    """The result and the tokens left: 1 loses two, 2 is nothing, 3 to 6 pay the price (GD-03, GD-04)."""
    price = PRICES[mode]
    if tokens < price:
        return "illegal", tokens
    if roll == 1:
        return "failure", tokens - TOKENS_LOST
    if roll == 2:
        return "nothing", tokens
    return "success", tokens - price


def target(players: int, me: int, roll: int) -> int:
    """The seat that the counting rule picks: from the left, skipping oneself, going round [GD:221-223]."""
    return (me + 1 + (roll - 1) % (players - 1)) % players


BASE_MOVE: Final = {"lancer": 1, "archer": 1, "cavalry": 1, "hero": 2, "spartan": 2, "creature": 2}
GOD_MOVE: Final = {("ares", "lancer"): 2, ("apolo", "archer"): 2, ("poseidon", "cavalry"): 2, ("hermes", "hero"): 3}
TROOP_CARDS: Final = {"swift_step": 1, "forced_march": 2, "marathon": 3}
HERO_CARDS: Final = {"hero_step": 1, "chariot": 2, "hermes_blessing": 3}
SANDAL_BONUS: Final = 2


def movement(
    unit_type: str, god: str, *, passive: str | None = None, seas: int = 0, sandals: int = 0, cards: Sequence[str] = ()
) -> int:
    """The steps of a unit. `passive` is the god whose passive power holds, if not its own (Zeus).

    `seas` and `sandals` count those adjacent at the start of the move (GD-33, GD-34).
    """
    steps = GOD_MOVE.get((passive or god, unit_type), BASE_MOVE[unit_type])
    if god == "poseidon":
        steps += seas
    if god == "hermes":
        steps += SANDAL_BONUS * sandals
    bonus = HERO_CARDS if unit_type == "hero" else {} if unit_type == "creature" else TROOP_CARDS
    return steps + sum(bonus.get(card, 0) for card in cards)
