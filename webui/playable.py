"""Whether the games of this version understand a log to its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tablesight.rules.errors import IllegalEvent
from tablesight.rules.games import GAMES
from tablesight.webui.event_notes import readable_notes
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.record import STARTED, Record, started
from tablesight.webui.settings import CHANGED


@dataclass(frozen=True, slots=True)
class Unplayable:
    """The entry at `place`, counted from 0, and why it means nothing here."""

    place: int
    entry: LogEntry
    reason: str


def unplayable(entries: Iterable[LogEntry]) -> Iterator[Unplayable]:
    """Every entry that neither a game nor the settings understand, in order; games leave such out."""
    games: dict[str, Record | None] = {}
    for place, entry in enumerate(entries):
        try:
            _play(games, entry)
        except (IllegalEvent, LookupError, TypeError, ValueError, AttributeError) as error:
            named = "" if isinstance(error, ValueError) else f"{type(error).__name__} "
            yield Unplayable(place, entry, f"{named}{error}")


def _play(games: dict[str, Record | None], entry: LogEntry) -> None:
    """Raises what the rules raise, TypeError, LookupError or AttributeError where an entry means nothing."""
    kind = entry.event.get("type")
    if entry.game is None:
        if kind != CHANGED:
            raise ValueError(f"expected {CHANGED!r} where no game is named, got {kind!r:.40}")
        return
    if entry.game not in games:
        games[entry.game] = None
        if entry.event.get("type") != STARTED:
            raise ValueError(f"expected {STARTED!r} as the first of game {entry.game!r:.20}, got {kind!r:.40}")
        if entry.event.get("game") not in GAMES:
            raise ValueError(f"expected a game of {', '.join(GAMES)}, got {entry.event.get('game')!r:.40}")
        if not isinstance(entry.event.get("players"), list):
            raise ValueError(f"expected a list of players, got {entry.event.get('players')!r:.40}")
        games[entry.game] = started(entry)
        return
    record = games[entry.game]
    if record is not None:
        after = record.tried(readable_notes(entry.event, entry.seq), entry.who)
        games[entry.game] = replace(after, last=entry)
