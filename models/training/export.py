"""Writes the ONNX files and their cards from the checkpoints: `python models/training/export.py [detector pose face]`.

The pictures go in as they come from OpenCV (uint8, BGR, height x width x 3): colour order and scale are in the graph.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import sys
from pathlib import Path

import onnx
import torch
import torch.nn.functional as F
from draws import DATA, REPO
from networks import FACE_PX, POSE_PX, DetectorNet, FaceNet, PoseNet
from torch import Tensor, nn

from tablesight.vision.kinds import COLORS, INKS
from tablesight.vision.posterior import SHAPES

CALIBRATION = DATA / "calibration.json"


class Picture(nn.Module):
    """uint8 BGR (B, H, W, 3) -> RGB 0-1 (B, 3, H, W)."""

    def forward(self, image: Tensor) -> Tensor:
        """See the class."""
        return image.permute(0, 3, 1, 2)[:, [2, 1, 0]].float() / 255


class Exported(nn.Module):
    """A network with its input conversion in front; the detector also keeps only the local maxima of its heat."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.picture, self.network = Picture(), network

    def forward(self, image: Tensor) -> tuple[Tensor, ...]:
        """See the class."""
        out = self.network(self.picture(image))
        if isinstance(self.network, DetectorNet):
            heat = out[0].sigmoid()
            return heat * (heat == F.max_pool2d(heat, 3, 1, 1)), out[1]
        outputs: tuple[Tensor, ...] = out
        return outputs


def write(name: str, network: nn.Module, size: tuple[int, int], outputs: list[str], about: dict[str, object]) -> None:
    """models/NAME.onnx and models/NAME.json."""
    saved = torch.load(DATA / f"checkpoints/{name}.pt")
    network.load_state_dict(saved["network"])
    network.eval()
    path = REPO / f"models/{name}.onnx"
    axes = {"image": {0: "batch", **({1: "height", 2: "width"} if name == "detector" else {})}}
    axes |= {o: {0: "batch", **({2: "rows", 3: "columns"} if name == "detector" else {})} for o in outputs}
    sample = torch.zeros(1, *size, 3, dtype=torch.uint8)
    torch.onnx.export(
        Exported(network), (sample,), str(path), input_names=["image"], output_names=outputs, dynamic_axes=axes,
        opset_version=17, dynamo=False,
    )  # fmt: skip
    onnx.checker.check_model(str(path))
    sides = "height, width: multiples of 32" if name == "detector" else f"{size[0]}, {size[1]}"
    old = json.loads(path.with_suffix(".json").read_text()) if path.with_suffix(".json").exists() else {}
    card = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "licence": "MIT",
        "made": datetime.date.today().isoformat(),
        "parameters": sum(p.numel() for p in network.parameters()),
        "input": {"image": f"uint8, BGR, (batch, {sides}, 3)"},
        "trained_minutes": round(saved["minutes"], 1),
        "iterations": saved["iteration"],
        **about,
        **{k: v for k, v in old.items() if k in ("real_photos", "fonts", "drawn_dice", "note")},
    }
    if CALIBRATION.exists():
        card |= json.loads(CALIBRATION.read_text()).get(name, {})
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {card['iterations']} iterations")


def main() -> None:
    """Export what is asked for, or all three."""
    names = sys.argv[1:] or ["detector", "pose", "face"]
    recipe = "models/training/train_{}.py on drawn pictures (models/training/make_{}.py){}"
    if "detector" in names:
        write("detector", DetectorNet(), (384, 512), ["heat", "distances"], {
            "task": "centre heat map (stride 4, local maxima only) and log distances left, top, right, bottom in cells",
            "training": recipe.format("detector", "scenes", ", CC0 and CC BY photos"),
        })  # fmt: skip
    if "pose" in names:
        write("pose", PoseNet(), (POSE_PX, POSE_PX), ["pose", "shape", "color", "pips"], {
            "task": "crop (1.2 x the longer side of the box) -> centre, up, right of the top face, half crops; classes",
            "classes": {"shape": SHAPES, "color": COLORS, "pips": ["numeral", "pips"]},
            "training": recipe.format("reader", "crops", ""),
        })  # fmt: skip
    if "face" in names:
        write("face", FaceNet(), (FACE_PX, FACE_PX), ["face", "ink", "pips", "upright"], {
            "task": "rectified upright top face (1.35 inscribed radii) -> number, ink, whether it stands upright",
            "classes": {"face": list(range(1, 21)), "ink": INKS, "pips": ["numeral", "pips"]},
            "training": recipe.format("reader", "crops", ""),
        })  # fmt: skip


if __name__ == "__main__":
    Path(DATA).mkdir(exist_ok=True)
    main()
