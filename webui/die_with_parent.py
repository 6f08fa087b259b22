"""`python -m tablesight.webui.die_with_parent PID MODULE ARGS...`: run MODULE, killed by the kernel when PID ends.

A hung camera process would otherwise keep the camera after the server was killed, and the next server could not open
it.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h


def die_with_parent(parent_pid: int) -> None:
    """Asks Linux to kill this process as soon as its parent is gone; elsewhere it does nothing."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent_pid:
        sys.exit(1)


def main() -> None:
    """Runs the module named on the command line as `python -m` would."""
    die_with_parent(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
