"""What was repaired in the game log when it was opened: told to the host until it has been read.

A file of its own beside the log, because the log is what was damaged: `repairs.json`.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from tablesight.webui.errors import Missing

if TYPE_CHECKING:
    from tablesight.webui.store import Store

log = logging.getLogger(__name__)

What = Literal["damaged", "missing", "behind", "exchanged"]
"""The log could not be read, it was not there, its copy knew more, or people have put the kept file back."""

DAMAGED: Final = "damaged"
MISSING: Final = "missing"
BEHIND: Final = "behind"
EXCHANGED: Final = "exchanged"

MOST: Final = 5
"""More would only say the same again."""


@dataclass(frozen=True, slots=True)
class Repair:
    """`kept` entries were saved, the last of them of the game `game` (None: of no game), `added` of them were known to
    the copy only; `aside` is the path of the file that was put aside (empty: none); `at_s` is Unix time, seconds."""

    id: str
    at_s: float
    kept: int
    game: str | None
    aside: str
    what: What = DAMAGED
    added: int = 0


class Repairs:
    """The repairs that nobody has read yet; safe to call from any thread.

    What cannot be written or read costs the message, never the game.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._unread = _read(path)

    @property
    def unread(self) -> tuple[Repair, ...]:
        """Those to be told, oldest first."""
        return self._unread

    def note(self, kept: int, game: str | None, aside: Path | None, what: What = DAMAGED, added: int = 0) -> bool:
        """One more repair; whether it could be written."""
        with self._lock:
            new = Repair(secrets.token_hex(4), time.time(), kept, game, str(aside or ""), what, added)
            return self._keep((*self._unread, new)[-MOST:])

    def to_go_back(self, repair_id: str) -> Repair:
        """The one whose kept file somebody wants instead. Raises Missing."""
        for repair in self._unread:
            if repair.id == repair_id and repair.what in (BEHIND, EXCHANGED):
                return repair
        raise Missing(f"there is no repair {repair_id!r:.40} to go back from: look at the page again")

    def forget(self, repair_id: str) -> None:
        """Somebody has read it."""
        with self._lock:
            self._keep(tuple(repair for repair in self._unread if repair.id != repair_id))

    def _keep(self, repairs: tuple[Repair, ...]) -> bool:
        self._unread = repairs
        try:
            if not repairs:
                self._path.unlink(missing_ok=True)
                return True
            fresh = self._path.with_suffix(".new")
            fresh.write_text(json.dumps([asdict(repair) for repair in repairs], ensure_ascii=False), encoding="utf-8")
            os.replace(fresh, self._path)
        except OSError as error:
            log.warning("the list of repairs %s cannot be written: %s", self._path, error)
            return False
        return True


def told_repairs(repairs: Repairs, store: Store) -> list[dict[str, Any]]:
    """The unread repairs for the page, each with the game of the last entry that was kept, null where there is none."""
    return [{**asdict(repair), "game": _game(store, repair.game)} for repair in repairs.unread]


def _game(store: Store, game: str | None) -> dict[str, Any] | None:
    start = store.first_entry(game) if game else None
    if start is None:
        return None
    return {
        "game": start.event.get("game"),
        "players": start.event.get("players"),
        "started_at_s": start.at_s,
    }


def _read(path: Path) -> tuple[Repair, ...]:
    try:
        return tuple(_repair(fields) for fields in json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        log.warning("the list of repairs %s cannot be read: %s", path, error)
        return ()


def _repair(fields: Any) -> Repair:
    """Raises TypeError, ValueError or KeyError where the fields are none."""
    game = fields["game"]
    what = fields.get("what", DAMAGED)
    if what not in get_args(What):
        raise ValueError(f"expected one of {', '.join(get_args(What))}, got {what!r:.40}")
    return Repair(
        id=str(fields["id"]),
        at_s=float(fields["at_s"]),
        kept=int(fields["kept"]),
        game=None if game is None else str(game),
        aside=str(fields["aside"]),
        what=what,
        added=int(fields.get("added", 0)),
    )
