"""Corrections become data: what players said about dice comes out as pictures with labels that `evaluate` takes."""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tablesight.vision.evaluation.drawn_sets import DrawnTable, dice_set, draw_table
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.webui.app import create_app
from tablesight.webui.cli import main
from tablesight.webui.house import House

Dice = list[tuple[str, int]]
SIZE = (640, 480)


def place(number: int) -> list[float]:
    """The box of a die of a reading: in the left half of the picture, which is seat 0's."""
    return [20.0 + 60 * number, 100.0, 60.0 + 60 * number, 140.0]


def message(name: str, seat: int, dice: Dice, doubt: int | None = None, right: bool = False) -> dict[str, Any]:
    """A reading of the camera process, in any order of kinds; with `right` in the half of seat 1."""
    return {
        "type": "reading", "id": name, "at_s": 1.0, "width": SIZE[0], "height": SIZE[1], "zone": seat, "ms": {},
        "dice": [
            {
                "id": f"{name}-{number}", "kind": kind, "value": value, "confidence": 0.5 if number == doubt else 0.99,
                "box": [edge + (320 if right and axis % 2 == 0 else 0) for axis, edge in enumerate(place(number))],
                "accepted": number != doubt,
                "candidates": [{"kind": kind, "face": abs(value), "value": value, "p": 0.5}],
            }
            for number, (kind, value) in enumerate(dice)
        ],
    }  # fmt: skip


def jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", SIZE, "#204030").save(out, "JPEG")
    return out.getvalue()


