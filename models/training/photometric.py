"""Changes of light and camera applied to a batch of crops, in torch."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def _uniform(count: int, low: float, high: float, channels: int = 1) -> Tensor:
    return torch.empty(count, channels, 1, 1).uniform_(low, high)


def covered(x: Tensor, share: float = 0.2) -> Tensor:
    """(B, 3, h, w) with up to three small rectangles of one colour laid over a `share` of the pictures, in place.

    Random erasing (Zhong et al. 2017), for fingers, hairs, glints and print that lie over a die.
    """
    count, height, width = x.shape[0], x.shape[-2], x.shape[-1]
    for i in torch.nonzero(torch.rand(count) < share)[:, 0].tolist():
        for _ in range(int(torch.randint(1, 4, (1,)))):
            size = torch.empty(2).uniform_(0.02, 0.3) * torch.tensor([height, width])
            h, w = max(1, int(size[0] * 0.5)), max(1, int(size[1]))
            if torch.rand(1) < 0.5:
                h, w = w, h
            top, left = int(torch.randint(0, height - h, (1,))), int(torch.randint(0, width - w, (1,)))
            x[i, :, top : top + h, left : left + w] = torch.rand(3, 1, 1)
    return x


def photometric(x: Tensor, color_shift: float = 0.12, grain: bool = True) -> Tensor:
    """(B, 3, h, w) 0 to 1 -> the same with resolution, gamma, gains, contrast, glare or shadow, blur and noise changed.

    `color_shift` bounds the change of each channel's gain: colours must stay tellable apart; without
    `grain` neither resolution nor noise are touched, which saves most of the time on large pictures.
    """
    count, height, width = x.shape[0], x.shape[-2], x.shape[-1]
    if grain and torch.rand(1) < 0.65:
        share = float(torch.empty(1).uniform_(0.28, 0.85))
        chosen = torch.rand(count) < 0.5
        if chosen.any():
            low = F.interpolate(x[chosen], size=(int(height * share), int(width * share)), mode="area")
            x[chosen] = F.interpolate(low, size=(height, width), mode="bilinear", align_corners=False)
    x = x.clamp(0, 1) ** _uniform(count, 0.65, 1.55)
    x = x * _uniform(count, 1 - color_shift, 1 + color_shift, 3) * _uniform(count, 0.6, 1.3) + _uniform(
        count, -0.08, 0.08
    )
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * _uniform(count, 0.65, 1.3)
    ys, xs = torch.meshgrid(torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij")
    middle, spread = torch.empty(count, 2, 1, 1).uniform_(-1, 1), torch.empty(count, 1, 1).uniform_(0.15, 0.8)
    blob = torch.exp(-((xs - middle[:, 0]) ** 2 + (ys - middle[:, 1]) ** 2) / (2 * spread**2))
    strength = torch.empty(count, 1, 1).uniform_(-0.25, 0.45) * (torch.rand(count, 1, 1) < 0.45)
    x = x + (blob * strength)[:, None]
    if not grain:
        return x.clamp(0, 1)
    x = x + torch.randn_like(x) * _uniform(count, 0, 0.06) * (torch.rand(count, 1, 1, 1) < 0.7)
    return x.clamp(0, 1)
