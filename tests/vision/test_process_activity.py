"""A process that computes or waits for a core is busy; one that sleeps, was stopped or is gone is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablesight.vision.process_activity import ProcessActivity

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc here")


@pytest.fixture
def child(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", f"print(flush=True)\n{request.param}"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def becomes(activity: ProcessActivity, busy: bool, within_s: float = 10) -> bool:
    """Whether it says so three times in a row."""
    end_s, row = time.monotonic() + within_s, 0
    while row < 3 and time.monotonic() < end_s:
        row = row + 1 if activity.is_busy() == busy else 0
        time.sleep(0.05)
    return row == 3


@pytest.mark.parametrize("child", ["while True: pass"], indirect=True)
def test_who_computes_is_busy_until_it_is_stopped(child: subprocess.Popen[bytes]) -> None:
    activity = ProcessActivity(child.pid)
    assert becomes(activity, True)
    os.kill(child.pid, signal.SIGSTOP)
    assert becomes(activity, False)


@pytest.mark.parametrize("child", ["import time; time.sleep(60)"], indirect=True)
def test_who_sleeps_is_not_busy_and_who_is_gone_neither(child: subprocess.Popen[bytes]) -> None:
    activity = ProcessActivity(child.pid)
    assert becomes(activity, False)
    child.kill()
    child.wait()
    assert becomes(activity, False)


@pytest.mark.parametrize("child", ["while True: pass"], indirect=True)
def test_a_thread_that_is_left_out_counts_for_nothing(child: subprocess.Popen[bytes]) -> None:
    assert becomes(ProcessActivity(child.pid, frozenset({child.pid})), False)


def test_where_nothing_can_be_known_it_counts_as_busy(tmp_path: Path) -> None:
    assert ProcessActivity(os.getpid(), proc=tmp_path).is_busy()
