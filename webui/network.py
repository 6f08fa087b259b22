"""Where the page can be reached: sockets, addresses by number, the QR code."""

from __future__ import annotations

import errno
import io
import ipaddress
import logging
import socket
from typing import Final

import segno

log = logging.getLogger(__name__)

BACKLOG: Final = 128


class PortError(ValueError):
    """The port cannot be had; the text says what to do and is shown to the user as is."""


def listen(host: str | None, port: int) -> socket.socket:
    """A listening socket: all IPv4 and IPv6 addresses where `host` is None, else that one. Raises PortError."""
    if host is None and socket.has_ipv6:
        try:
            return _bind(socket.AF_INET6, "::", port)
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                raise _explained(error, port) from error
            log.info("IPv6 is off here (%s): listening on IPv4 only", error)
    address = host or "0.0.0.0"
    try:
        info = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return _bind(info[0], str(info[4][0]), port)
    except OSError as error:
        raise _explained(error, port, address) from error


def _bind(family: int, address: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if address == "::" else 1)
        sock.bind((address, port))
        sock.listen(BACKLOG)
    except BaseException:
        sock.close()
        raise
    sock.set_inheritable(True)
    return sock


def _explained(error: OSError, port: int, address: str = "") -> PortError:
    if error.errno == errno.EADDRINUSE:
        return PortError(
            f"port {port} is taken, perhaps Tablesight is running already: open http://127.0.0.1:{port}, "
            f"or choose another port with --port {port + 1}"
        )
    if error.errno == errno.EACCES:
        return PortError(f"port {port} needs root: choose one from 1024 up with --port 8000")
    return PortError(f"cannot listen on {address!r} ({error.strerror or error}): leave --host out to use every address")


def lan_address() -> str:
    """This machine's address in the local network by number; 127.0.0.1 without a network.

    Nothing is sent: connecting a UDP socket only looks up the route.
    """
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                address = str(probe.getsockname()[0])
        except OSError:
            continue
        if not ipaddress.ip_address(address.split("%")[0]).is_unspecified:
            return address
    return "127.0.0.1"


def page_url(port: int) -> str:
    """The address to type on a phone."""
    address = lan_address()
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}" if port == 80 else f"http://{host}:{port}"


def local_name(host: str) -> str:
    """The `.local` name of a machine, for devices that know such names; many Android phones do not."""
    return f"{host.partition('.')[0].lower()}.local"


def name_url(port: int, name: str) -> str:
    """The address by a `.local` name."""
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


def qr_terminal(url: str) -> str:
    """The QR code of a URL for a dark or light terminal."""
    out = io.StringIO()
    segno.make(url, error="m").terminal(out, compact=True)
    return out.getvalue()


def qr_svg(url: str) -> bytes:
    """The QR code of a URL as an SVG picture."""
    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", scale=8, border=2)
    return out.getvalue()
