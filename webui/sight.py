"""What the camera shows of the table now, as long as it lies there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablesight.vision.picture_part import place_of


class Sight:
    """The motion gate's word on each seat's zone, the last reading, and the boxes of the dice that still lie as they
    were read. The caller holds a lock.
    """

    def __init__(self) -> None:
        self._gate: dict[int, str] = {}
        self._look: dict[str, Any] | None = None
        self._boxes: dict[int, list[dict[str, Any]]] = {}

    @property
    def gate(self) -> dict[int, str]:
        """What the motion gate says of each seat's zone."""
        return dict(self._gate)

    @property
    def look(self) -> dict[str, Any] | None:
        """The last reading, whatever became of it."""
        return self._look

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """What was read of the dice that lie there now; boxes as fractions of the picture."""
        return [box for boxes in self._boxes.values() for box in boxes]

    def is_empty(self, seat: int) -> bool:
        """Whether nothing lies in the zone; also where the gate has not spoken of it."""
        return self._gate.get(seat, "empty") == "empty"

    def take_gate(self, gate: Mapping[str, str]) -> bool:
        """The gate's word on every zone, by the zone's number as text. Returns whether it is another than before.

        Boxes of a zone where something moves are void.
        """
        new = {int(zone): state for zone, state in gate.items() if zone.isdecimal()}
        if new == self._gate:
            return False
        self._gate = new
        self._boxes = {seat: boxes for seat, boxes in self._boxes.items() if new.get(seat) == "settled"}
        return True

    def show(self, look: dict[str, Any]) -> None:
        """The last reading."""
        self._look = look
        zone = look.get("zone")
        if isinstance(zone, int):
            self._boxes[zone] = [
                {
                    "box": [round(share, 4) for share in place_of(die["box"], look)],
                    "kind": die["kind"],
                    "value": die["value"],
                    "accepted": die["accepted"],
                }
                for die in look["dice"]
            ]
