"""The pictures behind the scores never fill the card: the oldest go first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablesight.webui.still_archive import ArchiveLimits, StillArchive

JPEG = b"j" * 1000
LIMITS = ArchiveLimits(max_bytes=5_200, free_bytes=10_000)
PLENTY = 1_000_000


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.jpg"))


def test_the_default_is_500_mb() -> None:
    assert ArchiveLimits().max_bytes == 500_000_000


def test_the_oldest_pictures_go_first_with_their_readings(tmp_path: Path) -> None:
    archive = StillArchive(tmp_path, LIMITS, lambda _: PLENTY)
    for number in range(8):
        archive.keep(f"r{number}", JPEG, {"dice": []})
    assert names(tmp_path) == ["r3", "r4", "r5", "r6", "r7"]
    assert sorted(path.stem for path in tmp_path.glob("*.json")) == names(tmp_path)
    assert archive.used_bytes() == sum(path.stat().st_size for path in tmp_path.iterdir()) <= LIMITS.max_bytes
    assert archive.reading("r0") is None


def test_after_a_restart_the_old_ones_still_count(tmp_path: Path) -> None:
    archive = StillArchive(tmp_path, LIMITS, lambda _: PLENTY)
    for number in range(5):
        archive.keep(f"r{9 - number}", JPEG, {"dice": []})  # names say nothing about age
        for path in tmp_path.glob(f"r{9 - number}.*"):
            os.utime(path, (number, number))
    again = StillArchive(tmp_path, LIMITS, lambda _: PLENTY)
    assert again.used_bytes() == archive.used_bytes()
    again.keep("new", JPEG, {"dice": []})
    assert names(tmp_path) == ["new", "r5", "r6", "r7", "r8"]


def test_a_card_that_gets_full_of_other_things_loses_pictures_before_games(tmp_path: Path) -> None:
    free = [PLENTY]
    archive = StillArchive(tmp_path, LIMITS, lambda _: free[0])
    for number in range(4):
        archive.keep(f"r{number}", JPEG, {"dice": []})
    free[0] = LIMITS.free_bytes - 2_500
    archive.keep("r4", JPEG, {"dice": []})
    assert names(tmp_path) == ["r3", "r4"]
    free[0] = 0
    archive.keep("r5", JPEG, {"dice": []})
    assert names(tmp_path) == ["r5"]  # the one that is asked about is kept as long as there is any room


@pytest.mark.parametrize("name", ["../x", "a/b", "", "x" * 81])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="expected letters"):
        StillArchive(tmp_path, LIMITS, lambda _: PLENTY).keep(name, JPEG, {})
