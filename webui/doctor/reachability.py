"""The port and the addresses: can a phone open the page."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablesight.webui import network
from tablesight.webui.doctor.finding import Finding, advice, failure, ok

ANSWER_TIMEOUT_S: Final = 3.0
"""A running Tablesight answers within milliseconds; one that takes longer than this hangs."""
AVAHI_SOCKET: Final = Path("/run/avahi-daemon/socket")


def check_reachability(port: int) -> Iterator[Finding]:
    """Findings about the port and about the addresses under which a phone finds the page."""
    yield check_port(port)
    yield check_address(network.lan_address(), port)
    yield check_name(AVAHI_SOCKET.exists(), socket.gethostname(), port)


def check_port(port: int) -> Finding:
    """Whether the port is free, or Tablesight's already."""
    try:
        network.listen(None, port).close()
    except network.PortError as error:
        return _check_owner(port, str(error))
    return ok("port", f"port {port} is free: Tablesight is not running")


def _check_owner(port: int, why: str) -> Finding:
    another = (
        f"sudo ss -ltnp 'sport = :{port}' names it: stop it, or start with --port {port + 1} and look again with "
        f"tablesight doctor --port {port + 1}"
    )
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=ANSWER_TIMEOUT_S) as answer:
            health = json.load(answer)
        status, camera = str(health["status"]), health["camera"]
        seen = f"its camera ({camera['source']}) is {camera['state']}"
    except TimeoutError:
        return failure("port", f"port {port} is taken by a program that does not answer", another)
    except urllib.error.URLError as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        if isinstance(error.reason, ConnectionRefusedError):
            return failure("port", why, another)
        return failure("port", f"port {port} is taken by another program", another)
    except (OSError, ValueError, KeyError, TypeError):
        return failure("port", f"port {port} is taken by another program", another)
    if status != "ok":
        text = f"Tablesight runs on port {port} with status {status}, {seen}"
        return advice("port", text, "look at the page: it says why")
    return ok("port", f"Tablesight runs on port {port}, {seen}")


def check_address(address: str, port: int) -> Finding:
    """Whether this machine is in a network. `address`: its own, 127.0.0.1 without one."""
    if address in {"127.0.0.1", "::1"}:
        return advice(
            "network",
            "this machine has no address in a network: the page opens on itself only",
            "connect it to the Wi-Fi or plug in the cable (nmcli device shows both)",
        )
    shown = f"[{address}]" if ":" in address else address
    return ok("network", f"phones in the same network open http://{shown}:{port}")


def check_name(avahi_runs: bool, hostname: str, port: int) -> Finding:
    """Whether the page has a name beside the number."""
    if avahi_runs:
        return ok("network", f"and http://{hostname}.local:{port}")
    return advice(
        "network",
        "the address has no name: avahi is not running, the number and the QR code do",
        "for a name that stays the same: sudo apt install avahi-daemon",
    )
