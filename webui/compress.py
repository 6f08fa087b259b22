"""Pages, scripts and styles travel compressed: on a busy WLAN a phone waits for every kilobyte."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from flask import Response, request

SMALLEST_BYTES: Final = 1000
"""Below this the headers weigh more than what is saved."""

LEVEL: Final = 6
TEXTS: Final = frozenset(
    {
        "text/html", "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml",
        "application/manifest+json",
    }
)  # fmt: skip


def compressed(response: Response) -> Response:
    """The response in gzip where it is a text of some length and the browser can read that."""
    sent_bit_by_bit = response.is_streamed and not response.direct_passthrough  # not so a file
    if response.status_code != 200 or response.mimetype not in TEXTS or sent_bit_by_bit:
        return response
    response.headers.add("Vary", "Accept-Encoding")
    if "gzip" not in request.headers.get("Accept-Encoding", "") or "Range" in request.headers:
        return response
    if (response.content_length or SMALLEST_BYTES) < SMALLEST_BYTES or request.method == "HEAD":
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) < SMALLEST_BYTES:
        return response
    response.set_data(_packed(data) if _is_kept(response) else gzip.compress(data, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    tag, _ = response.get_etag()
    if tag:
        response.set_etag(tag, weak=True)  # the same text, other bytes
    return response


def _is_kept(response: Response) -> bool:
    """Scripts and styles are the same for every phone."""
    return response.mimetype != "text/html" and response.mimetype != "application/json"


@lru_cache(maxsize=100)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)
