"""`tablesight record`, and that what it records plays."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import Frame, SourceError
from tablesight.vision.motion_gate import MotionGate
from tablesight.vision.recording_index import read_index
from tablesight.vision.sources.recording import RecordingSource
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.zones import default_zones
from tablesight.webui.commands import record


class Table:
    """A camera over a table: empty, from 2 s on something moves, from 4 s on it lies still. Ten previews a second."""

    name = "table"

    def __init__(self, ends_at_s: float = 1e9) -> None:
        self.now_s = 0.0
        self.ends_at_s = ends_at_s
        self.rng = np.random.default_rng(3)

    def clock(self) -> float:
        return self.now_s

    def preview(self) -> Frame:
        self.now_s += 0.1
        if self.now_s > self.ends_at_s:
            raise SourceError("unplugged")
        return self._picture(320, 240)

    def still(self) -> Frame:
        return self._picture(1280, 960)

    def close(self) -> None:
        """Nothing to let go of."""

    def _picture(self, width: int, height: int) -> Frame:
        image_bgr = np.full((height, width, 3), 110, np.uint8)
        if self.now_s > 2:
            at = min(self.now_s, 4.0)
            x, y = int(width * (0.1 + 0.15 * at)), int(height * 0.4)
            side = height // 6
            cv2.rectangle(image_bgr, (x, y), (x + side, y + side), (230, 230, 240), cv2.FILLED)
        noise = self.rng.normal(0, 1, (height, width, 1))
        return Frame(np.clip(image_bgr + noise, 0, 255).astype(np.uint8), self.now_s)


def never() -> bool:
    return False


def test_previews_all_along_and_a_burst_of_stills_when_dice_settle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table()
    assert record.record(table, tmp_path / "r", 8.0, never, table.clock) == 0
    pictures = read_index(tmp_path / "r")
    previews = [picture.at_s for picture in pictures if picture.kind == "preview"]
    stills = [picture.at_s for picture in pictures if picture.kind == "still"]
    assert len(previews) in (80, 81)
    assert np.diff(previews) == pytest.approx(0.1, abs=1e-3)
    assert len([at_s for at_s in stills if 4.4 <= at_s <= 5.6]) == 3  # settled 0.6 s after the last motion
    assert len(stills) <= 10
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"--camera {tmp_path / 'r'}" in printed.err


def test_what_was_recorded_plays_with_the_full_pictures(tmp_path: Path) -> None:
    table = Table()
    record.record(table, tmp_path / "r", 8.0, never, table.clock)
    now_s = 0.0
    source = RecordingSource(tmp_path / "r", lambda: now_s)
    now_s = 5.0
    assert source.preview().image_bgr.shape == (240, 320, 3)
    stills = [source.still().image_bgr for _ in range(3)]
    assert all(still.shape == (960, 1280, 3) for still in stills)
    x, y = int(1280 * 0.7) + 80, int(960 * 0.4) + 80
    assert all(still[y, x].min() > 200 for still in stills)  # the die where it came to lie


def test_a_camera_that_stops_leaves_what_was_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(ends_at_s=1.05)
    assert record.record(table, tmp_path / "r", None, never, table.clock) == 1
    assert len([picture for picture in read_index(tmp_path / "r") if picture.kind == "preview"]) == 10
    assert "the camera stopped: unplugged" in capsys.readouterr().err


def test_a_folder_in_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").write_text("mine")
    table = Table()
    assert record.record(table, tmp_path, 1.0, never, table.clock) == 1
    assert "new or empty folder" in capsys.readouterr().err


def test_no_such_camera_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    record.add_arguments(parser)
    args = parser.parse_args([str(tmp_path / "r"), "--camera", str(tmp_path / "absent")])
    assert record.run(args) == 1
    assert "nothing of that name exists" in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("seconds", ["0", "-3", "nan", "inf", "soon"])
def test_nonsense_seconds_are_refused(seconds: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    record.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([str(tmp_path / "r"), "--seconds", seconds])
    assert "--seconds" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_recording_that_plays(number: signal.Signals, tmp_path: Path) -> None:
    photo = tmp_path / "a.png"
    cv2.imwrite(str(photo), np.full((480, 640, 3), 120, np.uint8))
    folder = tmp_path / "r"
    command = [sys.executable, "-m", "tablesight.webui.cli", "record", str(folder), "--camera", str(photo)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": "1"}) as process:
        deadline_s = time.monotonic() + 60
        while not list(folder.glob("previews/*.jpg")) and time.monotonic() < deadline_s:
            time.sleep(0.02)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors.decode()
    assert b"play it with" in errors
    assert RecordingSource(folder).preview().image_bgr.shape == (480, 640, 3)


def test_a_recorded_roll_settles_when_it_did_and_shows_the_same_dice(tmp_path: Path) -> None:
    now_s = 50.0

    def clock() -> float:
        return now_s

    class Watched:
        """The simulated table: dice are thrown after two seconds; time passes with each preview."""

        name = "simulated table"

        def __init__(self) -> None:
            self.table = SimulatedSource(seed=5, seats=2, clock=clock, wait=None)
            self.settled_at_s: list[float] = []
            self.gate = MotionGate(default_zones(1))
            self.thrown = False

        def preview(self) -> Frame:
            nonlocal now_s
            now_s += 0.1
            if now_s > 52 and not self.thrown:
                self.thrown = True
                self.table.throw({0: ["yellow-d6", "green-d20"], 1: ["blue-d8"]})
            frame = self.table.preview()
            self.settled_at_s += [frame.captured_at_s] * len(
                self.gate.update(frame.image_bgr, frame.captured_at_s).newly_settled
            )
            return frame

        def still(self) -> Frame:
            return self.table.still()

        def close(self) -> None:
            self.table.close()

    live = Watched()
    assert record.record(live, tmp_path / "r", 9.0, never, clock) == 0
    assert live.settled_at_s
    began_at_s, now_s = 50.1, 0.0
    played = RecordingSource(tmp_path / "r", clock, loop=False)
    gate = MotionGate(default_zones(1))
    settled_at_s: list[float] = []
    for _ in range(85):
        frame = played.preview()
        if gate.update(frame.image_bgr, frame.captured_at_s).newly_settled:
            settled_at_s.append(now_s + began_at_s)
            still_bgr = played.still().image_bgr
        now_s += 0.1
    assert settled_at_s == pytest.approx(live.settled_at_s, abs=0.25)
    now_s = live.settled_at_s[-1]
    assert np.abs(still_bgr.astype(int) - live.still().image_bgr).mean() < 4  # JPEG and sensor noise alone
