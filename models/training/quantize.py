"""Turns the exported networks into int8 where that costs next to nothing: `python models/training/quantize.py
[detector pose face] [--folder models]`, a step of `make export`.

The activations' ranges are taken from drawn and rendered pictures of the training set, read as the product reads them;
never a real photo. Then both are measured on the held-out pictures (`held_out.py`): the int8 network goes into the
folder unless it loses more than `ALLOWED_LOSS` in one of the figures, and the card says what both reach. The fp32
networks stay in data/fp32. A network that has been decided on is left alone, so the step can be stopped and run again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnx
import onnxruntime as ort
from draws import DATA, REPO
from held_out import HeldOutCrops, HeldOutScenes, reading_figures
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from shards import scenes_of

from tablesight.vision.detector import DiceDetector
from tablesight.vision.model_files import Model, load_model
from tablesight.vision.reader import CROP_PX, MARGIN, DiceReader

NAMES: Final = ("detector", "pose", "face")
ALLOWED_LOSS: Final = {
    "average precision": 0.004, "best F1": 0.006,
    "shape": 0.003, "color": 0.006, "ink": 0.006, "face": 0.006, "kind and value": 0.005,
    "accepted at 1 in 200 wrong": 0.03,
}  # fmt: skip
"""The most that int8 may lose of each figure. One picture more or less moves the last by 0.02."""
QUANTIZED: Final = ("Conv", "Gemm", "Add", "Relu", "MaxPool", "Resize", "Concat")
CALIBRATION_SHARDS: Final = {
    "scenes": ("scenes/s_005", "scenes/s_013", "scenes/s_022"),
    "crops": ("crops/s_005", "crops/s_103", "crops/s_205", "photoreal/train_003"),
}
HEADS: Final = ("/classes/", "/tilt/", "/die/")
"""Layers of the pose network that tell classes: they are small, and rounding costs them more than the others."""
SCENES_EACH, CROPS_EACH = 8, 24
CROPS_MEASURED, SCENES_MEASURED = 400, 150

Feed = dict[str, np.ndarray]


class Recorder:
    """Stands in for a session and keeps what goes into it."""

    def __init__(self, session: ort.InferenceSession) -> None:
        self._session, self.feeds = session, list[Feed]()

    def run(self, outputs: list[str] | None, feed: Feed) -> Any:
        """As the session's own."""
        self.feeds.append(dict(feed))
        return self._session.run(outputs, feed)

    def one_by_one(self, step: int = 1) -> list[Feed]:
        """Every `step`-th picture that went in, each alone."""
        alone = [{k: v[i : i + 1] for k, v in feed.items()} for feed in self.feeds for i in range(len(feed["image"]))]
        return alone[::step]


class Feeds(CalibrationDataReader):
    """Hands them out one after the other."""

    def __init__(self, feeds: list[Feed]) -> None:
        self._rest = iter(feeds)

    def get_next(self) -> Feed | None:
        """See the library."""
        return next(self._rest, None)


def detector_feeds(model: Model) -> list[Feed]:
    """Drawn scenes of the training set as the detector sees them, at all its sizes."""
    recorder = Recorder(model.session)
    detector = DiceDetector(Model(recorder, model.card))
    for name in CALIBRATION_SHARDS["scenes"]:
        for jpeg, _ in scenes_of(DATA / f"{name}.npz")[:SCENES_EACH]:
            image = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
            assert image is not None, "a picture that was encoded here cannot be decoded"
            detector.detect(np.asarray(image, np.uint8))
    return recorder.feeds


