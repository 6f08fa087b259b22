"""A video file as a camera, at its own speed."""

from __future__ import annotations

import math
import time
from logging import getLogger
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.sources.preview import Clock, shrink

logger = getLogger(__name__)

USUAL_FRAMES_PER_S: Final = 25.0
"""Taken where the file does not say, or says something absurd."""
CATCH_UP_S: Final = 2.0
"""Behind by more than this, the video goes on from where it was instead of decoding all that was missed."""


class VideoFileSource:
    """Plays a video by `clock`: a picture is shown when its time has come, what came meanwhile is left out.

    With `loop` it starts anew at its end; without, `SourceError` says that it has ended.
    """

    def __init__(self, path: Path, clock: Clock = time.monotonic, loop: bool = True) -> None:
        self._path = path
        self._clock = clock
        self._loop = loop
        self._capture: cv2.VideoCapture | None = None
        self._image_bgr: ImageBGR | None = None
        self._preview_bgr: ImageBGR | None = None
        self._shown = 0
        self._rewind()

    @property
    def name(self) -> str:
        """The file's name."""
        return f"video {self._path.name}"

    @property
    def frames_per_s(self) -> float:
        """The speed at which it plays."""
        return self._frames_per_s

    def preview(self) -> Frame:
        """The picture whose time it is, small."""
        image_bgr = self._picture()
        if self._preview_bgr is None:
            self._preview_bgr = shrink(image_bgr)
        return Frame(self._preview_bgr, self._clock())

    def still(self) -> Frame:
        """The picture whose time it is, as large as the video."""
        return Frame(self._picture(), self._clock())

    def close(self) -> None:
        """Closes the file."""
        if self._capture is not None:
            self._capture.release()
        self._capture = self._image_bgr = self._preview_bgr = None

    def _rewind(self) -> None:
        self.close()
        if not self._path.is_file():
            raise SourceError(f"expected a video file, got nothing at {str(self._path)!r}: check its name")
        if self._path.stat().st_size == 0:
            raise SourceError(f"expected a video, got the empty file {self._path.name!r}: copy it again")
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise SourceError(
                f"expected a video that FFmpeg can play, got {self._path.name!r}: convert it to MP4 (H.264)"
            )
        frames_per_s = capture.get(cv2.CAP_PROP_FPS)
        usual = math.isfinite(frames_per_s) and 0.5 <= frames_per_s <= 480
        self._frames_per_s = frames_per_s if usual else USUAL_FRAMES_PER_S
        self._capture = capture
        self._index = -1
        self._started_at_s = self._clock()

    def _picture(self) -> ImageBGR:
        if self._capture is None and self._shown:
            raise SourceError(f"the video {self._path.name!r} is closed or has ended: open it again")
        behind = self._due() - self._index
        if behind > max(1.0, CATCH_UP_S * self._frames_per_s):
            self._started_at_s += (behind - 1) / self._frames_per_s
        if self._due() > self._index:
            self._advance()
        assert self._image_bgr is not None
        return self._image_bgr

    def _due(self) -> int:
        # the small term lets a clock that steps by exactly one frame see each frame once
        return max(0, math.floor((self._clock() - self._started_at_s) * self._frames_per_s + 1e-6))

    def _advance(self) -> None:
        """Decodes up to the picture that is due, from the beginning again where the video has ended."""
        assert self._capture is not None
        due = self._due()
        while self._index < due:
            if not self._capture.grab():
                self._at_end()
                due = 0
                continue
            self._index += 1
        taken, image = self._capture.retrieve()
        if not taken or image is None:
            raise SourceError(f"expected a picture in the video {self._path.name!r}, got damage: convert it again")
        self._image_bgr, self._preview_bgr = np.asarray(image, np.uint8), None
        self._shown += 1

    def _at_end(self) -> None:
        played = self._index + 1
        if played == 0:
            self.close()
            raise SourceError(
                f"expected pictures in the video {self._path.name!r}, got none: convert it to MP4 (H.264)"
            )
        if not self._loop:
            self.close()
            raise SourceError(f"the video {self._path.name!r} has ended after {played} pictures: open it again")
        logger.debug("%s starts again after %d pictures", self._path.name, played)
        self._rewind()
