"""The shell scripts: clean, and one plain sentence for whatever a machine lacks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
MAKE_VENV: Final = ROOT / "deploy" / "make-venv.sh"
INSTALL: Final = ROOT / "deploy" / "install.sh"
SCRIPTS: Final = sorted([*(ROOT / "deploy").glob("*.sh"), ROOT / ".ci" / "run"])


def run(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command with additions to the environment."""
    return subprocess.run(
        [str(part) for part in command], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )


def executable(path: Path, text: str) -> Path:
    """Write a little shell program."""
    path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    done = run("shellcheck", script)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_can_be_executed_and_stops_at_the_first_error(script: Path) -> None:
    assert os.access(script, os.X_OK)
    assert "\nset -euo pipefail\n" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("interpreter", "sentence"),
    [
        pytest.param(
            'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi',
            "Python 3.11 or newer",
            id="an old Python",
        ),
        pytest.param('case "$2" in *struct*) exit 1 ;; esac', "32-bit", id="a 32-bit system"),
        pytest.param(
            'case "$2" in *ensurepip*) exit 1 ;; esac', "sudo apt install python3-venv", id="python3-venv is missing"
        ),
    ],
)
def test_what_the_interpreter_lacks_is_one_sentence(tmp_path: Path, interpreter: str, sentence: str) -> None:
    python = executable(tmp_path / "python3", interpreter)
    done = run(MAKE_VENV, "--venv", tmp_path / "venv", PYTHON=str(python))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert sentence in done.stderr
    assert not (tmp_path / "venv").exists()


def test_no_network_is_one_sentence_and_the_next_try_goes_on(tmp_path: Path) -> None:
    unreachable = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "0"}
    for _ in range(2):
        done = run(MAKE_VENV, "--venv", tmp_path / "venv", PYTHON=sys.executable, **unreachable)
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith("tablesight: the Python packages could not be fetched, there is no network"), done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "venv" / "tablesight-installed").exists()


@pytest.mark.parametrize(
    ("os_release", "architecture", "sentence"),
    [
        pytest.param(
            "ID=raspbian\nID_LIKE=debian\nVERSION_ID=12", "armhf", "32-bit Raspberry Pi OS", id="32-bit Pi OS"
        ),
        pytest.param('ID=debian\nVERSION_ID="12"', "armhf", "this system is 32-bit (armhf)", id="32-bit Debian"),
        pytest.param('ID=debian\nVERSION_ID="12"', "riscv64", "no packages for riscv64", id="another processor"),
        pytest.param('ID=debian\nVERSION_ID="11"', "arm64", "upgrade to Debian 12", id="an old Debian"),
        pytest.param('ID=fedora\nVERSION_ID="41"', "arm64", "this is fedora", id="another distribution"),
    ],
)
def test_an_unsupported_system_is_refused_in_one_sentence(
    tmp_path: Path, os_release: str, architecture: str, sentence: str
) -> None:
    (tmp_path / "os-release").write_text(os_release + "\n", encoding="utf-8")
    executable(tmp_path / "dpkg", f"echo {architecture}")
    done = run(
        INSTALL,
        "--dry-run",
        OS_RELEASE_FILE=str(tmp_path / "os-release"),
        PATH=f"{tmp_path}:{os.environ['PATH']}",
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert sentence in done.stderr


def test_a_dry_run_names_every_step_and_does_none(tmp_path: Path) -> None:
    (tmp_path / "os-release").write_text('ID=debian\nVERSION_ID="13"\n', encoding="utf-8")
    executable(tmp_path / "dpkg", "echo arm64")
    executable(tmp_path / "dpkg-query", "echo 'installed nothing'")
    executable(tmp_path / "apt-cache", "echo '  Candidate: 1.0'")
    for forbidden in ("apt-get", "useradd", "usermod", "install", "ln", "udevadm"):
        executable(tmp_path / forbidden, f"touch {tmp_path}/done-{forbidden}")
    done = run(
        INSTALL, "--dry-run", OS_RELEASE_FILE=str(tmp_path / "os-release"), PATH=f"{tmp_path}:{os.environ['PATH']}"
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("done-*")) == []
    for step in ("python3-picamera2", "avahi-daemon", "make-venv.sh --copy", "/etc/systemd/system/tablesight.service"):
        assert step in done.stdout


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_help_says_how_to_call_it(script: str) -> None:
    done = run(ROOT / "deploy" / script, "--help")
    assert done.returncode == 0
    assert f"sudo deploy/{script}" in done.stdout


def test_make_without_a_target_lists_every_documented_one() -> None:
    done = run("make", "-s", "-C", ROOT)
    documented = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert done.returncode == 0
    assert re.findall(r"^  make ([a-z-]+) ", done.stdout, re.MULTILINE) == documented
    assert {"run", "test", "clean"} <= set(documented)
