"""`tablesight serve` as it is installed: simulated table, camera process, models, referee, page."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

MODELS = ("detector.onnx", "pose.onnx", "face.onnx")
ROUNDS = 3

pytestmark = pytest.mark.skipif(
    not all(resources.files("tablesight.models").joinpath(name).is_file() for name in MODELS),
    reason="the models are not built: see models/training",
)


@pytest.fixture
def product(tmp_path: Path, make_client: Callable[[int], Any], wait_for: Any) -> Iterator[Any]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "tablesight.webui.cli", "serve", "--camera", "simulated:seed=5", "--host", "127.0.0.1",
        "--port", str(port), "--data-dir", str(tmp_path / "data"),
    ]  # fmt: skip
    with (tmp_path / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    client = make_client(port)
    wait_for(client.is_up, 60, "the server did not start")
    yield client
    process.terminate()
    process.wait(15)


@pytest.mark.timeout(600)
def test_rounds_are_rolled_read_and_scored_untouched_and_every_score_is_the_truth(product: Any, wait_for: Any) -> None:
    assert product.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})[0] == 201
    for number in range(1, ROUNDS + 1):
        game = wait_for(
            lambda wanted=number: (g := product.game())["round"] == wanted and g["phase"] in ("scored", "ended") and g,
            180,
            f"round {number} was not scored: {product.game()['questions']}",
        )
        truth = product.get("/api/simulated/truth")["dice"]
        for seat in game["seats"]:
            read = Counter((die["kind"], die["value"]) for die in seat["dice"])
            laid = Counter((die["kind"], die["value"]) for die in truth if die["seat"] == seat["seat"])
            assert read == laid, f"round {number}, seat {seat['seat']}"
