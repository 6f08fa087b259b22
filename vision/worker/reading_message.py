"""What the web process is told of a hand that was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablesight.vision.frame import ImageBGR
from tablesight.vision.worker.effort import Effort
from tablesight.vision.worker.pictures import page_picture, part_of_zone
from tablesight.vision.worker.reading_queue import WaitingZone
from tablesight.vision.worker.zone_book import ZoneReading
from tablesight.vision.zones import Point


def reading_message(
    reading: ZoneReading,
    zone: WaitingZone,
    still_bgr: ImageBGR,
    polygon: Sequence[Point],
    now: Effort,
    number: int,
) -> tuple[dict[str, Any], bytes]:
    """A `reading` message with the part of the still (height, width, 3) that shows the zone (shares of the picture).

    `number` is different for every reading.
    """
    part = part_of_zone(still_bgr, polygon, [die.box_xyxy_px for die in reading.hand.dice])
    picture = page_picture(part.image_bgr)
    times = zone.reading.times_json() | {
        "still": round(zone.still_ms, 1),
        "total": round(zone.still_ms + zone.reading.spent_ms, 1),
        "drawn": round(zone.settled.drawn_ms(now), 1),
        "cpu": round(zone.settled.cpu_ms(now), 1),
    }
    header = {
        "type": "reading",
        "id": f"{int(zone.taken_at_s * 1000):x}-{reading.seat}-{number}",
        "at_s": zone.taken_at_s,
        "settled_at_s": zone.settled.at_s,
        "width": picture.width,
        "height": picture.height,
        "part": part.shares(),
        "ms": times,
        **reading.to_json(part.left_px, part.top_px, picture.scale),
    }
    return header, picture.jpeg
