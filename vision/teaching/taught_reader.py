"""A reader that knows the dice of this table: the reading of the models, weighed by what was taught."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.model_files import load_model
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reader import CROP_PX, MARGIN, DiceReader, crop
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.teaching.body_color import body_color
from tablesight.vision.teaching.evidence import TaughtEvidence, TaughtLook
from tablesight.vision.teaching.feature_tap import Features, FeatureTap, most_upright_row
from tablesight.vision.teaching.taught_folder import TaughtDie

logger = getLogger(__name__)

NO_FEATURES: Final = (
    "The models of this version tell nothing about prints: only the colours of your dice are used, not their numbers."
)
TOO_FEW: Final = "Too few different numbers were seen to use the prints yet: teach another photo."
MOST_SECONDS: Final = 20.0
"""No more prints are looked at after this time when dice are learnt; their colours take next to none."""
SURE_FACE: Final = 0.98
"""A die whose number is at least this probable needs no second look at its print."""
_INSET: Final = CROP_PX * (1 - 1 / MARGIN) / 2
_WHOLE: Final = (_INSET, _INSET, CROP_PX - _INSET, CROP_PX - _INSET)
"""The box in a crop that gives the crop again."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What became of the taught dice: how many, whether their prints are used too (else `problem` says why not), and
    how long it took, seconds."""

    dice: int
    uses_prints: bool
    problem: str
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """For a message."""
        return {
            "dice": self.dice, "uses_prints": self.uses_prints, "problem": self.problem,
            "seconds": round(self.seconds, 2),
        }  # fmt: skip


class TaughtReader:
    """Reads as the reader it is made of (`untaught`) until dice are taught. `teach` may be called from any thread."""

    def __init__(self, reader: DiceReader, face_tap: FeatureTap | None = None) -> None:
        self.untaught = reader
        self._tap = face_tap if face_tap is not None and face_tap.has_features else None
        self._evidence: TaughtEvidence | None = None

    @classmethod
    def load(cls, folder: Path | None = None, threads: int = 2) -> TaughtReader:
        """With the models that come with the package (or from `folder`); raises `ModelError`."""
        tap = FeatureTap(load_model("face", folder, threads))
        return cls(DiceReader(load_model("pose", folder, threads), tap.model), tap)

    @property
    def accept_from(self) -> float:
        """The probability from which a die is scored without asking."""
        return self.untaught.accept_from

    def teach(self, dice: Sequence[TaughtDie]) -> Learnt:
        """Use these dice, and none of before, from now on. No network is trained: each die is looked at once."""
        start = time.perf_counter()
        # the newest first: where the time is over, the prints of the oldest are left out
        looks = [self._look_at(die, time.perf_counter() - start < MOST_SECONDS) for die in reversed(dice)]
        evidence = TaughtEvidence(looks) if looks else None
        self._evidence = evidence
        problem = ""
        if evidence is not None and evidence.alike is None:
            problem = NO_FEATURES if self._tap is None else TOO_FEW
        uses_prints = evidence is not None and evidence.alike is not None
        learnt = Learnt(len(looks), uses_prints, problem, time.perf_counter() - start)
        logger.info("%d taught dice are used%s (%.1f s)", learnt.dice, f": {problem}" * bool(problem), learnt.seconds)
        return learnt

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
        **viewpoint: Any,
    ) -> tuple[DiePosterior, ...]:
        """As `DiceReader.posteriors`, whatever else it may be told of where the dice are seen from."""
        # all together, as ever: the dice of a photo tell each other from where it was taken
        read = self.untaught.posteriors(image_bgr, boxes_xyxy_px, nadir_xy_px, **viewpoint)
        evidence = self._evidence
        if evidence is None:
            return read
        return tuple(
            evidence.weighed(
                posterior,
                body_color(crop(image_bgr, box)),
                self._print(image_bgr, box, nadir_xy_px) if evidence.alike and _doubtful(posterior) else None,
            )
            for posterior, box in zip(read, boxes_xyxy_px, strict=True)
        )

    def tilts(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[npt.NDArray[np.float64], ...]:
        """As `DiceReader.tilts`."""
        return self.untaught.tilts(image_bgr, boxes_xyxy_px)

    def _look_at(self, die: TaughtDie, with_print: bool) -> TaughtLook:
        picture = die.crop_bgr()
        features = self._print(picture, _WHOLE, None) if with_print else None
        return TaughtLook(die.kind, die.value, body_color(picture), features)

    def _print(self, image_bgr: ImageBGR, box: BoxXYXY, nadir_xy_px: tuple[float, float] | None) -> Features | None:
        """The features of the top face of a die, read once more for them; None where the models give none."""
        if self._tap is None:
            return None
        with self._tap.listening() as runs:
            self.untaught.posteriors(image_bgr, [box], nadir_xy_px)
        return most_upright_row(runs)


def _doubtful(posterior: DiePosterior) -> bool:
    """Whether its number is not all but certain, so that a print is worth another look."""
    return float(posterior.shapes @ posterior.faces.max(1)) < SURE_FACE
