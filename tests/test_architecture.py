"""Who may import whom, and how long a file may get."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("rules", "vision", "models", "webui")
MAX_LINES: Final = 400
LONG_FILES: Final[dict[str, str]] = {}
"""Path -> why this one file is better left whole."""
IMPURE_MODULES: Final = frozenset(
    [
        "asyncio",
        "datetime",
        "http",
        "io",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "secrets",
        "shutil",
        "socket",
        "sqlite3",
        "subprocess",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
    ]
)
"""Standard modules that bring files, a clock, chance or threads: not for `rules`, where a replay must give the same."""


def python_files(*folders: str) -> Iterator[Path]:
    """Every Python file under the folders of the checkout."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """The dotted names that a module imports absolutely."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def called_names(tree: ast.AST) -> Iterator[str]:
    """The plain names that a module calls, such as `print`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def test_the_import_contracts_hold() -> None:
    done = subprocess.run([Path(sys.executable).parent / "lint-imports"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nobody_imports_a_package_by_its_folder_name() -> None:
    bare = [
        (str(path.relative_to(ROOT)), name)
        for path in python_files(*PACKAGES, "tests")
        for name in imported_modules(parsed(path))
        if name.split(".")[0] in PACKAGES
    ]
    assert bare == []


def test_rules_use_the_standard_library_and_nothing_impure() -> None:
    offences = [
        (str(path.relative_to(ROOT)), name)
        for path in python_files("rules")
        for name in imported_modules(parsed(path))
        if not name.startswith("tablesight.rules")
        and (name.split(".")[0] not in sys.stdlib_module_names or name.split(".")[0] in IMPURE_MODULES)
    ]
    assert offences == []


@pytest.mark.parametrize("package", ["rules", "vision"])
def test_a_library_does_not_print_or_ask(package: str) -> None:
    offences = [
        (str(path.relative_to(ROOT)), name)
        for path in python_files(package)
        for name in called_names(parsed(path))
        if name in {"print", "input", "breakpoint"}
    ]
    assert offences == []


def test_no_file_outgrows_its_noun() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in python_files(*PACKAGES, "tests")
    }
    long = {name for name, length in lengths.items() if length > MAX_LINES}
    assert long - set(LONG_FILES) == set(), f"over {MAX_LINES} lines without a reason in LONG_FILES"
    assert set(LONG_FILES) - set(lengths) == set(), "a reason for a file that is gone"


def test_no_file_is_a_drawer_for_everything() -> None:
    names = {path.stem for path in python_files(*PACKAGES)}
    assert names & {"utils", "util", "helpers", "core", "common", "misc"} == set()