def reader_feeds(pose: Model, face: Model) -> tuple[list[Feed], list[Feed]]:
    """Crops of the training set as the pose network sees them, and the faces that the face network is shown of them."""
    poses, faces = Recorder(pose.session), Recorder(face.session)
    reader = DiceReader(Model(poses, pose.card), Model(faces, face.card))
    half = CROP_PX / MARGIN / 2
    box = (CROP_PX / 2 - half, CROP_PX / 2 - half, CROP_PX / 2 + half, CROP_PX / 2 + half)
    for name in CALIBRATION_SHARDS["crops"]:
        shard = np.load(DATA / f"{name}.npz")
        for image, label in list(zip(shard["images"], shard["labels"], strict=True))[:CROPS_EACH]:
            reader.posteriors(image, [box], (CROP_PX / 2, 1e6), [float(max(0, label[5]))])
    return poses.one_by_one(), faces.one_by_one(step=3)


def first_convolution(path: Path) -> str:
    """Its name. With three channels it is quicker in fp32, and the picture itself is not rounded."""
    return next(str(node.name) for node in onnx.load(str(path)).graph.node if node.op_type == "Conv")


def quantize(source: Path, target: Path, feeds: list[Feed]) -> None:
    """Writes an int8 network: weights a scale for each channel, activations uint8 by their range.

    Weights take 7 bits, since on processors without VNNI the sum of two products of 8 bits overflows.
    """
    prepared = target.with_suffix(".prepared.onnx")
    quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
    keep = [first_convolution(prepared)]
    nodes = onnx.load(str(prepared)).graph.node
    if source.stem == "detector":
        keep.append([node.name for node in nodes if node.op_type == "Conv"][-1])
    elif source.stem == "pose":
        keep += [node.name for node in nodes if node.op_type == "Gemm" and any(head in node.name for head in HEADS)]
    quantize_static(
        str(prepared), str(target), Feeds(feeds), quant_format=QuantFormat.QDQ, op_types_to_quantize=list(QUANTIZED),
        per_channel=True, reduce_range=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        nodes_to_exclude=keep, calibrate_method=CalibrationMethod.MinMax,
    )  # fmt: skip
    prepared.unlink()


@dataclass(frozen=True, slots=True)
class Trial:
    """What both networks reach, and how long both take for the same pictures, as process time, the best of some."""

    fp32: dict[str, float]
    int8: dict[str, float]
    time_ratio: float

    def too_bad(self) -> dict[str, float]:
        """Which figures int8 loses too much of, and how much."""
        lost = {name: self.fp32[name] - self.int8[name] for name in self.fp32}
        return {name: round(loss, 4) for name, loss in lost.items() if loss > ALLOWED_LOSS[name]}


def time_ratio(fp32: Model, int8: Model, feeds: list[Feed]) -> float:
    """int8 over fp32, in turns."""
    best = [float("inf"), float("inf")]
    for _ in range(5):
        for k, model in enumerate((fp32, int8)):
            start = time.process_time()
            for feed in feeds:
                model.session.run(None, feed)
            best[k] = min(best[k], time.process_time() - start)
    return best[1] / best[0]


def loaded(name: str, folder: Path, card: dict[str, Any]) -> Model:
    """The network NAME.onnx of a folder, with a card of its own beside it."""
    path = folder / f"{name}.onnx"
    path.with_suffix(".json").write_text(json.dumps({**card, "sha256": sha256(path)}, indent=1) + "\n")
    return load_model(name, folder, threads=1)


