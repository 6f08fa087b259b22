"""Writes the ONNX files and their cards from the checkpoints: `python models/training/export.py [detector pose face]
[--folder models]`; with `--cards` only brings what data/calibration.json says into the cards that are there.

The pictures go in as they come from OpenCV (uint8, BGR, height x width x 3): colour order and scale are in the graph,
folded into the first convolution, so that a large picture is not copied twice for them.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from draws import DATA, REPO
from networks import FACE_PX, POSE_PX, DetectorNet, FaceNet, PoseNet
from onnx import numpy_helper
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

    def forward(self, image: Tensor, tilt_deg: Tensor | None = None) -> tuple[Tensor, ...]:
        """See the class."""
        x = self.picture(image)
        out = self.network(x) if tilt_deg is None else self.network(x, tilt_deg)
        if isinstance(self.network, DetectorNet):
            heat = out[0].sigmoid()
            return heat * (heat == F.max_pool2d(heat, 3, 1, 1)), out[1]
        outputs: tuple[Tensor, ...] = out
        return outputs


def fold_picture(model: onnx.ModelProto) -> None:
    """Takes what `Picture` does after the transposition (other channel order, / 255) and the network's own "- 0.5" into
    "- 127.5" and the first convolution; the model, changed in place, gives the same but for rounding.

    Raises ValueError where the graph does not begin like that.
    """
    graph = model.graph
    nodes = {value: node for node in graph.node for value in node.output}
    weights = {tensor.name: tensor for tensor in graph.initializer}
    conv = next(node for node in graph.node if node.op_type == "Conv")
    chain = [conv]
    while len(chain) < 6 and chain[-1].input[0] in nodes:
        chain.append(nodes[chain[-1].input[0]])
    kinds = [node.op_type for node in chain]
    if kinds != ["Conv", "Sub", "Div", "Cast", "Gather", "Transpose"]:
        raise ValueError(f"expected Transpose, Gather, Cast, Div, Sub, Conv at the start of the graph, got {kinds!r}")
    _, subtract, divide, cast, gather, transpose = chain
    kernel = numpy_helper.to_array(weights[conv.input[1]])
    weights[conv.input[1]].CopyFrom(
        numpy_helper.from_array(np.ascontiguousarray(kernel[:, ::-1]) / np.float32(255), conv.input[1])
    )
    graph.initializer.append(numpy_helper.from_array(np.array(127.5, np.float32), "middle_grey"))
    subtract.input[:] = [cast.output[0], "middle_grey"]
    cast.input[0] = transpose.output[0]
    for node in (divide, gather):
        graph.node.remove(node)


def write(
    folder: Path, name: str, network: nn.Module, size: tuple[int, int], outputs: list[str], about: dict[str, object]
) -> None:
    """NAME.onnx and NAME.json; what was measured and said about the model before is kept in its card."""
    saved = torch.load(DATA / f"checkpoints/{name}.pt")
    network.load_state_dict(saved["network"])
    network.eval()
    path = folder / f"{name}.onnx"
    inputs = ["image", "tilt_deg"] if name == "pose" else ["image"]
    axes = {i: {0: "batch"} for i in inputs}
    axes |= {"image": {0: "batch", **({1: "height", 2: "width"} if name == "detector" else {})}}
    axes |= {o: {0: "batch", **({2: "rows", 3: "columns"} if name == "detector" else {})} for o in outputs}
    sample = (torch.zeros(1, *size, 3, dtype=torch.uint8), torch.zeros(1))[: len(inputs)]
    torch.onnx.export(
        Exported(network), sample, str(path), input_names=inputs, output_names=outputs, dynamic_axes=axes,
        opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(path))
    fold_picture(model)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    sides = "height, width: multiples of 32" if name == "detector" else f"{size[0]}, {size[1]}"
    old = json.loads(path.with_suffix(".json").read_text()) if path.with_suffix(".json").exists() else {}
    card = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "licence": "MIT",
        "made": datetime.date.today().isoformat(),
        "precision": "fp32",
        "parameters": sum(p.numel() for p in network.parameters()),
        "input": {
            "image": f"uint8, BGR, (batch, {sides}, 3)",
            **({"tilt_deg": "float, (batch,), from straight above; -1 if not known"} if name == "pose" else {}),
        },
        "trained_minutes": round(saved["minutes"], 1),
        "iterations": saved["iteration"],
        **about,
        **{
            k: v
            for k, v in old.items()
            if k
            in (
                "real_photos",
                "fonts",
                "drawn_dice",
                "photoreal_dice",
                "held_out_photoreal_dice",
                "drawn_scenes",
                "note",
            )
        },
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {card['iterations']} iterations")


def calibrated(path: Path) -> None:
    """Brings temperatures, thresholds and what was measured into a card."""
    if CALIBRATION.exists():
        measured = json.loads(CALIBRATION.read_text()).get(path.stem, {})
        path.write_text(json.dumps({**json.loads(path.read_text()), **measured}, indent=1) + "\n")


def main() -> None:
    """Export what is asked for, or all three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="detector, pose, face; all if none is named")
    parser.add_argument("--folder", type=Path, default=REPO / "models")
    parser.add_argument(
        "--cards", action="store_true", help="leave the networks as they are, bring the cards up to date"
    )
    args = parser.parse_args()
    names, folder = args.names or ["detector", "pose", "face"], args.folder
    folder.mkdir(parents=True, exist_ok=True)
    if not args.cards:
        write_networks(names, folder)
    for name in names:
        calibrated(folder / f"{name}.json")


def write_networks(names: list[str], folder: Path) -> None:
    """NAME.onnx and NAME.json of each."""
    recipe = "models/training/train_{}.py on drawn pictures (models/training/make_{}.py){}"
    if "detector" in names:
        write(folder, "detector", DetectorNet(), (384, 512), ["heat", "distances"], {
            "task": "centre heat map (stride 4, local maxima only) and log distances left, top, right, bottom in cells",
            "training": recipe.format("detector", "scenes", ", CC0 and CC BY photos"),
        })  # fmt: skip
    if "pose" in names:
        outputs = ["geometry", "phases", "turn", "shape", "color", "pips", "tilt", "die", "features"]
        write(folder, "pose", PoseNet(), (POSE_PX, POSE_PX), outputs, {
            "task": "crop (1.2 x the longer side of the box) -> how the top face lies (centre, symmetric factor of its "
            "affine map, phase of its turn for each shape, turn of its print) in half crops; classes",
            "classes": {"shape": SHAPES, "color": COLORS, "pips": ["numeral", "pips"]},
            "training": recipe.format("reader", "crops", ""),
        })  # fmt: skip
    if "face" in names:
        write(folder, "face", FaceNet(), (FACE_PX, FACE_PX), ["face", "ink", "pips", "upright", "features"], {
            "task": "rectified upright top face (1.35 inscribed radii) -> number, ink, whether it stands upright",
            "classes": {"face": list(range(1, 21)), "ink": INKS, "pips": ["numeral", "pips"]},
            "training": recipe.format("reader", "crops", ""),
        })  # fmt: skip


if __name__ == "__main__":
    Path(DATA).mkdir(exist_ok=True)
    main()
