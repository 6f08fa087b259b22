"""Pandora's Box: reading the parts of events, and the checks that several of them share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.games.pandora_battle import Fighter
from tablesight.rules.games.pandora_catalog import BATTLE_CARDS, GODS, UNIT_TYPES
from tablesight.rules.games.pandora_state import STEPS, PandoraState, Unit
from tablesight.rules.parsing import each, flag, get, mapping, one_of, whole
from tablesight.rules.wording import join_words

MOST_NEIGHBOURS = 8


def read_die(value: object, what: str) -> int:
    """A roll of one die."""
    return whole(value, what, 1, 6)


def read_fighter(data: object, what: str) -> Fighter:
    """A whole unit: `{type, god, relic?, forts?, seas?, ally_lancer?, jumped?, distance?}`."""
    fields = mapping(data, what)
    god = one_of(get(fields, "god", what), f"{what}.god", GODS)
    kind = one_of(get(fields, "type", what), f"{what}.type", UNIT_TYPES)
    return read_place(fields, what, Fighter(kind, god, flag(fields.get("relic", False), f"{what}.relic")))


def read_place(fields: Mapping[str, Any], what: str, fighter: Fighter) -> Fighter:
    """The same fighter with what stands around it, which only the players can see (GD-08)."""
    return replace(
        fighter,
        forts=whole(fields.get("forts", 0), f"{what}.forts", 0, MOST_NEIGHBOURS),
        seas=whole(fields.get("seas", 0), f"{what}.seas", 0, MOST_NEIGHBOURS),
        ally_lancer=flag(fields.get("ally_lancer", False), f"{what}.ally_lancer"),
        jumped=flag(fields.get("jumped", False), f"{what}.jumped"),
        distance=whole(fields.get("distance", 0), f"{what}.distance", 0, 100),
    )


def fighter_of(state: PandoraState, seat: int, unit: Unit, data: object, what: str) -> Fighter:
    """A unit of the game with its surroundings; only one piece counts where pieces do not add up (GD-33)."""
    god = state.warlords[seat].god or ""
    fighter = read_place(mapping(data, what), what, Fighter(unit.fights_as, god, unit.relics > 0))
    if state.options.pieces_add:
        return fighter
    return replace(fighter, forts=min(1, fighter.forts), seas=min(1, fighter.seas))


def read_battle_cards(value: object, what: str, most: int = 28) -> tuple[str, ...]:
    """Battle cards by id."""
    return each(value, what, lambda card, where: one_of(card, where, BATTLE_CARDS), 0, most)


def read_seat(state: PandoraState, value: object, what: str) -> int:
    """Any seat."""
    return whole(value, what, 0, len(state.players) - 1)


def read_other(state: PandoraState, value: object, what: str) -> int:
    """The seat of an opponent."""
    seat = read_seat(state, value, what)
    if seat == state.seat:
        raise IllegalEvent(f"{what}: expected an opponent of {state.name}, got their own seat {seat}")
    return seat


def read_unit(state: PandoraState, seat: int, value: object, what: str, alive: bool | None = True) -> Unit:
    """A unit of a player by id, alive or dead as expected (None: either)."""
    units = state.warlords[seat].units
    name = one_of(value, what, [unit.id for unit in units])
    unit = next(unit for unit in units if unit.id == name)
    if alive is not None and unit.alive is not alive:
        raise IllegalEvent(f"{what}: expected a {'living' if alive else 'dead'} unit, {name} is not")
    return unit


def go_to_step(state: PandoraState, name: str) -> PandoraState:
    """The state in this step of the turn; steps go forward only."""
    step = STEPS.index(name)
    if step < state.turn.step:
        later = join_words(STEPS[state.turn.step :])
        raise IllegalEvent(f"step {name!r} is over in this turn, expected {later}, or the end of the turn")
    return replace(state, turn=replace(state.turn, step=step))


def check_hostile(state: PandoraState, seat: int, what: str) -> None:
    """Escudo and Ordem de Hera stop powers and cards used on their owner."""
    if state.effect_on(seat, "shield"):
        raise IllegalEvent(f"{what}: {state.players[seat]} is guarded by Escudo (Shield), expected another target")
    check_order(state, seat, what)


def check_order(state: PandoraState, seat: int, what: str) -> None:
    """Ordem de Hera lies before the player whose turn it is: no attack on, no power against the one who cast it."""
    if state.effect_on(state.seat, "hera_order", caster=seat):
        raise IllegalEvent(
            f"{what}: Ordem de Hera (Order of Hera) guards {state.players[seat]}, expected another target"
        )


def read_victim(state: PandoraState, seat: int, value: object, what: str) -> Unit:
    """A living unit that a hostile power can hit: relic carriers are safe [GD:173]."""
    unit = read_unit(state, seat, value, what)
    if unit.relics:
        raise IllegalEvent(f"{what}: {unit.id} carries a relic, which guards it; expected a unit without one")
    return unit


def killed(state: PandoraState, seat: int, unit: Unit, relics_to: tuple[int, str] | None) -> PandoraState:
    """The state without a unit; its relics go to a unit, or lie on the space (GD-26). A creature goes for good."""
    if unit.type == "creature":
        left = tuple(other for other in state.warlords[seat].units if other.id != unit.id)
        state = state.with_warlord(seat, units=left)
    else:
        changes = {"alive": False, "spartan": False, "relics": 0, "paralysed_by": None, "bonus": 0}
        state = state.with_unit(seat, unit.id, **changes)
    if not unit.relics:
        return state
    if relics_to is None:
        return replace(state, relics_on_board=state.relics_on_board + unit.relics)
    owner, name = relics_to
    taker = state.warlords[owner].unit(name)
    assert taker is not None
    return state.with_unit(owner, name, relics=taker.relics + unit.relics)
