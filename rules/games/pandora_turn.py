"""Pandora's Box: the other events of a turn: revival, movement, objective, powers of the pieces, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Event
from tablesight.rules.games.pandora_battle import movement, roll_objective, target
from tablesight.rules.games.pandora_catalog import GODS, PRICES
from tablesight.rules.games.pandora_reading import (
    MOST_NEIGHBOURS,
    check_hostile,
    go_to_step,
    killed,
    read_die,
    read_other,
    read_seat,
    read_unit,
    read_victim,
)
from tablesight.rules.games.pandora_state import Effect, PandoraState, Turn, Unit
from tablesight.rules.parsing import each, expect_phase, flag, get, one_of, sequence, whole
from tablesight.rules.wording import join_words, plural

MOST_PIECES: Final = 4
ALTAR_NEEDS: Final = 5
RAY_NEEDS: Final = {"hero": 6}
RAY_NEEDS_TROOP: Final = 5
EXTRA_TURN_NEEDS: Final = 6
TEMPLES_NEED: Final = 5


def revived(state: PandoraState, event: Event) -> PandoraState:
    """`{unit, where?}` in step 1: one free, each further one for a token (GD-09, GD-10)."""
    expect_phase(state.phase, event, "play")
    state = go_to_step(state, "revive")
    unit = read_unit(state, state.seat, get(event, "unit"), "unit", alive=False)
    where = one_of(event.get("where", "temple"), "where", ("temple", "city", "hunt"))
    god, pieces = state.me.god, state.me.pieces
    if where == "city" and not (god == "atena" and pieces):
        raise IllegalEvent("where: expected 'temple', only Athena revives in a city she has built")
    if where == "hunt" and not (god == "artemis" and pieces and unit.type == "hero"):
        raise IllegalEvent("where: expected 'temple', only Artemis' hero revives on a hunt token")
    if state.effect_on(state.seat, "drought"):
        raise IllegalEvent(f"Estiagem (Drought) lies before {state.name}, expected no unit to be created in this turn")
    if state.turn.revived:
        if state.me.tokens < 1:
            raise IllegalEvent(f"{state.name} has revived a unit for free, expected a token for another one, got none")
        state = state.with_warlord(state.seat, tokens=state.me.tokens - 1)
    state = state.with_unit(state.seat, unit.id, alive=True)
    return replace(state, turn=replace(state.turn, revived=True), told=f"{unit.id} of {state.name} revives ({where})")


def allowance(state: PandoraState, unit: Unit, seas: int = 0, sandals: int = 0) -> int:
    """The steps of a unit of the player whose turn it is, cards of this turn included."""
    me = state.me
    if not state.options.pieces_add:
        seas, sandals = min(1, seas), min(1, sandals)
    return movement(unit.fights_as, me.god or "", passive=me.passive, seas=seas, sandals=sandals) + unit.bonus


def moved(state: PandoraState, event: Event) -> PandoraState:
    """`{unit, steps?, seas?, sandals?, jumped?, takes_relic?}` in step 4, each unit once a round."""
    expect_phase(state.phase, event, "play")
    state = go_to_step(state, "move")
    unit = read_unit(state, state.seat, get(event, "unit"), "unit")
    if unit.moved:
        raise IllegalEvent(f"unit: {unit.id} has moved in this turn, expected each unit to move once")
    if unit.paralysed_by is not None:
        raise IllegalEvent(f"unit: {unit.id} is paralysed and cannot move, expected another unit")
    seas = whole(event.get("seas", 0), "seas", 0, MOST_NEIGHBOURS)
    sandals = whole(event.get("sandals", 0), "sandals", 0, MOST_NEIGHBOURS)
    steps = allowance(state, unit, seas, sandals) + _jump(state, unit, event)
    if "steps" in event:
        whole(event["steps"], f"steps of {unit.id}", 0, steps)
    relics = unit.relics
    if flag(event.get("takes_relic", False), "takes_relic"):
        if not state.relics_on_board:
            raise IllegalEvent("takes_relic: all relics are carried, expected false")
        relics += 1
        state = replace(state, relics_on_board=state.relics_on_board - 1)
    state = state.with_unit(state.seat, unit.id, moved=True, relics=relics)
    return replace(state, told=f"{unit.id} of {state.name} moves, {plural(steps, 'step')} at most")


def _jump(state: PandoraState, unit: Unit, event: Event) -> int:
    """A further step for the space that cavalry jumps with Flanquear, where it does not count (GD-50)."""
    if not flag(event.get("jumped", False), "jumped"):
        return 0
    if unit.fights_as != "cavalry":
        raise IllegalEvent(f"jumped: expected false, only cavalry jumps, got {unit.id}")
    return 0 if state.options.jump_is_a_step else 1


def objective_rolled(state: PandoraState, event: Event) -> PandoraState:
    """`{roll, target_rolls?, victim?, reached?}` in step 7, once a turn.

    Artemis and Apollo roll again for the target (GD-28): all `target_rolls`, those that must be repeated included.
    `victim` is the unit that Artemis shoots, null where there is none; `reached` says whether Apollo's temple is
    within six spaces. Raises IllegalEvent.
    """
    expect_phase(state.phase, event, "play")
    state = go_to_step(state, "objective")
    if state.turn.tried:
        raise IllegalEvent(f"{state.name} has tried the objective in this turn, expected one try")
    roll = read_die(get(event, "roll"), "roll")
    result, left = roll_objective(state.options.mode, state.me.tokens, roll)
    if result == "illegal":
        price = PRICES[state.options.mode]
        raise IllegalEvent(f"{state.name} has {plural(state.me.tokens, 'token')}, expected {price} for a try")
    state = replace(state, turn=replace(state.turn, tried=True), told=f"{state.name} rolls {roll}: {result}")
    if result != "success":
        return state.with_warlord(state.seat, tokens=left)
    if state.me.god in ("artemis", "apolo"):
        return _aimed(state, event, left)
    return _with_piece(state, left)


def _aimed(state: PandoraState, event: Event, left: int) -> PandoraState:
    hunting = state.me.god == "artemis"
    seat = _target(state, event, hunting)
    if seat is None or (not hunting and not flag(get(event, "reached"), "reached")):
        return _missed(state, left)
    if not hunting:
        return _with_piece(state.with_warlord(state.seat, lit=(*state.me.lit, seat)), left)
    victim = get(event, "victim")
    if victim is None:
        return _missed(state, left)
    read_unit(state, state.seat, "hero", "hero (who shoots)")
    check_hostile(state, seat, "target_rolls")
    unit = read_victim(state, seat, victim, "victim")
    state = killed(state, seat, unit, None).with_warlord(state.seat, last_hunted=seat)
    return _with_piece(state, left)


def _target(state: PandoraState, event: Event, hunting: bool) -> int | None:
    """The seat that the count picks in the end; None where the roll may not be repeated (GD-27, GD-31)."""
    rolls = each(get(event, "target_rolls"), "target_rolls", read_die, 1, 1000)
    barred = [state.me.last_hunted] if hunting else list(state.me.lit)
    repeat = (state.options.hunted_again if hunting else state.options.lit_again) == "roll_again"
    for index, roll in enumerate(rolls):
        seat = target(len(state.players), state.seat, roll)
        last = index == len(rolls) - 1
        if seat not in barred or not repeat:
            if not last:
                raise IllegalEvent(f"target_rolls: {roll} picks {state.players[seat]}, expected no further roll")
            return None if seat in barred else seat
    raise IllegalEvent(f"target_rolls: the last picks {state.players[seat]} again, expected another roll")


def _missed(state: PandoraState, left: int) -> PandoraState:
    """No legal victim: no piece, the try is used (GD-29)."""
    if state.options.no_victim == "tokens_paid":
        state = state.with_warlord(state.seat, tokens=left)
    return replace(state, told=f"{state.told}, but no target")


def _with_piece(state: PandoraState, left: int) -> PandoraState:
    pieces = state.me.pieces + 1
    state = state.with_warlord(state.seat, tokens=left, pieces=pieces)
    piece = GODS[state.me.god or ""].piece_english
    state = replace(state, told=f"{state.told}: {piece} {pieces} of {state.pieces_to_win(state.seat)}")
    if pieces >= state.pieces_to_win(state.seat) and state.options.win == "at_once":
        return replace(state, phase="finished", winners=(state.seat,), told=f"{state.told}; {state.name} wins")
    return state


def ray_fired(state: PandoraState, event: Event) -> PandoraState:
    """`{seat, unit, roll}`: one ray per forge and turn; 5-6 kills a troop, 6 a hero [GD:246-250]."""
    expect_phase(state.phase, event, "play")
    state = _use_piece(state, "zeus", "forge")
    seat = read_other(state, get(event, "seat"), "seat")
    check_hostile(state, seat, "seat")
    unit = read_victim(state, seat, get(event, "unit"), "unit")
    roll = read_die(get(event, "roll"), "roll")
    if roll < RAY_NEEDS.get(unit.type, RAY_NEEDS_TROOP):
        return replace(state, told=f"the ray misses {unit.id} of {state.players[seat]}")
    return replace(killed(state, seat, unit, None), told=f"the ray kills {unit.id} of {state.players[seat]}")


def altar_rolled(state: PandoraState, event: Event) -> PandoraState:
    """`{roll, units}`: one die per altar and turn; 5-6 paralyses the enemy troops beside it [GD:283-285]."""
    expect_phase(state.phase, event, "play")
    state = _use_piece(state, "apolo", "altar")
    roll = read_die(get(event, "roll"), "roll")
    if roll < ALTAR_NEEDS:
        return replace(state, told=f"the altar rolls {roll}: nothing")
    for index, entry in enumerate(sequence(get(event, "units"), "units", 0, 48)):
        pair = sequence(entry, f"units[{index}]", 2, 2)
        seat = read_other(state, pair[0], f"units[{index}][0]")
        check_hostile(state, seat, f"units[{index}]")
        unit = read_victim(state, seat, pair[1], f"units[{index}][1]")
        if unit.type in ("hero", "creature"):
            raise IllegalEvent(f"units[{index}]: the altar paralyses troops, got {unit.id}")
        state = state.with_unit(seat, unit.id, paralysed_by=state.seat)
    return replace(state, told=f"the altar rolls {roll}: the troops beside it are paralysed")


def _use_piece(state: PandoraState, god: str, piece: str) -> PandoraState:
    if state.me.god != god:
        raise IllegalEvent(
            f"{state.name} plays {state.god_name(state.seat)}, expected {GODS[god].english} for a {piece}"
        )
    if state.turn.powers_used >= state.me.pieces:
        raise IllegalEvent(f"{plural(state.me.pieces, piece)} built, expected each to be used once a turn")
    return replace(state, turn=replace(state.turn, powers_used=state.turn.powers_used + 1))


def looked(state: PandoraState, event: Event) -> PandoraState:
    """`{seat}`: once a round Athena looks at a card of any player; which one is nobody else's business."""
    expect_phase(state.phase, event, "play")
    if state.me.passive != "atena":
        raise IllegalEvent(f"{state.name} plays {state.god_name(state.seat)}, expected Athena's passive power")
    if state.turn.looked:
        raise IllegalEvent(f"{state.name} has looked at a card in this turn, expected one look")
    seat = read_other(state, get(event, "seat"), "seat")
    check_hostile(state, seat, "seat")
    whole(state.warlords[seat].cards, f"cards of {state.players[seat]}", 1, 100)
    return replace(state, turn=replace(state.turn, looked=True), told=f"{state.name} looks at a card")


