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


TILT_STEP_DEG = 5
TILT_STEPS = 13
NOT_UP = TILT_STEPS
"""The class of a crop whose far side is not up (and which is seen from so far from above that it matters)."""


class PoseNet(nn.Module):
    """Crop (B, 3, 88, 88), and how far from straight above it is seen, degrees (B,), or -1 where that is not known ->
    how the top face lies, and what die it is. One die alone seldom tells from where it is seen: a d20 from 30 degrees
    looks like another one from straight above.

    `geometry` (B, 5): its centre in half crops, and xx, xy, yy of the symmetric factor of the affine map M = S R(phi)
    from the upright face (right, down) to the crop. `phases` (B, 5, 2): cosine and sine of n phi for each shape, n the
    number of ways in which such a face can be turned onto itself: what the outline alone tells. `turn` (B, 2): cosine
    and sine of phi itself, which only the print tells. Logits of shape (B, 5), colour (B, 9), pips (B, 2), and of the
    tilt in steps of 5 degrees, the last one for "its far side is not up" (B, 14). `die` (B, 1): the logit of "this is a
    die", from a head that is trained when all else is done (`train_die_head.py`).
    """

    def __init__(self, widths: tuple[int, ...] = (24, 48, 80, 128)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.features = nn.Sequential(
            conv(3, a, 2), Residual(a, b, 2), Residual(b, b), Residual(b, c, 2), Residual(c, c), Residual(c, d, 2),
            Residual(d, d),
        )  # fmt: skip
        self.view = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2 * c))
        nn.init.zeros_(self.view[2].weight)
        nn.init.zeros_(self.view[2].bias)
        self.squeeze = conv(d, 32, 1, 1)
        self.pose = nn.Sequential(nn.Linear(32 * 36, 192), nn.ReLU(), nn.Linear(192, 5 + 10 + 2))
        self.classes = nn.Linear(d * 2, 5 + 9 + 2)
        self.tilt = nn.Linear(d * 2, TILT_STEPS + 1)
        self.die = nn.Sequential(nn.Linear(d * 2, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x: Tensor, tilt_deg: Tensor) -> tuple[Tensor, ...]:
        """See the class; the last two outputs are `die` and the features (B, 256) that the classes are told by."""
        known = (tilt_deg >= 0).float()
        angle = tilt_deg.clamp(min=0) * (3.14159265 / 180)
        given = torch.stack([known, known * angle.sin() * 2 - known, known * angle.cos()], 1)
        scale, shift = self.view(given)[:, :, None, None].chunk(2, 1)
        y = self.features[:5](x - 0.5)
        y = self.features[5:](y * (1 + scale) + shift)
        pooled = torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1)
        geometry, phases, turn = self.pose(self.squeeze(y).flatten(1)).float().split((5, 10, 2), 1)
        shape, color, pips = self.classes(pooled).float().split((5, 9, 2), 1)
        return (
            geometry,
            phases.unflatten(1, (5, 2)),
            turn,
            shape,
            color,
            pips,
            self.tilt(pooled).float(),
            self.die(pooled).float(),
            pooled.float(),
        )


class FaceNet(nn.Module):
    """Rectified face (B, 3, 56, 56) -> logits of face (B, 20), ink (B, 4), pips (B, 2), "it is upright" (B, 1);
    features (B, 128)."""

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
        pooled = y.mean((2, 3))
        logits = self.classes(torch.cat([self.squeeze(y).flatten(1), pooled], 1)).float()
        return (*logits.split((20, 4, 2, 1), 1), pooled.float())


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
