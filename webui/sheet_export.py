"""The score sheet to take away: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import Any

from tablesight.rules.games.panda_scoring import COLOURS
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.record import Record


def sheet_csv(record: Record) -> str:
    """One line a player and round, in the order of the printed sheet, then the sums."""
    state: PandaState = record.state
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(["player", "round", *COLOURS, "total"])
    for seat, name in enumerate(state.players):
        for number, played in enumerate(state.rounds, start=1):
            if played.outcome:
                row = played.outcome.scores[seat].to_json()
                write.writerow([_plain(name), number, *(row[colour] for colour in COLOURS), row["total"]])
        write.writerow([_plain(name), "sum", *[""] * len(COLOURS), state.totals[seat]])
    return "\ufeff" + out.getvalue()


def sheet_json(record: Record) -> str:
    """Players, rounds with dice and scores, totals."""
    state: PandaState = record.state
    data: dict[str, Any] = {
        "game": record.game.id,
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.started_at_s)),
        "simulated": record.simulated,
        "players": list(state.players),
        "options": state.options.to_json(),
        "rounds": [
            {
                "round": number,
                "dice": [[{"kind": die.kind, "value": die.value} for die in hand or ()] for hand in played.lying],
                "scores": [score.to_json() for score in played.outcome.scores] if played.outcome else None,
                "token": played.outcome.token if played.outcome else None,
            }
            for number, played in enumerate(state.rounds, start=1)
        ],
        "totals": list(state.totals),
    }
    return json.dumps(data, ensure_ascii=False, indent=1)


def _plain(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name
