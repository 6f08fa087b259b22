"""Trains the detector on data/scenes and on the licensed real photos: `python models/training/train_detector.py 25
[--photos DIR ...]` (minutes). Can be stopped and started again; the checkpoint lies in data/checkpoints."""

from __future__ import annotations

import argparse
import csv
import os
from collections import defaultdict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import torch
from draws import DATA
from networks import DetectorNet
from photometric import photometric
from schedule import train
from shards import HELD_OUT, scenes_of
from torch import Tensor

HEIGHT_PX, WIDTH_PX = 288, 384
REAL_SHARE = 0.3
"""Of the pictures: real photos, and tables rendered with Blender where they are given as such."""


class Scenes:
    """JPEG bytes and boxes (n, 4) of all pictures; shards 0 and 100 are held out."""

    def __init__(self, photos: list[Path], held_out: bool = False) -> None:
        self.synthetic: list[tuple[np.ndarray, np.ndarray]] = []
        for path in sorted((DATA / "scenes").glob("s_*.npz")):
            if (path.stem in HELD_OUT) == held_out:
                self.synthetic += scenes_of(path)
        self.real = [item for folder in photos for item in labelled(folder)]
        print(f"{len(self.synthetic)} drawn scenes, {len(self.real)} real photos")

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """A picture (384, 512, 3) BGR uint8 and its boxes, cut and turned at random."""
        real = self.real and rng.random() < REAL_SHARE
        data, boxes = (self.real if real else self.synthetic)[
            int(rng.integers(len(self.real if real else self.synthetic)))
        ]
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert image is not None, "a picture that was encoded here cannot be decoded"
        image, boxes = augment(image, boxes, rng, wide=bool(real))
        if rng.random() < 0.35:
            dirt(image, rng)
        if rng.random() < 0.25:
            image = harsh(image, rng)
        return image, boxes


def labelled(folder: Path, but: Collection[str] = ()) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each picture of a folder the bytes of its file and the boxes (n, 4) of its dice, pixels, without those of some
    physical dice."""
    boxes = defaultdict(list)
    with (folder / "labels.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["x0"] and row.get("die") not in but:
                boxes[row["file"]].append([float(row[k]) for k in ("x0", "y0", "x1", "y1")])
    return [(np.fromfile(folder / f, np.uint8), np.array(b, np.float32)) for f, b in boxes.items()]


def augment(
    image: np.ndarray, boxes: np.ndarray, rng: np.random.Generator, wide: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Scale, shift, mirror and quarter turn to (288, 384); boxes less than a third inside are dropped with their
    pixels left as they are."""
    if rng.random() < 0.5:
        image, boxes = image[:, ::-1], boxes.copy()
        boxes[:, [0, 2]] = image.shape[1] - boxes[:, [2, 0]]
    if rng.random() < 0.3:
        image, boxes = np.rot90(image, 2), boxes.copy()
        boxes = np.stack(
            [
                image.shape[1] - boxes[:, 2],
                image.shape[0] - boxes[:, 3],
                image.shape[1] - boxes[:, 0],
                image.shape[0] - boxes[:, 1],
            ],
            1,
        )
    h, w = image.shape[:2]
    fit = max(WIDTH_PX / w, HEIGHT_PX / h)
    zoom = fit * float(np.exp(rng.uniform(np.log(0.5 if wide else 0.85), np.log(2.0))))
    sx, sy = w * zoom - WIDTH_PX, h * zoom - HEIGHT_PX
    x, y = rng.uniform(min(0, sx), max(0, sx)), rng.uniform(min(0, sy), max(0, sy))
    if zoom < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / zoom)
    matrix = np.array([[zoom, 0, -x], [0, zoom, -y]], np.float32)
    border = (cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE)[int(rng.integers(2))]
    out = cv2.warpAffine(
        np.ascontiguousarray(image),
        matrix,
        (WIDTH_PX, HEIGHT_PX),
        borderMode=border,
        borderValue=rng.uniform(0, 255, 3).tolist(),
    )
    moved = boxes * zoom - np.array([x, y, x, y], np.float32)
    clipped = np.clip(moved, 0, (WIDTH_PX, HEIGHT_PX, WIDTH_PX, HEIGHT_PX))
    area = (clipped[:, 2] - clipped[:, 0]) * (clipped[:, 3] - clipped[:, 1])
    whole = np.maximum(1e-3, (moved[:, 2] - moved[:, 0]) * (moved[:, 3] - moved[:, 1]))
    return out, clipped[
        (area / whole > 0.34) & (np.minimum(clipped[:, 2] - clipped[:, 0], clipped[:, 3] - clipped[:, 1]) > 5)
    ]


def dirt(image: np.ndarray, rng: np.random.Generator) -> None:
    """Dust, crumbs, scratches and cables, drawn in place: small bright or dark things that are no dice."""
    for _ in range(int(rng.integers(0, 25))):
        x, y = int(rng.integers(image.shape[1])), int(rng.integers(image.shape[0]))
        color = (rng.uniform(0, 255, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(0, 255))).tolist()
        if rng.random() < 0.7:
            cv2.circle(image, (x, y), int(rng.integers(0, 4)), color, -1, cv2.LINE_AA)
        else:
            dx, dy = rng.normal(0, 25, 2)
            cv2.line(image, (x, y), (int(x + dx), int(y + dy)), color, int(rng.integers(1, 4)), cv2.LINE_AA)


