"""Software, folders and warmth."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from tablesight.webui.doctor.finding import Finding
from tablesight.webui.doctor.folders import check_data_folder, check_free_space
from tablesight.webui.doctor.software import check_library, check_opencv_builds, check_python, version_tuple
from tablesight.webui.doctor.warmth import check_temperature, check_throttling, hottest_c


@pytest.mark.parametrize(
    ("version", "bits", "state"),
    [
        pytest.param((3, 11, 2), 64, "ok", id="bookworm"),
        pytest.param((3, 13, 5), 64, "ok", id="trixie"),
        pytest.param((3, 9, 2), 64, "failure", id="bullseye"),
        pytest.param((3, 11, 2), 32, "failure", id="32-bit system on a 64-bit kernel"),
    ],
)
def test_python_must_be_new_and_64_bit(version: tuple[int, ...], bits: int, state: str) -> None:
    assert check_python(version, bits, "aarch64").state == state


@pytest.mark.parametrize(
    ("version", "state"),
    [
        pytest.param("1.21.1", "failure", id="the last that dies on a Pi 4"),
        pytest.param("1.22.0", "ok", id="the first that does not"),
        pytest.param("1.100.0rc1", "ok", id="compared as numbers"),
    ],
)
def test_a_library_must_be_new_enough(monkeypatch: pytest.MonkeyPatch, version: str, state: str) -> None:
    module = types.ModuleType("pretended_runtime")
    monkeypatch.setattr(module, "__version__", version, raising=False)
    monkeypatch.setitem(sys.modules, "pretended_runtime", module)
    assert check_library("pretended_runtime", "onnxruntime", (1, 22), "it dies").state == state


def test_a_missing_system_library_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = "raise ImportError('libGL.so.1: cannot open shared object file: No such file or directory')"
    (tmp_path / "pretended_cv2.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    finding = check_library("pretended_cv2", "OpenCV", (5,), "")
    assert finding.state == "failure"
    assert "apt install libgl1" in finding.remedy


def test_two_builds_of_opencv_are_a_failure() -> None:
    assert list(check_opencv_builds({"opencv-python", "numpy"})) == []
    (finding,) = check_opencv_builds({"opencv-python", "opencv-python-headless"})
    assert finding.state == "failure"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [pytest.param("2.4.6", (2, 4, 6), id="plain"), pytest.param("1.22.0rc1", (1, 22, 0), id="candidate"), ("dev", ())],
)
def test_versions_are_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert version_tuple(text) == numbers


def test_a_folder_that_is_not_there_yet_is_judged_by_its_parent_and_not_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "games"
    findings = list(check_data_folder(folder))
    assert findings[0].text == f"{folder} can be written (made at the first start)"
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("", encoding="utf-8")
    (finding,) = check_data_folder(tmp_path / "games")
    assert finding.state == "failure"


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        pytest.param(
            OSError(30, "Read-only file system"), "failure", "Read-only file system", id="a card gone read-only"
        ),
        pytest.param(PermissionError(13, "Permission denied"), "failure", "may not be written by you", id="own folder"),
    ],
)
def test_a_folder_that_refuses_writing_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: OSError, state: str, words: str
) -> None:
    def refuse(**_: object) -> None:
        raise error

    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    finding = next(iter(check_data_folder(tmp_path)))
    assert finding.state == state
    assert words in finding.text


def test_the_services_folder_seen_by_somebody_else_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)
    real_stat = Path.stat
    owner = types.SimpleNamespace(st_uid=4242, st_mode=tmp_path.stat().st_mode)
    monkeypatch.setattr(Path, "stat", lambda self, **options: owner if self == tmp_path else real_stat(self, **options))
    finding = next(iter(check_data_folder(tmp_path)))
    assert finding.state == "advice"
    assert "belongs to user 4242" in finding.text


@pytest.mark.parametrize(
    ("free_bytes", "state"), [pytest.param(10**8, "failure", id="full"), (5 * 10**8, "advice"), (10**10, "ok")]
)
def test_free_space(tmp_path: Path, free_bytes: int, state: str) -> None:
    assert check_free_space(tmp_path, free_bytes).state == state


def test_the_hottest_sensor_counts_and_a_silent_one_does_not(tmp_path: Path) -> None:
    for number, text in enumerate(["45000", "81250", ""]):
        (tmp_path / f"thermal_zone{number}").mkdir()
        (tmp_path / f"thermal_zone{number}" / "temp").write_text(text, encoding="ascii")
    assert hottest_c(tmp_path) == pytest.approx(81.25)
    assert check_temperature(81.25).state == "advice"
    assert check_temperature(60.0).state == "ok"
    assert check_temperature(hottest_c(tmp_path / "none")).state == "ok"


@pytest.mark.parametrize(
    ("flags", "state", "words"),
    [
        pytest.param(0x0, "ok", "never", id="all well"),
        pytest.param(0x50005, "failure", "right now", id="under-voltage now"),
        pytest.param(0x50000, "advice", "too low at least once", id="under-voltage earlier"),
        pytest.param(0x20002, "advice", "right now", id="frequency capped now"),
        pytest.param(0x80000, "advice", "slowed itself down at least once", id="soft temperature limit earlier"),
    ],
)
def test_throttling_bits(flags: int, state: str, words: str) -> None:
    finding = check_throttling(flags)
    assert finding.state == state
    assert words in finding.text


def test_a_finding_has_a_remedy_exactly_where_something_is_wrong() -> None:
    with pytest.raises(ValueError, match="expected a remedy"):
        Finding("camera", "failure", "none")
    with pytest.raises(ValueError, match="expected a remedy"):
        Finding("camera", "ok", "there", "buy one")
