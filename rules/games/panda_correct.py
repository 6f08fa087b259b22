"""Panda Royale: correcting a die of any round, and saying what that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.game import Event
from tablesight.rules.games.panda_dice import (
    LAST_ROUND,
    SIDES,
    Die,
    Hand,
    Kinds,
    check_value,
    kinds_of,
    read_hand,
    read_kind,
    same_kinds,
    without_pink,
)
from tablesight.rules.games.panda_flow import go_on, leading, next_layer, resettled, told, without_idle_reroll
from tablesight.rules.games.panda_round import winners
from tablesight.rules.games.panda_scoring import is_yellow
from tablesight.rules.games.panda_state import Change, ChangeKind, Layer, PandaState, Round
from tablesight.rules.games.panda_watch import over_box
from tablesight.rules.parsing import flag, get, whole


def corrected(state: PandaState, event: Event) -> PandaState:
    """The state after `corrected {round, seat, die, value?, kind?}` or `corrected {round, seat, dice}`.

    `die` counts from 0 in the order in which the hand was entered; a value corrects the die as it finally lies, after
    any re-roll. Later entries stay; `changes` tells what else is different now. A new kind that breaks the box law is
    refused unless `"as_seen": true`. Raises IllegalEvent.
    """
    round_number = whole(get(event, "round"), "round", 1, state.round_number)
    seat = whole(get(event, "seat"), "seat", 0, len(state.players) - 1)
    start = without_idle_reroll(state) if round_number == state.round_number else state
    played = start.rounds[round_number - 1]
    lying = played.lying[seat]
    if lying is None:
        raise IllegalEvent(f"{state.players[seat]} has not rolled in round {round_number}: expected a hand to correct")
    hand = _new_hand(event, lying, state.options.cocked == "count")
    same = same_kinds(kinds_of(hand), kinds_of(lying))
    if not same and played.waiting and len(played.layers) > 1:
        raise IllegalEvent("a re-roll is going on: expected it to be finished or undone before a kind is corrected")
    as_seen = flag(event.get("as_seen", False), "as_seen")
    if not same:
        _check_kinds(state, round_number, seat, hand, as_seen)
    layers = _layers_with(start, played, seat, hand)
    fixed = start.with_round(replace(played, layers=layers), round_number)
    if as_seen:
        fixed = _accepted(fixed, round_number, seat)
    after = _recompute(fixed, round_number, seat, retell=not same)
    return replace(after, changes=difference(state, after))


def _accepted(state: PandaState, round_number: int, seat: int) -> PandaState:
    played = state.rounds[round_number - 1]
    return state.with_round(replace(played, accepted=tuple(sorted({*played.accepted, seat}))), round_number)


def _new_hand(event: Event, lying: Hand, cocked_counts: bool) -> Hand:
    if "dice" in event:
        return read_hand(event["dice"], "dice", cocked_counts)
    if not lying:
        raise IllegalEvent("die: expected a hand with dice, got an empty one")
    place = whole(get(event, "die"), "die", 0, len(lying) - 1)
    if "value" not in event and "kind" not in event:
        raise IllegalEvent("corrected: expected a 'value', a 'kind' or both, got neither")
    kind = read_kind(event["kind"], "kind") if "kind" in event else lying[place].kind
    die = Die(kind, check_value(kind, event.get("value", lying[place].value), "value"))
    return (*lying[:place], die, *lying[place + 1 :])


def _check_kinds(state: PandaState, round_number: int, seat: int, hand: Hand, as_seen: bool) -> None:
    if not state.watching:
        raise IllegalEvent(
            "kind: in a strict game the kinds follow from trades and drafts, expected a value only; undo the draft"
        )
    if as_seen:
        return
    lying = state.rounds[round_number - 1].lying
    expected = round_number + (seat in state.pity_for(round_number))
    if len(hand) not in (expected, len(lying[seat] or ())):
        raise IllegalEvent(f'dice: expected {expected}, got {len(hand)}; send "as_seen": true to take them as seen')
    others = [kinds_of(other) for place, other in enumerate(lying) if other and place != seat]
    before: list[Kinds] = [kinds_of(other) for other in lying if other]
    problem = over_box(before, [*others, kinds_of(hand)], len(state.players), state.players[seat])
    if problem:
        raise IllegalEvent(f'{problem}; send "as_seen": true to take it as seen')


def _layers_with(state: PandaState, played: Round, seat: int, hand: Hand) -> tuple[Layer, ...]:
    """The first roll and re-rolls with a corrected hand: in earlier ones yellow dice keep the values of then."""
    layers = list(played.layers)
    lies_so = True
    for place in reversed(range(len(layers))):
        then = layers[place][seat]
        if then is None:
            continue
        fixed = hand if lies_so else _as_it_lay(hand, then)
        layers[place] = (*layers[place][:seat], fixed, *layers[place][seat + 1 :])
        if place:
            before = replace(played, layers=played.layers[:place])
            lies_so = lies_so and next_layer(state, before, leading(state, before))[seat] is not None
    return tuple(layers)


def _as_it_lay(hand: Hand, then: Hand) -> Hand:
    if len(hand) != len(then):
        return hand
    return tuple(
        Die(new.kind, min(old.value, SIDES[new.kind])) if is_yellow(new.kind) and is_yellow(old.kind) else new
        for new, old in zip(hand, then, strict=True)
    )


def _recompute(state: PandaState, round_number: int, seat: int, retell: bool) -> PandaState:
    current = round_number == state.round_number
    if current and state.current.outcome is None:
        state = _without_needless_reroll(state)
        try:
            return go_on(state)
        except IllegalEvent:
            # the host's word stands, also where nothing explains it (yet): a second die may have to be put right
            return go_on(_accepted(state, round_number, seat))
    if retell:
        for number in (round_number, round_number + 1):
            if 1 < number <= state.round_number and state.rounds[number - 1].outcome:
                state = _retold(state, number)
    if current and _tie_can_be_rolled(state):
        played = replace(state.current, outcome=None)
        tied = leading(state, played)
        layers = (*played.layers, next_layer(state, played, tied))
        return state.with_round(replace(played, layers=layers), phase="reroll", turn=(), spent=())
    state = resettled(state, round_number)
    return _turns_kept(state) if current else state


def _without_needless_reroll(state: PandaState) -> PandaState:
    """The same without an unfinished re-roll whose tie the correction has dissolved."""
    played = state.current
    before = replace(played, layers=played.layers[:-1])
    if len(played.layers) > 1 and played.waiting and len(leading(state, before)) == 1:
        return state.with_round(before)
    return state


def _tie_can_be_rolled(state: PandaState) -> bool:
    """Whether a correction has made a tie in the round just settled, before anything was built on its result."""
    untouched = not state.current.trades and not state.current.pool and state.phase == "trade"
    started = not state.watching and len(state.turn) < len(state.players)
    tied = leading(state, state.current)
    return untouched and not started and len(tied) > 1 and state.round_number < LAST_ROUND


def _retold(state: PandaState, round_number: int) -> PandaState:
    try:
        stories = told(state, round_number)
    except IllegalEvent:
        stories = ()
    return state.with_round(replace(state.rounds[round_number - 1], stories=stories), round_number)


def _turns_kept(state: PandaState) -> PandaState:
    """The order of turns after a correction: seats that are done stay done, the others follow the new order."""
    outcome = state.current.outcome
    assert outcome is not None
    if state.watching:
        owned = tuple(without_pink(kinds_of(hand or ())) for hand in state.current.lying)
        return replace(state, owned=owned)
    order = outcome.trade_order if state.phase == "trade" else outcome.draft_order
    return replace(state, turn=tuple(seat for seat in order if seat in state.turn))


def difference(before: PandaState, after: PandaState) -> tuple[Change, ...]:
    """What is different in the results of two states of one game."""
    changes: list[Change] = []
    for number, (old, new) in enumerate(zip(before.rounds, after.rounds, strict=True), start=1):
        changes.extend(_round_changes(number, old, new))
    if before.totals != after.totals:
        pairs = zip(before.totals, after.totals, strict=True)
        changes.extend(Change("total", 0, seat, (was,), (now,)) for seat, (was, now) in enumerate(pairs) if was != now)
    if before.phase == after.phase == "finished" and winners(before.totals) != winners(after.totals):
        changes.append(Change("winners", 0, None, winners(before.totals), winners(after.totals)))
    return tuple(changes)


def _round_changes(number: int, old: Round, new: Round) -> list[Change]:
    if old.outcome is None or new.outcome is None:
        return []
    pairs = zip(old.outcome.totals, new.outcome.totals, strict=True)
    changes = [Change("score", number, seat, (was,), (now,)) for seat, (was, now) in enumerate(pairs) if was != now]
    results: Sequence[tuple[ChangeKind, tuple[int, ...], tuple[int, ...]]] = (
        ("token", _as_seats(old.outcome.token), _as_seats(new.outcome.token)),
        ("pity", old.outcome.pity, new.outcome.pity),
        ("trade_order", old.outcome.trade_order, new.outcome.trade_order),
        ("draft_order", old.outcome.draft_order, new.outcome.draft_order),
    )
    changes.extend(Change(what, number, None, was, now) for what, was, now in results if was != now)
    return changes


def _as_seats(token: int | None) -> tuple[int, ...]:
    return () if token is None else (token,)
