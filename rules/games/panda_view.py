"""Panda Royale: what a page shows, what may come next, and the referee's report; all JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tablesight.rules.game import Json
from tablesight.rules.games.panda_dice import CLEAR, LAST_ROUND, Kinds, hand_json, kinds_of, without_pink
from tablesight.rules.games.panda_flow import asked_again, leading
from tablesight.rules.games.panda_round import winners
from tablesight.rules.games.panda_scoring import is_yellow, score_hand
from tablesight.rules.games.panda_state import STATE_VERSION, Change, PandaState, Round, with_pink
from tablesight.rules.wording import join_words


def next_roll(state: PandaState) -> int:
    """The round whose dice are rolled next or now."""
    ahead = state.watching and state.phase == "trade"
    return state.round_number + 1 if ahead else state.round_number


def expected_hands(state: PandaState) -> list[Json]:
    """What the next roll of each seat shows, as far as it is known.

    `kinds`: the dice owned, and the pink one; `unknown`: how many more dice come from the draft; `sure`: whether the
    kinds are certain. They are not where a clear die can have been traded for one of them.
    """
    number = next_roll(state)
    pity = state.pity_for(number)
    if not state.watching or number == 1:
        owned, unknown, sure = state.owned, 0, state.phase in ("roll", "reroll")
    else:
        owned, unknown = state.owned_before(number), 1
        sure = not any(CLEAR in kinds for kinds in owned)
    if state.phase == "reroll":
        return [_rerolled_hand(state, seat) for seat in range(len(state.players))]
    return [
        {"kinds": list(with_pink(kinds, seat in pity)), "unknown": unknown, "sure": sure}
        for seat, kinds in enumerate(owned)
    ]


def _rerolled_hand(state: PandaState, seat: int) -> Json:
    lying = state.current.lying[seat] or ()
    yellow = [die.kind for die in lying if is_yellow(die.kind)] if seat in asked_again(state) else []
    return {"kinds": yellow, "unknown": 0, "sure": True}


def waiting_for(state: PandaState) -> list[int]:
    """The seats whose event comes next."""
    if state.phase in ("roll", "reroll"):
        return list(state.current.waiting)
    if state.phase == "trade" and state.watching:
        return list(range(len(state.players)))
    if state.phase in ("trade", "draft"):
        return list(state.turn[:1])
    return []


def pool_left(played: Round) -> Kinds:
    """The dice of the pool that nobody has taken."""
    left = Counter(played.pool)
    left.subtract(draft.kind for draft in played.drafts)
    return tuple((+left).elements())


def legal(state: PandaState) -> list[Json]:
    """What may come next, one object per type."""
    moves: list[Json] = []
    waiting, number = waiting_for(state), next_roll(state)
    if state.phase == "roll" or (state.phase == "trade" and state.watching):
        rolled = [seat for seat in range(len(state.players)) if seat not in waiting]
        moves.append({"type": "seat_rolled", "round": number, "seats": waiting, "again": rolled})
        if state.watching:
            moves.append({"type": "hand_accepted", "round": number, "seats": waiting, "again": rolled})
        moves.append({"type": "rolled", "round": number})
    elif state.phase == "reroll":
        moves.append({"type": "seat_rerolled", "round": number, "seats": waiting})
        moves.append({"type": "rerolled", "round": number})
    elif state.phase == "trade":
        seat = state.turn[0]
        fresh = max(state.owned[seat].count(CLEAR) - spent[seat] for spent in state.spent)
        if fresh:
            takes = [
                {"other": other, "kinds": sorted(set(kinds))}
                for other, kinds in enumerate(state.owned)
                if other != seat and kinds
            ]
            moves.append({"type": "traded", "seat": seat, "give": CLEAR, "clear_dice": fresh, "takes": takes})
        moves.append({"type": "trading_ended", "seat": seat})
    elif state.phase == "pool":
        moves.append({"type": "pool_drawn", "count": len(state.players) + 1})
    elif state.phase == "draft":
        moves.append({"type": "drafted", "seat": state.turn[0], "kinds": sorted(set(pool_left(state.current)))})
    if any(hand for played in state.rounds for hand in played.lying):
        moves.append({"type": "corrected", "rounds": [1, state.round_number]})
    return moves


def view(state: PandaState) -> Json:
    """Everything a page shows."""
    number, outcome = next_roll(state), state.current.outcome
    finished = state.phase == "finished"
    return {
        "game": "panda-royale",
        "version": STATE_VERSION,
        "options": state.options.to_json(),
        "phase": state.phase,
        "round": state.round_number,
        "last_round": LAST_ROUND,
        "players": [{"seat": seat, "name": name} for seat, name in enumerate(state.players)],
        "rounds": [_round(state, index + 1) for index in range(state.round_number)],
        "totals": list(state.totals),
        "token": state.token,
        "next_roll": None if finished else number,
        "pink": [] if finished else list(state.pity_for(number)),
        "trade_order": list(outcome.trade_order) if outcome else [],
        "draft_order": list(outcome.draft_order) if outcome else [],
        "turn": list(state.turn),
        "pool": list(pool_left(state.current)),
        "owned": [list(kinds) for kinds in state.owned],
        "waiting_for": waiting_for(state),
        "expected": [] if finished else expected_hands(state),
        "winners": list(winners(state.totals)) if finished else [],
        "changes": [_change(state, change) for change in state.changes],
        "warnings": warnings(state),
        "legal": legal(state),
    }


def _round(state: PandaState, number: int) -> Json:
    played = state.rounds[number - 1]
    outcome = played.outcome
    return {
        "round": number,
        "scored": outcome is not None,
        "rerolls": max(0, len(played.layers) - 1 - bool(outcome is None and played.waiting)),
        "token": outcome.token if outcome else None,
        "pity": list(outcome.pity) if outcome else [],
        "trade_order": list(outcome.trade_order) if outcome else [],
        "draft_order": list(outcome.draft_order) if outcome else [],
        "seats": [_seat(played, seat) for seat in range(len(state.players))],
        "stories": stories(state, number),
        "trades": [
            {"seat": trade.seat, "give": trade.give, "other": trade.other, "take": trade.take}
            for trade in played.trades
        ],
        "drafts": [{"seat": draft.seat, "kind": draft.kind} for draft in played.drafts],
    }


def _seat(played: Round, seat: int) -> Json:
    hand = played.lying[seat]
    return {
        "seat": seat,
        "rolled": hand is not None,
        "accepted": seat in played.accepted,
        "dice": hand_json(hand or ()),
        "score": score_hand(hand).to_json() if hand is not None else None,
    }


def stories(state: PandaState, number: int) -> list[list[Json]]:
    """How the hands of a watched round can have come from those of the round before, as events of a strict game."""
    if number == 1:
        return []
    outcome = state.rounds[number - 2].outcome
    if outcome is None:
        return []
    return [story.events(outcome.trade_order, outcome.draft_order) for story in state.rounds[number - 1].stories]


def _change(state: PandaState, change: Change) -> Json:
    scalar = change.what in ("score", "token", "total")
    before: Any = (change.before[0] if change.before else None) if scalar else list(change.before)
    after: Any = (change.after[0] if change.after else None) if scalar else list(change.after)
    return {
        "what": change.what,
        "round": change.round_number or None,
        "seat": change.seat,
        "before": before,
        "after": after,
        "text": _change_text(state, change),
    }


def _change_text(state: PandaState, change: Change) -> str:
    where = f"round {change.round_number}: " if change.round_number else ""
    if change.what in ("score", "total"):
        name = state.players[change.seat or 0]
        return f"{where}{name}'s {change.what} {change.before[0]} becomes {change.after[0]}"
    before, after = (
        join_words([state.players[seat] for seat in seats], "and") for seats in (change.before, change.after)
    )
    subject = {
        "token": "the Panda token",
        "pity": "the pink dice",
        "trade_order": "the trade order",
        "draft_order": "the draft order",
        "winners": "the winners",
    }[change.what]
    return f"{where}{subject}: {before or 'nobody'} becomes {after or 'nobody'}"


def warnings(state: PandaState) -> list[str]:
    """Where later entries do not fit what a correction made of an earlier round, and hands that nothing explains."""
    found = []
    for number, played in enumerate(state.rounds, start=1):
        if played.outcome is None:
            continue
        if number < LAST_ROUND and len(leading(state, played)) > 1:
            found.append(f"round {number}: a tie for the highest yellow sum was never rolled again")
        if number > 1:
            found.extend(_pink_warnings(state, number))
        if state.watching and number > 1 and not played.stories:
            found.append(f"round {number}: no trades and drafts explain the hands; they count as seen")
        found.extend(_order_warnings(state, number))
    return found


def _pink_warnings(state: PandaState, number: int) -> list[str]:
    pity = state.pity_for(number)
    found = []
    for seat, hand in enumerate(state.rounds[number - 1].lying):
        rolled = len(hand or ()) - len(without_pink(kinds_of(hand or ())))
        if rolled != (seat in pity):
            due = "a pink die is due" if seat in pity else "no pink die is due"
            found.append(f"round {number}: {state.players[seat]} rolled {rolled or 'no'} pink, but {due}")
    return found


def _order_warnings(state: PandaState, number: int) -> list[str]:
    played = state.rounds[number - 1]
    outcome = played.outcome
    if outcome is None:
        return []
    drafted = tuple(draft.seat for draft in played.drafts)
    if drafted != outcome.draft_order[: len(drafted)]:
        return [f"round {number}: the dice were drafted in another order than the corrected one"]
    return []


def report(state: PandaState) -> Json:
    """The scored rounds, totals and winners; in watching mode also the stories between the rounds."""
    rounds = [
        {
            "scores": [score.to_json() for score in played.outcome.scores],
            "token": played.outcome.token,
            "pity": list(played.outcome.pity),
            "trade_order": list(played.outcome.trade_order),
            "draft_order": list(played.outcome.draft_order),
        }
        for played in state.rounds
        if played.outcome
    ]
    result: Json = {
        "rounds": rounds,
        "totals": list(state.totals),
        "winners": list(winners(state.totals)) if state.phase == "finished" else [],
    }
    if state.watching:
        numbers = [number for number in range(2, state.round_number + 1) if state.rounds[number - 1].outcome]
        result["stories"] = [story_of(state, number) for number in numbers]
    return result


def story_of(state: PandaState, number: int) -> Json:
    """How the hands of a watched round came about: the likeliest story in full, the others as events.

    `trades`, `drafts` and `events` are None where nothing explains the hands and they were taken as seen.
    """
    found = stories(state, number)
    events = found[0] if found else []
    return {
        "after_round": number - 1,
        "trades": _plain(events, "traded") if found else None,
        "drafts": _plain(events, "drafted") if found else None,
        "events": events if found else None,
        "alternatives": found[1:],
    }


def _plain(events: list[Json], kind: str) -> list[Json]:
    return [{key: event[key] for key in event if key != "type"} for event in events if event["type"] == kind]
