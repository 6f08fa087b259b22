"""Fits a temperature for each head and the threshold above which a die is scored without asking.

`python models/training/calibrate.py` reads the exported models and the held-out crops (shards 0, 100 and 200 of
data/crops, data/photoreal/held_*; never trained on, no real photo among them), writes data/calibration.json; export.py
puts it into the cards.
"""

from __future__ import annotations

import json

import numpy as np
import torch
from draws import DATA
from held_out import confidences, most_accepted
from scipy.optimize import minimize_scalar
from tqdm import tqdm
from train_reader import Crops, told

from tablesight.vision.kinds import SIDES
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reader import CROP_PX, MARGIN, DiceReader

RISK = 1 / 200
"""Largest share of wrong dice among the accepted ones, on held-out crops, which are harder than a table (blurred,
glaring, up to 56 degrees oblique) and read without knowing whose hand they belong to."""


def temperature(p: np.ndarray, labels: np.ndarray) -> float:
    """The temperature with the least negative log-likelihood (Guo et al. 2017) of probabilities (n, classes)."""
    logits = np.log(np.maximum(p, 1e-12))

    def loss(log_t: float) -> float:
        scaled = logits / np.exp(log_t)
        scaled = scaled - scaled.max(1, keepdims=True)
        return float(np.mean(np.log(np.exp(scaled).sum(1)) - scaled[np.arange(len(labels)), labels]))

    return float(np.exp(minimize_scalar(loss, bounds=(-1.5, 2.0), method="bounded").x))


def posteriors(reader: DiceReader, images: np.ndarray, tilts_deg: np.ndarray | None) -> list[DiePosterior]:
    """One for each crop (n, 112, 112, 3), at temperature 1: knowing, as at a table, that the far side is up and about
    how far from above the die is seen, or as in a photo of one die, not knowing."""
    half = CROP_PX / MARGIN / 2
    box = (CROP_PX / 2 - half, CROP_PX / 2 - half, CROP_PX / 2 + half, CROP_PX / 2 + half)
    reader.temperatures = {}
    if tilts_deg is None:
        return [reader.posteriors(image, [box])[0] for image in tqdm(images, mininterval=10)]
    below = (CROP_PX / 2, 1e6)
    return [
        reader.posteriors(image, [box], below, [float(tilt)])[0]
        for image, tilt in zip(tqdm(images, mininterval=10), tilts_deg, strict=True)
    ]


def threshold(sure: np.ndarray, fine: np.ndarray) -> float:
    """The lowest confidence from which on at most `RISK` of the dice are wrong."""
    count = most_accepted(sure, fine, RISK)
    return float(np.sort(sure)[-count]) if count else 0.999


def measured(sure: np.ndarray, fine: np.ndarray, accept: float) -> dict[str, object]:
    """For the card."""
    accepted = sure >= accept
    return {
        "of the thirteen kinds": len(sure),
        "kind and value right": round(float(fine.mean()), 4),
        "accepted": round(float(accepted.mean()), 4),
        "wrong of those": int((~fine[accepted]).sum()),
        "coverage": [
            {"threshold": t, "accepted": round(float((sure >= t).mean()), 4), "wrong": int((~fine[sure >= t]).sum())}
            for t in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
        ],
    }


def main() -> None:
    """Fit and write."""
    crops = Crops(held_out=True)
    torch.manual_seed(7)
    reader = DiceReader.load()
    parts = [part for part in ("crops", "photoreal") if crops.count(part)]
    pictures = {part: crops.all(part)[0].numpy() for part in parts}
    truths = {part: crops.all(part)[2] for part in parts}
    at_table = {
        part: posteriors(reader, pictures[part], told(truths[part][:, 5].float(), share=1.0).numpy()) for part in parts
    }
    read = [p for part in parts for p in at_table[part]]
    labels = torch.cat(list(truths.values())).numpy()
    known = labels[:, 1] < len(SIDES)  # a d10 is only to be known as one
    heads = {
        "shape": (np.array([p.shapes for p in read]), labels[:, 1], np.ones(len(labels), bool)),
        "color": (np.array([p.colors for p in read]), labels[:, 2], np.ones(len(labels), bool)),
        "face": (np.array([p.faces[s] for p, s in zip(read, labels[:, 1], strict=True)]), labels[:, 0], known),
        "ink": (np.array([p.inks for p in read]), labels[:, 3], np.ones(len(labels), bool)),
    }
    fitted = {name: round(temperature(p[mask], y[mask]), 3) for name, (p, y, mask) in heads.items()}
    accuracy = {name: round(float((p.argmax(1) == y)[mask].mean()), 4) for name, (p, y, mask) in heads.items()}
    accept = threshold(*confidences(read, labels, fitted))
    about: dict[str, object] = {"accuracy": accuracy}
    for part in parts:
        truth = truths[part].numpy()
        alone = confidences(posteriors(reader, pictures[part], None), truth, fitted)
        about[{"crops": "drawn", "photoreal": "photoreal"}[part]] = {
            "crops": len(truth),
            "seen from where is known": measured(*confidences(at_table[part], truth, fitted), accept),
            "photos of one die": measured(*alone, accept),
        }
    result = {"face": {"temperatures": fitted, "accept_from": round(accept, 4), "held_out": about}}
    (DATA / "calibration.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
