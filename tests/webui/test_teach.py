"""Teach my dice: what goes in, what is kept, who may; without a camera process."""

from __future__ import annotations

import base64
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tablesight.vision.reader import CROP_PX
from tablesight.vision.teaching import taught_folder
from tablesight.vision.worker.requests import MAX_HAND
from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.routes.teach import MOST_KINDS

Dice = list[tuple[str, int]]


def png(side: int = 112, shade: int = 90) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (side, side), (shade, 40, 40)).save(out, "PNG")
    return out.getvalue()


class Teacher:
    """A house whose camera process is played by the test, and a client of it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.house = House(data_dir, lambda _: [sys.executable, "-c", ""])
        self.sent: list[dict[str, Any]] = []
        self.house.camera.send = self.hear  # type: ignore[method-assign]  # the test is the camera process
        self.client = create_app(self.house).test_client()
        self.sees: Dice = []
        self.crops: list[bytes] = []

    def hear(self, message: dict[str, Any], payload: bytes = b"") -> bool:
        self.sent.append(message)
        if message["type"] == "read_photo":
            dice = [
                {
                    "id": number, "box": [10, 10, 50, 50], "kind": kind, "value": value, "confidence": 0.9,
                    "accepted": True,
                    "candidates": [{"kind": kind, "value": value, "p": 0.9}, {"kind": None, "value": 3, "p": 0.1}],
                }
                for number, (kind, value) in enumerate(self.sees)
            ]  # fmt: skip
            crops = self.crops or [png()] * len(dice)
            answer = {
                "type": "photo", "id": message["id"], "crops": [base64.b64encode(crop).decode() for crop in crops],
                "reading": {"width": 640, "height": 480, "dice": dice, "ms": {}},
            }  # fmt: skip
            self.house._on_camera(answer, png(480))
        return True

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(path, json=body)
        return answer.status_code, answer.get_json()

    def photo(self, kinds: str = "yellow-d6,red-d6", content: bytes = b"a photo") -> tuple[int, Any]:
        form = {"photo": (io.BytesIO(content), "photo.jpg"), "kinds": kinds}
        answer = self.client.post("/api/teach/photos", data=form)
        return answer.status_code, answer.get_json()

    def teach(self, dice: Dice) -> Any:
        self.sees = dice
        status, look = self.photo()
        assert status == 200, look
        told = [{"id": one["id"], "kind": one["kind"], "value": one["value"]} for one in look["dice"]]
        status, reply = self.post(f"/api/teach/photos/{look['id']}", {"dice": told})
        assert status == 200, reply
        return reply

    def kept(self) -> list[tuple[str, int]]:
        return [(die.kind, die.value) for die in taught_folder.load_taught(self.data_dir / "taught")]


@pytest.fixture
def teacher(tmp_path: Path) -> Iterator[Teacher]:
    teacher = Teacher(tmp_path / "data")
    yield teacher
    teacher.house.close()


def test_named_dice_are_kept_and_the_camera_process_is_told(teacher: Teacher) -> None:
    reply = teacher.teach([("yellow-d6", 4), ("red-d6", -2)])
    assert teacher.kept() == [("yellow-d6", 4), ("red-d6", -2)]
    assert reply["kinds"] == [
        {"kind": "red-d6", "dice": 1, "values": [-2]}, {"kind": "yellow-d6", "dice": 1, "values": [4]},
    ]  # fmt: skip
    assert [message["type"] for message in teacher.sent] == ["read_photo", "learn_taught"]
    assert teacher.sent[0]["lesson"] == ["yellow-d6", "red-d6"]
    assert reply["learnt"] is None
    teacher.house._on_camera({"type": "taught", "dice": 2, "uses_prints": False, "problem": "", "seconds": 0.1}, b"")
    assert teacher.client.get("/api/teach").get_json()["learnt"]["dice"] == 2


def test_photos_add_up_and_a_kind_can_be_forgotten(teacher: Teacher) -> None:
    teacher.teach([("yellow-d6", 4), ("red-d6", -2)])
    reply = teacher.teach([("yellow-d6", 1)])
    assert (reply["dice"], reply["photos"]) == (3, 2)
    status, reply = teacher.post("/api/teach/forget", {"kind": "yellow-d6"})
    assert (status, reply["dice"]) == (200, 1)
    assert teacher.kept() == [("red-d6", -2)]
    assert teacher.post("/api/teach/forget", {})[1]["dice"] == 0
    assert teacher.kept() == []


def test_what_a_person_corrects_is_what_is_kept_and_what_is_left_out_is_not(teacher: Teacher) -> None:
    teacher.sees = [("yellow-d6", 4), ("red-d6", 2), ("pink-d12", 9)]
    _, look = teacher.photo("")
    told = [{"id": "0", "kind": "clear-d6", "value": 1}, {"id": 2, "kind": "pink-d12", "value": 6}]
    assert teacher.post(f"/api/teach/photos/{look['id']}", {"dice": told})[0] == 200
    assert teacher.kept() == [("clear-d6", 1), ("pink-d12", 6)]
    assert [choice["kind"] for choice in look["dice"][0]["candidates"]] == ["yellow-d6"]  # no unknown kinds to tap


@pytest.mark.parametrize(
    ("die", "word"),
    [
        pytest.param({"id": 0, "kind": "yellow-d6", "value": 7}, "yellow-d6 can show", id="a seven on a d6"),
        pytest.param({"id": 0, "kind": "yellow-d6", "value": -1}, "yellow-d6 can show", id="minus on a yellow die"),
        pytest.param({"id": 0, "kind": "red-d6", "value": 0}, "red-d6 can show", id="zero"),
        pytest.param({"id": 0, "kind": "brown-d6", "value": 1}, "expected one of yellow-d6", id="no kind"),
        pytest.param({"id": 5, "kind": "red-d6", "value": 1}, "of this photo, 0 to 0", id="no such die"),
        pytest.param({"id": True, "kind": "red-d6", "value": 1}, "id of a die", id="an id that is none"),
        pytest.param({"id": 0, "kind": "red-d6", "value": True}, "whole number", id="a value that is none"),
        pytest.param("die", "as an object", id="no object"),
    ],
)
def test_nonsense_is_refused_and_nothing_is_kept(teacher: Teacher, die: Any, word: str) -> None:
    teacher.sees = [("yellow-d6", 4)]
    _, look = teacher.photo()
    status, reply = teacher.post(f"/api/teach/photos/{look['id']}", {"dice": [die]})
    assert status == 400
    assert word in reply["error"]
    assert teacher.kept() == []
    good = {"dice": [{"id": 0, "kind": "yellow-d6", "value": 4}]}
    assert teacher.post(f"/api/teach/photos/{look['id']}", good)[0] == 200
    assert teacher.post(f"/api/teach/photos/{look['id']}", good)[0] == 404  # named already


def test_a_photo_that_is_none_and_a_picture_that_is_damaged_are_refused(teacher: Teacher) -> None:
    assert teacher.photo(content=b"")[0] == 400
    assert teacher.photo("brown-d4")[0] == 400
    assert teacher.client.post("/api/teach/photos", data={}).status_code == 400
    teacher.sees, teacher.crops = [("yellow-d6", 4)], [b"no picture"]
    _, look = teacher.photo()
    status, reply = teacher.post(f"/api/teach/photos/{look['id']}", {"dice": [{"id": 0, "kind": "red-d6", "value": 1}]})
    assert status == 400
    assert "112 by 112" in reply["error"]


def test_more_kinds_than_the_camera_process_takes_are_refused_at_once(teacher: Teacher) -> None:
    assert MOST_KINDS == MAX_HAND
    teacher.sees = [("red-d6", 1)]
    assert teacher.photo(",".join(["red-d6"] * MOST_KINDS))[0] == 200
    teacher.sent.clear()
    status, reply = teacher.photo(",".join(["red-d6"] * (MOST_KINDS + 1)))
    assert status == 400
    assert "at most 30 kinds, one for each die of a hand, got 31" in reply["error"]
    assert teacher.sent == []


def test_there_is_an_end_to_what_is_kept(teacher: Teacher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taught_folder, "MOST_DICE", 2)
    teacher.teach([("yellow-d6", 4), ("red-d6", -2)])
    _, look = teacher.photo()
    body = {"dice": [{"id": 0, "kind": "yellow-d6", "value": 4}]}
    status, reply = teacher.post(f"/api/teach/photos/{look['id']}", body)
    assert status == 409
    assert "forget some kinds first" in reply["error"]
    assert len(teacher.kept()) == 2


def test_a_locked_table_is_taught_by_the_host_only(teacher: Teacher) -> None:
    teacher.house.settings.change("locked", True)
    assert teacher.photo()[0] == 403
    assert teacher.post("/api/teach/photos/photo-1", {"dice": []})[0] == 403
    assert teacher.post("/api/teach/forget", {})[0] == 403


def test_the_backup_holds_the_taught_dice_and_an_old_one_leaves_them(teacher: Teacher) -> None:
    teacher.post("/api/games", {"players": ["Ana", "Ben"]})
    teacher.teach([("yellow-d6", 4)])
    backup = teacher.client.get("/api/backup").data
    teacher.teach([("red-d6", -2)])
    assert len(teacher.kept()) == 2
    teacher.client.post("/api/restore", data={"backup": (io.BytesIO(backup), "backup.zip")})
    assert teacher.kept() == [("yellow-d6", 4)]
    assert teacher.sent[-1] == {"type": "learn_taught"}
    old = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as archive, zipfile.ZipFile(old, "w") as without:
        without.writestr("tablesight.sqlite", archive.read("tablesight.sqlite"))
    old.seek(0)
    assert teacher.client.post("/api/restore", data={"backup": (old, "backup.zip")}).status_code == 200
    assert teacher.kept() == [("yellow-d6", 4)]


def repacked(backup: bytes, taught: dict[str, bytes]) -> io.BytesIO:
    """A backup with other files of taught dice."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as archive, zipfile.ZipFile(out, "w") as packed:
        packed.writestr("tablesight.sqlite", archive.read("tablesight.sqlite"))
        for name, content in taught.items():
            packed.writestr(f"taught/{name}", content)
    out.seek(0)
    return out


