"""Panda Royale: how a round goes on once dice are on the table: ties, re-rolls, results, the next phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.games.panda_dice import LAST_ROUND, Hand, kinds_of, pink_dice, without_pink
from tablesight.rules.games.panda_round import Seats, contenders_after, settle, token_after_tie
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import Layer, PandaState, Round
from tablesight.rules.games.panda_stories import Story, explain
from tablesight.rules.games.panda_watch import advice, lawful, whole_table_problem


def go_on(state: PandaState) -> PandaState:
    """The state after a change of the current round's dice: waits, asks for a re-roll, or settles the round."""
    played = state.current
    if played.waiting:
        return replace(state, phase="roll" if len(played.layers) == 1 else "reroll")
    if state.watching and len(played.layers) == 1 and state.round_number > 1:
        played = replace(played, stories=told(state, state.round_number))
    tied = leading(state, played)
    if len(tied) > 1 and state.round_number < LAST_ROUND:
        return state.with_round(
            replace(played, layers=(*played.layers, next_layer(state, played, tied))), phase="reroll"
        )
    return settled(state, played, tied[0])


def complete(layer: Layer) -> tuple[Hand, ...]:
    """A layer in which every seat has rolled."""
    assert None not in layer
    return cast("tuple[Hand, ...]", layer)


def leading(state: PandaState, played: Round) -> Seats:
    """The seats that lead in yellow when every seat has rolled."""
    return contenders_after([complete(layer) for layer in played.layers], state.options.reroll == "tied")


def next_layer(state: PandaState, played: Round, tied: Sequence[int]) -> Layer:
    """The layer of a re-roll: None for each seat that rolls again, the hand as it lies for the others (PR-06)."""
    again = tied if state.options.reroll == "tied" else range(len(state.players))
    return tuple(
        None if seat in again and any(is_yellow(die.kind) for die in hand) else hand
        for seat, hand in enumerate(complete(played.layers[-1]))
    )


def asked_again(state: PandaState) -> Seats:
    """The seats that roll in the current re-roll, those that have done so included."""
    before = replace(state.current, layers=state.current.layers[:-1])
    asked = next_layer(state, before, leading(state, before))
    return tuple(seat for seat, hand in enumerate(asked) if hand is None)


def without_idle_reroll(state: PandaState) -> PandaState:
    """The same without a re-roll that nobody has begun."""
    if state.phase != "reroll" or len(asked_again(state)) > len(state.current.waiting):
        return state
    return state.with_round(replace(state.current, layers=state.current.layers[:-1]))


def settled(state: PandaState, played: Round, token: int) -> PandaState:
    """The current round scored, and the phase after it."""
    hands = complete(played.layers[-1])
    outcome = settle(hands, state.round_number, token, pink_dice(len(hands)))
    owned = tuple(without_pink(kinds_of(hand)) for hand in hands) if state.watching else state.owned
    state = state.with_round(replace(played, outcome=outcome), owned=owned)
    if state.round_number == LAST_ROUND:
        return replace(state, phase="finished", turn=(), spent=())
    if state.watching:
        return replace(state, phase="trade")
    return replace(state, phase="trade", turn=outcome.trade_order, spent=((0,) * len(hands),))


def resettled(state: PandaState, round_number: int) -> PandaState:
    """An already settled round scored again after a correction; what came later stays as it was entered."""
    played = state.rounds[round_number - 1]
    assert played.outcome is not None
    hands, tied = complete(played.layers[-1]), leading(state, played)
    token = token_after_tie(tied, played.outcome.token, len(hands))
    outcome = settle(hands, round_number, token, pink_dice(len(hands)))
    return state.with_round(replace(played, outcome=outcome), round_number)


def told(state: PandaState, round_number: int) -> tuple[Story, ...]:
    """The stories that lead to the hands of this round. Raises IllegalEvent where there must be one and is none."""
    played = state.rounds[round_number - 1]
    before = state.owned_before(round_number)
    after = tuple(without_pink(kinds_of(hand or ())) for hand in played.lying)
    stories = explain(before, after)
    if not stories and not played.accepted and lawful(before, round_number - 1):
        raise IllegalEvent(
            f"{whole_table_problem(state, before, after)}; {advice(state, before, after)}, or accept the hand as seen"
        )
    return stories
