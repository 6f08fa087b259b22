"""Reads uploaded photos in a thread of its own, one after the other, while the table is watched."""

from __future__ import annotations

import base64
import queue
import threading
from collections.abc import Callable
from logging import getLogger
from typing import TYPE_CHECKING, Any, Protocol

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import PhotoReading
from tablesight.vision.reading_json import photo_json
from tablesight.vision.worker.pictures import page_picture
from tablesight.vision.worker.requests import ReadPhoto

if TYPE_CHECKING:
    from tablesight.vision.teaching.lesson_photo import LessonPhoto

logger = getLogger(__name__)


class WholePhotoReader(Protocol):
    """What reads a photo without zones: `tablesight.vision.photo_reader.PhotoReader`."""

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        """All dice of a picture."""


class PhotoDesk:
    """`take` returns at once; the answer is sent when the photo has been read. `lesson` reads a photo whose dice are to
    be taught."""

    def __init__(
        self,
        reader: Callable[[], WholePhotoReader | None],
        send: Callable[[dict[str, Any], bytes], None],
        problem: Callable[[], str],
        lesson: Callable[[ImageBGR, tuple[str, ...]], LessonPhoto] | None = None,
    ) -> None:
        self._reader = reader
        self._send = send
        self._problem = problem
        self._lesson = lesson
        self._waiting: queue.Queue[ReadPhoto] = queue.Queue(maxsize=8)
        threading.Thread(target=self._run, name="photo-desk", daemon=True).start()

    def take(self, request: ReadPhoto) -> None:
        """Queue a photo; where too many wait, its answer is an error."""
        try:
            self._waiting.put_nowait(request)
        except queue.Full:
            self._refuse(request.id, "Too many photos are waiting to be read: send it again in a minute.")

    def _run(self) -> None:
        while True:
            self.answer(self._waiting.get())

    def answer(self, request: ReadPhoto) -> None:
        """Read one photo and send the answer."""
        reader = self._reader()
        if reader is None:
            self._refuse(request.id, self._problem())
            return
        # imported here: the formats of phones take a while to load, and the camera should be seen before
        from tablesight.vision.photo import PhotoError, decode_photo

        try:
            image_bgr = decode_photo(request.content)
            crops: tuple[bytes, ...] = ()
            if request.lesson is None or self._lesson is None:
                reading = reader.read(image_bgr)
            else:
                lesson = self._lesson(image_bgr, request.lesson)
                reading, crops = lesson.reading, lesson.crops_png
            picture = page_picture(image_bgr)
        except PhotoError as error:
            self._refuse(request.id, str(error))
        except Exception:  # whatever a photo does to a model, the camera process lives on
            logger.exception("a photo could not be read")
            self._refuse(request.id, "This photo could not be read: take another one.")
        else:
            header = {"type": "photo", "id": request.id, "reading": photo_json(reading, picture.scale)}
            if crops:
                header["crops"] = [base64.b64encode(png).decode() for png in crops]
            self._send(header, picture.jpeg)

    def _refuse(self, photo_id: str, sentence: str) -> None:
        self._send({"type": "photo", "id": photo_id, "error": sentence[:1].upper() + sentence[1:]}, b"")
