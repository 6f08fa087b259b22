"""Readings as JSON, as the web process gets them."""

from __future__ import annotations

from typing import Any

from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading


def die_json(die: DieReading, scale: float = 1.0) -> dict[str, Any]:
    """One die; its box times `scale`."""
    return {
        "box": box_json(die.box_xyxy_px, scale),
        "kind": die.kind,
        "color": die.color,
        "sides": die.sides,
        "marking": die.marking,
        "ink": die.ink,
        "face": die.face,
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "accepted": die.accepted,
        "candidates": [
            {"kind": c.kind, "face": c.face, "value": c.value, "p": round(c.p, 4)} for c in die.candidates
        ],
    }  # fmt: skip


def box_json(box_xyxy_px: BoxXYXY, scale: float = 1.0) -> list[float]:
    """Left, top, right, bottom, to a tenth of a pixel."""
    return [round(value * scale, 1) for value in box_xyxy_px]


def photo_json(reading: PhotoReading, scale: float = 1.0) -> dict[str, Any]:
    """The reading of one photo; boxes and size times `scale`."""
    return {
        "width": round(reading.width * scale),
        "height": round(reading.height * scale),
        "dice": [{**die_json(die, scale), "id": number} for number, die in enumerate(reading.dice)],
        "ms": {
            "detect": round(reading.detect_ms, 1),
            "read": round(reading.read_ms, 1),
            "total": round(reading.total_ms, 1),
        },
    }