class Evening:
    """A house with a real camera that says what the test wants, and a client of it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.house = House(data_dir, lambda _: [sys.executable, "-c", ""], source="v4l2:0")
        self.client = create_app(self.house).test_client()
        self.post("/api/settings", {"keep_corrections": True})

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(path, json=body)
        return answer.status_code, answer.get_json()

    def start(self) -> str:
        return str(self.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"])

    def see(self, name: str, seat: int, dice: Dice, doubt: int | None = None) -> None:
        self.house._on_camera(message(name, seat, dice, doubt, right=seat == 1), jpeg())

    def empty(self) -> None:
        self.house.session.take_gate({"0": "empty", "1": "empty"})

    def correct(self, game: str, **body: Any) -> None:
        status, reply = self.post(f"/api/games/{game}/corrections", body)
        assert status == 200, reply

    def rows(self) -> list[dict[str, str]]:
        """labels.csv of the download."""
        answer = self.client.get("/api/corrections.zip")
        assert answer.status_code == 200, answer.get_json()
        self.archive = zipfile.ZipFile(io.BytesIO(answer.data))
        text = self.archive.read("corrections/labels.csv").decode()
        return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "data")
    yield evening
    evening.house.close()


def told(rows: list[dict[str, str]]) -> list[tuple[str, str, str, str]]:
    return [(row["die"], row["value"], row["notes"], row["corrected"]) for row in rows]


def test_a_corrected_roll_comes_with_the_dice_that_were_right(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.see("two", 1, [("yellow-d6", 5)])
    evening.empty()
    evening.see("three", 0, [("red-d6", 3), ("yellow-d6", 4), ("pink-d12", 11)])
    evening.see("four", 1, [("yellow-d6", 1), ("glitter-d6", 3)])
    # the hand is written in the order of the kinds: yellow, red, pink
    assert [die["kind"] for die in evening.client.get("/api/state").get_json()["game"]["seats"][0]["dice"]] == [
        "yellow-d6", "red-d6", "pink-d12",
    ]  # fmt: skip
    evening.correct(game, round=2, seat=0, die=1, value=-3)
    rows = evening.rows()
    assert told(rows) == [
        ("yellow-d6", "4", "left", "0"), ("red-d6", "3", "corrected", "1"), ("pink-d12", "11", "left", "0"),
    ]  # fmt: skip
    assert [row["numeral_color"] for row in rows] == ["", "black", ""]
    assert [row["read_value"] for row in rows] == ["4", "3", "11"]
    assert [row["x0"] for row in rows] == ["80.0", "20.0", "140.0"]  # each in its own place of the picture
    assert {row["verified"] for row in rows} == {"1"}


def test_the_picture_is_cut_to_the_zone_of_the_player(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.see("two", 1, [("yellow-d6", 5)])
    evening.correct(game, round=1, seat=1, die=0, value=3)
    (row,) = evening.rows()
    with Image.open(io.BytesIO(evening.archive.read(f"corrections/{row['file']}"))) as picture:
        assert picture.size == (SIZE[0] // 2, SIZE[1])
    assert [float(row[edge]) for edge in ("x0", "y0", "x1", "y1")] == [20.0, 100.0, 60.0, 140.0]


def test_a_zone_that_was_drawn_anew_never_cuts_a_die_off(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.correct(game, round=1, seat=0, die=0, value=3)
    corner = [[0.5, 0.5], [1, 0.5], [1, 1], [0.5, 1]]
    evening.post("/api/settings", {"zones": {"2": [{"seat": 0, "polygon": corner}, {"seat": 1, "polygon": corner}]}})
    (row,) = evening.rows()
    with Image.open(io.BytesIO(evening.archive.read(f"corrections/{row['file']}"))) as picture:
        assert picture.size == (100, 120)  # the die and one die beyond it, as far as the picture reaches
    assert [float(row[edge]) for edge in ("x0", "y0", "x1", "y1")] == [20.0, 40.0, 60.0, 80.0]


def test_an_answered_question_is_data_and_an_unasked_roll_is_none(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)], doubt=0)
    question = evening.client.get("/api/state").get_json()["game"]["questions"][0]
    body = {"seat": 0, "reading": "one", "die": question["die"], "kind": "yellow-d6", "value": 2}
    assert evening.post(f"/api/games/{game}/answers", body)[0] == 200
    evening.see("two", 1, [("yellow-d6", 5)])
    assert told(evening.rows()) == [("yellow-d6", "2", "answered", "0")]


def test_what_was_undone_does_not_count(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.correct(game, round=1, seat=0, die=0, value=6)
    assert told(evening.rows()) == [("yellow-d6", "6", "corrected", "1")]
    evening.post(f"/api/games/{game}/undo", {})
    assert evening.client.get("/api/corrections.zip").status_code == 404
    evening.post(f"/api/games/{game}/redo", {})
    assert told(evening.rows()) == [("yellow-d6", "6", "corrected", "1")]


def test_a_tie_that_is_rolled_again_has_two_pictures_each_with_its_own_values(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 4)])
    evening.see("two", 1, [("yellow-d6", 3)])
    evening.correct(game, round=1, seat=1, die=0, value=4)  # now it is a tie
    assert evening.client.get("/api/state").get_json()["game"]["phase"] == "reroll"
    evening.empty()
    evening.see("three", 0, [("yellow-d6", 1)])
    evening.see("four", 1, [("yellow-d6", 6)])
    evening.correct(game, round=1, seat=1, die=0, value=5)
    rows = evening.rows()
    assert told(rows) == [("yellow-d6", "4", "corrected", "1"), ("yellow-d6", "5", "corrected", "1")]
    assert len({row["file"] for row in rows}) == 2


def test_a_log_without_ids_is_matched_by_order_or_not_at_all(evening: Evening) -> None:
    game = evening.start()
    dice = [{"kind": "yellow-d6", "value": 2}]
    for still, seat in (("one", 0), ("two", 1)):
        evening.house.stills.keep(still, jpeg(), message(still, seat, [("yellow-d6", 2 if seat == 0 else 6)]))
        event = {"type": "seat_rolled", "seat": seat, "dice": dice, "reading": still, "by_hand": []}
        evening.house.session.apply(game, event, "")
    evening.correct(game, round=1, seat=0, die=0, value=5)
    # nobody named the die of seat 1, yet the log has another number than the picture: which die is which is not known
    assert told(evening.rows()) == [("yellow-d6", "5", "corrected", "1")]


def test_nothing_is_kept_before_the_owner_wants_it_and_nothing_of_drawn_dice(evening: Evening) -> None:
    evening.post("/api/settings", {"keep_corrections": False})
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.correct(game, round=1, seat=0, die=0, value=6)
    answer = evening.client.get("/api/corrections.zip")
    assert answer.status_code == 409
    assert "switch it on" in answer.get_json()["error"]
    assert list((evening.data_dir / "corrections").iterdir()) == []
    evening.post("/api/settings", {"keep_corrections": True})
    assert sorted(path.name for path in (evening.data_dir / "corrections").iterdir()) == ["one.jpg", "one.json"]
    assert evening.client.get("/api/corrections").get_json() | {"bytes": 0} == {
        "keeps": True, "rolls": 1, "dice": 1, "corrected": 1, "bytes": 0,
    }  # fmt: skip


def test_a_kept_picture_outlives_the_others_until_it_is_forgotten(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.correct(game, round=1, seat=0, die=0, value=6)
    evening.house.stills.clear()
    assert len(evening.rows()) == 1
    assert evening.post("/api/corrections/forget", {}) == (200, {"forgotten": 1})
    assert evening.client.get("/api/corrections.zip").status_code == 404
    assert evening.client.get("/api/state").get_json()["game"]["seats"][0]["dice"][0]["value"] == 6


def test_the_locked_table_gives_them_to_the_host_only(evening: Evening) -> None:
    game = evening.start()
    evening.see("one", 0, [("yellow-d6", 2)])
    evening.correct(game, round=1, seat=0, die=0, value=6)
    evening.house.settings.change("locked", True)
    assert evening.client.get("/api/corrections.zip").status_code == 403
    assert evening.post("/api/corrections/forget", {})[0] == 403


def drawn() -> DrawnTable:
    fonts = NumeralFonts.load()
    rng = np.random.default_rng(5)
    return draw_table(dice_set(rng, len(fonts)), ["yellow-d6", "yellow-d8", "red-d8", "blue-d6"], rng, fonts, False)


def test_evaluate_takes_what_the_command_exports(
    tmp_path: Path, evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    table = drawn()
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(table.image_bgr[:, :, ::-1])).save(out, "JPEG", quality=95)
    game = evening.start()
    # the first die is read wrong; all lie wherever they were drawn, which is in nobody's zone in particular
    dice = [(die.kind, die.value) for die in table.dice]
    right = dice[0][1]
    dice[0] = (dice[0][0], right % 6 + 1)
    header = message("drawn", 0, dice)
    header |= {"width": table.image_bgr.shape[1], "height": table.image_bgr.shape[0]}
    for die, seen in zip(header["dice"], table.dice, strict=True):
        die["box"] = list(seen.box_xyxy_px)
    evening.see("one", 1, [("yellow-d6", 1)])
    evening.house._on_camera(header, out.getvalue())
    question = {"seat": 0, "reading": "drawn", "accept": True}
    assert evening.post(f"/api/games/{game}/answers", question)[0] == 200  # more dice than in a first round
    evening.correct(game, round=1, seat=0, die=0, value=right)
    target = tmp_path / "out.zip"
    assert main(["export-corrections", str(target), "--data-dir", str(evening.data_dir)]) == 0
    assert "1 rolls, 4 dice, 1 of them corrected" in capsys.readouterr().out
    with zipfile.ZipFile(target) as archive:
        archive.extractall(tmp_path / "unzipped")
    assert main(["evaluate", str(tmp_path / "unzipped"), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["all"]
    assert figures["photos"] == 1
    assert figures["face"]["of"] == 4
    assert main(["export-corrections", str(target), "--data-dir", str(evening.data_dir)]) == 1
    assert "is there already" in capsys.readouterr().err


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export-corrections", str(tmp_path / "x"), "--data-dir", str(tmp_path / "nowhere")]) == 1
    assert "--data-dir" in capsys.readouterr().err
    House(tmp_path / "data", lambda _: [sys.executable, "-c", ""]).close()
    assert main(["export-corrections", str(tmp_path / "x"), "--data-dir", str(tmp_path / "data")]) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
