"""A game that is played by hand, as the page shows it: the view of its rules in the envelope that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
        "can_redo": record.timeline.can_redo,
        "last": {
            "seq": record.last.seq,
            "type": record.last.event.get("type"),
            "event": record.last.event,
            "changes": [],
        },
        "view": view,
    }
