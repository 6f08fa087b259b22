"""Listens to a network while the reader runs it: the frozen features that its answers are made from."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from tablesight.vision.model_files import Model

Features = npt.NDArray[np.float32]
OUTPUT: Final = "features"
UPRIGHT: Final = "upright"


class FeatureTap:
    """`model` is to be given to the reader in the place of the one that it wraps: it answers exactly the same.

    Only between the two ends of `listening`, and only in that thread, each run is kept.
    """

    def __init__(self, model: Model) -> None:
        self.has_features = OUTPUT in {output.name for output in model.session.get_outputs()}
        self.model = Model(cast(ort.InferenceSession, _Session(model.session, self._heard)), model.card)
        self._local = threading.local()

    @contextmanager
    def listening(self) -> Iterator[list[dict[str, Any]]]:
        """The runs from here on, in the order they are made: inputs and outputs by name, a row for each picture."""
        runs: list[dict[str, Any]] = []
        self._local.runs = runs
        try:
            yield runs
        finally:
            self._local.runs = None

    def _heard(self, outputs: Mapping[str, Any]) -> bool:
        """Keep a run where somebody listens; asked with nothing, it says whether somebody does."""
        runs = getattr(self._local, "runs", None)
        if runs is not None and outputs:
            runs.append(dict(outputs))
        return runs is not None


class _Session:
    """An ONNX session that tells what came out of it."""

    def __init__(self, session: ort.InferenceSession, heard: Any) -> None:
        self._session = session
        self._heard = heard
        self._names = [output.name for output in session.get_outputs()]
        self._kept = [name for name in (OUTPUT, UPRIGHT) if name in self._names]

    def run(self, names: Sequence[str] | None, feeds: Mapping[str, Any], options: Any = None) -> list[Any]:
        """As `InferenceSession.run`."""
        wanted = list(names) if names is not None else self._names
        if not self._heard({}):
            return list(self._session.run(wanted, feeds, options))
        asked = list(dict.fromkeys([*wanted, *self._kept]))
        outputs = dict(zip(asked, self._session.run(asked, feeds, options), strict=True))
        self._heard({**feeds, **outputs})
        return [outputs[name] for name in wanted]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


def most_upright_row(runs: Sequence[Mapping[str, Any]]) -> Features | None:
    """The features (D,) of the input that stands upright most surely, of all runs; None where the network has none."""
    rows = [
        (float(np.ravel(run[UPRIGHT][index])[0]) if UPRIGHT in run else -float(index), run[OUTPUT][index])
        for run in runs
        if OUTPUT in run
        for index in range(len(run[OUTPUT]))
    ]
    return np.asarray(max(rows, key=lambda row: row[0])[1], np.float32) if rows else None
