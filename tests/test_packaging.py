"""The wheel holds every package and every data file, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOP_FOLDERS: Final = ("rules", "vision", "models", "webui")
NOT_INSTALLED: Final = (PurePosixPath("models/training"),)
"""Folders with code that runs from a checkout only."""
SOURCE_ONLY_SUFFIXES: Final = (".md", ".po", ".pot", ".cfg")
"""Files that something installed is made from, or that only a reader of the checkout needs."""


def is_installed(path: PurePosixPath) -> bool:
    """Whether a file of the checkout belongs into the wheel."""
    if any(path.is_relative_to(folder) for folder in NOT_INSTALLED):
        return False
    if path.name.startswith("REPORT"):  # the measured report and its picture
        return False
    return path.parts[0] in TOP_FOLDERS and "__pycache__" not in path.parts and path.suffix not in SOURCE_ONLY_SUFFIXES


def tracked_files() -> list[PurePosixPath]:
    """Every file of the project: what git knows, or all there is in an unpacked archive."""
    if (ROOT / ".git").exists():
        listing = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return [PurePosixPath(line) for line in listing.splitlines() if (ROOT / line).is_file()]
    found = (path for folder in TOP_FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    return [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in found]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without network from a copy, so that no stale build folder of the checkout gets into it."""
    source = tmp_path_factory.mktemp("source")
    for path in [*tracked_files(), *map(PurePosixPath, ("pyproject.toml", "README.md", "LICENSE"))]:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, source / path)
    target = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(target)]
    done = subprocess.run([*build, str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(target.glob("tablesight-*.whl"))


@pytest.fixture(scope="session")
def installed_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment with the wheel in it; the dependencies come from this one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index"]
    done = subprocess.run([*install, str(wheel)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    site_packages = next(folder.glob("lib/python3*/site-packages"))
    # a .pth entry adds the folder but not the .pth files in it: the editable install of the checkout stays out
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    (site_packages / "dependencies.pth").write_text("\n".join(dependencies) + "\n", encoding="utf-8")
    return python


def test_the_package_list_equals_the_folders() -> None:
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    folders = {path.parent for path in tracked_files() if path.suffix == ".py" and is_installed(path)}
    assert listed == {".".join(("tablesight", *folder.parts)) for folder in folders}


def test_every_package_folder_has_an_init_file() -> None:
    folders = {path.parent for path in tracked_files() if path.suffix == ".py" and is_installed(path)}
    assert [folder for folder in folders if not (ROOT / folder / "__init__.py").is_file()] == []


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {PurePosixPath(name) for name in archive.namelist()}
    expected = {PurePosixPath("tablesight") / path for path in tracked_files() if is_installed(path)}
    assert expected - packed == set(), "not in the wheel: see packages and package-data in pyproject.toml"


def test_the_wheel_puts_one_name_into_site_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {PurePosixPath(name).parts[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"tablesight"}


def test_the_installed_command_prints_its_help(installed_python: Path, tmp_path: Path) -> None:
    command = installed_python.parent / "tablesight"
    done = subprocess.run([command, "--help"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "serve" in done.stdout
    assert "doctor" in done.stdout


def test_every_installed_package_is_imported_from_the_wheel(installed_python: Path, tmp_path: Path) -> None:
    packages = PROJECT["tool"]["setuptools"]["packages"]
    script = f"import importlib\nfor name in {packages!r}:\n    print(importlib.import_module(name).__file__)"
    done = subprocess.run([installed_python, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    origins = [Path(line) for line in done.stdout.split()]
    assert len(origins) == len(packages)
    assert [path for path in origins if not path.is_relative_to(installed_python.parents[1])] == []
