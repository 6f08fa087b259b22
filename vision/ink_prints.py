"""Learns which ink each face of the red dice is printed in: it is the same on all dice of a kind.

Black means minus on a red die, so a mistaken ink is the dearest of all mistakes. What a (kind, face) has shown before
is strong evidence; before anything is known, black on the lower half of the faces is a mild guess (the rulebook's two
examples fit it).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import numpy as np

from tablesight.vision.kinds import INKS, KINDS
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reading import DieReading

logger = getLogger(__name__)

_BLACK: Final = INKS.index("black")
_WHITE: Final = INKS.index("white")


@dataclass(frozen=True, slots=True)
class InkSettings:
    """`guess`: probability of black on the lower half before anything is known. `known_after`: confident readings of
    one ink without a single one of the other after which a face counts as known; `slip` is then the probability that
    it shows the other ink all the same. `sure`: a reading this sure of its ink that contradicts a known face is a doubt
    and teaches nothing."""

    guess: float = 0.6
    known_after: int = 2
    slip: float = 0.01
    sure: float = 0.9


SETTINGS: Final = InkSettings()


@dataclass(slots=True)
class InkPrints:
    """Counts of confident readings: `seen[kind][face]` is (times black, times white)."""

    settings: InkSettings = SETTINGS
    seen: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)

    def black(self, kind: str, face: int) -> float:
        """The probability that this face of this red kind is black, from what is known."""
        known = self.known(kind, face)
        if known is not None:
            return 1 - self.settings.slip if known == "black" else self.settings.slip
        return self.settings.guess if face <= KINDS[kind].sides // 2 else 1 - self.settings.guess

    def known(self, kind: str, face: int) -> str | None:
        """The ink of this face where it is known: always the same, and often enough."""
        black, white = self.seen.get(kind, {}).get(face, (0, 0))
        if min(black, white) == 0 and max(black, white) >= self.settings.known_after:
            return "black" if black else "white"
        return None

    def weighed(self, posterior: DiePosterior) -> DiePosterior:
        """The posterior with its ink weighed by what is known of the face it most probably shows, were it red."""
        sides = max((6, 8), key=lambda n: posterior.kinds()[f"red-d{n}"])
        kind = f"red-d{sides}"
        if posterior.kinds()[kind] < 0.02:
            return posterior
        shape = {6: 0, 8: 1}[sides]
        prior = self.black(kind, int(np.argmax(posterior.faces[shape])) + 1)
        inks = posterior.inks.copy()
        both = inks[_BLACK] + inks[_WHITE]
        black = inks[_BLACK] * prior
        white = inks[_WHITE] * (1 - prior)
        inks[_BLACK], inks[_WHITE] = (both * part / max(black + white, 1e-12) for part in (black, white))
        return replace(posterior, inks=inks)

    def contradicts(self, posterior: DiePosterior, reading: DieReading) -> bool:
        """Whether a red die looks surely of one ink although its face is known to have the other."""
        if reading.color != "red" or reading.kind is None:
            return False
        known = self.known(reading.kind, reading.face)
        black = posterior.black_share()
        looks = "black" if black > 0.5 else "white"
        return known is not None and looks != known and max(black, 1 - black) >= self.settings.sure

    def learn(self, posterior: DiePosterior, reading: DieReading) -> bool:
        """Take note of an accepted red die whose ink is sure by itself; whether there was anything to learn."""
        black = posterior.black_share()
        if reading.color != "red" or reading.kind is None or not reading.accepted:
            return False
        if max(black, 1 - black) < self.settings.sure:
            return False
        faces = self.seen.setdefault(reading.kind, {})
        before = faces.get(reading.face, (0, 0))
        faces[reading.face] = (before[0] + (black > 0.5), before[1] + (black <= 0.5))
        return True

    def confirm(self, kind: str, face: int, ink: str) -> None:
        """A person has said that this face of this red kind is "black" or "white": it counts as known from now on,
        whatever was read before. Raises ValueError for anything else."""
        if kind not in KINDS or KINDS[kind].color != "red" or not 1 <= face <= KINDS[kind].sides:
            raise ValueError(f"expected a face of a red kind of dice, got {face!r} of {kind!r}")
        if ink not in ("black", "white"):
            raise ValueError(f"expected black or white ink, got {ink!r}")
        often = self.settings.known_after
        self.seen.setdefault(kind, {})[face] = (often, 0) if ink == "black" else (0, often)

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {kind: {str(face): list(counts) for face, counts in faces.items()} for kind, faces in self.seen.items()}

    def save(self, path: Path) -> None:
        """Write to a file, whole or not at all; a full card is no reason to stop reading."""
        part = path.with_suffix(".part")
        try:
            part.write_text(json.dumps(self.to_json()))
            part.replace(path)
        except OSError as error:
            logger.warning("the prints of the red dice could not be kept: %s", error)

    @classmethod
    def load(cls, path: Path) -> InkPrints:
        """From a file; empty where there is none or it is damaged."""
        try:
            return cls(seen=_seen(json.loads(path.read_text())))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, TypeError, AttributeError) as error:
            logger.warning("the prints of the red dice are learned anew: %s", error)
            return cls()


def _seen(content: Mapping[str, Any]) -> dict[str, dict[int, tuple[int, int]]]:
    seen: dict[str, dict[int, tuple[int, int]]] = {}
    for kind, faces in content.items():
        if kind in KINDS:
            seen[kind] = {int(face): (int(black), int(white)) for face, (black, white) in faces.items()}
    return seen