def sha256(path: Path) -> str:
    """Of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def decide(name: str, trial: Trial, folder: Path, card: dict[str, Any]) -> bool:
    """Puts the int8 network and its card into the folder, or only notes in the card why not; whether it did."""
    worse = trial.too_bad()
    source = DATA / "fp32" / f"{name}.onnx"
    chosen = "fp32" if worse else "int8"
    place = folder / f"{name}.onnx"
    if not worse:
        shutil.copyfile(DATA / "int8" / f"{name}.onnx", place)
    of_each = SCENES_EACH if name == "detector" else CROPS_EACH
    drawn = ", ".join(CALIBRATION_SHARDS["scenes" if name == "detector" else "crops"])
    about = {
        "sha256": sha256(place),
        "precision": chosen,
        "quantization": {
            "from_fp32_sha256": sha256(source),
            "method": "onnxruntime static QDQ, weights 7 bits a channel, activations uint8 (range), first convolution "
            + {"detector": "and last convolution in fp32", "pose": "and classes in fp32"}.get(name, "in fp32"),
            "calibration": f"the first {of_each} of {drawn} (drawn or rendered)",
            "held_out": {
                "fp32": {k: round(v, 4) for k, v in trial.fp32.items()},
                "int8": {k: round(v, 4) for k, v in trial.int8.items()},
            },
            **({"lost_too_much": worse} if worse else {}),
        },
    }
    place.with_suffix(".json").write_text(json.dumps({**card, **about}, indent=1) + "\n")
    say = f"{name}: {chosen}" + (f", int8 loses {worse}" if worse else f", {place.stat().st_size / 1e6:.2f} MB")
    print(f"{say}; int8 takes {trial.time_ratio:.2f} of the time\n  fp32 {trial.fp32}\n  int8 {trial.int8}", flush=True)
    return not worse


def is_decided(card: dict[str, Any], place: Path) -> bool:
    """Whether this very network has been through this step: as int8, or as fp32 that int8 was too bad for."""
    return "quantization" in card and card["sha256"] == sha256(place)


def run(names: list[str], folder: Path) -> None:
    """Quantize, measure and decide."""
    cards = {name: json.loads((folder / f"{name}.json").read_text()) for name in NAMES}
    open_ones = [name for name in names if not is_decided(cards[name], folder / f"{name}.onnx")]
    for part in ("fp32", "int8"):
        (DATA / part).mkdir(parents=True, exist_ok=True)
    for name in open_ones:
        shutil.copyfile(folder / f"{name}.onnx", DATA / "fp32" / f"{name}.onnx")
    for name in set(names) - set(open_ones):
        print(f"{name}: {cards[name]['precision']}, decided before")

    def attempt(name: str, feeds: list[Feed], figures: Callable[[Model], dict[str, float]]) -> Model:
        """The network that is chosen."""
        target = DATA / "int8" / f"{name}.onnx"
        quantize(DATA / "fp32" / f"{name}.onnx", target, feeds)
        fp32, int8 = loaded(name, DATA / "fp32", cards[name]), loaded(name, DATA / "int8", cards[name])
        trial = Trial(figures(fp32), figures(int8), time_ratio(fp32, int8, feeds[-12:]))
        return int8 if decide(name, trial, folder, cards[name]) else fp32

    if "detector" in open_ones:
        feeds = detector_feeds(loaded("detector", DATA / "fp32", cards["detector"]))
        attempt("detector", feeds, HeldOutScenes.load(SCENES_MEASURED).figures)
    if {"pose", "face"} & set(open_ones):
        pose, face = (
            loaded(n, DATA / "fp32", cards[n]) if n in open_ones else load_model(n, folder, threads=1)
            for n in ("pose", "face")
        )
        pose_feeds, face_feeds = reader_feeds(pose, face)
        crops = HeldOutCrops.load(CROPS_MEASURED)

        known: dict[tuple[str, str], dict[str, float]] = {}

        def read(pose: Model, face: Model) -> dict[str, float]:
            pair = (pose.card["sha256"], face.card["sha256"])
            if pair not in known:
                known[pair] = reading_figures(crops.read(pose, face), crops.labels)
            return known[pair]

        if "pose" in open_ones:
            pose = attempt("pose", pose_feeds, lambda model: read(model, face))
        if "face" in open_ones:
            attempt("face", face_feeds, lambda model: read(pose, model))


def main() -> None:
    """Those that are asked for, or all three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="detector, pose, face; all if none is named")
    parser.add_argument("--folder", type=Path, default=REPO / "models")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    logging.getLogger().setLevel(logging.ERROR)  # the library advises what is done here already
    ort.set_default_logger_severity(3)
    unknown = set(args.names) - set(NAMES)
    if unknown:
        sys.exit(f"expected some of {', '.join(NAMES)}, got {', '.join(sorted(unknown))!r}")
    run(list(args.names or NAMES), args.folder)


if __name__ == "__main__":
    main()
