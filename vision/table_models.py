"""The models as a table needs them: a detector that also tells of what may be a die."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Final

from tablesight.vision.photo_reader import PhotoReader
from tablesight.vision.table_reader import TableReader

WEAK_SCORE: Final = 0.2
"""Of 288 dice on 12 simulated tables under hard and soft lamps, 14 scored between this and the detector's own threshold
(clear dice, above all), none less; so did four other things a table, which is why they count only where a die is
missing."""


def table_reader(photo: PhotoReader) -> TableReader:
    """A table's reader with the models of a photo's."""
    strong = photo.detector.settings.score
    finder = copy.copy(photo.detector)
    finder.settings = replace(finder.settings, score=min(strong, WEAK_SCORE))
    return TableReader(finder, photo.reader, strong_score=strong)
