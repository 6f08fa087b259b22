"""How much memory the camera process takes at most while it watches a table and reads throws."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import cv2

from tablesight.vision.frame import ImageBGR
from tablesight.vision.messages import read_message, write_message


@dataclass(frozen=True, slots=True)
class Peak:
    """The most resident memory, megabytes, and how many readings were sent meanwhile."""

    most_mb: float
    readings: int


def peak_of_camera_process(empty_bgr: ImageBGR, dice_bgr: ImageBGR, readings: int = 4, limit_s: float = 60) -> Peak:
    """Runs it on photos that it is shown in turn, an empty table and one with dice, until it has sent so many readings
    or the time is over. Raises RuntimeError where it sends none (Linux only: /proc)."""
    with tempfile.TemporaryDirectory(prefix="tablesight-bench-") as folder:
        size = (dice_bgr.shape[1], dice_bgr.shape[0])
        cv2.imwrite(f"{folder}/a.jpg", cv2.resize(empty_bgr, size))
        cv2.imwrite(f"{folder}/b.jpg", dice_bgr)
        command = [sys.executable, "-m", "tablesight.vision.worker", "--source", folder, "--seats", "2"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            stdin, stdout = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
            write_message(stdin, {"type": "configure", "seats": 2, "zones": None})
            count, end = 0, time.monotonic() + limit_s
            while count < readings and time.monotonic() < end:
                message = read_message(stdout)
                if message is None:
                    break
                count += message.type == "reading"
            most_mb = _high_water_mb(process.pid)
            stdin.close()
    if not count:
        raise RuntimeError(f"expected a reading from the camera process within {limit_s:g} s, got none")
    return Peak(most_mb, count)


def _high_water_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"expected VmHWM in /proc/{pid}/status, got none: this needs Linux")
