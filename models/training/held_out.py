"""How good a set of models is on the held-out drawn and photoreal pictures, quickly: to compare two of them.

The same pictures in the same order for each, so that what differs is the models. Never a real photo.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from draws import DATA

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
        """So many of both drawn shards, and as many of the photoreal ones as of one drawn shard."""
        images, labels = [], []
        for name in ("s_000", "s_100"):
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


@dataclass(frozen=True, slots=True)
class Reading:
    """Of each crop: `right` says (heads) what is right, `sure` the probability of the best candidate where the die is
    of the thirteen kinds (nan elsewhere) and `fine` whether that is right."""

    right: dict[str, np.ndarray]
    sure: np.ndarray
    fine: np.ndarray

    @classmethod
    def of(cls, read: list[DiePosterior], labels: np.ndarray) -> Reading:
        """Compare with the truth."""
        shapes = np.array([p.shapes.argmax() for p in read]) == labels[:, 1]
        colors = np.array([p.colors.argmax() for p in read]) == labels[:, 2]
        inks = np.array([p.inks.argmax() for p in read]) == labels[:, 3]
        faces = np.array([p.faces[s].argmax() for p, s in zip(read, labels[:, 1], strict=True)]) == labels[:, 0]
        readable = labels[:, 1] < len(SIDES)
        sure, fine = np.full(len(read), np.nan), np.zeros(len(read), bool)
        for i, (posterior, (face, shape, color, ink, _, _)) in enumerate(zip(read, labels, strict=True)):
            kind = kind_of(COLORS[color], SHAPES[shape])
            if kind is not None:
                best = posterior.candidates(ANY_KIND, 1)[0]
                sure[i] = best.p
                fine[i] = (best.kind, best.value) == (kind.id, signed_value(kind.color, INKS[ink], int(face) + 1))
        return cls({"shape": shapes, "color": colors, "ink": inks, "face": faces | ~readable}, sure, fine)

    def figures(self) -> dict[str, float]:
        """Shares that are right, and of the dice of the thirteen kinds the share that comes before the first 1 in 200
        are wrong when the surest are taken first."""
        known = ~np.isnan(self.sure)
        order = np.argsort(-self.sure[known])
        wrong = np.cumsum(~self.fine[known][order]) / np.arange(1, known.sum() + 1)
        allowed = np.flatnonzero(wrong <= 1 / 200)
        shares = {name: float(right.mean()) for name, right in self.right.items()}
        return {
            **shares,
            "kind and value": float(self.fine[known].mean()),
            "accepted at 1 in 200 wrong": float((allowed[-1] + 1) / known.sum()) if len(allowed) else 0.0,
        }


@dataclass(frozen=True, slots=True)
class HeldOutScenes:
    """JPEG bytes and boxes (n, 4) of the first pictures of shard 0."""

    pictures: list[tuple[np.ndarray, np.ndarray]]

    @classmethod
    def load(cls, count: int) -> HeldOutScenes:
        """So many of them."""
        shard = np.load(DATA / "scenes/s_000.npz")
        starts = np.concatenate([[0], shard["ends"][:-1]])
        files, boxes, owners = shard["files"], shard["boxes"], shard["owners"]
        pairs = list(zip(starts, shard["ends"], strict=True))[:count]
        return cls([(files[a:b], boxes[owners == i]) for i, (a, b) in enumerate(pairs)])

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
