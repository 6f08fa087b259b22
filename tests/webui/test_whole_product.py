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

from tablesight.vision.picture_part import in_pixels, place_of

MODELS = ("detector.onnx", "pose.onnx", "face.onnx")
ROUNDS = 2

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


def person_answers(product: Any) -> int:
    """Answers the open question as somebody would who looks at the die; returns how many were answered."""
    game = product.game()
    for question in game["questions"]:
        if question["what"] != "die":
            continue
        reading = product.get(f"/stills/{question['reading']}.json")
        seen = next(die["box"] for die in reading["dice"] if str(die["id"]) == question["die"])
        whole = product.get("/api/simulated/truth")
        box = in_pixels(place_of(seen, reading), whole["width"], whole["height"])
        mine = [die for die in whole["dice"] if die["seat"] == question["seat"]]
        if not mine:
            continue
        die = min(mine, key=lambda one: abs(one["box"][0] - box[0]) + abs(one["box"][1] - box[1]))
        body = {"seat": question["seat"], "die": question["die"], "kind": die["kind"], "value": die["value"]}
        if product.post(f"/api/games/{game['id']}/answers", body)[0] == 200:
            return 1
    return 0


@pytest.mark.timeout(900)
def test_rounds_are_rolled_read_and_scored_and_nothing_is_silently_wrong(
    product: Any, wait_for: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert product.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})[0] == 201
    asked = dice = 0
    for number in range(1, ROUNDS + 1):

        def scored(wanted: int = number) -> Any:
            nonlocal asked
            asked += person_answers(product)
            game = product.game()
            return game["round"] == wanted and game["phase"] in ("scored", "ended") and game

        try:
            game = wait_for(scored, 240)
        except AssertionError:
            pytest.fail(f"round {number} was not scored: {product.game()['questions']}")
        truth = product.get("/api/simulated/truth")["dice"]
        for seat in game["seats"]:
            read = Counter((die["kind"], die["value"]) for die in seat["dice"])
            laid = Counter((die["kind"], die["value"]) for die in truth if die["seat"] == seat["seat"])
            assert read == laid, f"round {number}, seat {seat['seat']}"
            dice += len(seat["dice"])
    with capsys.disabled():
        print(f" [{dice} dice scored as they lay, {asked} asked about]", end="")
