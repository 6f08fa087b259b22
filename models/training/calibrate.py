"""Fits a temperature for each head and the threshold above which a die is scored without asking.

`python models/training/calibrate.py` reads the exported models and the held-out crops (shards 0 and 100 of data/crops,
never trained on, no real photo among them), writes data/calibration.json; export.py puts it into the cards.
"""

from __future__ import annotations

import json

import numpy as np
from draws import DATA
from scipy.optimize import minimize_scalar
from scipy.stats import beta
from train_reader import Crops

from tablesight.vision.kinds import COLORS, SIDES, signed_value
from tablesight.vision.posterior import SHAPES
from tablesight.vision.reader import DiceReader

CROP_PX, MARGIN = 112, 1.2
RISK = 1 / 500
"""Largest share of silently wrong dice that is aimed at, as the upper end of a 95 % interval on held-out crops."""


def temperature(logits: np.ndarray, labels: np.ndarray) -> float:
    """The temperature with the least negative log-likelihood (Guo et al. 2017)."""

    def loss(log_t: float) -> float:
        scaled = logits / np.exp(log_t)
        scaled = scaled - scaled.max(1, keepdims=True)
        return float(np.mean(np.log(np.exp(scaled).sum(1)) - scaled[np.arange(len(labels)), labels]))

    return float(np.exp(minimize_scalar(loss, bounds=(-1.5, 2.0), method="bounded").x))


def main() -> None:
    """Fit and write."""
    crops = Crops(held_out=True)
    images, labels = crops.images.numpy(), crops.labels.numpy()
    keep = labels[:, 1] < len(SIDES)  # a d10 is only to be known as one
    reader = DiceReader.load()
    reader._pose.card.pop("temperatures", None)  # fitted from scratch
    reader._face.card.pop("temperatures", None)
    half = CROP_PX / MARGIN / 2
    box = (CROP_PX / 2 - half, CROP_PX / 2 - half, CROP_PX / 2 + half, CROP_PX / 2 + half)
    heads: dict[str, list[np.ndarray]] = {"shape": [], "color": [], "face": [], "ink": []}
    for start in range(0, len(images), 100):
        batch = images[start : start + 100]
        logits = reader.logits(batch, box)
        for name, collected in heads.items():
            collected.append(logits[name])
    joined = {name: np.concatenate(values) for name, values in heads.items()}
    column = {"face": 0, "shape": 1, "color": 2, "ink": 3}
    fitted = {
        n: temperature(v[keep | (n == "shape")], labels[keep | (n == "shape"), column[n]]) for n, v in joined.items()
    }
    accuracy = {n: float((v.argmax(1) == labels[:, column[n]])[keep].mean()) for n, v in joined.items()}
    reader._pose.card["temperatures"] = {k: fitted[k] for k in ("shape", "color")}
    reader._face.card["temperatures"] = {k: fitted[k] for k in ("face", "ink")}
    confidence, right = [], []
    for image, label in zip(images, labels, strict=True):
        reading = reader.posteriors(image, [box])[0].reading(box, 2.0)
        face, shape, color, ink = (
            int(label[0]) + 1,
            SHAPES[label[1]],
            COLORS[label[2]],
            ("white", "black", "gold", "other")[label[3]],
        )
        confidence.append(reading.confidence if reading.sides in SIDES else 0.0)
        right.append(
            reading.sides == shape and reading.color == color and reading.value == signed_value(color, ink, face)
        )
    order = np.argsort(-np.array(confidence))
    wrong = np.cumsum(~np.array(right)[order])
    count = np.arange(1, len(order) + 1)
    upper = beta.ppf(0.95, wrong + 1, count - wrong)
    fine = np.flatnonzero(upper <= RISK)
    accept = float(np.array(confidence)[order][fine[-1]]) if len(fine) else 0.999
    curve = [
        {
            "threshold": t,
            "accepted": float(np.mean(np.array(confidence) >= t)),
            "wrong": int((~np.array(right))[np.array(confidence) >= t].sum()),
        }
        for t in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
    ]
    summary = {
        "crops": len(labels), "single look accuracy": accuracy, "whole reading right": float(np.mean(right)),
        "accuracy over coverage": curve, "accepted": float(np.mean(np.array(confidence) >= accept)),
    }  # fmt: skip
    result = {
        "pose": {"temperatures": {k: round(fitted[k], 3) for k in ("shape", "color")}},
        "face": {
            "temperatures": {k: round(fitted[k], 3) for k in ("face", "ink")}, "accept_from": round(accept, 4),
            "held_out_crops": summary,
        },
    }  # fmt: skip
    (DATA / "calibration.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
