"""A reader that knows the dice of this table: the reading of the models, weighed by what was taught."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from typing import Any, Final

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
        looks = [self._look_at(die) for die in dice]
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
    ) -> tuple[DiePosterior, ...]:
        """As `DiceReader.posteriors`."""
        evidence = self._evidence
        if evidence is None:
            return self.untaught.posteriors(image_bgr, boxes_xyxy_px, nadir_xy_px)
        if evidence.alike is None:
            read = self.untaught.posteriors(image_bgr, boxes_xyxy_px, nadir_xy_px)
            seen: list[tuple[DiePosterior, Features | None]] = [(posterior, None) for posterior in read]
        else:
            seen = [self._with_print(image_bgr, box, nadir_xy_px) for box in boxes_xyxy_px]
        return tuple(
            evidence.weighed(posterior, body_color(crop(image_bgr, box)), print_)
            for (posterior, print_), box in zip(seen, boxes_xyxy_px, strict=True)
        )

    def _look_at(self, die: TaughtDie) -> TaughtLook:
        picture = die.crop_bgr()
        print_ = None if self._tap is None else self._with_print(picture, _WHOLE, None)[1]
        return TaughtLook(die.kind, die.value, body_color(picture), print_)

    def _with_print(
        self, image_bgr: ImageBGR, box: BoxXYXY, nadir_xy_px: tuple[float, float] | None
    ) -> tuple[DiePosterior, Features | None]:
        """One die read, and the features of its top face."""
        if self._tap is None:
            return self.untaught.posteriors(image_bgr, [box], nadir_xy_px)[0], None
        with self._tap.listening() as runs:
            posterior = self.untaught.posteriors(image_bgr, [box], nadir_xy_px)[0]
        return posterior, most_upright_row(runs)
