"""What goes wrong with the data folder or a request, as one sentence; of a request with an HTTP status."""

from __future__ import annotations


class StoreError(ValueError):
    """The data folder cannot be used; the text says what to do and is shown to the user as is."""


class RequestError(ValueError):
    """The request cannot be done; the sentence is shown to the user as is, and nothing was changed."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


class Conflict(RequestError):
    """Somebody else was faster: the sentence says what is true now."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, 409)


class Missing(RequestError):
    """There is no such thing."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, 404)


class CannotWrite(RequestError):
    """The disk takes no more, or the log is not ours to write."""

    def __init__(self, sentence: str = "the disk is full: nothing was changed; make room, then try again") -> None:
        super().__init__(sentence, 507)
