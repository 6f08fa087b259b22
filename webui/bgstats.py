"""A finished game as a link that the BG Stats app opens; without the app nothing happens and nothing is sent.

The form is the one at https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/ (read in
November 2026). Of the two addresses it names, the https one would reach a server where the app is missing.
"""

from __future__ import annotations

import json
import time
from typing import Any, Final
from urllib.parse import quote

from tablesight.rules.games.panda_round import winners
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.record import Record

ADDRESS: Final = "bgstats://app.bgstatsapp.com/createPlay.html?data="
LONGEST_MIN: Final = 24 * 60
"""A game that was left open for longer has no duration that means anything."""


def bgstats_link(record: Record) -> str:
    """The address and the play as JSON."""
    return ADDRESS + quote(json.dumps(bgstats_play(record), ensure_ascii=False), safe="")


def bgstats_play(record: Record) -> dict[str, Any]:
    """The play: `playDate` is UTC; `winner` is there for each player, the app for Android asks for it."""
    state: PandaState = record.state
    totals, won = state.totals, winners(state.totals)
    minutes = round((record.last.at_s - record.started_at_s) / 60)
    play: dict[str, Any] = {
        "sourceName": "Tablesight",
        "sourcePlayId": record.id,
        "playDate": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(record.started_at_s)),
        "game": {"name": record.game.title, "sourceGameId": record.game.id, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "score": totals[seat],
                "winner": seat in won,
                "rank": 1 + sum(total > totals[seat] for total in totals),
                "startPlayer": False,
            }
            for seat, name in enumerate(state.players)
        ],
    }
    if 0 < minutes <= LONGEST_MIN:
        play["durationMin"] = minutes
    return play
