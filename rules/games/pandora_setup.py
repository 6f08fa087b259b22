"""Pandora's Box: before the first turn: who starts, the gods, Zeus' passive power, the board [GD:82-122]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Event
from tablesight.rules.games.pandora_battle import target
from tablesight.rules.games.pandora_catalog import GODS
from tablesight.rules.games.pandora_reading import read_die
from tablesight.rules.games.pandora_state import PandoraState, Turn, Warlord, army
from tablesight.rules.parsing import each, expect_phase, get, one_of
from tablesight.rules.wording import join_words, quote

FEWEST_FOR_ARTEMIS: Final = 3
FEWEST_FOR_APOLLO: Final = 5


def gods_allowed(players: int, apollo: str) -> tuple[str, ...]:
    """The gods in the draw: Artemis needs three players (GD-27), Apollo five, by option fewer (GD-30)."""
    barred = set()
    if players < FEWEST_FOR_ARTEMIS:
        barred.add("artemis")
    if players < FEWEST_FOR_APOLLO and apollo == "from_5_players":
        barred.add("apolo")
    return tuple(god for god in GODS if god not in barred)


def start_rolled(state: PandoraState, event: Event) -> PandoraState:
    """`{rolls}`: one die per player still in the roll; those tied for highest roll again [GD:84-85]."""
    expect_phase(state.phase, event, "start")
    count = len(state.contenders)
    rolls = each(get(event, "rolls"), f"rolls of seats {list(state.contenders)}", read_die, count, count)
    best = tuple(seat for seat, roll in zip(state.contenders, rolls, strict=True) if roll == max(rolls))
    if len(best) > 1:
        names = join_words([state.players[seat] for seat in best], "and")
        return replace(state, contenders=best, told=f"{names} roll again")
    return replace(
        state, contenders=best, starter=best[0], seat=best[0], phase="gods", told=f"{state.players[best[0]]} starts"
    )


def gods_drawn(state: PandoraState, event: Event) -> PandoraState:
    """`{gods}`: one per seat; they are drawn before the terrain is laid (GD-07)."""
    expect_phase(state.phase, event, "gods")
    allowed = gods_allowed(len(state.players), state.options.apollo)
    count = len(state.players)
    gods = each(get(event, "gods"), "gods", lambda god, what: one_of(god, what, allowed), count, count)
    if len(set(gods)) < count:
        raise IllegalEvent(f"gods: expected a different god for each player, got {quote(list(gods))}")
    options = state.options
    warlords = tuple(
        Warlord(god=god, passive=god, tokens=options.start_tokens, cards=options.start_cards, units=army())
        for god in gods
    )
    pile = options.cards - options.start_cards * count
    phase: Final = "passive" if "zeus" in gods else "board"
    return replace(state, warlords=warlords, pile=pile, phase=phase, told="the gods are drawn")


def passive_rolled(state: PandoraState, event: Event) -> PandoraState:
    """`{roll}`: Zeus copies the passive power of the god that the count picks [GD:230-233]."""
    expect_phase(state.phase, event, "passive", "play")
    zeus = [seat for seat, warlord in enumerate(state.warlords) if warlord.god == "zeus"]
    if state.phase == "play":
        early = state.turn.step == 0 and not state.turn.passive_rolled
        if state.options.zeus_passive != "every_turn" or state.seat not in zeus or not early:
            raise IllegalEvent("'passive_rolled': expected it once, at the start of Zeus' turn, by option 'every_turn'")
    seat = target(len(state.players), zeus[0], read_die(get(event, "roll"), "roll"))
    god = state.warlords[seat].god
    state = state.with_warlord(zeus[0], passive=god)
    told = f"Zeus copies the passive power of {state.god_name(seat)}"
    if state.phase == "passive":
        return replace(state, phase="board", told=told)
    return replace(state, turn=replace(state.turn, passive_rolled=True), told=told)


def board_ready(state: PandoraState, event: Event) -> PandoraState:
    """Terrain, temples, units, creatures and relics are laid; the starter begins."""
    expect_phase(state.phase, event, "board")
    assert state.starter is not None
    relics = len(state.players)
    return replace(
        state, phase="play", seat=state.starter, turn=Turn(), relics_on_board=relics, told=f"{state.name} begins"
    )


EVENTS: Final[Mapping[str, Callable[[PandoraState, Event], PandoraState]]] = {
    "start_rolled": start_rolled,
    "gods_drawn": gods_drawn,
    "passive_rolled": passive_rolled,
    "board_ready": board_ready,
}
