"""A recorded session as a camera."""

from __future__ import annotations

import bisect
import time
from collections import deque
from logging import getLogger
from pathlib import Path
from typing import Final

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.recording_index import RecordedPicture, read_index
from tablesight.vision.sources.preview import Clock, shrink

logger = getLogger(__name__)

NEAR_S: Final = 0.6
"""Stills this near to the moment are all of the same lying dice; asked several times, each of them is shown once."""
ROUNDING_S: Final = 0.001
"""Times in the index are rounded; a clock that steps as the camera did must see each preview."""


class RecordingSource:
    """Plays previews at their own times by `clock`; a still is the recorded one nearest in time.

    With `loop` it starts anew at its end; without, `SourceError` says that it has ended.
    """

    def __init__(self, folder: Path, clock: Clock = time.monotonic, loop: bool = True) -> None:
        self._folder = folder
        self._clock = clock
        self._loop = loop
        try:
            pictures = read_index(folder)
        except OSError as error:
            reason = (error.strerror or "no index").lower()
            raise SourceError(
                f"expected a recording in {str(folder)!r}, got {reason!r}: record it with 'tablesight record'"
            ) from error
        pictures = tuple(picture for picture in pictures if (folder / picture.file).is_file())
        self._previews = [picture for picture in pictures if picture.kind == "preview"]
        self._stills = [picture for picture in pictures if picture.kind == "still"]
        if not pictures:
            raise SourceError(f"expected a recording in {str(folder)!r}, got no pictures: copy the whole folder")
        self._length_s = pictures[-1].at_s
        self._gap_s = self._length_s / max(1, len(pictures) - 1)
        self._started_at_s = clock()
        self._shown: tuple[RecordedPicture, ImageBGR] | None = None
        self._recent: deque[RecordedPicture] = deque(maxlen=8)

    @property
    def name(self) -> str:
        """The folder's name."""
        return f"recording {self._folder.name or self._folder}"

    @property
    def length_s(self) -> float:
        """From the first picture to the last, seconds."""
        return self._length_s

    def preview(self) -> Frame:
        """The last preview whose time has come."""
        at_s = self._at_s()
        pictures = self._previews or self._stills
        index = max(0, bisect.bisect_right([picture.at_s for picture in pictures], at_s + ROUNDING_S) - 1)
        # a damaged picture leaves the one before it on the screen
        return Frame(shrink(self._decoded(pictures[index::-1] or pictures)), self._clock())

    def still(self) -> Frame:
        """The still nearest in time; asked again within a moment, the next nearest."""
        at_s = self._at_s()
        nearest = sorted(self._stills or self._previews, key=lambda picture: abs(picture.at_s - at_s))
        near = [p for p in nearest if abs(p.at_s - at_s) <= NEAR_S and p not in self._recent]
        image_bgr = self._decoded(near + nearest)
        if self._shown is not None:
            self._recent.append(self._shown[0])
        return Frame(image_bgr, self._clock())

    def close(self) -> None:
        """Forgets the pictures."""
        self._shown = None

    def _at_s(self) -> float:
        at_s = self._clock() - self._started_at_s
        if at_s <= self._length_s + self._gap_s:
            return at_s
        if not self._loop:
            raise SourceError(f"the recording {self._folder.name!r} has ended ({self._length_s:.0f} s): open it again")
        self._started_at_s = self._clock()
        self._recent.clear()
        return 0.0

    def _decoded(self, wanted: list[RecordedPicture]) -> ImageBGR:
        """The first of `wanted` that can be decoded; the one shown last is kept decoded."""
        for picture in wanted:
            if self._shown is not None and self._shown[0] == picture:
                return self._shown[1]
            try:
                image_bgr = decode_photo(self._folder / picture.file)
            except PhotoError as error:
                logger.warning("%s passed over: %s", picture.file, error)
                continue
            self._shown = (picture, image_bgr)
            return image_bgr
        raise SourceError(f"expected readable pictures in {str(self._folder)!r}, got none: copy the folder again")
