"""Pandora's Box: movement and effect cards, and the active powers of the gods [GD:41-73,203-335]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Event
from tablesight.rules.games.pandora_battle import HERO_CARDS, TROOP_CARDS, target
from tablesight.rules.games.pandora_catalog import BATTLE_CARDS, CARDS, HAND_LIMIT
from tablesight.rules.games.pandora_reading import (
    check_hostile,
    go_to_step,
    killed,
    read_die,
    read_other,
    read_unit,
    read_victim,
)
from tablesight.rules.games.pandora_state import Effect, PandoraState, Unit
from tablesight.rules.parsing import each, expect_phase, get, one_of, sequence, whole

LURES: Final = {"corruption": 1, "desertion": 2, "eris_curse": 3}
PARALYSERS: Final = {"mire": 1, "torrent": 2, "medusa_gaze": 3}
CURES: Final = {"supplies": 1, "logistics": 2, "aegis_reflection": 3}
REBORN: Final = 3
CONTROLLED: Final = 3
DESTROYED_EACH: Final = 2


def card_name(card: str) -> str:
    """Both names of a card."""
    kind = CARDS[card]
    return f"{kind.portuguese} ({kind.english})" if kind.portuguese else kind.effect


def spend_cards(state: PandoraState, seat: int, count: int) -> PandoraState:
    """The state after a player has laid cards on the discard pile."""
    held = state.warlords[seat].cards
    if count > held:
        raise IllegalEvent(f"{state.players[seat]} plays {count} cards, expected at most the {held} in hand")
    state = state.with_warlord(seat, cards=held - count)
    return replace(state, discards=state.discards + count)


def card_played(state: PandoraState, event: Event) -> PandoraState:
    """`{card, ...}` in step 3; battle cards belong to the battle. Raises IllegalEvent."""
    expect_phase(state.phase, event, "play")
    card = one_of(get(event, "card"), "card", CARDS)
    if card in BATTLE_CARDS:
        raise IllegalEvent(f"card: {card_name(card)} is a battle card, expected it with 'battled' or 'creature_fought'")
    state = spend_cards(go_to_step(state, "cards"), state.seat, 1)
    state = replace(state, told=f"{state.name} plays {card_name(card)}")
    if card in TROOP_CARDS or card in HERO_CARDS:
        return _speed(state, event, card)
    if card in LURES:
        seat = read_other(state, get(event, "seat"), "seat")
        _victims(state, seat, event, LURES[card])
        return state
    if card in PARALYSERS:
        seat = read_other(state, get(event, "seat"), "seat")
        for unit in _victims(state, seat, event, PARALYSERS[card]):
            state = state.with_unit(seat, unit.id, paralysed_by=state.seat)
        return state
    if card in CURES:
        for unit in _own_units(state, event, CURES[card], alive=True):
            state = state.with_unit(state.seat, unit.id, paralysed_by=None)
        return state
    return EFFECTS[card](state, event)


def _speed(state: PandoraState, event: Event, card: str) -> PandoraState:
    unit = read_unit(state, state.seat, get(event, "unit"), "unit")
    for_hero = card in HERO_CARDS
    if (unit.type == "hero") is not for_hero or unit.type == "creature":
        raise IllegalEvent(
            f"unit: expected {'the hero' if for_hero else 'a troop'} for {card_name(card)}, got {unit.id}"
        )
    bonus = unit.bonus + (HERO_CARDS if for_hero else TROOP_CARDS)[card]
    return state.with_unit(state.seat, unit.id, bonus=bonus)


def _victims(state: PandoraState, seat: int, event: Event, most: int) -> tuple[Unit, ...]:
    check_hostile(state, seat, "seat")
    return _distinct(
        each(get(event, "units"), "units", lambda unit, what: read_victim(state, seat, unit, what), 1, most)
    )


def _own_units(state: PandoraState, event: Event, most: int, alive: bool) -> tuple[Unit, ...]:
    seat = state.seat
    return _distinct(
        each(get(event, "units"), "units", lambda unit, what: read_unit(state, seat, unit, what, alive), 1, most)
    )


def _distinct(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    names = [unit.id for unit in units]
    if len(set(names)) < len(names):
        raise IllegalEvent(f"units: expected each unit once, got {names}")
    return units


def _lasting(card: str, on: str) -> Callable[[PandoraState, Event], PandoraState]:
    """An effect that lies before a player until the caster's next turn (GD-48, GD-49)."""

    def play(state: PandoraState, event: Event) -> PandoraState:
        seat: int | None = None
        if on == "self":
            seat = state.seat
        elif on == "other":
            seat = read_other(state, get(event, "seat"), "seat")
            check_hostile(state, seat, "seat")
        return replace(state, effects=(*state.effects, Effect(card, state.seat, seat)))

    return play


