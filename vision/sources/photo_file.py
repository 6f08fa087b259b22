"""One photo as a camera that never moves."""

from __future__ import annotations

import time
from pathlib import Path

from tablesight.vision.frame import Frame, SourceError
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.sources.preview import Clock, shrink


class PhotoFileSource:
    """Shows one photo for ever. Raises `SourceError` where it cannot be read."""

    def __init__(self, path: Path, clock: Clock = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        try:
            self._still_bgr = decode_photo(path)
        except PhotoError as error:
            raise SourceError(f"{path.name}: {error}") from error
        self._preview_bgr = shrink(self._still_bgr)

    @property
    def name(self) -> str:
        """The file's name."""
        return f"photo {self._path.name}"

    def preview(self) -> Frame:
        """The photo, small."""
        return Frame(self._preview_bgr, self._clock())

    def still(self) -> Frame:
        """The photo as large as its file."""
        return Frame(self._still_bgr, self._clock())

    def close(self) -> None:
        """Nothing is held."""
