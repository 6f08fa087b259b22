"""A network camera that gives one photo for each request (`http://phone:8080/photo.jpg`)."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.photo import LIMITS, PhotoError, decode_photo
from tablesight.vision.sources.preview import Clock, shrink
from tablesight.vision.sources.stream import without_password

TIMEOUT_S: Final = 2.5
"""For each answer: the page shows a camera that hangs within five seconds."""


class SnapshotSource:
    """Fetches a photo each time one is asked for. Raises `SourceError` where there is no answer or no photo."""

    def __init__(self, url: str, clock: Clock = time.monotonic, timeout_s: float = TIMEOUT_S) -> None:
        self._shown_url = without_password(url)
        self._url, self._opener = _plain_url_and_opener(url)
        self._clock = clock
        self._timeout_s = timeout_s
        self._fetch()

    @property
    def name(self) -> str:
        """The address, without the password in it."""
        return f"network camera {self._shown_url}"

    def preview(self) -> Frame:
        """A new photo, small."""
        frame = self.still()
        return Frame(shrink(frame.image_bgr), frame.captured_at_s)

    def still(self) -> Frame:
        """A new photo, as large as it comes."""
        return Frame(self._fetch(), self._clock())

    def close(self) -> None:
        """Nothing is held between two photos."""

    def _fetch(self) -> ImageBGR:
        try:
            with self._opener.open(self._url, timeout=self._timeout_s) as answer:
                content = answer.read(LIMITS.max_bytes + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            _close(error)
            raise SourceError(
                f"expected a photo from {self._shown_url}, got {_words(error)!r}: "
                "is the camera on, in the same network, and is the address right?"
            ) from error
        try:
            return decode_photo(content)
        except PhotoError as error:
            raise SourceError(f"{self._shown_url}: {error}") from error


def gives_snapshots(url: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Whether an HTTP address answers with a single picture; False for a stream, an error or no answer at all."""
    if urlsplit(url).scheme.lower() not in ("http", "https"):
        return False
    try:
        plain_url, opener = _plain_url_and_opener(url)
        with opener.open(plain_url, timeout=timeout_s) as answer:
            return str(answer.headers.get_content_type()).startswith("image/")
    except (OSError, http.client.HTTPException, ValueError) as error:
        _close(error)
        return False


def _plain_url_and_opener(url: str) -> tuple[str, Any]:
    """The address without user and password, and an opener that gives them when asked and uses no proxy."""
    parts = urlsplit(url)
    plain_url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        passwords.add_password(None, plain_url, parts.username, parts.password or "")
    return plain_url, urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        _BasicAuth(passwords),
        _DigestAuth(passwords),
    )


class _ClosesRefusal:
    """The standard handlers leave the connection of the first, refused answer open."""

    def http_error_401(self, request: Any, refusal: Any, code: int, message: str, headers: Any) -> Any:
        """As in the standard library, but closes `refusal` unless it is to be the last word."""
        answer: Any = refusal
        try:
            answer = super().http_error_401(request, refusal, code, message, headers)  # type: ignore[misc]  # a mixin
        finally:
            if answer is not None:
                refusal.close()
        return answer


class _BasicAuth(_ClosesRefusal, urllib.request.HTTPBasicAuthHandler):
    pass


class _DigestAuth(_ClosesRefusal, urllib.request.HTTPDigestAuthHandler):
    pass


def _close(error: Exception) -> None:
    """The answer that an HTTP error carries holds the connection open."""
    if isinstance(error, urllib.error.HTTPError):
        error.close()


def _words(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"{error.code} {error.reason}"
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__).lower()
