"""Trains the reader in two passes on data/crops: `python models/training/train_reader.py pose 25` (minutes), then
`... face 15`. Both can be stopped and started again; checkpoints lie in data/checkpoints."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from draws import DATA
from networks import FACE_PX, FACE_REACH, NOT_UP, POSE_PX, TILT_STEP_DEG, TILT_STEPS, FaceNet, PoseNet
from photometric import covered, photometric
from schedule import train
from torch import Tensor

from tablesight.vision.reader import WAYS

SHARES = {"crops": 0.82, "photoreal": 0.12, "real": 0.06}
"""What a batch is made of, as far as there is any."""


@dataclass(frozen=True, slots=True)
class Shard:
    """`images` (n, 112, 112, 3) uint8 BGR, `poses` (n, 6), `labels` (n, 6), `guesses` (n, 6) and `far` (n,) of the pose
    network, where asked for."""

    images: Tensor
    poses: Tensor
    labels: Tensor
    guesses: Tensor
    far: Tensor


class Crops:
    """All shards in memory: data/crops, but for the last of each hundred, which is held out; data/photoreal/train_*, or
    held_*; data/real. With a pose network each crop also gets the pose that the network would give it."""

    def __init__(self, held_out: bool = False, pose_network: PoseNet | None = None) -> None:
        self._held_out, self._pose_network = held_out, pose_network
        self._rng = np.random.default_rng(7)
        self._shards: dict[str, dict[Path, Shard]] = {part: {} for part in SHARES}
        self.refresh()

    def refresh(self) -> None:
        """Takes in shards that have been finished since."""
        drawn = [
            n
            for n in sorted((DATA / "crops").glob("*.npz"))
            if (int(n.stem.split("_")[1]) % 100 == 0) == self._held_out
        ]
        rendered = sorted((DATA / "photoreal").glob("held_*.npz" if self._held_out else "train_*.npz"))
        real = [] if self._held_out else sorted((DATA / "real").glob("*.npz"))
        names = {"crops": drawn, "photoreal": rendered, "real": real}
        if not drawn:
            raise SystemExit(f"no crops in {DATA / 'crops'}: run make data first")
        for part, paths in names.items():
            fresh = [path for path in paths if path not in self._shards[part]]
            for path in fresh:
                file = np.load(path)
                images, poses = torch.from_numpy(file["images"]), torch.from_numpy(file["poses"])
                labels = torch.from_numpy(file["labels"].astype(np.int64))
                guesses, far = poses, torch.zeros(len(poses))
                if self._pose_network is not None:
                    guesses, far = guessed(self._pose_network, images, poses, labels[:, 1], labels[:, 5])
                self._shards[part][path] = Shard(images, poses, labels, guesses, far)
            if fresh:
                print(f"{self.count(part)} {part} in {len(paths)} shards", flush=True)

    def count(self, part: str) -> int:
        """How many crops there are of a part."""
        return sum(len(s.images) for s in self._shards[part].values())

    def all(self, part: str) -> tuple[Tensor, Tensor, Tensor]:
        """Images, poses and labels of all crops of a part."""
        shards = list(self._shards[part].values())
        return tuple(torch.cat([getattr(s, k) for s in shards]) for k in ("images", "poses", "labels"))

    def batch(self, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Images (count, 3, 112, 112) RGB 0-1, poses, labels, guesses and far, drawn at random."""
        parts = [list(shards.values()) for shards in self._shards.values()]
        shares = np.array([share if shards else 0.0 for share, shards in zip(SHARES.values(), parts, strict=True)])
        picks = []
        for shards, many in zip(parts, self._rng.multinomial(count, shares / shares.sum()), strict=True):
            if many:
                sizes = torch.tensor([len(s.images) for s in shards])
                picks += [
                    (shards[k], int(torch.randint(0, int(sizes[k]), (1,))))
                    for k in torch.multinomial(sizes.float(), int(many), replacement=True).tolist()
                ]
        images = torch.stack([s.images[i] for s, i in picks])
        columns = [torch.stack([getattr(s, k)[i] for s, i in picks]) for k in ("poses", "labels", "guesses", "far")]
        return images.flip(3).permute(0, 3, 1, 2).float().div_(255), *columns


def turn_and_scale(x: Tensor, pose: Tensor, angle: Tensor) -> tuple[Tensor, Tensor]:
    """Turns by the angles (B,), scales and shifts the crops to 88 px, and the poses with them."""
    count = len(x)
    scale = torch.empty(count).uniform_(0.86, 1.2)
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


