"""Cuts out what the detector takes for dice in the drawn and rendered training pictures, right or wrong, for the head
of the pose network that tells dice from other things: `python models/training/make_finds.py [--folder models]`.

Writes data/finds/NAME.npz for each shard of data/scenes, train.npz for the pictures of data/photoreal/train, and
photos.npz for licensed real photos (of those only the dice, since not all may be labelled); a file already there is
left alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from draws import DATA, REPO
from shards import scenes_of, write_shard
from tqdm import tqdm
from train_detector import labelled

from tablesight.vision.box_overlap import iou
from tablesight.vision.detector import DetectorSettings, DiceDetector
from tablesight.vision.model_files import load_model
from tablesight.vision.reader import crop

LEAST_SCORE: Final = 0.2
_SAME: Final = 0.5
_NOTHING: Final = 0.1


def finds(
    detector: DiceDetector, pictures: Iterable[tuple[np.ndarray, np.ndarray]], most_dice: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Crops (n, 112, 112, 3) uint8, whether each shows a die (n,), and the detector's scores (n,); of the dice only the
    `most_dice` least sure of each picture, of what overlaps a die a little nothing."""
    images, is_die, scores = [], [], []
    for data, boxes in pictures:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert image is not None, "a picture that was encoded here cannot be decoded"
        dice = 0
        for found in reversed(detector.detect(np.asarray(image, np.uint8))):
            overlaps = [iou(found.box_xyxy_px, tuple(box)) for box in boxes.tolist()]
            overlap = max(overlaps, default=0.0)
            if overlap >= _SAME:
                dice += 1
            if _NOTHING < overlap < _SAME or (overlap >= _SAME and dice > most_dice):
                continue
            images.append(crop(np.asarray(image, np.uint8), found.box_xyxy_px))
            is_die.append(overlap >= _SAME)
            scores.append(found.score)
    return np.array(images, np.uint8).reshape(-1, 112, 112, 3), np.array(is_die, bool), np.array(scores, np.float32)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=REPO / "models", help="where the detector is")
    parser.add_argument("--shards", nargs="*", help="only these, such as s_100 train photos")
    parser.add_argument("--photos", type=Path, nargs="*", default=[], help="licensed folders with labels.csv")
    parser.add_argument("--but", nargs="*", default=[], help="physical dice to leave out (column `die`)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector = DiceDetector(load_model("detector", args.folder, 1), DetectorSettings(score=LEAST_SCORE))
    (DATA / "finds").mkdir(parents=True, exist_ok=True)
    real = ["photos"] if args.photos else []
    names = args.shards or ["train", *real, *(path.stem for path in sorted((DATA / "scenes").glob("s_*.npz")))]
    for name in names:
        path = DATA / f"finds/{name}.npz"
        if path.exists():
            continue
        if name in ("train", "photos"):
            folders = args.photos if name == "photos" else [DATA / "photoreal/train"]
            pictures = [picture for folder in folders for picture in labelled(folder, args.but)]
        else:
            pictures = scenes_of(DATA / f"scenes/{name}.npz")
        images, is_die, scores = finds(detector, tqdm(pictures, desc=name, mininterval=10), most_dice=3)
        if name == "photos":
            images, is_die, scores = images[is_die], scores[is_die] >= 0, scores[is_die]
        write_shard(path, images=images, is_die=is_die, scores=scores)
        print(f"{name}: {int(is_die.sum())} dice, {int((~is_die).sum())} other things", flush=True)


if __name__ == "__main__":
    main()
