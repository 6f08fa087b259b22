"""When to hold a camera's exposure and white balance, and when to measure them anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class ExposureSettings:
    """Counted in pictures, of which a camera gives 10 to 30 a second."""

    settle_least: int = 8  # the first pictures after a start are still being exposed by guess
    settle_most: int = 40  # lamps that flicker never let it settle quite; then the last exposure is as good as any
    drift_ratio: float = 1.7  # mean brightness that many times more or less: another lamp, not another hand of dice
    dark_level: float = 8.0  # nearly black is a covered lens or no light: not worth measuring
    drift_pictures: int = 25  # a hand or a head over the table passes sooner


SETTINGS: Final = ExposureSettings()


class ExposureLock:
    """Fed with each preview, answers with the libcamera controls to set, mostly none.

    Held values keep colours comparable from roll to roll. They are measured anew when the light has changed for good.
    """

    def __init__(self, settings: ExposureSettings = SETTINGS) -> None:
        self._settings = settings
        self._locked_level: float | None = None
        self._pictures = 0

    @property
    def locked(self) -> bool:
        """Whether exposure and white balance are being held."""
        return self._locked_level is not None

    def update(self, metadata: Mapping[str, Any], mean_level: float) -> dict[str, Any]:
        """`metadata` of one picture and its mean brightness, 0 to 255."""
        if self._locked_level is None:
            return self._settling(metadata, mean_level)
        return self._holding(mean_level)

    def _settling(self, metadata: Mapping[str, Any], mean_level: float) -> dict[str, Any]:
        if mean_level < self._settings.dark_level:
            self._pictures = 0
            return {}
        self._pictures += 1
        done = metadata.get("AeLocked", False) or metadata.get("AeState") == 2  # libcamera: AeStateConverged
        if self._pictures < self._settings.settle_least:
            return {}
        if not done and self._pictures < self._settings.settle_most:
            return {}
        controls: dict[str, Any] = {}
        if "ExposureTime" in metadata and "AnalogueGain" in metadata:
            controls |= {
                "AeEnable": False,
                "ExposureTime": metadata["ExposureTime"],
                "AnalogueGain": metadata["AnalogueGain"],
            }
        if "ColourGains" in metadata:
            controls |= {"AwbEnable": False, "ColourGains": metadata["ColourGains"]}
        self._locked_level, self._pictures = mean_level, 0
        return controls

    def _holding(self, mean_level: float) -> dict[str, Any]:
        assert self._locked_level is not None
        ratio = max(mean_level, 1.0) / self._locked_level
        inside = 1 / self._settings.drift_ratio < ratio < self._settings.drift_ratio
        if inside or mean_level < self._settings.dark_level:
            self._pictures = 0
            return {}
        self._pictures += 1
        if self._pictures < self._settings.drift_pictures:
            return {}
        self._locked_level, self._pictures = None, 0
        return {"AeEnable": True, "AwbEnable": True}
