"""Whether a process computes, or waits for a core or a disk: one that is slow is told from one that hangs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BUSY_STATES: Final = "RD"
"""Of a thread in /proc: running or waiting for a core, and waiting for a disk."""


class ProcessActivity:
    """Looks at the threads of a process each time it is asked, all but `without` (thread ids).

    Where there is no /proc nothing is known, and the process counts as busy.
    """

    def __init__(self, pid: int, without: frozenset[int] = frozenset(), proc: Path = Path("/proc")) -> None:
        self._tasks = proc / str(pid) / "task"
        self._without = without
        self._ticks: int | None = None

    def is_busy(self) -> bool:
        """Whether any thread runs, wants to, or has computed since the last time this was asked."""
        if not self._tasks.parent.parent.joinpath("self").exists():
            return True
        states, ticks = "", 0
        for state, used in self._threads():
            states += state
            ticks += used
        before, self._ticks = self._ticks, ticks
        return any(state in BUSY_STATES for state in states) or (before is not None and ticks > before)

    def _threads(self) -> list[tuple[str, int]]:
        """State and clock ticks used of each thread; none of a process that is gone."""
        threads: list[tuple[str, int]] = []
        try:
            tasks = [task for task in self._tasks.iterdir() if int(task.name) not in self._without]
        except OSError:
            return threads
        for task in tasks:
            try:
                # the name of the thread, in brackets, may hold anything
                fields = (task / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            threads.append((fields[0], int(fields[11]) + int(fields[12])))
        return threads
