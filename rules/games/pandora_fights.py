"""Pandora's Box: battles and creature fights within a game [GD:149-185]."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Event
from tablesight.rules.games.pandora_battle import Fighter, fight, fight_creature
from tablesight.rules.games.pandora_cards import spend_cards
from tablesight.rules.games.pandora_reading import (
    check_order,
    fighter_of,
    go_to_step,
    killed,
    read_battle_cards,
    read_die,
    read_other,
    read_seat,
    read_unit,
)
from tablesight.rules.games.pandora_state import STEPS, PandoraState, Unit
from tablesight.rules.parsing import each, expect_phase, flag, get, sequence

MOST_EXCHANGES: Final = 1000


def battled(state: PandoraState, event: Event) -> PandoraState:
    """`{unit, seat, other_unit, rolls, attacker?, defender?, attacker_cards?, defender_cards?}`.

    `attacker` and `defender` say what stands around the units: `{forts, seas, ally_lancer, jumped, distance}`. A
    controlled creature fights by `creature_fought`. Raises IllegalEvent.
    """
    expect_phase(state.phase, event, "play")
    state = go_to_step(state, "battle")
    seat = read_other(state, get(event, "seat"), "seat")
    unit = read_unit(state, state.seat, get(event, "unit"), "unit")
    other = read_unit(state, seat, get(event, "other_unit"), "other_unit")
    if "creature" in (unit.type, other.type):
        raise IllegalEvent("unit: a controlled creature fights without a die, expected 'creature_fought'")
    _check_attack(state, seat, unit)
    options = state.options
    attacker = fighter_of(state, state.seat, unit, event.get("attacker", {}), "attacker")
    defender = fighter_of(state, seat, other, event.get("defender", {}), "defender")
    own_cards = read_battle_cards(event.get("attacker_cards", []), "attacker_cards", options.most_battle_cards)
    most = options.most_battle_cards if options.defender_cards else 0
    other_cards = read_battle_cards(event.get("defender_cards", []), "defender_cards", most)
    _check_distance(state, attacker, own_cards)
    pairs = [each(pair, "rolls", read_die, 2, 2) for pair in sequence(get(event, "rolls"), "rolls", 1, MOST_EXCHANGES)]
    result = fight(attacker, defender, own_cards, other_cards, [(pair[0], pair[1]) for pair in pairs], options.ties)
    state = spend_cards(spend_cards(state, state.seat, len(own_cards)), seat, len(other_cards))
    state = state.with_unit(state.seat, unit.id, attacked=True)
    told = f"{unit.id} {result.attacker_value} against {other.id} {result.defender_value}"
    if result.winner == "attacker":
        tokens = _tokens(state, unit, result.attacker_tokens)
        state = killed(state, seat, other, (state.seat, unit.id)).paid(state.seat, tokens)
        return replace(state, told=f"{told}: {state.name} wins")
    if result.winner == "defender":
        tokens = _tokens(state, other, result.defender_tokens)
        state = killed(state, state.seat, unit, (seat, other.id)).paid(seat, tokens)
        return replace(state, told=f"{told}: {state.players[seat]} wins")
    return replace(state, told=f"{told}: nothing happens")


def _tokens(state: PandoraState, winner: Unit, tokens: int) -> int:
    """By option each relic of the winner is worth a token, not one for all (GD-26)."""
    return 1 + winner.relics if tokens and state.options.relic_tokens == "each" else tokens


def _check_attack(state: PandoraState, seat: int, unit: Unit) -> None:
    check_order(state, seat, "seat")
    if unit.attacked:
        raise IllegalEvent(f"unit: {unit.id} has attacked in this turn, expected each unit to attack once")
    _check_free(state, unit)


def _check_free(state: PandoraState, unit: Unit) -> None:
    if unit.paralysed_by is not None and state.options.paralysed == "no_move_no_attack":
        raise IllegalEvent(f"unit: {unit.id} is paralysed and cannot attack, expected another unit")


def _check_distance(state: PandoraState, attacker: Fighter, cards: Sequence[str]) -> None:
    far = (attacker.type == "archer" and "volley" in cards) or (
        attacker.type == "hero" and state.me.passive == "artemis"
    )
    reach = state.options.distance_attack if far else 0
    if attacker.distance > reach:
        raise IllegalEvent(f"attacker.distance: expected at most {reach} spaces between, got {attacker.distance}")


def creature_fought(state: PandoraState, event: Event) -> PandoraState:
    """`{unit, roll, cards?, place?, seat?, owner?, creature?, creature_relic?}`: only the unit rolls.

    `seat` is the player of the unit, the one whose turn it is if left out; `owner` and `creature` name a controlled
    creature; without them it is a wild one, which may lie on a relic (`creature_relic`). Raises IllegalEvent.
    """
    expect_phase(state.phase, event, "play")
    early = state.options.creatures == "at_once" and state.turn.step < STEPS.index("battle")
    if not early:
        state = go_to_step(state, "battle")
    seat = read_seat(state, event.get("seat", state.seat), "seat")
    unit = read_unit(state, seat, get(event, "unit"), "unit")
    if unit.type == "creature":
        raise IllegalEvent("unit: expected a unit that is no creature")
    creature, owner = _controlled(state, seat, event)
    if seat != state.seat and owner != state.seat:
        raise IllegalEvent("seat: expected the unit or the creature of the player whose turn it is")
    attacking = seat == state.seat
    if creature is not None and owner is not None:
        _check_attack(state, owner if attacking else seat, unit if attacking else creature)
    cards = read_battle_cards(event.get("cards", []), "cards", state.options.most_battle_cards)
    wild_relic = flag(event.get("creature_relic", False), "creature_relic") and creature is None
    if wild_relic and not state.relics_on_board:
        raise IllegalEvent("creature_relic: all relics are carried, expected false")
    sonnet = any(effect.card == "pan_sonnet" for effect in state.effects)
    result = fight_creature(
        fighter_of(state, seat, unit, event.get("place", {}), "place"),
        read_die(get(event, "roll"), "roll"),
        cards,
        sonnet=flag(event.get("sonnet", sonnet), "sonnet"),
        controlled=creature is not None,
        creature_relic=wild_relic or bool(creature and creature.relics),
        attacking=attacking,
    )
    state = spend_cards(state, seat, len(cards))
    state = _attack_used(state, creature, owner, seat, unit)
    told = f"{unit.id} rolls {result.value}, needs {result.need}"
    if result.winner == "unit":
        if creature is not None and owner is not None:
            state = killed(state, owner, creature, (seat, unit.id))
        else:
            state = state.with_warlord(seat, creatures=state.warlords[seat].creatures + 1)
            if wild_relic:
                state = replace(state, relics_on_board=state.relics_on_board - 1)
                state = state.with_unit(seat, unit.id, relics=unit.relics + 1)
        state = state.paid(seat, _tokens(state, unit, result.unit_tokens))
        return replace(state, told=f"{told}: the creature is beaten")
    if result.removed == "unit":
        taker = (owner, creature.id) if creature is not None and owner is not None else None
        state = killed(state, seat, unit, taker)
        if creature is not None and owner is not None:
            state = state.paid(owner, _tokens(state, creature, result.creature_tokens))
    return replace(state, told=f"{told}: {'the unit is lost' if result.removed else 'the creature is harmless'}")


def _controlled(state: PandoraState, seat: int, event: Event) -> tuple[Unit | None, int | None]:
    if event.get("owner") is None:
        return None, None
    owner = read_seat(state, event["owner"], "owner")
    creature = read_unit(state, owner, get(event, "creature"), "creature")
    if creature.type != "creature" or owner == seat:
        raise IllegalEvent(f"creature: expected a controlled creature of an opponent, got {creature.id}")
    return creature, owner


def _attack_used(state: PandoraState, creature: Unit | None, owner: int | None, seat: int, unit: Unit) -> PandoraState:
    """A forced fight with a wild creature is no attack of the unit's own (GD-47)."""
    if creature is None or owner is None:
        return state
    if seat == state.seat:
        return state.with_unit(seat, unit.id, attacked=True)
    return state.with_unit(owner, creature.id, attacked=True)


EVENTS: Final[Mapping[str, Callable[[PandoraState, Mapping[str, Any]], PandoraState]]] = {
    "battled": battled,
    "creature_fought": creature_fought,
}