def harsh(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Contrast and saturation as some cameras exaggerate them: blacks and whites run full."""
    x = (image.astype(np.float32) - rng.uniform(60, 190)) * rng.uniform(1.1, 2.2) + rng.uniform(90, 170)
    grey = x.mean(2, keepdims=True)
    harsher: np.ndarray = np.clip(grey + (x - grey) * rng.uniform(0.8, 1.8), 0, 255).astype(np.uint8)
    return harsher


def targets(all_boxes: list[np.ndarray]) -> tuple[Tensor, Tensor]:
    """Heat (B, 1, h, w), 1 at the centres with a Gaussian skirt a ninth of the box wide, and the box (B, 4, h, w) in
    cells of the die whose skirt is highest there."""
    stride = DetectorNet.STRIDE
    h, w = HEIGHT_PX // stride, WIDTH_PX // stride
    heat, box_map = np.zeros((len(all_boxes), 1, h, w), np.float32), np.zeros((len(all_boxes), 4, h, w), np.float32)
    for b, boxes in enumerate(all_boxes):
        for x0, y0, x1, y1 in boxes / stride:
            cx, cy = min(w - 1, int((x0 + x1) / 2)), min(h - 1, int((y0 + y1) / 2))
            sx, sy = max(0.7, (x1 - x0) / 9), max(0.7, (y1 - y0) / 9)
            xs, ys = np.arange(w) - cx, np.arange(h) - cy
            skirt = np.exp(-0.5 * (xs / sx) ** 2)[None] * np.exp(-0.5 * (ys / sy) ** 2)[:, None]
            better = skirt > heat[b, 0]
            heat[b, 0][better] = skirt[better]
            box_map[b][:, better & (skirt > 0.3)] = np.array([x0, y0, x1, y1], np.float32)[:, None]
    return torch.from_numpy(heat), torch.from_numpy(box_map)


def detection_loss(logits: Tensor, distances: Tensor, heat: Tensor, box: Tensor) -> tuple[Tensor, Tensor]:
    """Penalty-reduced focal loss of the heat (CornerNet, Law and Deng 2018) and generalised IoU of the boxes."""
    p = logits.sigmoid().clamp(1e-5, 1 - 1e-5)
    peak = heat == 1
    positive = -((1 - p) ** 2) * p.log() * peak
    negative = -((1 - heat) ** 4) * p**2 * (1 - p).log() * ~peak
    count = peak.sum().clamp(min=1)
    heat_loss = (positive.sum() + negative.sum()) / count
    h, w = heat.shape[-2:]
    ys, xs = torch.meshgrid(torch.arange(h) + 0.5, torch.arange(w) + 0.5, indexing="ij")
    reach = distances.clamp(-4, 5.5).exp()
    found = torch.stack([xs - reach[:, 0], ys - reach[:, 1], xs + reach[:, 2], ys + reach[:, 3]], 1)
    weight = (heat[:, 0] * (heat[:, 0] > 0.3)) * (box[:, 2] > box[:, 0])
    chosen = weight > 0
    if not chosen.any():
        return heat_loss, heat_loss * 0
    a, b, weights = found.permute(0, 2, 3, 1)[chosen], box.permute(0, 2, 3, 1)[chosen], weight[chosen]
    inner = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(min=0).prod(1)
    outer = (torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])).prod(1)
    union = (a[:, 2:] - a[:, :2]).prod(1) + (b[:, 2:] - b[:, :2]).prod(1) - inner
    giou = inner / union - (outer - union) / outer
    return heat_loss, ((1 - giou) * weights).sum() / weights.sum()


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--photos", type=Path, nargs="*", default=[], help="licensed folders with labels.csv")
    parser.add_argument("--batch", type=int, default=16)
    args = parser.parse_args()
    torch.manual_seed(7)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))
    cv2.setNumThreads(1)
    scenes, network = Scenes(args.photos), DetectorNet().to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in network.parameters()) / 1e6:.2f} M parameters")
    seeds = np.random.default_rng(3)

    def load(seed: int) -> tuple[Tensor, Tensor, Tensor]:
        rng = np.random.default_rng(seed)
        drawn = [scenes.draw(rng) for _ in range(args.batch)]
        images = torch.from_numpy(np.stack([d[0] for d in drawn]))
        return images, *targets([d[1] for d in drawn])

    with ThreadPoolExecutor(2) as pool:
        queue = [pool.submit(load, int(seeds.integers(2**31))) for _ in range(4)]

        def step(batch: int) -> tuple[Tensor, Callable[[], str]]:
            queue.append(pool.submit(load, int(seeds.integers(2**31))))
            images, heat, box = queue.pop(0).result()
            x = images.flip(3).permute(0, 3, 1, 2).float().div_(255)
            x = photometric(x, 0.25, grain=False).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16):
                logits, distances = network(x)
            heat_loss, box_loss = detection_loss(logits, distances, heat, box)
            return heat_loss + 2 * box_loss, lambda: f"heat {float(heat_loss):.2f} box {float(box_loss):.2f}"

        train(
            network, step, args.minutes, DATA / "checkpoints/detector.pt", args.batch, peak_rate=2e-3, weight_decay=1e-2
        )


if __name__ == "__main__":
    main()
