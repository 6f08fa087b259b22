"""Finds the dice in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.model_files import Model, load_model
from tablesight.vision.reading import Detection

Boxes = npt.NDArray[np.float32]
_STRIDE: Final = 4


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """`long_sides_px`: the picture is looked at with its longer side at each of these; the network was trained on dice
    of 10 to 400 px. `score`: smallest score that counts as a die. `iou`: above it two boxes are one die, `contained`:
    so too when this share of the smaller box lies in the other and it is not smaller than the share `nested` of it; of
    such a nest the outer box stays if `surer` times its score is more than any inner one's."""

    long_sides_px: tuple[int, ...] = (240, 480, 960)
    score: float = 0.4
    iou: float = 0.45
    contained: float = 0.75
    nested: float = 0.3
    surer: float = 0.85


class DiceDetector:
    """One network, dense heat map of die centres and the box around each."""

    def __init__(self, model: Model, settings: DetectorSettings | None = None) -> None:
        self._model = model
        score = float(model.card.get("score_threshold", 0.4))
        self.settings = settings or DetectorSettings(score=score)

    @classmethod
    def load(cls, folder: Path | None = None, threads: int = 2) -> DiceDetector:
        """The detector that comes with the package; raises `ModelError`."""
        return cls(load_model("detector", folder, threads))

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        """The dice in a picture (height, width, 3), best score first; boxes in its pixels."""
        boxes: list[Boxes] = []
        scores: list[npt.NDArray[np.float32]] = []
        longest = max(image_bgr.shape[:2])
        wanted = long_sides_px or self.settings.long_sides_px
        height, width = image_bgr.shape[:2]
        picture = image_bgr
        for side in sorted({min(s, max(longest, min(wanted))) for s in wanted}, reverse=True):
            w, h = max(1, round(width * side / longest)), max(1, round(height * side / longest))
            picture = _halved(picture, w, h)
            found, score = self._in_size(picture, (w, h), (width, height))
            boxes.append(found)
            scores.append(score)
        return self._merged(np.concatenate(boxes), np.concatenate(scores))

    def _in_size(
        self, picture_bgr: ImageBGR, size_wh: tuple[int, int], whole_wh: tuple[int, int]
    ) -> tuple[Boxes, npt.NDArray[np.float32]]:
        """Looks at the picture in this size; boxes in pixels of the whole."""
        (w, h), (width, height) = size_wh, whole_wh
        resized = cv2.resize(picture_bgr, (w, h), interpolation=cv2.INTER_LINEAR)
        padded = cv2.copyMakeBorder(resized, 0, -h % 32, 0, -w % 32, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        heat, distances = self._model.session.run(None, {"image": padded[None]})
        ys, xs = np.nonzero(heat[0, 0] >= self.settings.score)
        reach = np.exp(np.clip(distances[0][:, ys, xs], -4, 5.5))
        cx, cy = xs + 0.5, ys + 0.5
        cells = np.stack([cx - reach[0], cy - reach[1], cx + reach[2], cy + reach[3]], 1)
        boxes = cells * _STRIDE * np.array([width / w, height / h, width / w, height / h])
        limits = np.array([width, height, width, height])
        return np.clip(boxes, 0, limits).astype(np.float32), heat[0, 0][ys, xs].astype(np.float32)

    def _merged(self, boxes: Boxes, scores: npt.NDArray[np.float32]) -> tuple[Detection, ...]:
        """Non-maximum suppression over all scales. A box far smaller than one that contains it is a print on a die, or
        a die on something round: the larger one stays only where it is clearly the surer."""
        kept: list[int] = []
        areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        for i in np.argsort(-scores):
            if areas[i] <= 9:
                continue
            if kept:
                inner, smaller = _overlaps(boxes, areas, int(i), kept)
                same = inner > self.settings.iou * (areas[kept] + areas[i] - inner)
                alike = smaller > self.settings.nested * np.maximum(areas[kept], areas[i])
                if (same | (alike & (inner > self.settings.contained * smaller))).any():
                    continue
            kept.append(int(i))
        for i in sorted(kept, key=lambda k: -float(areas[k])):
            if i not in kept:
                continue
            inner, _ = _overlaps(boxes, areas, i, kept)
            inside = [
                k
                for k, shared in zip(kept, inner, strict=True)
                if areas[k] < self.settings.nested * areas[i] and shared > self.settings.contained * areas[k]
            ]
            if not inside:
                continue
            if max(scores[k] for k in inside) >= self.settings.surer * scores[i]:
                kept.remove(i)
            else:
                kept = [k for k in kept if k not in inside]
        return tuple(
            Detection((float(b[0]), float(b[1]), float(b[2]), float(b[3])), float(scores[i]))
            for i, b in ((i, boxes[i]) for i in kept)
        )


def _halved(picture_bgr: ImageBGR, w: int, h: int) -> ImageBGR:
    """The picture halved as often as it stays at least so wide and high: five times as quick as the mean over areas in
    one step, which it equals within a level, and the smaller sizes begin from what the larger have left."""
    while picture_bgr.shape[1] >= 2 * w and picture_bgr.shape[0] >= 2 * h:
        size = (picture_bgr.shape[1] // 2, picture_bgr.shape[0] // 2)
        picture_bgr = np.asarray(cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return picture_bgr


def _overlaps(boxes: Boxes, areas: Boxes, i: int, others: list[int]) -> tuple[Boxes, Boxes]:
    """Of box i with each of the others: the area in common, and the smaller of the two areas."""
    low = np.maximum(boxes[others, :2], boxes[i, :2])
    high = np.minimum(boxes[others, 2:], boxes[i, 2:])
    inner: Boxes = np.prod(np.clip(high - low, 0, None), 1)
    return inner, np.minimum(areas[others], areas[i])
