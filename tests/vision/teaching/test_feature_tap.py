from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

from tablesight.vision.model_files import Model
from tablesight.vision.teaching.feature_tap import FeatureTap, most_upright_row


class Session:
    """A network: for each picture its mean as "face" and "upright", and features where it has them."""

    def __init__(self, features: bool) -> None:
        self.names = ["face", "upright", *(["features"] if features else [])]
        self.asked: list[list[str]] = []

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name=name) for name in self.names]

    def run(self, names: list[str], feeds: dict[str, Any], options: Any = None) -> list[Any]:
        self.asked.append(list(names))
        mean = feeds["image"].reshape(len(feeds["image"]), -1).mean(1, keepdims=True)
        every = {"face": mean, "upright": mean, "features": np.concatenate([mean, -mean], 1)}
        return [every[name] for name in names]


def tap(features: bool = True) -> FeatureTap:
    return FeatureTap(Model(Session(features), {}))  # type: ignore[arg-type]  # a session as far as it is used


PICTURES = np.array([[[1.0]], [[5.0]], [[3.0]]])


def test_the_reader_gets_the_same_answers_whether_somebody_listens_or_not() -> None:
    one = tap()
    session = one.model.session
    before = session.run(["face"], {"image": PICTURES})
    with one.listening() as runs:
        during = session.run(["face"], {"image": PICTURES})
        whole = session.run(None, {"image": PICTURES})
    assert len(before) == len(during) == 1
    assert np.array_equal(before[0], during[0])
    assert len(whole) == 3
    assert len(runs) == 2
    session.run(["face"], {"image": PICTURES})
    assert len(runs) == 2  # nobody listens any more


def test_the_features_are_those_of_the_picture_that_stands_upright() -> None:
    one = tap()
    with one.listening() as runs:
        one.model.session.run(["face"], {"image": PICTURES})
        one.model.session.run(["face"], {"image": PICTURES - 1})
    features = most_upright_row(runs)
    assert features is not None
    assert features.tolist() == [5.0, -5.0]


def test_a_network_without_features_has_none() -> None:
    one = tap(features=False)
    assert not one.has_features
    with one.listening() as runs:
        one.model.session.run(None, {"image": PICTURES})
    assert most_upright_row(runs) is None
    assert most_upright_row([]) is None


def test_another_thread_is_not_listened_to() -> None:
    one = tap()
    with one.listening() as runs:
        other = threading.Thread(target=one.model.session.run, args=(None, {"image": PICTURES}))
        other.start()
        other.join()
        assert runs == []
