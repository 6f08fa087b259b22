"""What the people have taught, in the camera process: kept in the readers, learnt anew whenever it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from logging import getLogger
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tablesight.vision.frame import ImageBGR

if TYPE_CHECKING:
    from tablesight.vision.photo_reader import PhotoReader
    from tablesight.vision.teaching.lesson_photo import LessonPhoto
    from tablesight.vision.teaching.taught_reader import TaughtReader

logger = getLogger(__name__)


class TaughtDesk:
    """`folder` holds the taught dice, None for a table that keeps nothing. The dice of the simulated table are other
    ones each evening: there only photos are read by what was taught."""

    def __init__(self, folder: Path | None, simulated: bool, send: Callable[[dict[str, Any]], None]) -> None:
        self._folder = folder
        self._simulated = simulated
        self._send = send
        self._one_at_a_time = threading.Lock()
        self._photos: PhotoReader | None = None
        self._reader: TaughtReader | None = None

    def load_models(self, threads: int) -> tuple[PhotoReader, PhotoReader]:
        """The models for photos, and those for the table. Raises `ModelError`."""
        # imported here: onnxruntime takes seconds on a Pi, and the page should see the camera before
        from tablesight.vision.detector import DiceDetector
        from tablesight.vision.photo_reader import PhotoReader
        from tablesight.vision.reader import DiceReader
        from tablesight.vision.teaching.taught_reader import TaughtReader

        detector = DiceDetector.load(threads=threads)
        self._reader = TaughtReader.load(threads=threads)
        # it reads the same way; the photo reader asks it for nothing else
        self._photos = PhotoReader(detector, cast(DiceReader, self._reader))
        self.learn()
        return self._photos, PhotoReader(detector, self._reader.untaught) if self._simulated else self._photos

    def learn(self) -> None:
        """The taught dice have changed: learn them in a thread of its own, and tell when it is done."""
        threading.Thread(target=self._learn, name="taught-desk", daemon=True).start()

    def read(self, image_bgr: ImageBGR, kinds: Sequence[str]) -> LessonPhoto:
        """A photo for teaching; the models must be there."""
        from tablesight.vision.teaching.lesson_photo import read_lesson

        if self._photos is None or self._reader is None:
            raise ValueError("expected the models to be loaded before a photo is taught")
        return read_lesson(self._photos, self._reader, image_bgr, kinds)

    def _learn(self) -> None:
        from tablesight.vision.teaching.taught_folder import load_taught

        reader, folder = self._reader, self._folder
        if reader is None or folder is None:
            return
        with self._one_at_a_time:
            try:
                learnt = reader.teach(load_taught(folder))
            except Exception as error:  # what was taught must never keep the table from being read
                logger.exception("the taught dice cannot be used")
                self._send({"type": "taught", "dice": 0, "uses_prints": False, "problem": str(error), "seconds": 0})
            else:
                self._send({"type": "taught", **learnt.to_json()})
