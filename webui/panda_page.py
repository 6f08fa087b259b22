"""A game of Panda Royale as the page shows it: JSON, everything the phone needs and nothing it must compute twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablesight.rules.games.panda_dice import LAST_ROUND, Hand, pink_dice
from tablesight.rules.games.panda_round import winners
from tablesight.rules.games.panda_scoring import Score, score_hand
from tablesight.rules.games.panda_state import PandaState, with_pink
from tablesight.rules.games.panda_view import pool_left
from tablesight.webui.bgstats import bgstats_link
from tablesight.webui.luck import lucky, spreads
from tablesight.webui.record import SIMULATED, Notes, Record
from tablesight.webui.session import Session
from tablesight.webui.throws import SeenDie, Throw


def panda_page(session: Session, record: Record, colours: Sequence[int]) -> dict[str, Any]:
    """The game at the table; `colours` by seat. The caller holds the session's lock."""
    state: PandaState = record.state
    throws = session.throws
    between = state.phase == "trade" and state.watching
    # the results of a round stay until the first dice of the next one are seen
    shown_next = between and bool(throws)
    number = state.round_number + shown_next
    seats = [
        {**_seat(session, record, seat, number, throws.get(seat)), "color": colours[seat]}
        for seat in range(len(state.players))
    ]
    return {
        "id": record.id,
        "kind": record.game.id,
        "started_at_s": record.started_at_s,
        "simulated": record.simulated,
        "options": state.options.to_json(),
        "phase": "ended" if state.phase == "finished" else "scored" if between and not shown_next else
                 "roll" if shown_next else state.phase,
        "round": number,
        "rounds": LAST_ROUND,
        "turn": list(state.turn),
        "token": state.token,
        "pink_dice": pink_dice(len(state.players)),
        "next": _next(state),
        "seats": seats,
        "questions": _questions(session, throws),
        "sheet": [_row(state, round_number) for round_number in range(1, LAST_ROUND + 1)],
        "luck": lucky(state),
        "luck_spread": spreads(state),
        "story": _story(state),
        "hands": [list(kinds) for kinds in state.owned],
        "pool": list(pool_left(state.current)) if state.phase == "draft" else [],
        "bgstats": bgstats_link(record) if state.phase == "finished" else None,
        "leaders": _leaders(state.totals),
        "winners": list(winners(state.totals)) if state.phase == "finished" else None,
        "can_undo": record.timeline.can_undo,
        "undoes": {key: record.note.event.get(key) for key in ("type", "seat")},
        "can_redo": record.timeline.can_redo,
        "last": _last(record),
    }  # fmt: skip


def _seat(session: Session, record: Record, seat: int, number: int, throw: Throw | None) -> dict[str, Any]:
    state: PandaState = record.state
    roll = session.next_roll(seat)
    hand = state.rounds[number - 1].lying[seat] if number <= len(state.rounds) else None
    pending = throw is not None
    asked = bool(roll) and (number > len(state.rounds) or seat in state.current.waiting)
    gate = session.gate.get(seat, "")
    status = "rolled"
    if pending and throw:
        status = "count" if throw.problem and not throw.doubts else "asks"
    elif asked:
        status = "moving" if gate == "moving" else "waiting"
    reroll = state.phase == "reroll" and asked
    dice = _throw_dice(throw) if throw and not reroll else _hand_dice(record.note, number, seat, hand) if hand else []
    scores = _scores(hand) if hand and not (asked and not reroll) else None
    return {
        "seat": seat,
        "name": state.players[seat],
        "state": status,
        "expected": roll.count if roll else len(hand or ()),
        "expects": list(roll.kinds or with_pink(state.owned[seat], seat in state.pity_for(roll.round_number)))
        if roll
        else None,
        "rolls": roll.round_number if roll else None,
        "pink": seat in state.pity_for(number),
        "rerolls": reroll,
        "dice": dice,
        "scores": scores,
        "running": state.totals[seat],
        "before": _before(state, number, seat),
        "problem": throw.problem if throw else "",
        "still": record.note.stills.get((number, seat)),
    }


def _before(state: PandaState, number: int, seat: int) -> int | None:
    """The total of the round before."""
    outcome = state.rounds[number - 2].outcome if 2 <= number <= len(state.rounds) + 1 else None
    return outcome.totals[seat] if outcome else None


def _hand_dice(notes: Notes, number: int, seat: int, hand: Hand) -> list[dict[str, Any]]:
    pictures = notes.pictures(number, seat, [die.kind for die in hand])
    return [
        {
            "index": place,
            "kind": die.kind,
            "value": die.value,
            "corrected": (number, seat, place) in notes.by_hand - notes.played,
            "question": False,
            "image": pictures[place],
        }
        for place, die in enumerate(hand)
    ]


