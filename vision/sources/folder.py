"""A folder of photos as a camera: each is shown for a while, new ones are picked up."""

from __future__ import annotations

import time
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from typing import Final

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.photo import PhotoError, decode_photo
from tablesight.vision.photo_folder import photos_in
from tablesight.vision.sources.preview import Clock, shrink

logger = getLogger(__name__)

SHOW_S: Final = 5.0
"""How long one photo is shown: long enough to settle (0.6 s), be read and be looked at."""


@dataclass(frozen=True, slots=True)
class _Version:
    """A file as it was when last looked at; one that is still being copied comes back with another size."""

    path: Path
    size_bytes: int
    changed_at_ns: int


class PhotoFolderSource:
    """Shows the photos of a folder by name, each for `show_s` seconds, over and over.

    A file that appears or changes is shown next. Files that cannot be read are passed over (and tried again when they
    change); where none can be read, `SourceError` names the first of them and why.
    """

    def __init__(self, folder: Path, clock: Clock = time.monotonic, show_s: float = SHOW_S) -> None:
        self._folder = folder
        self._clock = clock
        self._show_s = show_s
        self._shown: set[_Version] = set()
        self._broken: dict[_Version, PhotoError] = {}
        self._current: _Version | None = None
        self._still_bgr: ImageBGR | None = None
        self._preview_bgr: ImageBGR | None = None
        self._since_s = 0.0
        self._turn()

    @property
    def name(self) -> str:
        """The folder's name."""
        return f"photos in {self._folder.name or self._folder}"

    def preview(self) -> Frame:
        """The photo whose turn it is, small."""
        self._turn()
        assert self._preview_bgr is not None
        return Frame(self._preview_bgr, self._clock())

    def still(self) -> Frame:
        """The photo whose turn it is, as large as its file."""
        self._turn()
        assert self._still_bgr is not None
        return Frame(self._still_bgr, self._clock())

    def close(self) -> None:
        """Forgets the pictures."""
        self._current = self._still_bgr = self._preview_bgr = None

    def _turn(self) -> None:
        """Goes on to the next photo when the current one has been shown long enough or is gone."""
        now_s = self._clock()
        if self._current is not None and now_s - self._since_s < self._show_s:
            return
        versions = self._versions()
        self._shown &= set(versions)
        self._broken = {version: error for version, error in self._broken.items() if version in versions}
        for version in self._in_turn(versions):
            if (version == self._current and self._still_bgr is not None) or self._load(version):
                self._shown.add(version)
                self._current, self._since_s = version, now_s
                return
        self._current = None
        first = next(iter(self._broken), None)
        if first is None:
            raise SourceError(f"expected photos in the folder {str(self._folder)!r}, got none: put some in")
        raise SourceError(f"expected a readable photo, got {first.path.name!r} ({self._broken[first]})")

    def _in_turn(self, versions: list[_Version]) -> list[_Version]:
        """New ones first, then from the current one on round the circle; broken ones only when nothing is known."""
        readable = [version for version in versions if version not in self._broken]
        new = [version for version in readable if version not in self._shown]
        if self._current is None:
            return new + readable
        after = [version for version in readable if version.path > self._current.path]
        return new + after + readable

    def _versions(self) -> list[_Version]:
        versions = []
        try:
            for path in photos_in(self._folder):
                try:
                    status = path.stat()
                except FileNotFoundError:  # taken away since it was listed
                    continue
                versions.append(_Version(path, status.st_size, status.st_mtime_ns))
        except OSError as error:
            raise SourceError(
                f"expected a folder of photos at {str(self._folder)!r}, got "
                f"{(error.strerror or 'no folder').lower()!r}: "
                "is the drive plugged in?"
            ) from error
        return versions

    def _load(self, version: _Version) -> bool:
        self._still_bgr = None  # let go first: beside the next one it would be another 36 MB at 12 megapixels
        try:
            self._still_bgr = decode_photo(version.path)
        except PhotoError as error:
            logger.warning("%s passed over: %s", version.path.name, error)
            self._broken[version] = error
            return False
        self._preview_bgr = shrink(self._still_bgr)
        return True