def temples_due(state: PandoraState) -> bool:
    """Whether the player may put the temples back, or roll to keep them off, in this turn."""
    return state.temples_off_by == state.seat and not state.turn.temples_done


def _check_temples(state: PandoraState, event: Event) -> PandoraState:
    expect_phase(state.phase, event, "play")
    if not temples_due(state):
        raise IllegalEvent(
            f"{event['type']!r}: expected temples that {state.name} took off the board in an earlier turn"
        )
    return replace(state, turn=replace(state.turn, temples_done=True))


def temples_placed(state: PandoraState, event: Event) -> PandoraState:
    """The other temples and Olympus go where Poseidon's player wants, each next to two territories."""
    return replace(_check_temples(state, event), temples_off_by=None, told="temples and Olympus are back on the board")


def temples_rolled(state: PandoraState, event: Event) -> PandoraState:
    """`{roll}`: 5-6 keeps the temples off for another round, anything else brings them back [GD:316-318]."""
    state = _check_temples(state, event)
    if read_die(get(event, "roll"), "roll") >= TEMPLES_NEED:
        return replace(state, told="temples and Olympus stay off the board")
    return replace(state, temples_off_by=None, told="temples and Olympus must be put back")


def creature_reborn(state: PandoraState, event: Event) -> PandoraState:
    """At the start of the killer's turn, when no unit stands next to its space (GD-46)."""
    expect_phase(state.phase, event, "play")
    state = go_to_step(state, "revive")
    if not state.me.creatures:
        raise IllegalEvent(f"{state.name} has killed no creature that is still dead, expected one")
    return replace(
        state.with_warlord(state.seat, creatures=state.me.creatures - 1),
        told=f"a creature of {state.name} is born again",
    )