def listed(*entries: Any) -> bytes:
    return json.dumps({"version": 1, "dice": entries}).encode()


GOOD = {"kind": "yellow-d6", "value": 5, "picture": "good.png"}


def test_the_dice_of_a_backup_may_have_any_names(teacher: Teacher) -> None:
    teacher.post("/api/games", {"players": ["Ana", "Ben"]})
    backup = repacked(teacher.client.get("/api/backup").data, {"dice.json": listed(GOOD), "good.png": png()})
    assert teacher.client.post("/api/restore", data={"backup": (backup, "backup.zip")}).status_code == 200
    assert teacher.kept() == [("yellow-d6", 5)]


@pytest.mark.parametrize(
    "taught",
    [
        pytest.param({"good.png": png()}, id="no list"),
        pytest.param({"dice.json": b'{"version": 1, "dice": [{"ki', "good.png": png()}, id="a list cut off"),
        pytest.param({"dice.json": b"[" * 100_000, "good.png": png()}, id="a list nested too deeply"),
        pytest.param({"dice.json": b'{"version": 1, "dice": 5}', "good.png": png()}, id="a list that is none"),
        pytest.param({"dice.json": b"[]", "good.png": png()}, id="a list without its name"),
        pytest.param({"dice.json": listed(GOOD), "good.png": png()[:60]}, id="a picture cut off"),
        pytest.param({"dice.json": listed(GOOD), "good.png": png(50)}, id="a picture of another size"),
        pytest.param({"dice.json": listed(GOOD)}, id="no picture"),
        pytest.param({"dice.json": listed(GOOD, {**GOOD, "value": 9}), "good.png": png()}, id="no such value"),
        pytest.param({"dice.json": listed(GOOD, "nothing"), "good.png": png()}, id="no die"),
        pytest.param(
            {"dice.json": listed({**GOOD, "picture": "../../evil.png"}), "../../evil.png": png()}, id="a way out"
        ),
        pytest.param({"dice.json": listed(GOOD), "good.png": png(), "..": png()}, id="a name that is no file's"),
    ],
)
def test_a_backup_with_damaged_dice_changes_nothing_and_writes_nowhere_else(
    teacher: Teacher, taught: dict[str, bytes]
) -> None:
    teacher.post("/api/games", {"players": ["Ana", "Ben"]})
    backup = repacked(teacher.client.get("/api/backup").data, taught)
    teacher.post("/api/games", {"players": ["Cleo", "Dan"]})
    teacher.teach([("yellow-d6", 4)])
    answer = teacher.client.post("/api/restore", data={"backup": (backup, "backup.zip")})
    assert answer.status_code == 400
    assert "damaged: nothing was changed" in answer.get_json()["error"]
    assert teacher.kept() == [("yellow-d6", 4)]
    assert teacher.house.player_names() == ("Cleo", "Dan")
    assert not list(teacher.data_dir.parent.rglob("evil.png"))


