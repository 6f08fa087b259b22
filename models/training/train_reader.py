"""Trains the reader in two passes on data/crops: `python models/training/train_reader.py pose 25` (minutes), then
`... face 15`. Both can be stopped and started again; checkpoints lie in data/checkpoints."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from draws import DATA
from networks import FACE_PX, FACE_REACH, POSE_PX, FaceNet, PoseNet
from photometric import photometric
from schedule import train
from torch import Tensor

from tablesight.vision.reader import WAYS


class Crops:
    """All shards in memory: `images` (n, 112, 112, 3) uint8 BGR, `poses` (n, 6), `labels` (n, 6). The last shard of
    each hundred is held out."""

    def __init__(self, held_out: bool = False) -> None:
        self._held_out = held_out
        self._names: tuple[Path, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Takes in shards that have been finished since."""
        names = tuple(sorted((DATA / "crops").glob("*.npz")))
        names = tuple(n for n in names if (int(n.stem.split("_")[1]) % 100 == 0) == self._held_out)
        if names == self._names:
            return
        self._names = names
        shards = [np.load(name) for name in names]
        if not shards:
            raise SystemExit(f"no crops in {DATA / 'crops'}: run make data first")
        self.images = torch.from_numpy(np.concatenate([s["images"] for s in shards]))
        self.poses = torch.from_numpy(np.concatenate([s["poses"] for s in shards]))
        self.labels = torch.from_numpy(np.concatenate([s["labels"] for s in shards]).astype(np.int64))
        print(f"{len(self.images)} crops in {len(names)} shards")

    def batch(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        """Images (count, 3, 112, 112) RGB 0-1, poses and labels, drawn at random."""
        i = torch.randint(0, len(self.images), (count,))
        return self.images[i].flip(3).permute(0, 3, 1, 2).float().div_(255), self.poses[i], self.labels[i]


def turn_and_scale(x: Tensor, pose: Tensor) -> tuple[Tensor, Tensor]:
    """Turns by about 12 degrees, scales and shifts the crops to 88 px, and the poses with them."""
    count = len(x)
    angle, scale = torch.randn(count) * 0.2, torch.empty(count).uniform_(0.86, 1.2)
    aspect, shift = torch.empty(count).uniform_(0.94, 1.06), torch.randn(count, 2) * 0.06
    turn = torch.stack(
        [
            torch.stack([angle.cos() * scale * aspect, -angle.sin() * scale], 1),
            torch.stack([angle.sin() * scale * aspect, angle.cos() * scale], 1),
        ],
        1,
    )
    grid = F.affine_grid(torch.cat([turn, shift[:, :, None]], 2), [count, 3, POSE_PX, POSE_PX], align_corners=False)
    x = F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)
    back = torch.linalg.inv(turn)

    def moved(v: Tensor) -> Tensor:
        return (back @ v[:, :, None])[:, :, 0]

    return x, torch.cat([moved(pose[:, :2] - shift), moved(pose[:, 2:4]), moved(pose[:, 4:])], 1)


def quarter_turns(pose: Tensor) -> Tensor:
    """(B, 6) -> (4, B, 6): the face seen at each quarter turn."""
    center, up, right = pose[:, :2], pose[:, 2:4], pose[:, 4:]
    return torch.stack(
        [torch.cat([center, u, r], 1) for u, r in ((up, right), (right, -up), (-up, -right), (-right, up))]
    )


def rectify(x: Tensor, pose: Tensor, size: int = FACE_PX) -> Tensor:
    """Cuts the faces out upright: (B, 3, n, n), pose (B, 6) -> (B, 3, size, size)."""
    center, up, right = pose[:, :2], pose[:, 2:4] * FACE_REACH, pose[:, 4:] * FACE_REACH
    theta = torch.stack(
        [
            torch.stack([right[:, 0], -up[:, 0], center[:, 0]], 1),
            torch.stack([right[:, 1], -up[:, 1], center[:, 1]], 1),
        ],
        1,
    )
    grid = F.affine_grid(theta, [len(x), 3, size, size], align_corners=False)
    return F.grid_sample(x, grid, padding_mode="border", align_corners=False)


def jitter(pose: Tensor) -> Tensor:
    """Poses as wrong as the pose network's own."""
    count = len(pose)
    angle, scale = torch.randn(count) * 0.15, torch.empty(count).uniform_(0.82, 1.2)
    center, up, right = pose[:, :2], pose[:, 2:4], pose[:, 4:]
    cosine, sine = angle.cos()[:, None], angle.sin()[:, None]
    stretch = torch.empty(count, 1).uniform_(0.88, 1.12)
    new_up = (up * cosine + right * sine) * scale[:, None] * stretch
    new_right = (right * cosine - up * sine) * scale[:, None]
    move = torch.randn(count, 2) * 0.1
    return torch.cat([center + move[:, :1] * up + move[:, 1:] * right, new_up, new_right], 1)


