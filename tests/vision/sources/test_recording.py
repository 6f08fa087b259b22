"""Playing a recorded session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.recording import Recording
from tablesight.vision.recording_index import INDEX_NAME
from tablesight.vision.sources.recording import RecordingSource


def level(frame: Frame) -> int:
    return round(float(frame.image_bgr.mean()))


@pytest.fixture
def session(tmp_path: Path, gray: Callable[..., ImageBGR]) -> Path:
    """Ten previews, levels 10 to 100, 0.1 s apart; stills at 0.3, 0.4 and 0.9 s, levels 130, 140, 190."""
    with Recording(tmp_path / "session", "camera") as recording:
        for index in range(10):
            recording.add_preview(Frame(gray(10 * index + 10), 7.0 + index / 10))
            if index in (3, 4, 9):
                recording.add_still(Frame(gray(100 + 10 * index, 1280, 960), 7.0 + index / 10))
    return tmp_path / "session"


def test_previews_come_at_their_own_times(session: Path, clock: Any) -> None:
    source = RecordingSource(session, clock)
    assert source.length_s == pytest.approx(0.9)
    seen = []
    for _ in range(7):
        seen.append(level(source.preview()))
        clock.pass_s(0.15)
    assert seen == [10, 20, 40, 50, 70, 80, 100]


def test_a_still_is_the_nearest_and_then_the_next_nearest(session: Path, clock: Any) -> None:
    source = RecordingSource(session, clock)
    clock.pass_s(0.41)
    assert [level(source.still()) for _ in range(3)] == [140, 130, 190]
    assert level(source.still()) == 140  # all have been shown: the nearest again
    assert source.still().image_bgr.shape == (960, 1280, 3)


def test_it_starts_again_at_its_end_or_says_that_it_has_ended(session: Path, clock: Any) -> None:
    looping, once = RecordingSource(session, clock), RecordingSource(session, clock, loop=False)
    clock.pass_s(0.95)
    assert level(looping.preview()) == level(once.preview()) == 100
    clock.pass_s(0.2)
    assert level(looping.preview()) == 10
    for ask in (once.preview, once.still):
        with pytest.raises(SourceError, match="has ended"):
            ask()


def test_an_interrupted_recording_plays_what_there_is(session: Path, clock: Any) -> None:
    index = session / INDEX_NAME
    text = index.read_text()
    index.write_text(text[: text.index("000006") + 3])  # the line that was being written
    (session / "previews" / "000003.jpg").write_bytes(b"\xff\xd8\xff half a picture")
    (session / "previews" / "000002.jpg").unlink()
    source = RecordingSource(session, clock)
    seen = []
    for _ in range(5):
        seen.append(level(source.preview()))
        clock.pass_s(0.1)
    assert seen == [10, 10, 10, 40, 50]


def test_without_stills_the_previews_serve(session: Path, clock: Any) -> None:
    for path in (session / "stills").iterdir():
        path.unlink()
    source = RecordingSource(session, clock)
    clock.pass_s(0.2)
    assert level(source.still()) == 30


def test_a_recording_without_pictures_or_index_is_told(session: Path, tmp_path: Path, clock: Any) -> None:
    with pytest.raises(SourceError, match="tablesight record"):
        RecordingSource(tmp_path / "absent", clock)
    for path in session.rglob("*.jpg"):
        path.unlink()
    with pytest.raises(SourceError, match="got no pictures"):
        RecordingSource(session, clock)


def test_a_recording_of_damaged_pictures_is_told(session: Path, clock: Any) -> None:
    for path in session.rglob("*.jpg"):
        path.write_bytes(b"\xff\xd8\xff half a picture")
    source = RecordingSource(session, clock)
    for ask in (source.preview, source.still):
        with pytest.raises(SourceError, match="got none"):
            ask()
    source.close()
