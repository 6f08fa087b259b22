"""The index of a recorded session: one JSON line for each picture, in the order they were taken."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

INDEX_NAME: Final = "index.jsonl"
PictureKind = Literal["preview", "still"]


@dataclass(frozen=True, slots=True)
class RecordedPicture:
    """One picture: when it was taken, seconds since the start, and its file relative to the recording's folder."""

    at_s: float
    kind: PictureKind
    file: str

    def to_line(self) -> str:
        """Its line of the index, without the line's end."""
        return json.dumps({"t_s": round(self.at_s, 4), "kind": self.kind, "file": self.file})


def is_recording(folder: Path) -> bool:
    """Whether the folder was made by `tablesight record`."""
    return (folder / INDEX_NAME).is_file()


def read_index(folder: Path) -> tuple[RecordedPicture, ...]:
    """The pictures by time. Lines that are cut off or damaged (power went) are left out. Raises OSError."""
    text = (folder / INDEX_NAME).read_text(encoding="utf-8", errors="replace")
    pictures = [picture for line in text.splitlines() if (picture := _parse(line)) is not None]
    return tuple(sorted(pictures, key=lambda picture: picture.at_s))


def _parse(line: str) -> RecordedPicture | None:
    try:
        fields = json.loads(line)
        at_s, kind, file = float(fields["t_s"]), fields["kind"], str(fields["file"])
    except (ValueError, KeyError, TypeError):
        return None
    inside = not Path(file).is_absolute() and ".." not in Path(file).parts
    if kind not in ("preview", "still") or not 0 <= at_s < 1e7 or not inside:
        return None
    return RecordedPicture(at_s, kind, file)
