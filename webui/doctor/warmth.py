"""Temperature, throttling and power."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablesight.webui.doctor.finding import Finding, advice, failure, ok

HOT_C: Final = 80.0
"""A Raspberry Pi slows itself down from here on (80 soft, 85 hard)."""
THERMAL_ZONES: Final = Path("/sys/class/thermal")
UNDER_VOLTAGE: Final = 1 << 0
SLOWED_DOWN: Final = 1 << 1 | 1 << 2 | 1 << 3
"""Bits of `vcgencmd get_throttled`, from Raspberry Pi's documentation: frequency capped, throttled, soft temperature
limit. The same bits 16 higher say that it has happened since the start."""
SINCE_START: Final = 16
POWER: Final = "use the official power supply (5 V 3 A for a Pi 4, 5 A for a Pi 5) and a short cable"
COOLING: Final = "give it a heat sink or a fan, and take it out of the sun or the closed case"


def check_warmth(zones: Path = THERMAL_ZONES) -> Iterator[Finding]:
    """Findings about the temperature (the hottest sensor) and, on a Raspberry Pi, about power and throttling."""
    yield check_temperature(hottest_c(zones))
    flags = throttled_flags()
    if flags is not None:
        yield check_throttling(flags)


def hottest_c(zones: Path) -> float | None:
    """The highest temperature of the kernel's sensors in degrees Celsius; None where there is none."""
    readings: list[float] = []
    for file in zones.glob("thermal_zone*/temp"):
        try:
            readings.append(int(file.read_text(encoding="ascii")) / 1000)
        except (OSError, ValueError):
            continue  # a sensor that is switched off answers with an error
    return max(readings, default=None)


def check_temperature(hottest: float | None) -> Finding:
    """Judges a temperature in degrees Celsius."""
    if hottest is None:
        return ok("warmth", "no temperature sensor here")
    text = f"{hottest:.0f} degrees Celsius"
    return advice("warmth", text, COOLING) if hottest >= HOT_C else ok("warmth", text)


def throttled_flags() -> int | None:
    """The bits of `vcgencmd get_throttled`; None on anything but a Raspberry Pi."""
    try:
        done = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", done.stdout.strip())
    return int(match[1], 16) if match else None


def check_throttling(flags: int) -> Finding:
    """Judges the bits of `vcgencmd get_throttled`."""
    if flags & UNDER_VOLTAGE:
        return failure("power", "the voltage is too low right now: cameras and cards fail that way", POWER)
    if flags & SLOWED_DOWN:
        return advice("power", "it is slowing itself down right now", COOLING)
    if flags >> SINCE_START & UNDER_VOLTAGE:
        return advice("power", "the voltage was too low at least once since the start", POWER)
    if flags >> SINCE_START & SLOWED_DOWN:
        return advice("power", "it has slowed itself down at least once since the start", COOLING)
    return ok("power", "never too little voltage, never slowed down since the start")
