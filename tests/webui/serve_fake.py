"""`python serve_fake.py PORT DATA_DIR [PACE]`: the real server with the fake camera process, for the tests.

Environment: FAKE_CAMERA is the camera that the server is told of, the simulated table where it is not set.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import tablesight.webui.camera_supervisor as camera_supervisor
from tablesight.webui.cli import main


def fake_command(source: str, seats: int, data_dir: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("fake_worker.py"))]


camera_supervisor.worker_command = fake_command
port, data_dir, pace = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "0.1"
sys.exit(
    main(
        [
            "serve",
            "--host",
            "127.0.0.1",
            "--camera",
            os.environ.get("FAKE_CAMERA", "simulated"),
            "--port",
            port,
            "--data-dir",
            data_dir,
            "--pace",
            pace,
        ]
    )
)
