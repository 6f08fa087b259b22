"""Tells the page what really lies on the simulated table. The reading never sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablesight.vision.reading_json import box_json
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.worker.pictures import STILL_WIDTH_PX


class SimulatedTruth:
    """Sends a message whenever other dice lie there than before."""

    def __init__(self, send: Callable[[dict[str, Any], bytes], None]) -> None:
        self._send = send
        self._told: int | None = None

    def tell(self, source: SimulatedSource) -> None:
        """Send the truth where it has changed; boxes in pixels of the pictures that readings come with."""
        version = source.moment().version
        if version == self._told:
            return
        self._told = version
        camera = source.setting.still_camera
        scale = min(1.0, STILL_WIDTH_PX / camera.width_px)
        dice, boxes = source.truth()
        self._send(
            {
                "type": "truth",
                "width": round(camera.width_px * scale),
                "height": round(camera.height_px * scale),
                "dice": [
                    {
                        "seat": die.seat,
                        "kind": die.kind,
                        "face": die.face,
                        "ink": die.ink,
                        "value": die.value,
                        "box": box_json(box, scale),
                    }
                    for die, box in zip(dice, boxes, strict=True)
                ],
            },
            b"",
        )