def _throw_dice(throw: Throw) -> list[dict[str, Any]]:
    return [
        {
            "index": place,
            "id": die.id,
            "reading": throw.reading,
            "kind": die.told.kind if die.told else die.kind,
            "value": die.told.value if die.told else die.value,
            "corrected": die.answer is not None and die.answer.who != SIMULATED,
            "question": not die.is_sure,
            "image": f"/stills/{throw.reading}/dice/{die.id}.jpg",
        }
        for place, die in enumerate(throw.dice)
    ]


def _questions(session: Session, throws: Any) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = []
    for seat, throw in sorted(throws.items(), key=lambda item: item[1].at_s):
        roll = session.next_roll(seat)
        if throw.doubts:
            questions.extend(
                _doubt(seat, throw, die, len(throw.dice) > (roll.count if roll else 0)) for die in throw.doubts
            )
        elif throw.problem:
            counted = "/" in throw.problem and throw.problem.replace("/", "").isdecimal()
            questions.append(
                {
                    "what": "count" if counted else "hand",
                    "seat": seat,
                    "reading": throw.reading,
                    "text": "" if counted else throw.problem,
                    "seen": len(throw.dice),
                    "expected": roll.count if roll else 0,
                    "acceptable": roll is not None and roll.event == "seat_rolled",
                    "still": f"/stills/{throw.reading}/hand.jpg",
                }
            )
    return questions


def _doubt(seat: int, throw: Throw, die: SeenDie, too_many: bool) -> dict[str, Any]:
    return {
        "what": "die",
        "seat": seat,
        "reading": throw.reading,
        "die": die.id,
        "read": {"kind": die.kind, "value": die.value},
        "image": f"/stills/{throw.reading}/dice/{die.id}.jpg",
        "candidates": [{"kind": kind, "value": value} for kind, value in die.choices()],
        "too_many": too_many,
    }


def _scores(hand: Hand) -> dict[str, Any]:
    return scores_json(score_hand(hand), hand)


def scores_json(score: Score, hand: Hand) -> dict[str, Any]:
    """The row of the paper sheet; `has` names the columns that have dice."""
    colours = ("blue" if die.kind.startswith("glitter") else die.kind.partition("-")[0] for die in hand)
    return {**score.to_json(), "has": list(dict.fromkeys(colours))}


def _row(state: PandaState, number: int) -> dict[str, Any]:
    played = state.rounds[number - 1] if number <= len(state.rounds) else None
    scores: Sequence[dict[str, Any] | None] = [None] * len(state.players)
    if played and played.outcome:
        scores = [
            scores_json(score, hand or ()) for score, hand in zip(played.outcome.scores, played.lying, strict=True)
        ]
    return {"round": number, "scores": scores, "token": played.outcome.token if played and played.outcome else None}


def _next(state: PandaState) -> dict[str, Any] | None:
    """What follows a scored round: pity, trades and draft, in order."""
    outcome = state.current.outcome
    if outcome is None or state.phase == "finished":
        return None
    return {
        "pity": list(outcome.pity),
        "trade_order": list(outcome.trade_order),
        "draft_order": list(outcome.draft_order),
    }


def _story(state: PandaState) -> list[dict[str, Any]]:
    """Watching: how the hands of this round came about, as the referee infers it; empty where nothing is known."""
    if not state.watching or not state.current.stories:
        return []
    story = state.current.stories[0]
    return [
        {
            "seat": seat,
            "draft": story.drafts[seat],
            "takes": [{"other": take.other, "kind": take.kind} for take in story.takes if take.seat == seat],
        }
        for seat in range(len(state.players))
    ]


def _leaders(totals: Sequence[int]) -> list[int]:
    """The seats in front, none while nobody has more than anybody else."""
    best = winners(totals)
    return [] if len(best) == len(totals) else list(best)


def _last(record: Record) -> dict[str, Any]:
    """The last entry of the log, what it took back or brought back, and what a correction changed."""
    event = record.last.event
    changes = [
        {
            "what": change.what, "round": change.round_number, "seat": change.seat,
            "before": list(change.before), "after": list(change.after),
        }
        for change in record.state.changes
    ]  # fmt: skip
    turned = record.turned and {key: record.turned.get(key) for key in ("type", "seat", "round")}
    return {
        "seq": record.last.seq,
        "type": event.get("type"),
        "event": event,
        "turned": turned,
        "changes": changes,
    }


def round_json(record: Record, number: int) -> dict[str, Any]:
    """The dice of one round, each seat's, for looking at and correcting them."""
    state: PandaState = record.state
    played = state.rounds[number - 1]
    return {
        "round": number,
        "seats": [
            {
                "seat": seat,
                "dice": _hand_dice(record.note, number, seat, hand or ()),
                "still": record.note.stills.get((number, seat)),
            }
            for seat, hand in enumerate(played.lying)
        ],
    }
