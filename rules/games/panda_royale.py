"""Panda Royale, complete: ten rounds of rolling, pity, trading and drafting.

Two ways to play. *Watching*: only rolls are entered; trades and drafts are inferred from one round's hands to the
next. *Strict*: every trade, pool and draft is an event. Source: the rules specification, decisions PR-01 to PR-26.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Event, Json, Setup
from tablesight.rules.games import panda_view
from tablesight.rules.games.panda_correct import corrected
from tablesight.rules.games.panda_dice import (
    BOX,
    IN_BAG,
    Die,
    Hand,
    in_words,
    kinds_of,
    read_hand,
    read_kind,
    same_kinds,
)
from tablesight.rules.games.panda_flow import asked_again, go_on, without_idle_reroll
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import (
    OPTIONS,
    STATE_VERSION,
    Draft,
    PandaOptions,
    PandaState,
    first_state,
    new_round,
)
from tablesight.rules.games.panda_trading import Trade, exchange, refusal, spent_after
from tablesight.rules.games.panda_watch import known_hand_problem, seen_hand_problem
from tablesight.rules.options import Option, chosen
from tablesight.rules.parsing import each, event_type, expect_phase, flag, get, whole
from tablesight.rules.players import checked_players
from tablesight.rules.snapshot import opened, wrapped
from tablesight.rules.wording import join_words


class PandaRoyale:
    """The game, for `GAMES`."""

    id: Final = "panda-royale"
    title: Final = "Panda Royale"
    player_counts: Final = tuple(range(2, 11))
    options: tuple[Option, ...] = OPTIONS

    def initial(self, setup: Setup) -> PandaState:
        """Everybody holds one yellow d6 [PR:38]."""
        players = checked_players(setup, self.player_counts)
        return first_state(players, PandaOptions(**chosen(OPTIONS, setup.options)))

    def apply(self, state: PandaState, event: Event) -> PandaState:
        """The state after the event. Raises IllegalEvent."""
        # what a correction changed is told until the next event
        told = replace(state, changes=()) if state.changes else state
        return EVENTS[event_type(event, EVENTS)](told, event)

    def legal(self, state: PandaState) -> list[Json]:
        """What may come next."""
        return panda_view.legal(state)

    def view(self, state: PandaState) -> Json:
        """Everything a page shows."""
        return panda_view.view(state)

    def report(self, state: PandaState) -> Json:
        """The rounds as `tablesight referee` prints them."""
        return panda_view.report(state)

    def dump(self, state: PandaState) -> Json:
        """The state as JSON."""
        return wrapped(self.id, STATE_VERSION, state)

    def load(self, data: Any) -> PandaState:
        """The state that `dump` wrote. Raises ValueError."""
        return opened(PandaState, self.id, STATE_VERSION, data)


def _next_round(state: PandaState) -> PandaState:
    """A watched round begins when the first of its rolls is seen."""
    if state.watching and state.phase == "trade":
        return replace(state, rounds=(*state.rounds, new_round(len(state.players))), phase="roll")
    return state


def _check_hand(state: PandaState, seat: int, hand: Hand) -> None:
    problem = (seen_hand_problem if state.watching else known_hand_problem)(state, seat, hand)
    if problem:
        raise IllegalEvent(problem)


def _rolled(state: PandaState, event: Event) -> PandaState:
    if state.phase == "trade":
        state = _next_round(state)
    expect_phase(state.phase, event, "roll")
    hands = _hands(state, event)
    layer: tuple[Hand | None, ...] = (None,) * len(state.players)
    for seat, hand in enumerate(hands):
        _check_hand(state, seat, hand)
        layer = (*layer[:seat], hand, *layer[seat + 1 :])
        state = state.with_round(replace(state.current, layers=(layer,), accepted=()))
    return go_on(state)


def _hands(state: PandaState, event: Event) -> tuple[Hand, ...]:
    count = len(state.players)
    cocked_counts = state.options.cocked == "count"
    return each(get(event, "dice"), "dice", lambda entry, where: read_hand(entry, where, cocked_counts), count, count)


def _seat_rolled(state: PandaState, event: Event, accepted: bool = False) -> PandaState:
    """One seat's roll; the same seat again replaces it while the round is open."""
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    hand = read_hand(get(event, "dice"), "dice", state.options.cocked == "count")
    again = event.get("round") == state.round_number and state.phase == "trade"
    if again:
        state = _reopened(state)
    state = _next_round(state)
    if "round" in event:
        whole(event["round"], "round", state.round_number, state.round_number)
    expect_phase(state.phase, event, "roll", "reroll")
    if state.phase == "reroll":
        state = without_idle_reroll(state)
        if len(state.current.layers) != 1:
            raise IllegalEvent("the re-roll has begun: expected 'seat_rerolled' or 'corrected', got 'seat_rolled'")
    if not accepted:
        _check_hand(state, seat, hand)
    played = state.current
    layer = (*played.layers[0][:seat], hand, *played.layers[0][seat + 1 :])
    seats = {*played.accepted, seat} if accepted else {*played.accepted} - {seat}
    return go_on(state.with_round(replace(played, layers=(layer,), accepted=tuple(sorted(seats)))))


