"""A bare Debian in a folder, to install into for real."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
NETWORK_VARIABLES: Final = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
ENTER: Final = """
mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cd / && exec chroot "$@"
"""


@dataclass(frozen=True, slots=True)
class DebianRoot:
    """A Debian root folder. What runs in it ends with the call, and its mounts are seen by nobody else."""

    path: Path

    def command(self, script: str, user: str = "root") -> list[str]:
        """The command line that runs a shell script in the root as `user`."""
        variables = [f"{name}={os.environ[name]}" for name in NETWORK_VARIABLES if name in os.environ]
        paths = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = ["env", "-i", paths, "LANG=C.UTF-8", "TERM=dumb", f"PIP_CERT={CERTIFICATES}", *variables]
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-ec", ENTER, "enter", str(self.path)]
        return [
            *enter,
            *environment,
            "su",
            "-p",
            user,
            "-s",
            "/bin/bash",
            "-c",
            f"cd ~{user} && export HOME=~{user} && {script}",
        ]

    def run(self, script: str, user: str = "root", timeout_s: float = 900) -> subprocess.CompletedProcess[str]:
        """Run a shell script to its end; output and errors are both in `stdout`."""
        return subprocess.run(
            self.command(script, user),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
        )

    @contextmanager
    def running(self, script: str, user: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
        """Run a shell script that does not end by itself; its output goes to `log`."""
        with log.open("wb") as output:
            process = subprocess.Popen(
                self.command(script, user),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                yield process
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait(10)

    def install(self, packages: Sequence[str]) -> None:
        """Install Debian packages, and nothing that they merely recommend."""
        options = "-q -y --no-install-recommends"
        done = self.run(f"DEBIAN_FRONTEND=noninteractive apt-get install {options} {' '.join(packages)}")
        assert done.returncode == 0, done.stdout

    def check_out(self, user: str) -> None:
        """Lay the files that git knows into the folder `tablesight` in the user's home, as a fresh clone would."""
        home = self.path / "root" if user == "root" else self.path / "home" / user
        shutil.rmtree(home / "tablesight", ignore_errors=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
        for name in filter(None, files.split("\0")):
            if (ROOT / name).is_file():
                (home / "tablesight" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, home / "tablesight" / name)
        done = self.run(f"chown -R {user}:{user} ~{user}/tablesight")
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DebianRoot]:
    """A new minimal Debian with the user `kim`: no Python, no make, no libGL. Needs root, debootstrap and a mirror."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a Debian root")
    if shutil.which("debootstrap") is None:
        pytest.skip("debootstrap is not installed")
    root = DebianRoot(tmp_path_factory.mktemp(request.param))
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", "--include=ca-certificates", request.param, root.path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    root.path.chmod(0o755)  # a temporary folder is its owner's alone, and this one is `/` for everybody in it
    for file in (CERTIFICATES, Path("/etc/resolv.conf"), Path("/etc/hosts")):
        shutil.copyfile(file, root.path / file.relative_to("/"))
    done = root.run("apt-get update -q && useradd --create-home --shell /bin/bash kim")
    assert done.returncode == 0, done.stdout
    yield root
    shutil.rmtree(root.path)
