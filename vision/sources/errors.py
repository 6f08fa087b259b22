"""What can be wrong with the choice of a camera, besides `SourceError`."""

from __future__ import annotations

from tablesight.vision.frame import SourceError


class NoCamera(SourceError):
    """No camera is attached at all. The caller decides whether the simulated table may stand in for it."""


class NoCameraWanted(NoCamera):
    """The user chose `none`: there is nothing to wait for, and nothing to complain about."""
