"""A game that is played by hand, as the page shows it: the view of its rules in the envelope that all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablesight.rules.log import UNDONE
from tablesight.webui.record import Record


def hand_page(record: Record, colours: Sequence[int]) -> dict[str, Any]:
    """The game at the table, for any game but Panda Royale; `colours` by seat."""
    view = record.game.view(record.state)
    totals = view.get("totals") or [0] * len(view["players"])
    return {
        "id": record.id,
        "kind": record.game.id,
        "title": record.game.title,
        "started_at_s": record.started_at_s,
        "simulated": record.simulated,
        "phase": "ended" if view["phase"] == "finished" else view["phase"],
        "seats": [
            {"seat": player["seat"], "name": player["name"], "color": colours[player["seat"]], "running": total}
            for player, total in zip(view["players"], totals, strict=True)
        ],
        "questions": [],
        "winners": view["winners"] if view["phase"] == "finished" else None,
        "can_undo": record.timeline.can_undo,
        "undoes": _undoes(record),
        "can_redo": record.timeline.can_redo,
        "last": {
            "seq": record.last.seq,
            "type": record.last.event.get("type"),
            "event": record.last.event,
            "turned": _turned(record, view),
            "changes": [],
        },
        "view": view,
    }


def _undoes(record: Record) -> dict[str, Any] | None:
    """What undoing takes back: the type of the event and whose it was, None where the rules do not say whose."""
    if not record.timeline.can_undo:
        return None
    before = record.game.view(record.timeline.done[-2])
    event = record.note.event
    return {"type": event["type"], "seat": _whose(event, before)}


def _turned(record: Record, view: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the last entry took back or brought back, as `_undoes`; None where it is an event of the rules."""
    event = record.turned
    if event is None:
        return None
    before = view if record.last.event["type"] == UNDONE else record.game.view(record.timeline.done[-2])
    return {"type": event["type"], "seat": _whose(event, before)}


def _whose(event: Mapping[str, Any], before: Mapping[str, Any]) -> int | None:
    """The seat whose turn it was; of a correction whose things were put right. In a battle `seat` is the other side."""
    if event["type"] == "corrected":
        return event.get("seat")
    if event["type"] in ("shut", "counted"):  # anybody who watches the clock, or counts for all
        return None
    return (
        before["turn"] if before.get("turn") is not None else before.get("seat") if before["phase"] == "play" else None
    )
