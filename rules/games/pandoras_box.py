"""Pandora's Box, a companion: it keeps gods, tokens, units, relics, cards and pieces, and decides fights and rolls.

The board stays on the table: what stands beside a unit is asked from the players where it matters (GD-08). Decisions
GD-01 to GD-50.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tablesight.rules.game import Event, Json, Setup
from tablesight.rules.games import pandora_fights, pandora_setup, pandora_turn
from tablesight.rules.games.pandora_cards import card_discarded, card_drawn, card_played
from tablesight.rules.games.pandora_catalog import BATTLE_CARDS, CARDS, GODS, HAND_LIMIT, PRICES, UNIT_NAMES
from tablesight.rules.games.pandora_state import (
    OPTIONS,
    STATE_VERSION,
    STEPS,
    PandoraOptions,
    PandoraState,
    Unit,
    Warlord,
)
from tablesight.rules.options import Option, chosen
from tablesight.rules.parsing import event_type
from tablesight.rules.players import checked_players
from tablesight.rules.snapshot import opened, wrapped

EVENTS: Final[Mapping[str, Callable[[PandoraState, Event], PandoraState]]] = {
    **pandora_setup.EVENTS,
    **pandora_fights.EVENTS,
    **pandora_turn.EVENTS,
    "card_drawn": card_drawn,
    "card_discarded": card_discarded,
    "card_played": card_played,
}


class PandorasBox:
    """The game, for `GAMES`."""

    id: Final = "pandoras-box"
    title: Final = "Pandora's Box"
    player_counts: Final = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = OPTIONS

    def initial(self, setup: Setup) -> PandoraState:
        """Before the roll for the start. Raises BadSetup."""
        players = checked_players(setup, self.player_counts)
        options = PandoraOptions(**chosen(OPTIONS, setup.options))
        seats = range(len(players))
        return PandoraState(players, options, warlords=tuple(Warlord() for _ in seats), contenders=tuple(seats))

    def apply(self, state: PandoraState, event: Event) -> PandoraState:
        """The state after the event. Raises IllegalEvent."""
        return EVENTS[event_type(event, EVENTS)](state, event)

    def legal(self, state: PandoraState) -> list[Json]:
        """What may come next."""
        if state.phase == "start":
            return [{"type": "start_rolled", "seats": list(state.contenders)}]
        if state.phase == "gods":
            allowed = pandora_setup.gods_allowed(len(state.players), state.options.apollo)
            return [{"type": "gods_drawn", "gods": list(allowed)}]
        if state.phase == "passive":
            return [{"type": "passive_rolled"}]
        if state.phase == "board":
            return [{"type": "board_ready"}]
        if state.phase == "finished":
            return [{"type": "corrected"}]
        return _turn_moves(state)

    def view(self, state: PandoraState) -> Json:
        """Everything a page shows."""
        return {
            "game": self.id,
            "version": STATE_VERSION,
            "options": state.options.to_json(),
            "phase": state.phase,
            "step": STEPS[state.turn.step] if state.phase == "play" else None,
            "steps": list(STEPS),
            "price": PRICES[state.options.mode],
            **self.report(state),
            "totals": [warlord.pieces for warlord in state.warlords],
            "legal": self.legal(state),
        }

    def report(self, state: PandoraState) -> Json:
        """The players' things, the piles, whose turn it is, the winner."""
        return {
            "round": state.round_number,
            "seat": state.seat if state.phase == "play" else None,
            "starter": state.starter,
            "players": [_warlord_json(state, seat) for seat in range(len(state.players))],
            "draw_pile": state.pile,
            "discards": state.discards,
            "relics_on_board": state.relics_on_board,
            "temples_off_by": state.temples_off_by,
            "effects": [
                {"card": card_json(effect.card), "caster": effect.caster, "target": effect.target}
                for effect in state.effects
            ],
            "territories_of_each_kind": len(state.players),
            "told": state.told,
            "winners": list(state.winners),
        }

    def dump(self, state: PandoraState) -> Json:
        """The state as JSON."""
        return wrapped(self.id, STATE_VERSION, state)

    def load(self, data: Any) -> PandoraState:
        """The state that `dump` wrote. Raises ValueError."""
        return opened(PandoraState, self.id, STATE_VERSION, data)


