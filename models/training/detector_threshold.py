"""Prints recall and precision of the exported detector on the held-out scenes at several scores, together with what the
pose network says of each find (`strangers.is_no_die`), and takes as `score_threshold` the score with the best F1."""

from __future__ import annotations

import json

import cv2
import numpy as np
from draws import DATA, REPO
from train_detector import Scenes

from tablesight.vision.detector import DetectorSettings, DiceDetector
from tablesight.vision.evaluation.box_matching import match_boxes
from tablesight.vision.model_files import load_model
from tablesight.vision.photo_reader import PRINT
from tablesight.vision.reader import DiceReader, ReaderSettings
from tablesight.vision.strangers import is_no_die

SCORES = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)


def main() -> None:
    """Measure, print, and note the choice in data/calibration.json."""
    scenes = Scenes([], held_out=True).synthetic
    detector = DiceDetector(load_model("detector"), DetectorSettings(score=min(SCORES)))
    reader = DiceReader.load()
    reader.settings = ReaderSettings(turns_rad=(), small_turns_rad=(), sure=0.0)
    hits, wrong, dice = dict.fromkeys(SCORES, 0), dict.fromkeys(SCORES, 0), 0
    for data, boxes in scenes:
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        found = detector.detect(image)
        below = (image.shape[1] / 2, 1e6)
        read = reader.posteriors(image, [d.box_xyxy_px for d in found], below, [-1.0] * len(found))
        found = tuple(d for d, p in zip(found, read, strict=True) if not is_no_die(d.score, p, PRINT))
        dice += len(boxes)
        for score in SCORES:
            kept = [d.box_xyxy_px for d in found if d.score >= score]
            pairs = len(match_boxes([tuple(b) for b in boxes.tolist()], kept).pairs)
            hits[score] += pairs
            wrong[score] += len(kept) - pairs
    rows = []
    for score in SCORES:
        precision, recall = hits[score] / max(1, hits[score] + wrong[score]), hits[score] / dice
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        rows.append({"score": score, "recall": recall, "precision": precision, "f1": f1})
    rows = [{k: round(v, 4) for k, v in row.items()} for row in rows]
    chosen = max(rows, key=lambda row: row["f1"])["score"]
    path = DATA / "calibration.json"
    result = json.loads(path.read_text()) if path.exists() else {}
    result["detector"] = {
        "score_threshold": chosen,
        "held_out_scenes": {"pictures": len(scenes), "dice": dice, "curve": rows},
    }
    path.write_text(json.dumps(result, indent=1) + "\n")
    card = REPO / "models/detector.json"
    card.write_text(json.dumps({**json.loads(card.read_text()), **result["detector"]}, indent=1) + "\n")
    print(json.dumps(result["detector"], indent=1))


if __name__ == "__main__":
    main()
