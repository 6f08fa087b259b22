"""Trains the head of the pose network that tells dice from other things, on data/finds and the real dice of
data/real: `python models/training/train_die_head.py`, after the pose network and the detector are trained. Minutes.

All else in the network stays as it is; the checkpoint gets the head. Shards 0 and 100 are held out: what the head makes
of them is printed.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from draws import DATA
from networks import POSE_PX, PoseNet
from photometric import photometric
from shards import HELD_OUT
from torch import Tensor
from tqdm import tqdm

LOOKS = 2
"""Times that each crop is looked at, each time under another light, half of them mirrored."""
STEPS, BATCH = 4000, 512


def features(network: PoseNet, images: np.ndarray, changed: bool) -> Tensor:
    """(n, 112, 112, 3) uint8 BGR -> (n, 256)."""
    found = []
    with torch.no_grad():
        for start in tqdm(range(0, len(images), 256), mininterval=10):
            x = torch.from_numpy(images[start : start + 256]).flip(3).permute(0, 3, 1, 2).float().div_(255)
            x = F.interpolate(x, size=(POSE_PX, POSE_PX), mode="area")
            told = torch.full((len(x),), -1.0)
            if changed:
                x = photometric(x.flip(3) if torch.rand(1) < 0.5 else x)
                told = torch.where(torch.rand(len(x)) < 0.6, torch.rand(len(x)) * 50, told)
            found.append(network(x.contiguous(memory_format=torch.channels_last), told)[-1])
    return torch.cat(found)


def main() -> None:
    """Train and store."""
    torch.manual_seed(7)
    cv2.setNumThreads(1)
    path = DATA / "checkpoints/pose.pt"
    saved = torch.load(path)
    network = PoseNet().to(memory_format=torch.channels_last).eval()
    network.load_state_dict(saved["network"], strict=False)
    shards = {file.stem: np.load(file) for file in sorted((DATA / "finds").glob("*.npz"))}
    seen = [shard for name, shard in shards.items() if name not in HELD_OUT]
    real = [np.load(file)["images"] for file in sorted((DATA / "real").glob("*.npz"))]
    images = np.concatenate([*(shard["images"] for shard in seen), *real])
    is_die = torch.ones(len(images))
    is_die[: sum(len(shard["images"]) for shard in seen)] = torch.from_numpy(
        np.concatenate([shard["is_die"] for shard in seen])
    ).float()
    x = torch.stack([features(network, images, changed=True) for _ in range(LOOKS)])
    print(f"{int(is_die.sum())} dice and {int((1 - is_die).sum())} other things")
    middle, spread = x.mean((0, 1)), x.std((0, 1)) + 1e-3
    head = network.die = PoseNet().die  # begun anew: in the checkpoint its first layer has taken in the spread
    optimizer = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.05)
    weight = torch.where(is_die > 0, 0.5 / is_die.mean(), 0.5 / (1 - is_die.mean()))
    for step in tqdm(range(STEPS), mininterval=10):
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * (1 - step / STEPS) + 1e-5
        pick = torch.randint(0, len(is_die), (BATCH,))
        told = head((x[torch.randint(0, LOOKS, (BATCH,)), pick] - middle) / spread)[:, 0]
        loss = F.binary_cross_entropy_with_logits(told, is_die[pick], weight=weight[pick])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    with torch.no_grad():  # the network's features are not standardised: the first layer does it
        first = head[0]
        first.weight.div_(spread)
        first.bias.sub_(first.weight @ middle)
    for name in HELD_OUT:
        if name in shards:
            report(name, head(features(network, shards[name]["images"], changed=False))[:, 0], shards[name])
    saved["network"] = network.state_dict()
    torch.save(saved, path)


def report(name: str, logits: Tensor, shard: dict[str, np.ndarray]) -> None:
    """Prints how many other things are left at scores that lose few dice."""
    p, die, score = logits.detach().sigmoid().numpy(), shard["is_die"], shard["scores"]
    print(f"{name}: {die.sum()} dice, {(~die).sum()} other things")
    for least in (0.2, 0.3, 0.4, 0.5, 0.55):
        for share in (0.0, 0.05, 0.1, 0.2, 0.4, 0.6):
            kept = (score >= least) & (p >= share)
            print(
                f"  score {least} die {share}: {int((kept & die).sum())} dice, {int((kept & ~die).sum())} other things"
            )


if __name__ == "__main__":
    main()
