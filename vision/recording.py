"""Writes a session down as pictures and their times, for `--camera DIR` to play back."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Final

import cv2

from tablesight.vision.frame import Frame, ImageBGR
from tablesight.vision.recording_index import INDEX_NAME, PictureKind, RecordedPicture


class RecordingError(Exception):
    """The recording cannot go on: says what was expected, what came and what to do next. What is written is kept."""


@dataclass(frozen=True, slots=True)
class RecordingSettings:
    """Size against quality."""

    preview_quality: int = 85  # JPEG; under 80 its blocks look like motion
    still_quality: int = 95  # numerals stay as the camera gave them
    keep_free_bytes: int = 300_000_000  # never fill the card: the system and the game's log need room


SETTINGS: Final = RecordingSettings()


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class Recording:
    """A folder that is being filled. Each picture is on the disk before the index names it: it can end at any time."""

    def __init__(
        self,
        folder: Path,
        source_name: str,
        settings: RecordingSettings = SETTINGS,
        free_bytes: Callable[[Path], int] = _free_bytes,
    ) -> None:
        """Makes `folder` where it is missing; one that has anything in it is refused, so that nothing is mixed up."""
        self._folder = folder
        self._settings = settings
        self._free_bytes = free_bytes
        self._counts: dict[PictureKind, int] = {"preview": 0, "still": 0}
        self._bytes = 0
        self._started_at_s: float | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise RecordingError(f"expected a new or empty folder, got {str(folder)!r} with files: name another")
            for kind in self._counts:
                (folder / f"{kind}s").mkdir()
            self._index: IO[str] = (folder / INDEX_NAME).open("w", encoding="utf-8")
            self._write_line(json.dumps({"recording": 1, "source": source_name}))
        except OSError as error:
            raise self._failed(error) from error

    @property
    def previews(self) -> int:
        """How many previews are recorded."""
        return self._counts["preview"]

    @property
    def stills(self) -> int:
        """How many stills are recorded."""
        return self._counts["still"]

    @property
    def size_bytes(self) -> int:
        """How much the pictures take on the disk."""
        return self._bytes

    def add_preview(self, frame: Frame) -> None:
        """Writes a preview. Raises `RecordingError` when it cannot be written or the disk is nearly full."""
        self._add("preview", frame, self._settings.preview_quality)

    def add_still(self, frame: Frame) -> None:
        """Writes a still; raises as `add_preview` does."""
        self._add("still", frame, self._settings.still_quality)

    def close(self) -> None:
        """Ends the recording; may be called twice."""
        self._index.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _add(self, kind: PictureKind, frame: Frame, quality: int) -> None:
        if self._started_at_s is None:
            self._started_at_s = frame.captured_at_s
        at_s = max(0.0, frame.captured_at_s - self._started_at_s)
        name = f"{kind}s/{self._counts[kind] + 1:06d}.jpg"
        content = _jpeg(frame.image_bgr, quality)
        try:
            free = self._free_bytes(self._folder)
            if free - len(content) < self._settings.keep_free_bytes:
                raise RecordingError(
                    f"expected at least {self._settings.keep_free_bytes / 1e6:.0f} MB left on the disk, "
                    f"got {free / 1e6:.0f} MB: the recording ends here and can be played; make room for more"
                )
            part = self._folder / f"{name}.part"
            part.write_bytes(content)
            os.replace(part, self._folder / name)
            self._write_line(RecordedPicture(at_s, kind, name).to_line())
        except OSError as error:
            raise self._failed(error) from error
        self._counts[kind] += 1
        self._bytes += len(content)

    def _write_line(self, line: str) -> None:
        self._index.write(line + "\n")
        self._index.flush()

    def _failed(self, error: OSError) -> RecordingError:
        reason = (error.strerror or type(error).__name__).lower()
        return RecordingError(
            f"expected to write to the folder {str(self._folder)!r}, got {reason!r}: choose one you may write to, "
            "on a disk with room"
        )


def _jpeg(image_bgr: ImageBGR, quality: int) -> bytes:
    made, content = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not made:
        raise RecordingError(f"expected a picture that fits into a JPEG, got {image_bgr.shape}: report this")
    return content.tobytes()
