"""What the web process is told of how well the camera hangs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import Lens
from tablesight.vision.mat_finder import Mat
from tablesight.vision.placement_advice import SETTINGS, SMALL_DIE_MM, advise


def advice_message(still_bgr: ImageBGR, mats: Sequence[Mat], die_px: float | None, lens: Lens | None) -> dict[str, Any]:
    """An `advice` message for a still (height, width, 3); `die_px` is how large the dice in it appear, where known."""
    # the dice of a hand are 19 mm wide in the middle, and their boxes a little more than that
    small_die_px = None if die_px is None else die_px * SMALL_DIE_MM / 21
    settings = SETTINGS if lens is None else replace(SETTINGS, field_deg=lens.field_deg())
    items = [advice.to_json() for advice in advise(still_bgr, mats, small_die_px, settings)]
    height, width = still_bgr.shape[:2]
    return {"type": "advice", "width": width, "height": height, "items": items}
