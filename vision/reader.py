"""Reads dice given their boxes, in two passes: where and how the top face lies, then the face turned upright."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.model_files import Model, load_model
from tablesight.vision.posterior import SHAPES, DiePosterior, mean_posterior
from tablesight.vision.reading import BoxXYXY

Floats = npt.NDArray[np.float64]

CROP_PX: Final = 112
"""Side of the square that is cut out for each die."""
_POSE_PX: Final = 88
_FACE_PX: Final = 56
_FACE_REACH: Final = 1.35
WAYS: Final = (4, 3, 5, 3, 2)
"""How many ways a face of each of `SHAPES` can be turned onto itself. The pose may be wrong by one of these turns, so
all are read, and the face network says which one stands upright."""
_STRAIGHT: Final = 0.8
"""Probability, before looking, that the pose needs no such turn."""
MARGIN: Final = 1.2
"""Side of the square crop over the longer side of the box, as in training."""


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """`turns_rad`: copies of a doubtful die, turned by so much, are read too and averaged; `small_turns_rad` where it
    is known which side of the die is the far one. `sure`: a die whose first reading is at least this probable is not
    looked at again. `flat`: a top face whose height is at least this share of its width is seen from nearly above; if
    the far side is not known, quarter turns are added then."""

    turns_rad: tuple[float, ...] = (-0.28, -0.14, 0.14, 0.28)
    small_turns_rad: tuple[float, ...] = (-0.14, 0.14)
    sure: float = 0.97
    flat: float = 0.9


class DiceReader:
    """Two networks: pose (shape, colour, and the affine pose of the top face) and face (number, ink, pips, upright)."""

    def __init__(self, pose: Model, face: Model, settings: ReaderSettings | None = None) -> None:
        self._pose, self._face = pose, face
        self.settings = settings or ReaderSettings()
        self.accept_from = float(face.card.get("accept_from", 0.95))
        self.temperatures: dict[str, float] = dict(face.card.get("temperatures", {}))

    @classmethod
    def load(cls, folder: Path | None = None, threads: int = 2) -> DiceReader:
        """The reader that comes with the package; raises `ModelError`."""
        return cls(load_model("pose", folder, threads), load_model("face", folder, threads))

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        """One posterior per box of a picture (height, width, 3).

        `nadir_xy_px` is the point of the picture straight below the camera: the far side of each die is the one away
        from it. Where it is not known, as in a photo taken by hand, the far side is taken to be up in the picture.
        """
        if not boxes_xyxy_px:
            return ()
        crops = [crop(image_bgr, box) for box in boxes_xyxy_px]
        base = [0.0 if nadir_xy_px is None else _turn_away(box, nadir_xy_px) for box in boxes_xyxy_px]
        first, poses = self._look(crops, base)
        results = list(first)
        again: list[int] = []
        turns: list[float] = []
        upside_down = [_six_or_nine(posterior) for posterior in first]
        for i, posterior in enumerate(first):
            if posterior.candidates(count=1)[0].p >= self.settings.sure and not upside_down[i]:
                continue
            extra = self.settings.turns_rad if nadir_xy_px is None else self.settings.small_turns_rad
            if upside_down[i]:
                extra = (0.0, *extra)
            if nadir_xy_px is None and _flatness(poses[i]) >= self.settings.flat:
                extra = (*extra, np.pi / 2, np.pi, -np.pi / 2)
            again += [i] * len(extra)
            turns += [base[i] + turn for turn in extra]
        if again:
            more, _ = self._look([crops[i] for i in again], turns, [upside_down[i] for i in again])
            for i in sorted(set(again)):
                looks = tuple(p for j, p in zip(again, more, strict=True) if j == i)
                results[i] = mean_posterior(looks if upside_down[i] else (first[i], *looks))
        return tuple(
            replace(p, flatness=_flatness(pose)).tempered(self.temperatures)
            for p, pose in zip(results, poses, strict=True)
        )

    def _look(
        self, crops: list[ImageBGR], turns_rad: Sequence[float], upside_down: Sequence[bool] | None = None
    ) -> tuple[tuple[DiePosterior, ...], Floats]:
        """Each crop read once, turned by its angle; also the poses (n, 6) in half crops, turned back. Where
        `upside_down`, a face that stands on its head is as likely as one that does not."""
        poses, shape, color = self._poses(crops, turns_rad)
        owners: list[int] = []
        upright: list[ImageBGR] = []
        priors: list[float] = []
        for i, cut in enumerate(crops):
            ways = WAYS[int(np.argmax(shape[i]))]
            for way in range(ways):
                for half_turn in (0.0, np.pi) if upside_down is not None and upside_down[i] else (0.0,):
                    owners.append(i)
                    upright.append(rectified(cut, _turned_in_plane(poses[i], 2 * np.pi * way / ways + half_turn)))
                    priors.append(_STRAIGHT if way == 0 else (1 - _STRAIGHT) / (ways - 1))
        faces, inks, pips, standing = self._face.session.run(None, {"image": np.stack(upright)})
        owner, weight = np.array(owners), np.array(priors) * np.exp(np.clip(standing[:, 0].astype(np.float64), -30, 30))
        ink, pip = _softmax(inks), _softmax(pips)[:, 1]
        by_shape = np.stack([_faces_by_shape(f) for f in faces])
        result = []
        for i in range(len(crops)):
            mine = owner == i
            w = weight[mine] / weight[mine].sum()
            face = np.einsum("w,wsf->sf", w, by_shape[mine])
            result.append(DiePosterior(color[i], shape[i], face, w @ ink[mine], float(w @ pip[mine])))
        return tuple(result), poses

    def _poses(self, crops: list[ImageBGR], turns_rad: Sequence[float]) -> tuple[Floats, Floats, Floats]:
        """First pass: the poses (n, 6) in half crops, turned back, and the probabilities of shape and colour."""
        turned = np.stack([_turned(c, t) for c, t in zip(crops, turns_rad, strict=True)])
        poses, shapes, colors, _ = self._pose.session.run(None, {"image": turned})
        angles = np.asarray(turns_rad)
        cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
        back = np.empty((len(crops), 6))
        for k in (0, 2, 4):
            x, y = poses[:, k : k + 1], poses[:, k + 1 : k + 2]
            back[:, k : k + 1], back[:, k + 1 : k + 2] = cosine * x - sine * y, sine * x + cosine * y
        return back, _softmax(shapes), _softmax(colors)


def _turn_away(box_xyxy_px: BoxXYXY, nadir_xy_px: tuple[float, float]) -> float:
    """Angle, counter-clockwise, that brings the side of the die that is away from the nadir to the top of its crop."""
    x0, y0, x1, y1 = box_xyxy_px
    dx, dy = (x0 + x1) / 2 - nadir_xy_px[0], (y0 + y1) / 2 - nadir_xy_px[1]
    return float(np.pi / 2 - np.arctan2(-dy, dx))


def _six_or_nine(posterior: DiePosterior) -> bool:
    """Whether it is a 6 or a 9 of a die that has both: only a mark, or which way is up, tells them apart."""
    shape = int(np.argmax(posterior.shapes))
    return SHAPES[shape] > 9 and float(posterior.faces[shape, 5] + posterior.faces[shape, 8]) > 0.2


def crop(image_bgr: ImageBGR, box_xyxy_px: BoxXYXY) -> ImageBGR:
    """The die with a margin as a square (112, 112, 3); pixels beyond the picture repeat its edge."""
    x0, y0, x1, y1 = box_xyxy_px
    side = max(x1 - x0, y1 - y0, 4.0) * MARGIN
    left, top = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2
    height, width = image_bgr.shape[:2]
    px0, py0 = int(np.clip(np.floor(left) - 2, 0, width - 1)), int(np.clip(np.floor(top) - 2, 0, height - 1))
    px1, py1 = (
        int(np.clip(np.ceil(left + side) + 2, px0 + 1, width)),
        int(np.clip(np.ceil(top + side) + 2, py0 + 1, height)),
    )
    region = image_bgr[py0:py1, px0:px1]
    scale = CROP_PX / side
    if scale < 0.6:
        region = np.asarray(cv2.GaussianBlur(region, (0, 0), 0.35 / scale), np.uint8)
    matrix = np.array([[scale, 0, (px0 - left) * scale], [0, scale, (py0 - top) * scale]])
    return np.asarray(
        cv2.warpAffine(region, matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def _turned(crop_bgr: ImageBGR, turn_rad: float) -> ImageBGR:
    """The crop seen turned by an angle, at the pose network's size."""
    if turn_rad:
        matrix = cv2.getRotationMatrix2D((CROP_PX / 2, CROP_PX / 2), float(np.degrees(turn_rad)), 1.0)
        crop_bgr = np.asarray(
            cv2.warpAffine(crop_bgr, matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
    return np.asarray(cv2.resize(crop_bgr, (_POSE_PX, _POSE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def rectified(crop_bgr: ImageBGR, pose: Floats) -> ImageBGR:
    """The top face upright (56, 56, 3), from the crop and the pose (6,) in half crops."""
    half = CROP_PX / 2
    center, up, right = pose[:2] * half + half, pose[2:4] * half * _FACE_REACH, pose[4:] * half * _FACE_REACH
    size = _FACE_PX * 2
    source = np.array([center - right + up, center + right + up, center - right - up], np.float32)
    target = np.array([[0, 0], [size, 0], [0, size]], np.float32)
    matrix = cv2.getAffineTransform(source, target)
    face = cv2.warpAffine(crop_bgr, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(face, (_FACE_PX, _FACE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _turned_in_plane(pose: Floats, angle_rad: float) -> Floats:
    """The pose (6,) with its print turned about its centre in the plane of the face."""
    cosine, sine = np.cos(angle_rad), np.sin(angle_rad)
    up, right = pose[2:4], pose[4:]
    return np.concatenate([pose[:2], up * cosine + right * sine, right * cosine - up * sine])


def _flatness(pose: Floats) -> float:
    """Shorter over longer axis of the ellipse that the inscribed circle of the top face is seen as."""
    singular = np.linalg.svd(pose[2:].reshape(2, 2), compute_uv=False)
    return float(singular[1] / max(1e-6, singular[0]))


def _softmax(logits: npt.NDArray[np.float32]) -> Floats:
    shifted = np.exp(logits.astype(np.float64) - logits.max(-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(-1, keepdims=True))


def _faces_by_shape(logits: npt.NDArray[np.float32]) -> Floats:
    """(20,) -> (5, 20): the faces that each shape has, renormalised."""
    table = np.zeros((len(SHAPES), 20))
    for s, sides in enumerate(SHAPES):
        table[s, :sides] = _softmax(logits[:sides])
    return table
