"""The pictures of corrected rolls, kept apart where the owner wants it: the others are thrown away in turn."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tablesight.vision.picture_part import inside
from tablesight.webui.corrections import CorrectedRoll, corrected_rolls
from tablesight.webui.log_entry import LogEntry
from tablesight.webui.record import Record
from tablesight.webui.settings import Settings
from tablesight.webui.still_archive import ArchiveLimits, StillArchive

log = logging.getLogger(__name__)

FOLDER: Final = "corrections"
WHOLE_PICTURE: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class CorrectedPictures:
    """Safe to call from any thread. Nothing is kept as long as the setting `keep_corrections` is off."""

    def __init__(self, data_dir: Path, stills: StillArchive, settings: Settings) -> None:
        self._stills = stills
        self._settings = settings
        self._kept = StillArchive(data_dir / FOLDER, ArchiveLimits(max_bytes=500_000_000))
        self._lock = threading.Lock()

    def note(self, record: Record | None) -> None:
        """Keep the pictures behind the dice that people have named in a game."""
        if record is None or record.simulated or not self._settings["keep_corrections"]:
            return
        named = {place[:2] for place in record.note.by_hand}
        with self._lock:
            for place in named & set(record.note.stills):
                still = record.note.stills[place]
                path, reading = self._stills.path(still), self._stills.reading(still)
                if self._kept.path(still) is not None or path is None or reading is None:
                    continue
                try:
                    self._kept.keep(still, path.read_bytes(), reading)
                except OSError as error:  # it was thrown away in this moment: no reason to lose a correction
                    log.warning("the picture of the corrected roll %s could not be kept: %s", still, error)

    def picture(self, still: str) -> Path | None:
        """The file of a picture, None where it is gone."""
        return self._kept.path(still) or self._stills.path(still)

    def reading(self, still: str) -> Mapping[str, Any] | None:
        """What was read in it."""
        return self._kept.reading(still) or self._stills.reading(still)

    def rolls(self, entries: Sequence[LogEntry], simulated: bool = False) -> tuple[CorrectedRoll, ...]:
        """The corrected rolls of a log whose pictures are still there."""
        return corrected_rolls(entries, self.reading, simulated)

    def zone(self, roll: CorrectedRoll) -> Sequence[tuple[float, float]] | None:
        """The seat's part of the picture that was kept, as the settings have it now; None where only the dice tell."""
        if roll.still.startswith("photo-"):
            return None
        reading = self.reading(roll.still) or {}
        if self._settings["way"] == "tray":
            return inside(WHOLE_PICTURE, reading)
        if self._settings["way"] != "zones":
            return None
        # OpenCV takes a second to import on a Pi, and most requests do without
        from tablesight.vision.zones import zones_from_json

        try:
            zones = zones_from_json(self._settings["zones"].get(str(roll.seats)), roll.seats)
        except ValueError:
            return None
        return next((inside(zone.polygon, reading) for zone in zones if zone.seat == roll.seat), None)

    def forget(self) -> int:
        """Throws the kept pictures away; how many there were."""
        with self._lock:
            return self._kept.clear()

    def used_bytes(self) -> int:
        """What they take on the disk."""
        return self._kept.used_bytes()
