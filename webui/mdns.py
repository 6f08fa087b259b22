"""Whether somebody in this network answers for a `.local` name, as phones would ask (multicast DNS, RFC 6762)."""

from __future__ import annotations

import logging
import secrets
import socket
import struct
import time
from typing import Final

log = logging.getLogger(__name__)

GROUP: Final = ("224.0.0.251", 5353)
WAIT_S: Final = 0.6
"""A responder answers for a name of its own at once; one on the same machine within milliseconds."""

ADDRESS: Final = 1
INTERNET: Final = 1


def is_answered(name: str, group: tuple[str, int] = GROUP, wait_s: float = WAIT_S) -> bool:
    """Whether an address is told for `name` ("pi.local") within `wait_s`; False without a network. Takes that long at
    most. The question is a one-shot query (RFC 6762, 5.1), whose answer comes back to its sender alone."""
    number = secrets.randbelow(1 << 16)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
            asking.sendto(question(name, number), group)
            end_s = time.monotonic() + wait_s
            while (left_s := end_s - time.monotonic()) > 0:
                asking.settimeout(left_s)
                if tells_address(asking.recv(9000), number):
                    return True
    except OSError as error:
        log.debug("nobody answers for %s: %s", name, error)
    return False


def question(name: str, number: int) -> bytes:
    """A DNS query for the IPv4 address of a name."""
    labels = b"".join(bytes([len(label)]) + label for label in (part.encode()[:63] for part in name.split(".")))
    return struct.pack("!6H", number, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!2H", ADDRESS, INTERNET)


def tells_address(packet: bytes, number: int) -> bool:
    """Whether a packet is a response to query `number` (or to none: 0) with at least one record and no error."""
    if len(packet) < 12:
        return False
    known, flags, _, answers = struct.unpack("!4H", packet[:8])
    return known in (number, 0) and bool(flags & 0x8000) and flags & 0x000F == 0 and answers > 0