def turn_ended(state: PandoraState, event: Event) -> PandoraState:
    """`{extra_roll?}`: the next player begins; after Apollo's second turn a die decides on a third [GD:275-279]."""
    expect_phase(state.phase, event, "play")
    turn, seat = state.turn, state.seat
    extra, may_roll = turn.extra, turn.may_roll_extra
    if extra == 0 and may_roll and "extra_roll" in event:
        extra += read_die(event["extra_roll"], "extra_roll") >= EXTRA_TURN_NEEDS
        may_roll = False
    elif "extra_roll" in event:
        raise IllegalEvent("extra_roll: expected it at the end of the turn that Apollo's power gave only")
    if extra:
        # the second turn ends with a die; the third does not
        state = replace(
            state, turn=Turn(extra=extra - 1, may_roll_extra=may_roll), told=f"{state.name} has another turn"
        )
        return _fresh_units(state)
    following = (seat + 1) % len(state.players)
    state = replace(state, seat=following, turn=Turn(), told=f"{state.players[following]}'s turn")
    if following == state.starter:
        done = tuple(s for s, w in enumerate(state.warlords) if w.pieces >= state.pieces_to_win(s))
        if done:
            names = join_words([state.players[winner] for winner in done], "and")
            return replace(state, phase="finished", winners=done, told=f"{names} won")
        state = replace(state, round_number=state.round_number + 1)
    return _fresh_units(_effects_over(state))