def _reopened(state: PandaState) -> PandaState:
    """The round just settled opened again, so that one of its rolls can be replaced."""
    if not state.watching or len(state.current.layers) != 1:
        raise IllegalEvent(f"round {state.round_number} is scored: expected 'corrected', got 'seat_rolled'")
    return state.with_round(replace(state.current, outcome=None), phase="roll")


def _hand_accepted(state: PandaState, event: Event) -> PandaState:
    """The host says that the hand is as seen, whatever the rules expect."""
    if not state.watching:
        raise IllegalEvent("'hand_accepted' in a strict game: expected hands that follow from trades and drafts")
    return _seat_rolled(state, event, accepted=True)


def _rerolled(state: PandaState, event: Event) -> PandaState:
    expect_phase(state.phase, event, "reroll")
    asked = asked_again(state)
    for seat, dice in enumerate(_hands(state, event)):
        if seat in asked:
            state = _with_reroll(state, seat, dice)
            continue
        # by the house rule "tied" seats that do not roll may send nothing, or their dice as they lie
        lying = tuple(die for die in state.current.lying[seat] or () if is_yellow(die.kind))
        if dice and dice != lying:
            raise IllegalEvent(f"{state.players[seat]} does not roll again: expected no dice, got {_named(dice)}")
    return go_on(state)


def _seat_rerolled(state: PandaState, event: Event) -> PandaState:
    expect_phase(state.phase, event, "reroll")
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    dice = read_hand(get(event, "dice"), "dice", state.options.cocked == "count")
    asked = asked_again(state)
    if seat not in asked:
        expected = join_words([state.players[other] for other in asked], "and")
        raise IllegalEvent(f"{state.players[seat]} does not roll again: expected {expected}")
    return go_on(_with_reroll(state, seat, dice))


def _with_reroll(state: PandaState, seat: int, dice: Hand) -> PandaState:
    """Yellow dice take the new values, in hand order for each kind."""
    played = state.current
    lying = played.lying[seat] or ()
    expected = tuple(die for die in lying if is_yellow(die.kind))
    if not same_kinds(kinds_of(dice), kinds_of(expected)):
        raise IllegalEvent(
            f"{state.players[seat]} rolls {_named(dice)} again, expected all their yellow dice: {_named(expected)}"
        )
    new = {kind: [die for die in dice if die.kind == kind] for kind in set(kinds_of(dice))}
    hand: Hand = tuple(new[die.kind].pop(0) if is_yellow(die.kind) else die for die in lying)
    layer = (*played.layers[-1][:seat], hand, *played.layers[-1][seat + 1 :])
    return state.with_round(replace(played, layers=(*played.layers[:-1], layer)))


def _named(dice: tuple[Die, ...]) -> str:
    return in_words(kinds_of(dice))


def _strict_only(state: PandaState, event: Event) -> None:
    if state.watching:
        raise IllegalEvent(f"{event['type']!r} in a watched game: expected only rolls, trades and drafts are inferred")


