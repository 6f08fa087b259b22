"""A video file as a camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablesight.vision.frame import Frame, SourceError
from tablesight.vision.sources.video_file import VideoFileSource


def index_of(frame: Frame) -> int:
    return round((float(frame.image_bgr.mean()) - 20) / 20)


def test_a_video_plays_at_its_own_speed(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(), clock)
    assert source.frames_per_s == pytest.approx(10)
    seen = []
    for _ in range(10):
        seen.append(index_of(source.preview()))
        clock.pass_s(0.1)
    assert seen == list(range(10))


def test_asked_more_often_it_repeats_and_less_often_it_leaves_out(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(), clock)
    seen = []
    for seconds in (0.04, 0.04, 0.04, 0.3, 0.2):
        seen.append(index_of(source.preview()))
        clock.pass_s(seconds)
    assert seen == [0, 0, 0, 1, 4]


def test_preview_and_still_show_the_same_moment(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(), clock)
    clock.pass_s(0.5)
    assert index_of(source.preview()) == index_of(source.still()) == 5
    assert source.still().captured_at_s == clock()


def test_it_starts_again_at_its_end(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(frames=3), clock)
    seen = []
    for _ in range(9):
        seen.append(index_of(source.preview()))
        clock.pass_s(0.1)
    assert seen == [0, 1, 2, 0, 1, 2, 0, 1, 2]


def test_without_looping_its_end_is_told_and_stays(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(frames=3), clock, loop=False)
    for _ in range(3):
        source.preview()
        clock.pass_s(0.1)
    with pytest.raises(SourceError, match="has ended after 3 pictures"):
        source.preview()
    with pytest.raises(SourceError, match="ended"):
        source.still()


def test_after_a_long_pause_it_goes_on_where_it_was(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(frames=11), clock, loop=False)
    assert index_of(source.preview()) == 0
    clock.pass_s(3600)
    assert index_of(source.preview()) == 1
    clock.pass_s(0.1)
    assert index_of(source.preview()) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "got nothing at", id="missing"),
        pytest.param(b"", "the empty file", id="empty"),
        pytest.param(b"this is no film\n" * 100, "FFmpeg can play", id="text"),
        pytest.param(b"\0\0\0\x20ftypisom\0\0\2\0isomiso2" + bytes(300), "FFmpeg can play", id="a header and no film"),
    ],
)
def test_what_is_no_video_is_refused(content: bytes | None, words: str, tmp_path: Path, clock: Any) -> None:
    path = tmp_path / "film.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError, match=words):
        VideoFileSource(path, clock)


def test_a_cut_off_video_plays_what_there_is(make_video: Callable[..., Path], clock: Any) -> None:
    path = make_video(frames=10)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])
    source = VideoFileSource(path, clock)
    seen = []
    for _ in range(10):
        seen.append(index_of(source.preview()))
        clock.pass_s(0.1)
    assert seen[:4] == [0, 1, 2, 3]
    assert 0 in seen[4:]


def test_closing_twice_is_fine(make_video: Callable[..., Path], clock: Any) -> None:
    source = VideoFileSource(make_video(), clock)
    source.preview()
    source.close()
    source.close()
    with pytest.raises(SourceError, match="closed"):
        source.preview()
