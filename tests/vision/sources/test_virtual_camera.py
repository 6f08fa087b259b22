"""The real picamera2 over the real libcamera, whose virtual camera plays pictures, in a Debian 13 made for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[2]
CERTIFICATES: Final = "/etc/ssl/certs/ca-certificates.crt"
PACKAGES: Final = "python3,python3-venv,python3-dev,python3-libcamera,gcc,libc6-dev,libcap-dev,ca-certificates"
PREPARED: Final = "TABLESIGHT_TRIXIE_ROOT"
"""Names a folder in which the Debian 13 is kept from run to run; without it a new one is made (two minutes)."""
ENTER: Final = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cd / && exec chroot "$@"'
SHOWN_BGR: Final = (60, 120, 190)


def inside(debian: Path, *command: str, timeout_s: float = 600) -> str:
    """Runs a command in the Debian; its mounts and processes end with it. Returns what it printed."""
    network = [f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")]
    environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", f"PIP_CERT={CERTIFICATES}", *network]
    enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-ec", ENTER, "enter", str(debian)]
    done = subprocess.run(
        [*enter, *environment, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout_s,
    )
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Debian 13 with libcamera and picamera2."""
    if os.geteuid() != 0:
        pytest.skip("making a Debian root needs root")
    if shutil.which("debootstrap") is None:
        pytest.skip("debootstrap is not installed")
    kept = os.environ.get(PREPARED)
    path = Path(kept) if kept else tmp_path_factory.mktemp("debian") / "trixie"
    if not (path / "opt/venv/bin/picamera2-ready").exists():
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "trixie", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if made.returncode:
            pytest.skip(f"no Debian 13 can be made here: {made.stdout[-300:]}")
        for name in (CERTIFICATES, "/etc/resolv.conf"):
            shutil.copyfile(name, path / name.lstrip("/"))
        install = "python3 -m venv --system-site-packages /opt/venv && /opt/venv/bin/pip install -q picamera2"
        try:
            inside(path, "sh", "-c", f"{install} opencv-python-headless && touch /opt/venv/bin/picamera2-ready")
        except RuntimeError as error:
            pytest.skip(f"picamera2 cannot be installed here: {error}")
    return path


@pytest.fixture(scope="module")
def driven(debian: Path) -> dict[str, Any]:
    """What the project's source got from the virtual camera."""
    project = debian / "opt/project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(ROOT / "vision", project / "tablesight/vision", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(HERE / "virtual_camera/drive.py", project / "drive.py")
    configuration = debian / "usr/share/libcamera/pipeline/virtual/virtual.yaml"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(HERE / "virtual_camera/virtual.yaml", configuration)
    frames = debian / "opt/virtual/frames"
    frames.mkdir(parents=True, exist_ok=True)
    for number in range(3):
        assert cv2.imwrite(str(frames / f"{number}.jpg"), np.full((720, 1280, 3), SHOWN_BGR, np.uint8))
    printed = inside(debian, "PYTHONPATH=/opt/project", "/opt/venv/bin/python", "/opt/project/drive.py", timeout_s=120)
    (line,) = [line for line in printed.splitlines() if "RESULT " in line]
    result: dict[str, Any] = json.loads(line.partition("RESULT ")[2])
    return result


def test_what_the_camera_can_do_is_taken_as_it_is(driven: dict[str, Any]) -> None:
    # asked for BGR and YUV420, the virtual camera gives NV12
    assert driven["streams"]["main"] == ["NV12", [1280, 720]]
    assert driven["streams"]["lores"][0] == "NV12"
    assert driven["name"] == "Raspberry Pi camera Virtual Dice Camera (1280 x 720)"


@pytest.mark.parametrize(("kind", "shape"), [("preview", [360, 640, 3]), ("still", [720, 1280, 3])])
def test_pictures_have_their_size_and_colours(kind: str, shape: list[int], driven: dict[str, Any]) -> None:
    assert driven[kind][0] == shape
    # the JPEG's full range is played as video range: a little more contrast
    assert driven[kind][1] == pytest.approx(SHOWN_BGR, abs=14)


def test_times_rise(driven: dict[str, Any]) -> None:
    assert driven["rising"]


def test_closing_lets_the_camera_go_and_never_hangs(driven: dict[str, Any]) -> None:
    assert "is closed" in driven["closed"]
    assert driven["again"] == [360, 640, 3] or "got 'TimeoutError'" in driven["again"]
    assert driven["close_s"] < 2