def _warlord_json(state: PandoraState, seat: int) -> Json:
    warlord = state.warlords[seat]
    return {
        "seat": seat,
        "name": state.players[seat],
        "god": god_json(warlord.god),
        "passive": god_json(warlord.passive),
        "tokens": warlord.tokens,
        "pieces": warlord.pieces,
        "pieces_to_win": state.pieces_to_win(seat),
        "cards": warlord.cards,
        "creatures": warlord.creatures,
        "units": [_unit_json(unit) for unit in warlord.units],
        "last_hunted": warlord.last_hunted,
        "lit": list(warlord.lit),
    }


def _unit_json(unit: Unit) -> Json:
    portuguese, english = UNIT_NAMES[unit.fights_as]
    return {
        "id": unit.id,
        "type": unit.fights_as,
        "portuguese": portuguese,
        "english": english,
        "alive": unit.alive,
        "relics": unit.relics,
        "moved": unit.moved,
        "attacked": unit.attacked,
        "paralysed": unit.paralysed_by is not None,
    }


def god_json(god: str | None) -> Json | None:
    """The names of a god and of its piece."""
    if god is None:
        return None
    kind = GODS[god]
    piece = {"id": kind.piece, "portuguese": kind.piece_portuguese, "english": kind.piece_english}
    return {
        "id": god,
        "portuguese": kind.portuguese,
        "english": kind.english,
        "colour": kind.colour,
        "piece": piece,
    }


def card_json(card: str) -> Json:
    """The names and the effect of a card."""
    kind = CARDS[card]
    return {"id": card, "portuguese": kind.portuguese, "english": kind.english, "effect": kind.effect}


def _turn_moves(state: PandoraState) -> list[Json]:
    me, turn = state.me, state.turn
    living = [unit for unit in me.units if unit.alive]
    dead = [unit.id for unit in me.units if not unit.alive]
    moves: list[Json] = []
    step = STEPS[turn.step]
    if step == "revive" and dead and (not turn.revived or me.tokens):
        moves.append({"type": "revived", "units": dead, "tokens": 1 if turn.revived else 0})
    if turn.step <= STEPS.index("draw") and not turn.drawn:
        moves.append({"type": "card_drawn"} if me.cards < HAND_LIMIT else {"type": "card_discarded"})
    if turn.step <= STEPS.index("cards") and me.cards:
        cards = [card_json(card) for card in CARDS if card not in BATTLE_CARDS]
        moves.append({"type": "card_played", "cards": cards})
    if turn.step <= STEPS.index("move"):
        units = [
            {"unit": unit.id, "steps": pandora_turn.allowance(state, unit)}
            for unit in living
            if not unit.moved and unit.paralysed_by is None
        ]
        moves.append({"type": "moved", "units": units, "bonus": state.options.move_bonus})
    if turn.step <= STEPS.index("battle"):
        cards = [card_json(card) for card in BATTLE_CARDS]
        fighters = [unit.id for unit in living if not unit.attacked and unit.type != "creature"]
        moves.append({"type": "battled", "units": fighters, "cards": cards})
        moves.append({"type": "creature_fought", "units": [unit.id for unit in living], "cards": cards})
    if turn.step <= STEPS.index("lay_down") and me.cards and state.options.unwanted_cards:
        moves.append({"type": "card_discarded"})
    if not turn.tried and me.tokens >= PRICES[state.options.mode]:
        beside = state.options.beside_sheltered
        moves.append({"type": "objective_rolled", "price": PRICES[state.options.mode], "beside_sheltered": beside})
    if me.god == "zeus" and turn.powers_used < me.pieces:
        moves.append({"type": "ray_fired"})
    if me.god == "apolo" and turn.powers_used < me.pieces:
        moves.append({"type": "altar_rolled"})
    if step == "revive" and me.creatures:
        moves.append({"type": "creature_reborn"})
    if pandora_turn.temples_due(state):
        moves += [{"type": "temples_placed"}, {"type": "temples_rolled"}]
    if me.passive == "atena" and not turn.looked:
        moves.append({"type": "looked"})
    moves.append({"type": "turn_ended", "extra_roll": turn.extra == 0 and turn.may_roll_extra})
    moves.append({"type": "corrected"})
    return moves
