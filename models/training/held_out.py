"""How good a set of models is on the held-out drawn and photoreal pictures, quickly: to compare two of them.

The same pictures in the same order for each, so that what differs is the models. Never a real photo.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from draws import DATA
from shards import HELD_OUT, scenes_of

from tablesight.vision.detector import DetectorSettings, DiceDetector
from tablesight.vision.evaluation.box_matching import match_boxes
from tablesight.vision.kinds import COLORS, INKS, KINDS, SIDES, kind_of, signed_value
from tablesight.vision.model_files import Model
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.reader import CROP_PX, MARGIN, DiceReader, ReaderSettings

ANY_KIND = dict.fromkeys(KINDS, 1.0)
_COLUMNS = 16
_LEAST_SCORE = 0.1


@dataclass(frozen=True, slots=True)
class HeldOutCrops:
    """`images` (n, 112, 112, 3) uint8 BGR and `labels` (n, 6): face, shape, colour, ink, pips, tilt in degrees."""

    images: np.ndarray
    labels: np.ndarray

    @classmethod
    def load(cls, of_each_shard: int) -> HeldOutCrops:
        """So many of each drawn shard, and as many of the photoreal ones as of one drawn shard."""
        images, labels = [], []
        for name in ("s_000", "s_100", "s_200", "s_300"):
            file = np.load(DATA / f"crops/{name}.npz")
            images.append(file["images"][:of_each_shard])
            labels.append(file["labels"][:of_each_shard])
        room = of_each_shard
        for path in sorted((DATA / "photoreal").glob("held_*.npz")):
            file = np.load(path)
            images.append(file["images"][:room])
            labels.append(file["labels"][:room])
            room -= len(labels[-1])
        return cls(np.concatenate(images), np.concatenate(labels).astype(int))

    def tilts_deg(self) -> np.ndarray:
        """(n,): what a table would say of the tilt: an eighth and 3 degrees wrong, as in training."""
        rng = np.random.default_rng(3)
        true = self.labels[:, 5]
        return np.maximum(0, true * (1 + rng.normal(0, 0.125, len(true))) + rng.normal(0, 3, len(true)))

    def read(self, pose: Model, face: Model) -> list[DiePosterior]:
        """One for each crop, looked at once, at temperature 1, the far side and about the tilt being known as at a
        table. A second look would hide what the models lose, and takes five times as long."""
        reader = DiceReader(pose, face, ReaderSettings(turns_rad=(), small_turns_rad=(), sure=0.0))
        reader.temperatures = {}
        tilts, read = self.tilts_deg(), list[DiePosterior]()
        half = CROP_PX / MARGIN / 2
        for start in range(0, len(self.images), _COLUMNS):
            row = self.images[start : start + _COLUMNS]
            middles = [(i + 0.5) * CROP_PX for i in range(len(row))]
            boxes = [(x - half, CROP_PX / 2 - half, x + half, CROP_PX / 2 + half) for x in middles]
            below = (middles[len(row) // 2], 1e9)
            told = [float(t) for t in tilts[start : start + len(row)]]
            read += reader.posteriors(np.ascontiguousarray(np.concatenate(list(row), 1)), boxes, below, told)
        return read


def confidences(
    read: list[DiePosterior], labels: np.ndarray, temperatures: dict[str, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Of the dice of the thirteen kinds: the probability of the best candidate, and whether it is right."""
    confidence, right = [], []
    for posterior, (face, shape, color, ink, _, _) in zip(read, labels, strict=True):
        kind = kind_of(COLORS[color], SHAPES[shape])
        if kind is None:
            continue
        best = posterior.tempered(temperatures).candidates(ANY_KIND, 1)[0]
        confidence.append(best.p)
        right.append((best.kind, best.value) == (kind.id, signed_value(kind.color, INKS[ink], int(face) + 1)))
    return np.array(confidence), np.array(right)


def most_accepted(sure: np.ndarray, fine: np.ndarray, risk: float) -> int:
    """How many of the surest dice can be accepted with at most the share `risk` of them wrong."""
    wrong = np.cumsum(~fine[np.argsort(-sure)]) / np.arange(1, len(sure) + 1)
    allowed = np.flatnonzero(wrong <= risk)
    return int(allowed[-1]) + 1 if len(allowed) else 0


def reading_figures(read: list[DiePosterior], labels: np.ndarray) -> dict[str, float]:
    """Shares of the crops in which each head is right, and of the dice of the thirteen kinds the share of the surest of
    which 1 in 200 are wrong."""
    faces = np.array([p.faces[s].argmax() for p, s in zip(read, labels[:, 1], strict=True)]) == labels[:, 0]
    sure, fine = confidences(read, labels, {})
    return {
        "shape": float(np.mean(np.array([p.shapes.argmax() for p in read]) == labels[:, 1])),
        "color": float(np.mean(np.array([p.colors.argmax() for p in read]) == labels[:, 2])),
        "ink": float(np.mean(np.array([p.inks.argmax() for p in read]) == labels[:, 3])),
        "face": float(np.mean(faces | (labels[:, 1] >= len(SIDES)))),  # a d10 is only to be known as one
        "kind and value": float(fine.mean()),
        "accepted at 1 in 200 wrong": most_accepted(sure, fine, 1 / 200) / len(sure),
    }


@dataclass(frozen=True, slots=True)
class HeldOutScenes:
    """JPEG bytes and boxes (n, 4) of the first pictures of the held-out shards."""

    pictures: list[tuple[np.ndarray, np.ndarray]]

    @classmethod
    def load(cls, count: int) -> HeldOutScenes:
        """So many of them."""
        of_each = count // len(HELD_OUT)
        return cls([picture for name in HELD_OUT for picture in scenes_of(DATA / f"scenes/{name}.npz")[:of_each]])

    def figures(self, model: Model, sides_px: tuple[int, ...] | None = None) -> dict[str, float]:
        """Average precision (area under precision over recall, IoU as in `match_boxes`) and the best F1."""
        settings = DetectorSettings(score=_LEAST_SCORE)
        detector = DiceDetector(model, settings)
        scores: list[float] = []
        hits: list[bool] = []
        dice = 0
        for data, boxes in self.pictures:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR)
            assert image is not None, "a picture that was encoded here cannot be decoded"
            found = detector.detect(np.asarray(image, np.uint8), sides_px)
            paired = match_boxes([tuple(b) for b in boxes.tolist()], [d.box_xyxy_px for d in found]).pairs
            matched = {pair[1] for pair in paired}
            dice += len(boxes)
            scores += [d.score for d in found]
            hits += [i in matched for i in range(len(found))]
        order = np.argsort(-np.array(scores), kind="stable")
        right = np.cumsum(np.array(hits)[order])
        precision, recall = right / np.arange(1, len(order) + 1), right / dice
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        area = float(np.sum(np.diff(np.concatenate([[0.0], recall])) * envelope))
        return {
            "average precision": area,
            "best F1": float((2 * precision * recall / (precision + recall + 1e-9)).max()),
        }