def _traded(state: PandaState, event: Event) -> PandaState:
    _strict_only(state, event)
    expect_phase(state.phase, event, "trade")
    last = len(state.players) - 1
    trade = Trade(
        whole(get(event, "seat"), "seat", 0, last),
        read_kind(get(event, "give"), "give"),
        whole(get(event, "other"), "other", 0, last),
        read_kind(get(event, "take"), "take"),
        flag(event["spent"], "spent") if event.get("spent") is not None else None,
    )
    reasons = [refusal(state.turn, state.owned, spent, trade) for spent in state.spent]
    possible = [spent for spent, reason in zip(state.spent, reasons, strict=True) if reason is None]
    taken_is_spent = state.options.clear_taken_is_spent
    after = {new for spent in possible for new in spent_after(state.owned, spent, trade, taken_is_spent)}
    if not after:
        names = state.players
        reason = reasons[0] or f"{names[trade.other]} holds no such clear die"
        raise IllegalEvent(
            f"{names[trade.seat]} gives {trade.give} for {trade.take} of {names[trade.other]}: {reason}; "
            f"expected {names[state.turn[0]]} to give a clear die not traded this round, or to end trading"
        )
    played = replace(state.current, trades=(*state.current.trades, trade))
    return state.with_round(played, owned=exchange(state.owned, trade), spent=tuple(sorted(after)))


def _trading_ended(state: PandaState, event: Event) -> PandaState:
    _strict_only(state, event)
    expect_phase(state.phase, event, "trade")
    _take_turn(state, event, "to trade")
    turn = state.turn[1:]
    if turn:
        return replace(state, turn=turn)
    outcome = state.current.outcome
    assert outcome is not None
    return replace(state, phase="pool", turn=outcome.draft_order, spent=())


def _take_turn(state: PandaState, event: Event, what: str) -> int:
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    if state.turn[0] != seat:
        raise IllegalEvent(f"{state.players[seat]} wants {what}: expected {state.players[state.turn[0]]}")
    return seat


def _pool_drawn(state: PandaState, event: Event) -> PandaState:
    _strict_only(state, event)
    expect_phase(state.phase, event, "pool")
    if state.options.pool_drawn_by == "panda":
        whole(get(event, "seat"), "seat (the holder of the Panda token draws)", state.token or 0, state.token or 0)
    size = len(state.players) + 1
    pool = each(get(event, "dice"), "dice", read_kind, size, size)
    out = [kind for hand in state.owned for kind in hand]
    for kind in dict.fromkeys(pool):
        left = BOX[kind] - out.count(kind) if kind in IN_BAG else 0
        if pool.count(kind) > left:
            raise IllegalEvent(f"dice: {pool.count(kind)} {kind} drawn, expected at most the {left} left in the bag")
    return state.with_round(replace(state.current, pool=pool), phase="draft")


def _drafted(state: PandaState, event: Event) -> PandaState:
    _strict_only(state, event)
    expect_phase(state.phase, event, "draft")
    seat = _take_turn(state, event, "to choose")
    kind = read_kind(get(event, "kind"), "kind")
    played = state.current
    taken = [draft.kind for draft in played.drafts]
    if played.pool.count(kind) <= taken.count(kind):
        left = in_words(panda_view.pool_left(played))
        raise IllegalEvent(f"{state.players[seat]} takes {kind}: expected a die of the pool, which holds {left}")
    owned = (*state.owned[:seat], (*state.owned[seat], kind), *state.owned[seat + 1 :])
    state = state.with_round(
        replace(played, drafts=(*played.drafts, Draft(seat, kind))), owned=owned, turn=state.turn[1:]
    )
    if state.turn:
        return state
    return replace(state, rounds=(*state.rounds, new_round(len(state.players))), phase="roll")


EVENTS: Final[Mapping[str, Callable[[PandaState, Event], PandaState]]] = {
    "rolled": _rolled,
    "seat_rolled": _seat_rolled,
    "hand_accepted": _hand_accepted,
    "rerolled": _rerolled,
    "seat_rerolled": _seat_rerolled,
    "traded": _traded,
    "trading_ended": _trading_ended,
    "pool_drawn": _pool_drawn,
    "drafted": _drafted,
    "corrected": corrected,
}