def _fresh_units(state: PandoraState) -> PandoraState:
    lasting = state.options.spartans_last == "till_death"
    return state.with_units(
        state.seat,
        lambda unit: replace(unit, moved=False, attacked=False, bonus=0, spartan=unit.spartan and lasting),
    )


def _effects_over(state: PandoraState) -> PandoraState:
    """What the player whose turn begins has cast ends now [GD:132-133]."""
    seat = state.seat
    effects = tuple(effect for effect in state.effects if effect.caster != seat and not _guard_over(state, effect))
    state = replace(state, effects=effects)
    for place in range(len(state.players)):
        state = state.with_units(
            place, lambda unit: replace(unit, paralysed_by=None) if unit.paralysed_by == seat else unit
        )
    return state


def _guard_over(state: PandoraState, effect: Effect) -> bool:
    """By option a guard lasts for one opponent's turn only: over when the second player after its caster begins."""
    short = state.options.guards_last == "one_turn" and effect.card in ("shield", "hera_order")
    return short and state.seat == (effect.caster + 2) % len(state.players)


def corrected(state: PandoraState, event: Event) -> PandoraState:
    """`{seat, tokens?, cards?, pieces?, creatures?, unit?, alive?, relics?, spartan?}`: the host puts things right."""
    expect_phase(state.phase, event, "play", "finished")
    seat = read_seat(state, get(event, "seat"), "seat")
    limits = {"tokens": 1000, "cards": 100, "pieces": MOST_PIECES, "creatures": 1000}
    given = {key: whole(event[key], key, 0, most) for key, most in limits.items() if key in event}
    if "unit" in event:
        state = _unit_corrected(state, seat, event)
    elif not given:
        raise IllegalEvent(f"'corrected': expected {join_words(limits)}, or a unit, got none of them")
    state = state.with_warlord(seat, **given)
    return replace(state, told=f"the host corrects {state.players[seat]}")


def _unit_corrected(state: PandoraState, seat: int, event: Event) -> PandoraState:
    unit = read_unit(state, seat, event["unit"], "unit", alive=None)
    alive = flag(event.get("alive", unit.alive), "alive")
    spartan = flag(event.get("spartan", unit.spartan), "spartan")
    relics = whole(event.get("relics", unit.relics), "relics", 0, unit.relics + state.relics_on_board)
    if spartan and unit.type in ("hero", "creature"):
        raise IllegalEvent(f"spartan: expected a troop, got {unit.id}")
    if not alive and relics:
        raise IllegalEvent(f"relics: {unit.id} is dead, expected 0, got {relics}")
    state = replace(state, relics_on_board=state.relics_on_board + unit.relics - relics)
    return state.with_unit(seat, unit.id, alive=alive, spartan=spartan and alive, relics=relics)


EVENTS: Final[Mapping[str, Callable[[PandoraState, Event], PandoraState]]] = {
    "revived": revived,
    "moved": moved,
    "objective_rolled": objective_rolled,
    "ray_fired": ray_fired,
    "altar_rolled": altar_rolled,
    "looked": looked,
    "temples_placed": temples_placed,
    "temples_rolled": temples_rolled,
    "creature_reborn": creature_reborn,
    "turn_ended": turn_ended,
    "corrected": corrected,
}
