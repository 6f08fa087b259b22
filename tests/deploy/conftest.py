"""A bare Debian in a folder, to install into for real."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
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
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait(10)

    @contextmanager
    def booted(self, log: Path, patience_s: int = 120) -> Iterator[BootedRoot]:
        """Boot the root with its own systemd, on this machine's network; its console goes to `log`."""
        with log.open("wb") as console:
            nspawn = subprocess.Popen(
                ["systemd-nspawn", "-q", "-D", self.path, "--register=no", "--keep-unit", "--boot"],
                env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield BootedRoot(_first_process(nspawn, log, patience_s))
        finally:
            nspawn.terminate()  # asks the systemd in it to power off
            try:
                nspawn.wait(60)
            except subprocess.TimeoutExpired:
                nspawn.kill()
                nspawn.wait(10)

    def install(self, packages: Sequence[str]) -> None:
        """Install Debian packages, and nothing that they merely recommend."""
        options = "-q -y --no-install-recommends"
        done = self.run(f"DEBIAN_FRONTEND=noninteractive apt-get install {options} {' '.join(packages)}")
        assert done.returncode == 0, done.stdout

    def check_out(self, user: str) -> None:
        """Lay the files of the working tree, ignored ones left out, into the folder `tablesight` in the user's home."""
        home = self.path / "root" if user == "root" else self.path / "home" / user
        shutil.rmtree(home / "tablesight", ignore_errors=True)
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        files = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True).stdout.decode()
        for name in filter(None, files.split("\0")):
            if (ROOT / name).is_file():
                (home / "tablesight" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, home / "tablesight" / name)
        done = self.run(f"chown -R {user}:{user} ~{user}/tablesight")
        assert done.returncode == 0, done.stdout


@dataclass(frozen=True, slots=True)
class BootedRoot:
    """A Debian root whose own systemd runs; `leader` is the process number of that systemd out here."""

    leader: int

    def run(self, script: str, timeout_s: float = 900) -> subprocess.CompletedProcess[str]:
        """Run a shell script in it as root; output and errors are both in `stdout`."""
        enter = ["nsenter", "--target", str(self.leader), "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup"]
        paths = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return subprocess.run(
            [*enter, "env", "-i", paths, "HOME=/root", f"PIP_CERT={CERTIFICATES}", "bash", "-c", f"cd && {script}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
        )


def _first_process(nspawn: subprocess.Popen[bytes], log: Path, patience_s: int) -> int:
    """The process number of the booted systemd, once it has started everything."""
    pause = threading.Event()
    for _ in range(patience_s):
        assert nspawn.poll() is None, log.read_text(errors="replace")
        children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text(encoding="ascii").split()
        for child in map(int, children):
            state = BootedRoot(child).run("systemctl is-active multi-user.target").stdout.strip()
            if state == "active":
                return child
        pause.wait(1)
    pytest.fail(f"it did not boot:\n{log.read_text(errors='replace')}")


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
