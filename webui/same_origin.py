"""Writes come from our own pages, or from a program that is no browser."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from flask import request

from tablesight.webui.errors import RequestError

HOME_SUFFIXES: Final = (".local", ".lan", ".home", ".internal", ".arpa", ".ts.net", ".fritz.box", ".localhost")


def refuse_other_sites() -> None:
    """Refuses writes that another site made the browser send, and names that only an attacker would use."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    try:
        address = None if origin is None else urlsplit(origin)
        name = (address and address.hostname) or ""
    except ValueError as error:  # no address at all
        raise RequestError(
            "this request came from another site and was not carried out: open the page of this table", 403
        ) from error
    if site not in (None, "same-origin", "none") or (address is not None and address.netloc != request.host):
        raise RequestError(
            "this request came from another site and was not carried out: open the page of this table", 403
        )
    if origin is not None and not is_home_name(name):
        raise RequestError(
            f"expected the address of this table by number, got {request.host!r}: open the page by its number", 403
        )


def is_home_name(host: str) -> bool:
    """Whether a host name can be this machine: a rebound DNS name of another site cannot."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(HOME_SUFFIXES) or host == socket.getfqdn()
    return True