def factors(pose: Tensor) -> tuple[Tensor, Tensor]:
    """(B, 6) centre, up, right -> geometry (B, 5) and the turn phi (B,) as `PoseNet` gives them."""
    m = torch.stack([pose[:, 4:], -pose[:, 2:4]], 2)
    square = m @ m.transpose(1, 2)
    area = torch.linalg.det(m).abs().clamp(min=1e-6)
    trace = square[:, 0, 0] + square[:, 1, 1]
    eye = torch.eye(2)
    s = (square + area[:, None, None] * eye) / (trace + 2 * area).sqrt()[:, None, None]
    rotation = torch.linalg.solve(s + 1e-6 * eye, m)
    phi = torch.atan2(rotation[:, 1, 0] - rotation[:, 0, 1], rotation[:, 0, 0] + rotation[:, 1, 1])
    return torch.stack([pose[:, 0], pose[:, 1], s[:, 0, 0], s[:, 0, 1], s[:, 1, 1]], 1), phi


def unit(angle: Tensor) -> Tensor:
    """(B,) -> (B, 2): cosine and sine."""
    return torch.stack([angle.cos(), angle.sin()], 1)


def quarter_turns(pose: Tensor) -> Tensor:
    """(B, 6) -> (4, B, 6): the face seen at each quarter turn."""
    center, up, right = pose[:, :2], pose[:, 2:4], pose[:, 4:]
    return torch.stack(
        [torch.cat([center, u, r], 1) for u, r in ((up, right), (right, -up), (-up, -right), (-right, up))]
    )


def lying(geometry: Tensor, phases: Tensor, shapes: Tensor, way: Tensor) -> Tensor:
    """Poses (B, 6) from what `PoseNet` gives, for known shapes (B,) and the way (B,) in which the face is turned."""
    count = torch.tensor(WAYS)[shapes]
    own = phases[torch.arange(len(shapes)), shapes]
    angle = (torch.atan2(own[:, 1], own[:, 0]) + 2 * math.pi * way) / count
    x, y, xx, xy, yy = geometry.unbind(1)
    right = torch.stack([xx * angle.cos() + xy * angle.sin(), xy * angle.cos() + yy * angle.sin()], 1)
    down = torch.stack([-xx * angle.sin() + xy * angle.cos(), -xy * angle.sin() + yy * angle.cos()], 1)
    return torch.cat([torch.stack([x, y], 1), -down, right], 1)


def guessed(network: PoseNet, images: Tensor, poses: Tensor, shapes: Tensor, tilt_deg: Tensor) -> tuple[Tensor, Tensor]:
    """What the pose network makes of crops (n, 112, 112, 3) uint8 BGR: of the ways it leaves open the pose (n, 6) next
    to the true one, and how far (n,) its up is from the true up, in lengths of that."""
    found, far = torch.empty_like(poses), torch.empty(len(poses))
    with torch.no_grad():
        for i in range(0, len(images), 256):
            part = slice(i, i + 256)
            x = images[part].flip(3).permute(0, 3, 1, 2).float().div_(255)
            x = F.interpolate(x, size=(POSE_PX, POSE_PX), mode="area").contiguous(memory_format=torch.channels_last)
            with autocast():
                geometry, phases, *_ = network(x, told(tilt_deg[part].float()))
            ways = [lying(geometry, phases, shapes[part], torch.full((len(x),), float(k))) for k in range(max(WAYS))]
            tips = torch.stack([w[:, :2] + w[:, 2:4] for w in ways])
            true = poses[part]
            errors = (tips - true[:, :2] - true[:, 2:4]).norm(dim=2) / true[:, 2:4].norm(dim=1)
            far[part], best = errors.min(0)
            found[part] = torch.stack(ways)[best, torch.arange(len(x))]
    return found, far


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


def told(tilt_deg: Tensor, share: float = 0.6) -> Tensor:
    """The tilts (B,), degrees, as a table knows them: not exactly, and often not at all (-1)."""
    heard = tilt_deg * (1 + 0.12 * torch.randn(len(tilt_deg))) + 3 * torch.randn(len(tilt_deg))
    known = (torch.rand(len(tilt_deg)) < share) & (tilt_deg >= 0)
    return torch.where(known, heard.clamp(0, 70), torch.tensor(-1.0))


