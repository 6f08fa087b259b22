"""Tells a USB camera the frequency of the lamps, which OpenCV cannot."""

from __future__ import annotations

import fcntl
import os
import struct
from logging import getLogger
from typing import Final

logger = getLogger(__name__)

# linux/videodev2.h and linux/v4l2-controls.h
_VIDIOC_S_CTRL: Final = 0xC008561C
_POWER_LINE_FREQUENCY: Final = 0x00980918
_CHOICES: Final = {0: 0, 50: 1, 60: 2}


def set_flicker(device: str, flicker_hz: int) -> bool:
    """Sets the power line frequency of /dev/videoN; False where the camera has no such control (many have not)."""
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        logger.debug("no flicker control: %s", error)
        return False
    try:
        fcntl.ioctl(handle, _VIDIOC_S_CTRL, struct.pack("Ii", _POWER_LINE_FREQUENCY, _CHOICES[flicker_hz]))
    except OSError as error:
        logger.debug("no flicker control on %s: %s", device, error)
        return False
    finally:
        os.close(handle)
    return True