def _apple(state: PandoraState, event: Event) -> PandoraState:
    seat = read_other(state, get(event, "seat"), "seat")
    check_hostile(state, seat, "seat")
    lost = read_victim(state, seat, get(event, "other_unit"), "other_unit")
    back = read_unit(state, state.seat, get(event, "unit"), "unit", alive=False)
    if lost.type != back.type or lost.type in ("hero", "creature"):
        raise IllegalEvent(f"unit: expected a dead own troop of the type {lost.type}, got {back.id}")
    return killed(state, seat, lost, None).with_unit(state.seat, back.id, alive=True)


def _acolyte(state: PandoraState, event: Event) -> PandoraState:
    for unit in _own_units(state, event, REBORN, alive=False):
        state = state.with_unit(state.seat, unit.id, alive=True)
    return state


def _fates_eye(state: PandoraState, event: Event) -> PandoraState:
    read_unit(state, state.seat, "hero", "hero", alive=False)
    if not any(unit.alive and unit.type not in ("hero", "creature") for unit in state.me.units):
        raise IllegalEvent(f"{state.name} has no troop on the board, expected one beside which the hero revives")
    return state.with_unit(state.seat, "hero", alive=True)


def _pandora_box(state: PandoraState, event: Event) -> PandoraState:
    """The active power of the god; Zeus copies one by the counting rule (`roll`), repeats allowed."""
    god = state.me.god
    if god == "zeus":
        seat = target(len(state.players), state.seat, read_die(get(event, "roll"), "roll"))
        god = state.warlords[seat].god
        state = replace(state, told=f"{state.told}: the power of {state.god_name(seat)}")
    assert god is not None
    return POWERS[god](state, event)


def _spartans(state: PandoraState, event: Event) -> PandoraState:
    return state.with_units(
        state.seat, lambda unit: replace(unit, spartan=unit.alive and unit.type not in ("hero", "creature"))
    )


def _creatures(state: PandoraState, event: Event) -> PandoraState:
    count = whole(event.get("creatures", CONTROLLED), "creatures", 1, CONTROLLED)
    free = [number for number in range(1, CONTROLLED + 1) if state.me.unit(f"creature-{number}") is None]
    new = tuple(Unit(f"creature-{number}", "creature") for number in free[:count])
    return state.with_warlord(state.seat, units=(*state.me.units, *new))


def _another_turn(state: PandoraState, event: Event) -> PandoraState:
    return replace(state, turn=replace(state.turn, extra=state.turn.extra + 1, may_roll_extra=True))


def _all_revive(state: PandoraState, event: Event) -> PandoraState:
    dead = sum(not unit.alive for unit in state.me.units)
    return state.with_units(state.seat, lambda unit: replace(unit, alive=True)).paid(state.seat, dead)


def _destroy(state: PandoraState, event: Event) -> PandoraState:
    """`kills`: `[seat, unit]`, at most two of each opponent, none with a relic."""
    kills = sequence(get(event, "kills"), "kills", 0, DESTROYED_EACH * len(state.players))
    count: dict[int, int] = {}
    for index, entry in enumerate(kills):
        pair = sequence(entry, f"kills[{index}]", 2, 2)
        seat = read_other(state, pair[0], f"kills[{index}][0]")
        check_hostile(state, seat, f"kills[{index}]")
        count[seat] = whole(count.get(seat, 0) + 1, f"kills of {state.players[seat]}", 0, DESTROYED_EACH)
        state = killed(state, seat, read_victim(state, seat, pair[1], f"kills[{index}][1]"), None)
    return state


