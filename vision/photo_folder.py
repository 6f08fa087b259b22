"""The photos that lie in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PHOTO_SUFFIXES: Final = frozenset((".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".bmp"))


def photos_in(folder: Path) -> tuple[Path, ...]:
    """The files named like photos directly in `folder`, hidden ones left out, by name. Raises OSError."""
    return tuple(
        sorted(
            path
            for path in folder.iterdir()
            if path.suffix.lower() in PHOTO_SUFFIXES and not path.name.startswith(".") and path.is_file()
        )
    )


def folders_in(folder: Path) -> tuple[Path, ...]:
    """The folders directly in `folder`, hidden ones and links left out, by name. Raises OSError."""
    return tuple(
        sorted(
            path
            for path in folder.iterdir()
            if path.is_dir() and not path.is_symlink() and not path.name.startswith(".")
        )
    )
