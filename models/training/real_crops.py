"""Cuts the dice out of licensed real photos for training: `python models/training/real_crops.py FOLDER ...`.

How a die lies was never measured in these photos, but its number is known: each die is read with the models at hand,
turned by small angles and as if seen from several heights, and the pose is kept in which the known number stands
upright with the most probability. What is under 80 % is left out. Writes data/real/crops.npz in the format of
make_crops.py, and a picture of the upright faces to look at; `--but DIE ...` keeps those physical dice for testing.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from draws import DATA
from networks import POSE_PX, FaceNet, PoseNet
from torch import Tensor
from train_reader import lying, rectify

from tablesight.vision.kinds import INKS
from tablesight.vision.posterior import SHAPES
from tablesight.vision.reader import WAYS, crop

TURNS_DEG = (0.0, -9.0, 9.0, -20.0, 20.0)
TILTS_DEG = (-1.0, 8.0, 20.0, 32.0, 44.0)
ENOUGH = 0.8
NO_LABEL = -100
"""What cross entropy leaves out: people name the colours of marbled dice as they like."""


def turned(x: Tensor, angles_deg: Tensor, size: int) -> Tensor:
    """(3, n, n) -> (k, 3, size, size): the picture turned by each angle, counter-clockwise."""
    angles = angles_deg.deg2rad()
    zero = torch.zeros_like(angles)
    theta = torch.stack(
        [torch.stack([angles.cos(), -angles.sin(), zero], 1), torch.stack([angles.sin(), angles.cos(), zero], 1)], 1
    )
    grid = F.affine_grid(theta, [len(angles), 3, size, size], align_corners=False)
    return F.grid_sample(x[None].expand(len(angles), -1, -1, -1), grid, padding_mode="border", align_corners=False)


def pose_of(pose_net: PoseNet, face_net: FaceNet, x: Tensor, shape: int, face: int) -> tuple[Tensor, float, Tensor]:
    """The pose (6,) in which the number stands upright in a crop (3, 112, 112), how probable that is, and the face."""
    views = [(turn, tilt) for turn in TURNS_DEG for tilt in TILTS_DEG]
    turns = torch.tensor([turn for turn, _ in views])
    shapes = torch.full((len(views),), shape)
    best, result, seen = 0.0, torch.zeros(6), torch.zeros(3, 56, 56)
    with torch.no_grad():
        pictures = turned(x, turns, POSE_PX)
        geometry, phases, *_ = pose_net(pictures, torch.tensor([tilt for _, tilt in views]))
        cosine, sine = turns.deg2rad().cos()[:, None], turns.deg2rad().sin()[:, None]
        for way in range(WAYS[shape]):
            pairs = lying(geometry, phases, shapes, torch.full((len(views),), float(way))).view(-1, 3, 2)
            # a point at v of the turned picture lies at R v of the picture itself
            back = torch.stack(
                [cosine * pairs[..., 0] - sine * pairs[..., 1], sine * pairs[..., 0] + cosine * pairs[..., 1]], 2
            ).reshape(-1, 6)
            cut = rectify(x[None].expand(len(back), -1, -1, -1), back)
            faces, _, _, upright, _ = face_net(cut)
            p = faces[:, : SHAPES[shape]].softmax(1)[:, face - 1] * upright[:, 0].sigmoid()
            if float(p.max()) > best:
                best, result, seen = float(p.max()), back[p.argmax()], cut[p.argmax()]
    return result, best, seen


def main() -> None:
    """Write the crops."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--but", nargs="*", default=[], help="physical dice to leave out (column `die`)")
    args = parser.parse_args()
    pose_net, face_net = PoseNet().eval(), FaceNet().eval()
    for name, network in (("pose", pose_net), ("face", face_net)):
        network.load_state_dict(torch.load(DATA / f"checkpoints/{name}.pt")["network"])
    images, poses, labels, seen = [], [], [], []
    left_out = 0
    for folder in args.folders:
        with (folder / "labels.csv").open(newline="") as stream:
            rows = [r for r in csv.DictReader(stream) if r["x0"] and r["verified"] == "1" and r["sides"] != "10"]
        for row in rows:
            if row["die"] in args.but:
                continue
            photo = cv2.imread(str(folder / row["file"]))
            assert photo is not None, f"{folder / row['file']} cannot be read"
            box = tuple(float(row[k]) for k in ("x0", "y0", "x1", "y1"))
            cut = crop(photo, box)  # type: ignore[arg-type]
            shape, face = SHAPES.index(int(row["sides"])), int(row["value"])
            x = torch.from_numpy(cut[..., ::-1].copy()).permute(2, 0, 1).float() / 255
            pose, p, upright = pose_of(pose_net, face_net, x, shape, face)
            if p < ENOUGH:
                left_out += 1
                continue
            images.append(cut)
            poses.append(pose.numpy().astype(np.float32))
            ink = row["numeral_color"] if row["numeral_color"] in INKS else "other"
            labels.append((face - 1, shape, NO_LABEL, INKS.index(ink), 0, -1))
            seen.append((upright.permute(1, 2, 0).numpy()[..., ::-1] * 255).astype(np.uint8))
    folder = DATA / "real"
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "crops.npz", images=np.stack(images), poses=np.stack(poses), labels=np.array(labels, np.int16))
    blank = np.zeros_like(seen[0])
    seen += [blank] * (-len(seen) % 16)
    cv2.imwrite(str(folder / "faces.png"), np.vstack([np.hstack(seen[i : i + 16]) for i in range(0, len(seen), 16)]))
    print(f"{len(images)} crops; {left_out} left out")


if __name__ == "__main__":
    main()
