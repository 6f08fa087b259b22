"""A finished game as a link that the BG Stats app opens; without the app nothing happens and nothing is sent."""

from __future__ import annotations

import json
import time
from urllib.parse import quote

from tablesight.rules.games.panda_round import winners
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.record import Record


def bgstats_link(record: Record) -> str:
    """`bgstats://app.bgstats.com/createPlay.html?data=` and the play as JSON."""
    state: PandaState = record.state
    totals, won = state.totals, winners(state.totals)
    play = {
        "sourceName": "Tablesight",
        "sourcePlayId": record.id,
        "date": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.started_at_s)),
        "game": {"name": record.game.title, "sourceGameId": record.game.id, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "score": str(totals[seat]),
                "winner": seat in won,
                "rank": 1 + sum(total > totals[seat] for total in totals),
            }
            for seat, name in enumerate(state.players)
        ],
    }
    return "bgstats://app.bgstats.com/createPlay.html?data=" + quote(json.dumps(play, ensure_ascii=False))
