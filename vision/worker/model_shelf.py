"""The models of the camera process, loaded in the background so that the table can be watched from the start."""

from __future__ import annotations

import threading
from collections.abc import Callable
from logging import getLogger
from typing import TYPE_CHECKING

from tablesight.vision.table_reader import TableReader

if TYPE_CHECKING:
    from tablesight.vision.photo_reader import PhotoReader

logger = getLogger(__name__)


class ModelShelf:
    """`table` and `photo` are None until the models are loaded; `problem` says in a sentence why they are not.

    `models` loads those for photos and those for the table, given a number of threads; raises `ModelError`.
    """

    def __init__(self, models: Callable[[int], tuple[PhotoReader, PhotoReader]], threads: int = 2) -> None:
        self._models = models
        self._threads = threads
        self.table: TableReader | None = None
        self.photo: PhotoReader | None = None
        self.problem = "The dice models are being loaded."

    def load(self) -> None:
        """Load in a thread of its own."""
        threading.Thread(target=self._load, name="model-shelf", daemon=True).start()

    def _load(self) -> None:
        # imported here: onnxruntime takes seconds on a Pi, and the page should see the camera before
        import scipy.optimize  # noqa: F401  # the first look at a table must not wait for it

        from tablesight.vision.model_files import ModelError
        from tablesight.vision.table_models import table_reader

        try:
            photo, table = self._models(self._threads)
        except ModelError as error:
            self.problem = f"The dice models are missing, nothing can be read: {error}"
            logger.error("%s", error)
        except Exception as error:  # without models the camera is still shown
            self.problem = f"The dice models cannot be loaded, nothing can be read ({error}): install tablesight again"
            logger.exception("the models cannot be loaded")
        else:
            self.table = table_reader(table)
            self.photo = photo
            self.problem = ""
