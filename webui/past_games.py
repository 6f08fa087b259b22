"""All games of the log in a line each; a finished game is read once."""

from __future__ import annotations

from typing import Any

from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.luck import lucky
from tablesight.webui.record import STARTED, Record, replayed
from tablesight.webui.store import Store


class PastGames:
    """Lists games, newest first. Scores are kept in memory by game and last entry."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, int], dict[str, Any]] = {}

    def listed(self, most: int = 200, with_scores: int = 40) -> list[dict[str, Any]]:
        """At most `most` games; the scores of the newest `with_scores`."""
        begun = self._store.beginnings(most)
        starts = [(entry, last) for entry, last in begun if entry.event.get("type") == STARTED]
        games = []
        for place, (entry, last) in enumerate(starts):
            game = str(entry.game)
            line = {
                "id": game,
                "game": entry.event.get("game"),
                "players": entry.event.get("players"),
                "simulated": entry.event.get("simulated", False),
                "started_at_s": entry.at_s,
            }
            if place < with_scores:
                line |= self._scores(game, last)
            games.append(line)
        return games

    def _scores(self, game: str, seq: int) -> dict[str, Any]:
        key = (game, seq)
        if key not in self._known:
            record = replayed(self._store.entries(game))
            state = record.state if record else None
            if isinstance(state, PandaState):
                self._known[key] = _panda_scores(state)
            else:
                self._known[key] = _hand_scores(record) if record else {}
        return self._known[key]


def _hand_scores(record: Record) -> dict[str, Any]:
    """Totals, where the game has any, and the winners by seat; in BOX a team wins."""
    view = record.game.view(record.state)
    ended = view["phase"] == "finished"
    won = [seat for seat, player in enumerate(view["players"]) if player.get("team", seat) in view["winners"]]
    return {"totals": view.get("totals"), "winners": won if ended else None}


def _panda_scores(state: PandaState) -> dict[str, Any]:
    """Totals, winners, and by seat the luck and the best round."""
    best = max(state.totals)
    ended = state.phase == "finished"
    rounds = [played.outcome.totals for played in state.rounds if played.outcome]
    return {
        "totals": list(state.totals),
        "winners": [seat for seat, total in enumerate(state.totals) if total == best] if ended else None,
        "ended": ended,
        "luck": list(lucky(state)),
        "best_rounds": [max(totals[seat] for totals in rounds) for seat in range(len(state.players))]
        if rounds
        else None,
    }
