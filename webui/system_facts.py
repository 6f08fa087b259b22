"""How the machine is doing: storage, temperature, listeners."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

THERMAL: Final = Path("/sys/class/thermal")


def system_facts(data_dir: Path, stills_bytes: int, listeners: int) -> dict[str, Any]:
    """Bytes, degrees Celsius (None where the machine does not say), phones listening."""
    log_bytes = sum(path.stat().st_size for path in data_dir.glob("tablesight.*") if path.is_file())
    return {
        "stills_bytes": stills_bytes,
        "log_bytes": log_bytes,
        "free_bytes": shutil.disk_usage(data_dir).free,
        "temperature_c": temperature_c(),
        "listeners": listeners,
    }


def temperature_c(folder: Path = THERMAL) -> float | None:
    """The hottest sensor of the machine."""
    found = []
    for path in folder.glob("thermal_zone*/temp"):
        try:
            found.append(int(path.read_text().strip()) / 1000)
        except (OSError, ValueError):
            continue
    return round(max(found), 1) if found else None
