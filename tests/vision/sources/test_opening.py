"""From the words after `--camera` to a camera."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.recording import Recording
from tablesight.vision.sources import opening
from tablesight.vision.sources.errors import NoCamera, NoCameraWanted
from tablesight.vision.sources.opening import open_source
from tablesight.vision.sources.v4l2_nodes import V4L2Node

WEBCAM = V4L2Node(4, "C920", is_camera=True)
RECEIVER = V4L2Node(0, "unicam-image", is_camera=False)


class Opened:
    """Stands for a camera that opened."""

    def __init__(self, kind: str, *values: Any) -> None:
        self.name = f"{kind} {values[0] if values else ''}".strip()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A machine with these cameras; an error stands for one that fails."""

    def build(pi: Exception | None = None, nodes: tuple[V4L2Node, ...] = (), usb: Exception | None = None) -> None:
        def open_pi(*_: Any) -> Opened:
            if pi is not None:
                raise pi
            return Opened("pi")

        def open_usb(number: int, *_: Any) -> Opened:
            if usb is not None:
                raise usb
            return Opened("usb", number)

        monkeypatch.setattr(opening, "Picamera2Source", open_pi)
        monkeypatch.setattr(opening, "V4L2Source", open_usb)
        monkeypatch.setattr(opening, "v4l2_nodes", lambda: nodes)

    return build


ABSENT = NoCamera("expected picamera2, got ImportError")


def test_auto_prefers_the_pi_camera(machine: Callable[..., None], caplog: pytest.LogCaptureFixture) -> None:
    machine(nodes=(WEBCAM,))
    with caplog.at_level("INFO"):
        assert open_source("auto").name == "pi"
    assert "camera: pi" in caplog.text


def test_auto_takes_a_usb_camera_and_never_a_receiver(machine: Callable[..., None]) -> None:
    machine(pi=ABSENT, nodes=(RECEIVER, WEBCAM))
    assert open_source("auto").name == "usb 4"
    assert open_source("v4l2:2").name == "usb 2"
    assert open_source("/dev/video2").name == "usb 2"


@pytest.mark.parametrize("model", ["Raspberry Pi 5 Model B Rev 1.0\0", None])
def test_auto_without_any_camera_says_so_in_its_own_way(
    model: str | None, machine: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(pi=ABSENT, nodes=(RECEIVER,))
    monkeypatch.setattr(opening, "PI_MODEL", tmp_path / "model")
    if model is not None:
        (tmp_path / "model").write_text(model)
    with pytest.raises(NoCamera, match="no camera found: plug in a USB camera") as caught:
        open_source("auto")
    assert ("picamera2" in str(caught.value)) == (model is not None)  # only a Pi's owner is told about its camera


@pytest.mark.parametrize("pi", [ABSENT, SourceError("the Pi camera is in use")])
def test_a_camera_that_fails_is_not_taken_for_none(pi: SourceError, machine: Callable[..., None]) -> None:
    machine(pi=pi, nodes=(WEBCAM,), usb=SourceError("C920 is in use"))
    with pytest.raises(SourceError, match="C920 is in use") as caught:
        open_source("auto")
    assert not isinstance(caught.value, NoCamera)


def test_a_pi_camera_in_use_still_leaves_the_usb_camera(machine: Callable[..., None]) -> None:
    machine(pi=SourceError("in use"), nodes=(WEBCAM,))
    assert open_source("auto").name == "usb 4"


def test_files_and_folders_are_known_by_what_is_in_them(
    tmp_path: Path, gray: Callable[..., ImageBGR], make_video: Callable[..., Path], clock: Any
) -> None:
    photo = tmp_path / "photos" / "named.mp4"
    photo.parent.mkdir()
    photo.write_bytes(cv2.imencode(".png", gray(90, 1280, 960))[1].tobytes())
    (tmp_path / "photos" / "a.png").write_bytes(photo.read_bytes())
    with Recording(tmp_path / "session", "camera") as recording:
        recording.add_preview(Frame(gray(90), 0.0))
    one = open_source(str(photo), clock)
    assert one.name == "photo named.mp4"
    assert one.preview().image_bgr.shape == (480, 640, 3)
    assert one.still().image_bgr.shape == (960, 1280, 3)
    one.close()
    assert open_source(str(tmp_path / "photos"), clock).name == "photos in photos"
    assert open_source(str(tmp_path / "session"), clock).name == "recording session"
    video = open_source(f" {make_video()} ", clock)
    assert video.name == "video dice.avi"
    video.close()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        pytest.param("", "nothing of that name exists", id="nothing"),
        pytest.param("webcam", "expected auto, picamera2, v4l2:N", id="a word that is none"),
        pytest.param("v4l2:", "v4l2:N with the number", id="no number"),
        pytest.param("v4l2:-1", "v4l2:N with the number", id="a negative number"),
        pytest.param("v4l2:one", "v4l2:N with the number", id="a number in words"),
        pytest.param("gopher://x", "expected an address with one of", id="another kind of address"),
        pytest.param("/dev/null", "a device", id="a device"),
    ],
)
def test_other_words_are_refused(spec: str, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(spec)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"no dice here\n" * 20, "got plain text in 'x.mp4'", id="text"),
        pytest.param(b"%PDF-1.7 ...", "got a PDF document", id="a pdf"),
        pytest.param(b"", "the empty file", id="empty"),
        pytest.param(b"\xff\xd8\xff\xe0 cut off", "damaged or cut-off", id="a damaged photo"),
    ],
)
def test_files_that_show_nothing_are_refused(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        open_source(str(path))
    assert words in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    path.write_bytes(b"x")
    path.chmod(0)
    with pytest.raises(SourceError, match="permission denied"):
        open_source(str(path))


def test_the_simulated_table_is_a_camera_too(clock: Any) -> None:
    source = open_source("simulated", clock, seed=3, wait=clock.pass_s)
    assert source.name == "simulated table"
    first, _, *more = (source.preview() for _ in range(4))
    assert 500 <= first.image_bgr.shape[1] <= 800
    assert more[1].captured_at_s - more[0].captured_at_s == pytest.approx(0.1)
    source.close()


def test_previews_of_a_photo_come_ten_a_second(tmp_path: Path, gray: Callable[..., ImageBGR], clock: Any) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), gray(90))
    source = open_source(str(tmp_path / "a.png"), clock, wait=clock.pass_s)
    before = clock()
    for _ in range(11):
        source.preview()
    assert clock() - before == pytest.approx(1.0)


def test_the_mains_frequency_is_checked() -> None:
    with pytest.raises(SourceError, match="got 55"):
        open_source("auto", flicker_hz=55)


def test_no_camera_is_a_choice_too() -> None:
    with pytest.raises(NoCameraWanted, match="no camera is wanted: to have one, name it with --camera"):
        open_source(" none ")
