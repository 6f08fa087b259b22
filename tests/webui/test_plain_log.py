"""What the log says when a process of the server is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.camera_supervisor import ending


@pytest.mark.parametrize(
    ("status", "words"),
    [
        pytest.param(-9, "its process was ended by SIGKILL", id="a signal"),
        pytest.param(-63, "its process was ended by signal 63", id="a signal without a name"),
        pytest.param(3, "its process ended with status 3", id="a status"),
    ],
)
def test_the_end_of_the_camera_process_in_words(status: int, words: str) -> None:
    assert ending(status) == words


def test_a_killed_process_is_said_without_guessing_why(make_server: Callable[..., Any], wait_for: Any) -> None:
    server = make_server("1")
    log: Path = server.data_dir.parent / "server.log"
    (camera,) = wait_for(server.camera_pids)
    os.kill(camera, signal.SIGKILL)
    wait_for(lambda: "camera lost: its process was ended by SIGKILL" in log.read_text(), 10)
    main = server.process.pid
    children = Path(f"/proc/{main}/task/{main}/children")
    if not children.exists():
        pytest.skip("this kernel does not list the children of a process")
    (web,) = children.read_text().split()
    os.kill(int(web), signal.SIGKILL)
    wait_for(lambda: f"the web process {web} was ended by SIGKILL" in log.read_text(), 10)
    wait_for(server.is_up, 20, "the web process did not come back")
    assert "memory" not in log.read_text()
