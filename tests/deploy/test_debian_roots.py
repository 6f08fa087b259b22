"""`make run` and the installer on a bare Debian, for real: `make test-deploy` runs these, some minutes each."""

from __future__ import annotations

import json
import re
import shutil
import socket
import threading
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.doctor.finding import FAILURE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def answer(
    url: str, words: str, ended: Callable[[], int | None], log: Callable[[], str], *, patience_s: int = 600
) -> str:
    """What a page says as soon as `words` are in it; fails with the log where the server ends or they never come."""
    pause = threading.Event()
    for _ in range(patience_s):
        if ended() is not None:
            pytest.fail(f"the server ended with {ended()}:\n{log()}")
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                text = str(reply.read().decode())
            if words in text:
                return text
        except OSError:
            pass  # not up yet
        pause.wait(1)
    pytest.fail(f"{url} never says {words!r}:\n{log()}")


def test_make_run_on_a_bare_machine(debian: Any, tmp_path: Path) -> None:
    debian.install(["make", "python3"])
    debian.check_out("kim")
    refused = debian.run("cd tablesight && make run", user="kim")
    assert refused.returncode != 0
    assert refused.stdout.splitlines()[0] == "tablesight: python3-venv is missing: sudo apt install python3-venv"

    debian.install(["python3-venv"])
    port = free_port()
    command = f"cd tablesight && make run ARGS='--port {port}'"
    for name in ("first", "second"):
        log = tmp_path / f"{name}.log"
        with debian.running(command, "kim", log) as process:
            read_log = partial(log.read_text, errors="replace")
            answer(f"http://127.0.0.1:{port}/", "<html", process.poll, read_log)
            health = json.loads(answer(f"http://127.0.0.1:{port}/healthz", "watching", process.poll, read_log))
        assert "simulated" in health["camera"]["source"]
        # nothing is installed again where nothing has changed
        assert ("installing the Python packages" in log.read_text(errors="replace")) == (name == "first")


def test_install_upgrade_and_uninstall(debian: Any) -> None:
    debian.install(["python3"])
    debian.check_out("root")
    install = "cd tablesight && deploy/install.sh"
    done = debian.run(install)
    assert done.returncode == 0, done.stdout
    assert "there is no systemd here" in done.stdout
    assert "video" in debian.run("id -nG tablesight").stdout.split()
    assert debian.run("stat -c '%U %a' /var/lib/tablesight").stdout.split() == ["tablesight", "750"]
    report = json.loads(debian.run("tablesight doctor --json --port 1 | tail -n 1").stdout)
    faults = {finding["topic"] for finding in report["findings"] if finding["state"] == FAILURE}
    assert faults & {"python", "library", "models", "data", "camera"} == set()

    debian.install(["systemd"])
    debian.run("echo game > /var/lib/tablesight/kept")
    debian.run("echo 'TABLESIGHT_OPTIONS=\"--port 8080\"' > /etc/default/tablesight")
    done = debian.run(install)
    assert done.returncode == 0, done.stdout
    assert "systemd is not running here" in done.stdout
    assert debian.run("cat /var/lib/tablesight/kept").stdout == "game\n"
    assert "8080" in debian.run("cat /etc/default/tablesight").stdout
    verified = debian.run("systemd-analyze verify --man=no /etc/systemd/system/tablesight.service")
    assert verified.returncode == 0, verified.stdout
    assert "tablesight" not in verified.stdout
    assert debian.run("systemctl is-enabled tablesight").stdout.strip() == "enabled"

    done = debian.run("/opt/tablesight/uninstall.sh")
    assert done.returncode == 0, done.stdout
    assert debian.run("ls /opt /usr/local/bin /etc/avahi/services /etc/udev/rules.d").stdout.count("tablesight") == 0
    assert debian.run("cat /var/lib/tablesight/kept").stdout == "game\n"
    done = debian.run("tablesight/deploy/uninstall.sh --purge && tablesight/deploy/uninstall.sh")
    assert done.returncode == 0, done.stdout
    assert debian.run("id tablesight; ls /var/lib/tablesight").stdout.count("no such") == 1


@pytest.mark.skipif(shutil.which("systemd-nspawn") is None, reason="systemd-container is not installed")
def test_the_service_under_its_own_systemd(debian: Any, tmp_path: Path) -> None:
    debian.install(["python3", "systemd", "systemd-sysv", "dbus", "udev", "kmod"])
    debian.check_out("root")
    port = free_port()
    (debian.path / "etc" / "default").mkdir(exist_ok=True)
    options = f'TABLESIGHT_OPTIONS="--camera simulated --port {port}"\n'
    (debian.path / "etc" / "default" / "tablesight").write_text(options, encoding="utf-8")
    with debian.booted(tmp_path / "console.log") as machine:
        done = machine.run("tablesight/deploy/install.sh")
        assert done.returncode == 0, done.stdout

        def journal() -> str:
            return str(machine.run("journalctl -u tablesight --no-pager -o cat").stdout)

        assert re.search(rf"running: http://[^ ]+:{port}/", done.stdout), done.stdout + journal()

        # the web process and the camera process both live under the unit's restrictions
        url = f"http://127.0.0.1:{port}/healthz"
        health = json.loads(answer(url, "watching", lambda: None, journal, patience_s=60))
        assert "simulated" in health["camera"]["source"]
        assert answer(f"http://[::1]:{port}/", "<html", lambda: None, journal, patience_s=10)

        # killed, it comes back by itself
        main_process = machine.run("systemctl show -p MainPID --value tablesight").stdout.strip()
        assert machine.run(f"kill -9 {main_process}").returncode == 0
        answer(url, "watching", lambda: None, journal, patience_s=60)
        assert machine.run("systemctl show -p NRestarts --value tablesight").stdout.strip() == "1"

        done = machine.run("/opt/tablesight/uninstall.sh --purge")
        assert done.returncode == 0, done.stdout
        assert machine.run("systemctl is-active tablesight").stdout.strip() == "inactive"
