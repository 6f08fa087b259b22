"""What docs/cameras.md says is what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablesight.vision.recording import SETTINGS
from tablesight.vision.recording_index import INDEX_NAME
from tablesight.vision.sources.folder import SHOW_S
from tablesight.vision.sources.opening import CHOICES
from tablesight.vision.sources.pacing import PREVIEW_S
from tablesight.vision.sources.preview import PREVIEW_WIDTH_PX
from tablesight.vision.sources.v4l2_nodes import NOT_CAMERAS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cameras.md").read_text()


@pytest.mark.parametrize("word", ["auto", "picamera2", "v4l2:N", "rtsp://...", "http://...", "simulated"])
def test_every_choice_is_documented(word: str) -> None:
    assert word in CHOICES
    assert f"`{word}`" in PAGE


def test_figures_are_those_of_the_code() -> None:
    assert (SHOW_S, PREVIEW_S, PREVIEW_WIDTH_PX) == (5.0, 0.1, 640)
    assert "shown for five seconds" in PAGE
    assert "640 pixels wide, ten times a second" in PAGE
    assert f"{SETTINGS.keep_free_bytes // 1_000_000} MB are left" in PAGE
    assert f"DIR/{INDEX_NAME}" in PAGE
    assert all(name in PAGE for name in NOT_CAMERAS[:4])