def turned_wrong(pose: Tensor, shapes: Tensor) -> Tensor:
    """The prints turned in their plane: seven in ten by a symmetry of the face, the others by 40 to 320 degrees."""
    count = len(pose)
    ways = torch.tensor(WAYS)[shapes]
    step = 1 + (torch.rand(count) * (ways - 1)).long()
    angle = torch.where(
        torch.rand(count) < 0.7, 2 * math.pi * step / ways, torch.empty(count).uniform_(0.7, 2 * math.pi - 0.7)
    )
    cosine, sine = angle.cos()[:, None], angle.sin()[:, None]
    up, right = pose[:, 2:4], pose[:, 4:]
    return torch.cat([pose[:, :2], up * cosine + right * sine, right * cosine - up * sine], 1)


def autocast() -> torch.autocast:
    """bfloat16 where the CPU is fast at it."""
    return torch.autocast("cpu", torch.bfloat16)


def train_pose(minutes: float) -> None:
    """First pass."""
    data, network = Crops(), PoseNet().to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in network.parameters()) / 1e6:.2f} M parameters")
    count = 0

    def step(batch: int) -> tuple[Tensor, Callable[[], str]]:
        nonlocal count
        count += 1
        if count % 2000 == 0:
            data.refresh()
        x, pose, labels = data.batch(batch)
        x, pose = turn_and_scale(x, pose)
        x = photometric(x).contiguous(memory_format=torch.channels_last)
        with autocast():
            found, shape, color, pips = network(x)
        errors = F.smooth_l1_loss(found[None].expand(4, -1, -1), quarter_turns(pose), beta=0.05, reduction="none").sum(
            2
        )
        dotted = labels[:, 4] == 1
        loss = 3 * torch.where(dotted, errors.amin(0), errors[0]).mean()
        loss = loss + 0.5 * F.cross_entropy(shape, labels[:, 1]) + 0.5 * F.cross_entropy(color, labels[:, 2])
        loss = loss + 0.2 * F.cross_entropy(pips, labels[:, 4])

        def report() -> str:
            wrong = torch.atan2(found[:, 3], found[:, 2]) - torch.atan2(pose[:, 3], pose[:, 2])
            wrong = ((wrong + math.pi) % (2 * math.pi) - math.pi).abs()[~dotted].median() * 57.3
            sides = (shape.argmax(1) == labels[:, 1]).float().mean()
            return f"angle {wrong:.0f} shape {sides:.2f} colour {(color.argmax(1) == labels[:, 2]).float().mean():.2f}"

        return loss, report

    train(network, step, minutes, DATA / "checkpoints/pose.pt", batch=96, peak_rate=2.5e-3)


def train_face(minutes: float) -> None:
    """Second pass."""
    data, network = Crops(), FaceNet().to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in network.parameters()) / 1e6:.2f} M parameters")
    count = 0

    def step(batch: int) -> tuple[Tensor, Callable[[], str]]:
        nonlocal count
        count += 1
        if count % 2000 == 0:
            data.refresh()
        x, pose, labels = data.batch(batch)
        pose = jitter(pose)
        dotted = labels[:, 4] == 1
        turned = quarter_turns(pose)[torch.randint(0, 4, (batch,)), torch.arange(batch)]
        wrong = (torch.rand(batch) < 0.4) & ~dotted
        pose = torch.where(dotted[:, None], turned, torch.where(wrong[:, None], turned_wrong(pose, labels[:, 1]), pose))
        x = photometric(rectify(x, pose)).contiguous(memory_format=torch.channels_last)
        with autocast():
            face, ink, pips, upright = network(x)
        loss = F.cross_entropy(face[~wrong], labels[~wrong, 0], label_smoothing=0.02)
        loss = loss + 0.5 * F.binary_cross_entropy_with_logits(upright[:, 0], 1 - wrong.float())
        loss = loss + 0.4 * F.cross_entropy(ink, labels[:, 3]) + 0.2 * F.cross_entropy(pips, labels[:, 4])

        def report() -> str:
            right = (face.argmax(1) == labels[:, 0])[~wrong].float().mean()
            inked = (ink.argmax(1) == labels[:, 3]).float().mean()
            return f"face {right:.2f} ink {inked:.2f} upright {((upright[:, 0] < 0) == wrong).float().mean():.2f}"

        return loss, report

    train(network, step, minutes, DATA / "checkpoints/face.pt", batch=96, peak_rate=2.5e-3)


if __name__ == "__main__":
    torch.manual_seed(7)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))
    {"pose": train_pose, "face": train_face}[sys.argv[1]](float(sys.argv[2]))
