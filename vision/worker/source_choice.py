"""From `--source` to an open camera."""

from __future__ import annotations

from tablesight.vision.frame import FrameSource, SourceError
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.opening import open_source
from tablesight.vision.sources.simulated import SimulatedSource


def choose_source(spec: str, seats: int, seed: int) -> FrameSource:
    """The camera that `spec` names; `simulated:OPTIONS` (see `TableOptions.parse`) as well. Raises SourceError."""
    name, _, options = spec.strip().partition(":")
    if name != "simulated":
        return open_source(spec)
    try:
        chosen = TableOptions.parse(options if "seed=" in options else f"seed={seed},{options}")
    except ValueError as error:
        raise SourceError(str(error)) from error
    return SimulatedSource(seats=seats, options=chosen)
