"""Writing a session down."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tablesight.vision.frame import Frame
from tablesight.vision.recording import SETTINGS, Recording, RecordingError
from tablesight.vision.recording_index import INDEX_NAME, RecordedPicture, is_recording, read_index
from tablesight.vision.still_plan import StillPlan


def frame(at_s: float, level: int = 120, width: int = 320, height: int = 240) -> Frame:
    return Frame(np.full((height, width, 3), level, np.uint8), at_s)


def test_pictures_and_their_times_are_on_the_disk_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "session"
    recording = Recording(folder, "USB camera")
    recording.add_preview(frame(50.0))
    recording.add_preview(frame(50.1))
    recording.add_still(frame(50.25, width=1280, height=960))
    # not closed: as after a power cut
    assert is_recording(folder)
    assert read_index(folder) == (
        RecordedPicture(0.0, "preview", "previews/000001.jpg"),
        RecordedPicture(0.1, "preview", "previews/000002.jpg"),
        RecordedPicture(0.25, "still", "stills/000001.jpg"),
    )
    assert (recording.previews, recording.stills) == (2, 1)
    assert recording.size_bytes == sum(path.stat().st_size for path in folder.rglob("*.jpg"))
    assert json.loads((folder / INDEX_NAME).read_text().splitlines()[0]) == {"recording": 1, "source": "USB camera"}
    recording.close()
    recording.close()


def test_a_folder_with_files_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"mine")
    with pytest.raises(RecordingError, match="new or empty folder"):
        Recording(tmp_path, "camera")
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]
    (tmp_path / "empty").mkdir()
    Recording(tmp_path / "empty", "camera").close()
    with pytest.raises(RecordingError, match="new or empty folder"):
        Recording(tmp_path / "empty", "camera")


def test_a_place_one_may_not_write_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RecordingError, match=r"expected to write to the folder .*choose one you may write to"):
        Recording(tmp_path / "file" / "session", "camera")


def test_it_ends_before_the_disk_is_full_and_keeps_what_it_has(tmp_path: Path) -> None:
    left = [SETTINGS.keep_free_bytes * 2, SETTINGS.keep_free_bytes + 10]
    recording = Recording(tmp_path / "r", "camera", free_bytes=lambda _: left.pop(0))
    recording.add_preview(frame(0.0))
    with pytest.raises(RecordingError, match=r"at least 300 MB left on the disk, got 300 MB.*can be played"):
        recording.add_preview(frame(0.1))
    assert len(read_index(tmp_path / "r")) == 1
    recording.close()


def test_a_disk_that_fills_up_meanwhile_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording(tmp_path / "r", "camera")
    recording.add_preview(frame(0.0))

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RecordingError, match="no space left on device"):
        recording.add_still(frame(0.1))
    assert len(read_index(tmp_path / "r")) == 1
    assert recording.stills == 0
    recording.close()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('{"t_s": 0.2, "kind": "previ', id="cut off"),
        pytest.param("\0\0\0\0", id="zeros that the card left"),
        pytest.param("[1, 2]", id="no object"),
        pytest.param('{"t_s": "soon", "kind": "still", "file": "a.jpg"}', id="no time"),
        pytest.param('{"t_s": NaN, "kind": "still", "file": "a.jpg"}', id="not a number"),
        pytest.param('{"t_s": -1, "kind": "still", "file": "a.jpg"}', id="before the beginning"),
        pytest.param('{"t_s": 1, "kind": "sound", "file": "a.jpg"}', id="another kind"),
        pytest.param('{"t_s": 1, "kind": "still", "file": "../../etc/passwd"}', id="outside the folder"),
        pytest.param('{"t_s": 1, "kind": "still", "file": "/etc/passwd"}', id="an absolute path"),
    ],
)
def test_damaged_lines_of_the_index_are_left_out(line: str, tmp_path: Path) -> None:
    good = RecordedPicture(0.5, "still", "stills/000001.jpg")
    (tmp_path / INDEX_NAME).write_text(f"{good.to_line()}\n{line}\n")
    assert read_index(tmp_path) == (good,)


def test_a_burst_of_stills_after_settling() -> None:
    plan = StillPlan()
    taken = [
        round(at_s, 1)
        for at_s in (i / 10 for i in range(0, 130))
        if plan.due(at_s, moving=at_s < 2.0, newly_settled=at_s == 2.0)
    ]
    assert taken == [0.0, 1.0, 2.0, 2.2, 2.4, 12.4]


def test_new_motion_ends_a_burst() -> None:
    plan = StillPlan()
    assert plan.due(5.0, moving=False, newly_settled=True)
    assert not plan.due(5.1, moving=True, newly_settled=False)
    assert not plan.due(5.3, moving=True, newly_settled=False)
    assert plan.due(6.0, moving=True, newly_settled=False)
