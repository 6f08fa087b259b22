"""What was taught reaches the readers of the camera process, and what it makes of it reaches the web process."""

from __future__ import annotations

import base64
import queue
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.messages import Message
from tablesight.vision.reading import DieReading, PhotoReading
from tablesight.vision.teaching.lesson_photo import LessonPhoto
from tablesight.vision.teaching.taught_folder import TaughtDie, packed_crop, save_taught
from tablesight.vision.teaching.taught_reader import TaughtReader
from tablesight.vision.worker.photo_desk import PhotoDesk
from tablesight.vision.worker.requests import LearnTaught, ReadPhoto, parse_request
from tablesight.vision.worker.taught_desk import TaughtDesk


@pytest.mark.parametrize("simulated", [pytest.param(True, id="simulated table"), pytest.param(False, id="real camera")])
def test_taught_dice_are_learnt_at_the_start_and_whenever_they_change(tmp_path: Path, simulated: bool) -> None:
    sent: queue.Queue[dict[str, Any]] = queue.Queue()
    die = TaughtDie("red-d6", -2, packed_crop(np.full((112, 112, 3), (20, 20, 160), np.uint8)))
    save_taught(tmp_path / "taught", [die])
    desk = TaughtDesk(tmp_path / "taught", simulated, sent.put)
    photos, table = desk.load_models(1)
    learnt = sent.get(timeout=120)
    assert (learnt["type"], learnt["dice"]) == ("taught", 1)
    assert isinstance(photos.reader, TaughtReader)
    # the dice of the simulated table are other ones each evening: only photos are weighed there
    assert isinstance(table.reader, TaughtReader) is not simulated
    save_taught(tmp_path / "taught", [die, die, die])
    desk.learn()
    assert sent.get(timeout=120)["dice"] == 3


def test_a_lesson_before_the_models_are_there_is_refused(tmp_path: Path) -> None:
    desk = TaughtDesk(tmp_path / "taught", False, lambda _: None)
    desk.learn()  # nothing to learn with yet
    with pytest.raises(ValueError, match="models to be loaded"):
        desk.read(np.zeros((50, 50, 3), np.uint8), [])


def test_what_cannot_be_used_is_said_and_does_not_end_the_camera_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: queue.Queue[dict[str, Any]] = queue.Queue()
    desk = TaughtDesk(tmp_path / "taught", False, sent.put)

    def teach(_: Any) -> None:
        raise RuntimeError("the models are upset")

    monkeypatch.setattr(desk, "_reader", SimpleNamespace(teach=teach))
    desk.learn()
    assert sent.get(timeout=30) == {
        "type": "taught", "dice": 0, "uses_prints": False, "problem": "the models are upset", "seconds": 0,
    }  # fmt: skip


def test_the_messages_are_understood() -> None:
    assert parse_request(Message({"type": "learn_taught"})) == LearnTaught()
    photo = Message({"type": "read_photo", "id": "1", "lesson": ["red-d6"]}, b"x")
    assert parse_request(photo) == ReadPhoto("1", b"x", ("red-d6",))
    assert parse_request(Message({"type": "read_photo", "id": "1"}, b"x")) == ReadPhoto("1", b"x")
    with pytest.raises(ValueError, match="expected one of"):
        parse_request(Message({"type": "read_photo", "id": "1", "lesson": ["brown-d4"]}, b"x"))


def test_a_lesson_is_answered_with_the_pictures_of_its_dice() -> None:
    sent: list[dict[str, Any]] = []
    die = DieReading((1, 2, 3, 4), "red-d6", "red", 6, "numeral", "black", 2, -2, 0.5, False, ())
    asked: list[tuple[str, ...]] = []

    def lesson(image: Any, kinds: tuple[str, ...]) -> LessonPhoto:
        asked.append(kinds)
        return LessonPhoto(PhotoReading(image.shape[1], image.shape[0], (die,), 1, 1, 2), (b"png",))

    reader = SimpleNamespace(read=lambda image: PhotoReading(image.shape[1], image.shape[0], (), 1, 1, 2))
    desk = PhotoDesk(lambda: reader, lambda header, _: sent.append(header), lambda: "", lesson)
    photo = cv2.imencode(".png", np.zeros((40, 60, 3), np.uint8))[1].tobytes()
    desk.answer(ReadPhoto("a", photo, ("red-d6",)))
    desk.answer(ReadPhoto("b", photo))
    assert asked == [("red-d6",)]
    assert [base64.b64decode(png) for png in sent[0]["crops"]] == [b"png"]
    assert sent[0]["reading"]["dice"][0]["value"] == -2
    assert "crops" not in sent[1]
