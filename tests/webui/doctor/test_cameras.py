from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tablesight.vision.sources.v4l2_nodes import V4L2Node
from tablesight.webui.doctor import cameras
from tablesight.webui.doctor.cameras import (
    ASK_LIBCAMERA,
    LibcameraAnswer,
    ask_libcamera,
    check_cameras,
    check_node,
    is_raspberry_pi,
    judge_libcamera,
)


@pytest.mark.parametrize(
    ("answer", "on_a_pi", "state", "words"),
    [
        pytest.param(LibcameraAnswer(cameras=("imx708",)), True, "ok", "imx708", id="a camera module is seen"),
        pytest.param(LibcameraAnswer(), True, "advice", "ribbon cable", id="a Pi without a camera module"),
        pytest.param(LibcameraAnswer(), False, "ok", "no camera module", id="picamera2 elsewhere, no module"),
        pytest.param(LibcameraAnswer(missing="picamera2"), False, "ok", "no picamera2", id="no Pi needs no picamera2"),
        pytest.param(
            LibcameraAnswer(missing="picamera2"),
            True,
            "failure",
            "apt install python3-picamera2",
            id="a Pi without picamera2",
        ),
        pytest.param(
            LibcameraAnswer(broken="ValueError: numpy.dtype size changed, may indicate binary incompatibility"),
            True,
            "failure",
            "simplejpeg",
            id="simplejpeg of apt beside numpy 2",
        ),
        pytest.param(
            LibcameraAnswer(broken="libcamera did not answer within 20 s"),
            True,
            "failure",
            "restart",
            id="libcamera hangs",
        ),
    ],
)
def test_what_picamera2_says_is_judged(answer: LibcameraAnswer, on_a_pi: bool, state: str, words: str) -> None:
    finding = judge_libcamera(answer, on_a_pi)
    assert finding.state == state
    assert words in f"{finding.text} {finding.remedy}"


def test_the_question_is_answered_by_a_picamera2_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "picamera2.py").write_text(
        "class Picamera2:\n    global_camera_info = staticmethod(lambda: [{'Model': 'imx708', 'Num': 0}])\n",
        encoding="utf-8",
    )
    question = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{ASK_LIBCAMERA}"
    assert ask_libcamera([sys.executable, "-c", question], 30) == LibcameraAnswer(cameras=("imx708",))


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        pytest.param("import no_such_part", LibcameraAnswer(missing="no_such_part"), id="a part of it is missing"),
        pytest.param(
            "raise ValueError('numpy.dtype size changed')",
            LibcameraAnswer(broken="ValueError: numpy.dtype size changed"),
            id="its import fails",
        ),
    ],
)
def test_a_broken_picamera2_is_told_from_a_missing_one(tmp_path: Path, module: str, expected: LibcameraAnswer) -> None:
    (tmp_path / "picamera2.py").write_text(module, encoding="utf-8")
    question = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{ASK_LIBCAMERA}"
    assert ask_libcamera([sys.executable, "-c", question], 30) == expected


def test_a_crash_and_a_hang_are_answers_too() -> None:
    crashed = ask_libcamera([sys.executable, "-c", "import os; os.abort()"], 30)
    hung = ask_libcamera([sys.executable, "-c", "import signal; signal.pause()"], 0.3)
    assert "ended with status -6" in crashed.broken
    assert hung.broken == "libcamera did not answer within 0.3 s"


def test_the_pis_own_nodes_are_no_cameras() -> None:
    nodes = [V4L2Node(0, "unicam-image", is_camera=False), V4L2Node(10, "bcm2835-codec-decode", is_camera=False)]
    findings = list(check_cameras(nodes))
    assert all("/dev/video" not in finding.text for finding in findings)
    assert findings[-1].text == "no camera is connected"


@pytest.mark.parametrize(
    ("answer", "nodes", "expected"),
    [
        pytest.param(LibcameraAnswer(cameras=("imx708",)), [], True, id="a camera module"),
        pytest.param(LibcameraAnswer(), [V4L2Node(0, "USB camera", is_camera=True)], True, id="a USB camera"),
        pytest.param(
            LibcameraAnswer(), [V4L2Node(0, "unicam-image", is_camera=False)], False, id="a Pi's own nodes only"
        ),
        pytest.param(LibcameraAnswer(missing="picamera2"), [], False, id="nothing"),
    ],
)
def test_whether_there_is_any_camera(
    monkeypatch: pytest.MonkeyPatch, answer: LibcameraAnswer, nodes: list[V4L2Node], expected: bool
) -> None:
    monkeypatch.setattr(cameras, "ask_libcamera", lambda command, timeout_s: answer)
    monkeypatch.setattr(cameras, "v4l2_nodes", lambda: nodes)
    assert cameras.any_camera() is expected


def test_a_node_that_is_gone_is_a_failure(tmp_path: Path) -> None:
    finding = check_node(V4L2Node(3, "USB camera", is_camera=True), tmp_path / "video3")
    assert finding.state == "failure"
    assert "USB camera" in finding.text


def test_a_node_that_opens_is_well(tmp_path: Path) -> None:
    (tmp_path / "video3").touch()
    assert check_node(V4L2Node(3, "USB camera", is_camera=True), tmp_path / "video3").state == "ok"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"Raspberry Pi 5 Model B Rev 1.0\0", True, id="a Pi"),
        pytest.param(b"Radxa ROCK 5B\0", False, id="another board"),
        pytest.param(None, False, id="no device tree"),
    ],
)
def test_a_raspberry_pi_is_known_by_its_device_tree(tmp_path: Path, content: bytes | None, expected: bool) -> None:
    if content is not None:
        (tmp_path / "model").write_bytes(content)
    assert is_raspberry_pi(tmp_path / "model") is expected