def test_a_damaged_die_of_the_house_is_not_in_its_backup_which_can_be_put_back(teacher: Teacher) -> None:
    teacher.post("/api/games", {"players": ["Ana", "Ben"]})
    teacher.teach([("yellow-d6", 4), ("red-d6", -2)])
    (teacher.data_dir / "taught" / "000-yellow-d6.png").write_bytes(b"damaged")
    backup = teacher.client.get("/api/backup").data
    answer = teacher.client.post("/api/restore", data={"backup": (io.BytesIO(backup), "backup.zip")})
    assert answer.status_code == 200
    assert teacher.kept() == [("red-d6", -2)]


@pytest.mark.parametrize(
    ("damage", "after"),
    [
        pytest.param(True, [("red-d6", 3)], id="a list that cannot be read says nothing: the present dice stay"),
        pytest.param(False, [], id="all forgotten is none"),
    ],
)
def test_a_backup_of_a_house_without_dice(teacher: Teacher, damage: bool, after: Dice) -> None:
    teacher.post("/api/games", {"players": ["Ana", "Ben"]})
    teacher.teach([("yellow-d6", 4)])
    if damage:
        (teacher.data_dir / "taught" / "dice.json").write_bytes(b"damaged")
    else:
        teacher.post("/api/teach/forget", {})
    backup = teacher.client.get("/api/backup").data
    teacher.teach([("red-d6", 3)])
    answer = teacher.client.post("/api/restore", data={"backup": (io.BytesIO(backup), "backup.zip")})
    assert answer.status_code == 200
    assert teacher.kept() == after


def test_the_pictures_have_the_size_of_the_reader_s_crops() -> None:
    assert taught_folder.CROP_PX == CROP_PX