def _temples_off(state: PandoraState, event: Event) -> PandoraState:
    """Poseidon's own temple is put back at once, the others are due from the next turn on [GD:312-318]."""
    told = f"{state.told}: temples and Olympus leave the board, the own temple goes where {state.name} wants"
    return replace(state, temples_off_by=state.seat, turn=replace(state.turn, temples_done=True), told=told)


def _relics_home(state: PandoraState, event: Event) -> PandoraState:
    """`relics`: `[unit, count]` for own living units; those left over lie in the own temple."""
    everything = state.relics_on_board + sum(unit.relics for warlord in state.warlords for unit in warlord.units)
    given: dict[str, int] = {}
    for index, entry in enumerate(sequence(get(event, "relics"), "relics", 0, 20)):
        pair = sequence(entry, f"relics[{index}]", 2, 2)
        unit = read_unit(state, state.seat, pair[0], f"relics[{index}][0]")
        given[unit.id] = given.get(unit.id, 0) + whole(pair[1], f"relics[{index}][1]", 1, everything)
    left = everything - sum(given.values())
    whole(left, "relics left for the temple", 0, everything)
    for seat in range(len(state.players)):
        state = state.with_units(seat, lambda unit: replace(unit, relics=0))
    for name, count in given.items():
        state = state.with_unit(state.seat, name, relics=count)
    return replace(state, relics_on_board=left)


EFFECTS: Final[Mapping[str, Callable[[PandoraState, Event], PandoraState]]] = {
    "aphrodite_apple": _apple,
    "pan_sonnet": _lasting("pan_sonnet", "nobody"),
    "drought": _lasting("drought", "other"),
    "pandora_box": _pandora_box,
    "shield": _lasting("shield", "self"),
    "demeter_acolyte": _acolyte,
    "hera_order": _lasting("hera_order", "other"),
    "fates_eye": _fates_eye,
}

POWERS: Final[Mapping[str, Callable[[PandoraState, Event], PandoraState]]] = {
    "ares": _spartans,
    "artemis": _creatures,
    "apolo": _another_turn,
    "hades": _all_revive,
    "atena": _destroy,
    "poseidon": _temples_off,
    "hermes": _relics_home,
}


def card_discarded(state: PandoraState, event: Event) -> PandoraState:
    """An unwanted card goes: before drawing with a full hand, or in step 6 [GD:126-128,137-138]."""
    expect_phase(state.phase, event, "play")
    drawing = state.turn.step <= 1 and not state.turn.drawn
    if not drawing and not state.options.unwanted_cards:
        raise IllegalEvent("'card_discarded': expected it before drawing only, unwanted cards are kept at this table")
    state = go_to_step(state, "draw" if drawing else "lay_down")
    return replace(spend_cards(state, state.seat, 1), told=f"{state.name} discards a card")


def card_drawn(state: PandoraState, event: Event) -> PandoraState:
    """One card a turn, three in hand at most (GD-11)."""
    expect_phase(state.phase, event, "play")
    state = go_to_step(state, "draw")
    if state.turn.drawn:
        raise IllegalEvent(f"{state.name} has drawn a card in this turn, expected no second one")
    if state.me.cards >= HAND_LIMIT:
        raise IllegalEvent(
            f"{state.name} holds {state.me.cards} cards, expected at most {HAND_LIMIT - 1}; discard one first"
        )
    if state.pile == 0 and state.options.empty_pile == "shuffle":
        state = replace(state, pile=state.discards, discards=0)
    if state.pile == 0:
        raise IllegalEvent("the draw pile is empty, expected at least one card")
    state = state.with_warlord(state.seat, cards=state.me.cards + 1)
    return replace(state, pile=state.pile - 1, turn=replace(state.turn, drawn=True), told=f"{state.name} draws a card")
