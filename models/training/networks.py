"""The three networks: a detector for whole pictures, a pose network for crops, a face network for rectified faces.

Dense 3x3 convolutions: on a CPU they beat depthwise ones at the same accuracy. Inputs are RGB, 0 to 1.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

POSE_PX = 88
FACE_PX = 56
FACE_REACH = 1.35
"""Half the side of a rectified face, in inscribed radii of the top face."""


def conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions and a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.first = conv(inputs, outputs, stride)
        self.second = nn.Sequential(nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        same = stride == 1 and inputs == outputs
        self.shortcut = (
            nn.Identity()
            if same
            else nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
        )

    def forward(self, x: Tensor) -> Tensor:
        """(B, inputs, H, W) -> (B, outputs, H / stride, W / stride)."""
        return F.relu(self.second(self.first(x)) + self.shortcut(x))


class PoseNet(nn.Module):
    """Crop (B, 3, 88, 88) -> pose of the top face (B, 6: centre, up, right, in half crops), logits of shape (B, 5),
    colour (B, 9) and pips (B, 2)."""

    def __init__(self, widths: tuple[int, ...] = (24, 48, 80, 128)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.features = nn.Sequential(
            conv(3, a, 2), Residual(a, b, 2), Residual(b, b), Residual(b, c, 2), Residual(c, c), Residual(c, d, 2),
            Residual(d, d),
        )  # fmt: skip
        self.squeeze = conv(d, 32, 1, 1)
        self.pose = nn.Sequential(nn.Linear(32 * 36, 192), nn.ReLU(), nn.Linear(192, 6))
        self.classes = nn.Linear(d * 2, 5 + 9 + 2)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """See the class."""
        y = self.features(x - 0.5)
        logits = self.classes(torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1)).float()
        return self.pose(self.squeeze(y).flatten(1)).float(), *logits.split((5, 9, 2), 1)


class FaceNet(nn.Module):
    """Rectified face (B, 3, 56, 56) -> logits of face (B, 20), ink (B, 4), pips (B, 2), "it is upright" (B, 1)."""

    def __init__(self, widths: tuple[int, ...] = (32, 64, 96, 128)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.features = nn.Sequential(
            conv(3, a, 2), Residual(a, b, 2), Residual(b, b), Residual(b, c, 2), Residual(c, c), Residual(c, d, 2),
            Residual(d, d),
        )  # fmt: skip
        self.squeeze = conv(d, 48, 1, 1)
        self.classes = nn.Sequential(nn.Dropout(0.15), nn.Linear(48 * 16 + d, 20 + 4 + 2 + 1))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        """See the class."""
        y = self.features(x - 0.5)
        logits = self.classes(torch.cat([self.squeeze(y).flatten(1), y.mean((2, 3))], 1)).float()
        parts: tuple[Tensor, ...] = logits.split((20, 4, 2, 1), 1)
        return parts


class DetectorNet(nn.Module):
    """Picture (B, 3, H, W), sides divisible by 32 -> logits of "the centre of a die is here" (B, 1, H/4, W/4) and the
    logarithms of the distances left, top, right, bottom to the box, in cells (B, 4, H/4, W/4)."""

    STRIDE = 4

    def __init__(self) -> None:
        super().__init__()
        self.s4 = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2))
        self.s8 = nn.Sequential(conv(32, 48, 2), Residual(48, 48))
        self.s16 = nn.Sequential(Residual(48, 96, 2), Residual(96, 96))
        self.s32 = nn.Sequential(Residual(96, 144, 2), Residual(144, 144))
        self.from32, self.from16, self.from8, self.from4 = (
            conv(144, 64, 1, 1), conv(96, 64, 1, 1), conv(48, 64, 1, 1), conv(32, 32, 1, 1),
        )  # fmt: skip
        self.at16, self.at8, self.down = conv(64, 64), conv(64, 64), conv(64, 32, 1, 1)
        self.at4 = nn.Sequential(conv(32, 32), conv(32, 32))
        self.out = nn.Conv2d(32, 5, 1)
        nn.init.constant_(self.out.bias, 0.0)
        with torch.no_grad():
            self.out.bias[0] = -4.6

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """See the class."""
        a = self.s4(x - 0.5)
        b = self.s8(a)
        c = self.s16(b)
        y = self.at16(self.from16(c) + F.interpolate(self.from32(self.s32(c)), scale_factor=2.0, mode="nearest"))
        y = self.at8(self.from8(b) + F.interpolate(y, scale_factor=2.0, mode="nearest"))
        y = self.at4(self.from4(a) + F.interpolate(self.down(y), scale_factor=2.0, mode="nearest"))
        out = self.out(y).float()
        return out[:, :1], out[:, 1:]