def train_pose(minutes: float) -> None:
    """First pass."""
    data, network = Crops(), PoseNet().to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in network.parameters()) / 1e6:.2f} M parameters")
    ways = torch.tensor(WAYS)
    count = 0

    def step(batch: int) -> tuple[Tensor, Callable[[], str]]:
        nonlocal count
        count += 1
        if count % 1000 == 0:
            data.refresh()
        x, pose, labels, _, _ = data.batch(batch)
        tilts = labels[:, 5]
        view = told(tilts.float())
        # from nearly above any side may be the far one; else one whose far side is not up is only to be known as such
        low = (tilts >= 0) & (tilts < 12)
        spun = torch.rand(batch) < torch.where(low, 0.4, torch.where((view < 0) & (tilts >= 0), 0.5, 0.0))
        angle = torch.where(spun, torch.empty(batch).uniform_(-math.pi, math.pi), torch.randn(batch) * 0.2)
        upset = spun & ~low & (angle.abs() > 0.5)
        seen = ~upset
        x, pose = turn_and_scale(x, pose, angle)
        x = photometric(covered(x)).contiguous(memory_format=torch.channels_last)
        with autocast():
            geometry, phases, turn, shape, color, pips, tilt, _, _ = network(x, view)
        wanted, phi = factors(pose)
        own = phases[torch.arange(batch), labels[:, 1]]
        folded = unit(phi * ways[labels[:, 1]])
        dotted = labels[:, 4] == 1
        loss = 3 * F.smooth_l1_loss(geometry, wanted, beta=0.05, reduction="none").sum(1)[seen].mean()
        loss = loss + 1.0 * (own - folded).square().sum(1)[seen].mean()
        loss = loss + 0.4 * (turn - unit(phi)).square().sum(1)[seen & ~dotted].mean()
        loss = loss + 0.5 * F.cross_entropy(shape, labels[:, 1]) + 0.5 * F.cross_entropy(color, labels[:, 2])
        loss = loss + 0.2 * F.cross_entropy(pips, labels[:, 4])
        blind = (view < 0) & (tilts >= 0)
        steps = torch.where(upset, NOT_UP, (tilts / TILT_STEP_DEG).round().long().clamp(0, TILT_STEPS - 1))
        if blind.any():
            loss = loss + 0.2 * F.cross_entropy(tilt[blind], steps[blind])

        def report() -> str:
            wrong = (own * folded).sum(1) / own.norm(dim=1).clamp(min=1e-3)
            wrong = wrong.clamp(-1, 1).acos() / ways[labels[:, 1]] * 57.3
            turned = (turn * unit(phi)).sum(1)[~dotted] / turn[~dotted].norm(dim=1).clamp(min=1e-3)
            moved = (geometry - wanted)[:, :2].norm(dim=1) / pose[:, 2:4].norm(dim=1)
            sides = (shape.argmax(1) == labels[:, 1]).float().mean()
            knows = ((tilt.argmax(1) == NOT_UP) == upset)[blind & ~low].float().mean()
            return (
                f"centre {moved.median():.2f} far {(moved[~blind] > 0.6).float().mean():.2f} "
                f"{(moved[blind & seen] > 0.6).float().mean():.2f} knows up {knows:.2f} folded {wrong.median():.1f} "
                f"off {(wrong > 15).float().mean():.2f} turn {turned.clamp(-1, 1).acos().median() * 57.3:.0f} "
                f"shape {sides:.2f} colour {(color.argmax(1) == labels[:, 2]).float().mean():.2f}"
            )

        return loss, report

    train(network, step, minutes, DATA / "checkpoints/pose.pt", batch=96, peak_rate=2.5e-3)


def train_face(minutes: float) -> None:
    """Second pass: half of the faces as the pose network of now cuts them out, half with errors drawn at random."""
    pose_network = PoseNet().to(memory_format=torch.channels_last).eval()
    pose_network.load_state_dict(torch.load(DATA / "checkpoints/pose.pt")["network"])
    data, network = Crops(pose_network=pose_network), FaceNet().to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in network.parameters()) / 1e6:.2f} M parameters")
    count = 0

    def step(batch: int) -> tuple[Tensor, Callable[[], str]]:
        nonlocal count
        count += 1
        if count % 2000 == 0:
            data.refresh()
        x, pose, labels, guesses, far = data.batch(batch)
        use = torch.rand(batch) < 0.5
        lost = use & (far > 0.6)
        pose = torch.where(use[:, None], guesses, jitter(pose))
        dotted = labels[:, 4] == 1
        turned = quarter_turns(pose)[torch.randint(0, 4, (batch,)), torch.arange(batch)]
        wrong = (torch.rand(batch) < 0.4) & ~dotted & ~lost
        pose = torch.where(dotted[:, None], turned, torch.where(wrong[:, None], turned_wrong(pose, labels[:, 1]), pose))
        wrong = wrong | (lost & ~dotted)
        x = photometric(covered(rectify(x, pose), 0.1)).contiguous(memory_format=torch.channels_last)
        with autocast():
            face, ink, pips, upright, _ = network(x)
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
