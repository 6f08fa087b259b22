"""The systemd unit, the avahi service and the udev rule."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Final

import pytest

DEPLOY: Final = Path(__file__).resolve().parents[2] / "deploy"
UNIT: Final = DEPLOY / "tablesight.service"
MAX_EXPOSURE: Final = 2.5
"""systemd-analyze's scale goes from 0 (sealed) to 10; under 2.5 says that no protection was dropped by accident."""

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


def unit_options(section: str) -> dict[str, list[str]]:
    """The options of a section of the unit, each with all its values in order."""
    options: dict[str, list[str]] = {}
    current = ""
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif current == section and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            options.setdefault(name, []).append(value)
    return options


@needs_systemd
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    # the program is at its place only on an installed machine: here it is any executable
    text = UNIT.read_text(encoding="utf-8").replace("/opt/tablesight/venv/bin/tablesight", "/bin/true")
    (tmp_path / "tablesight.service").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / "tablesight.service"], capture_output=True, text=True
    )
    about_the_unit = [line for line in done.stderr.splitlines() if "tablesight" in line]
    assert done.returncode == 0, done.stderr
    assert about_the_unit == []


@needs_systemd
def test_the_unit_gives_little_away() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", UNIT], capture_output=True, text=True
    )
    found = re.search(r"Overall exposure level for tablesight\.service: ([0-9.]+)", done.stdout)
    if found is None:
        pytest.skip(f"systemd-analyze security does not work here: {done.stderr.strip()}")
    assert float(found[1]) <= MAX_EXPOSURE


def test_the_service_comes_back_whatever_happens() -> None:
    assert unit_options("Service")["Restart"] == ["always"]
    assert unit_options("Unit")["StartLimitIntervalSec"] == ["0"]


def test_the_service_reaches_cameras_and_network_and_writes_to_its_data_only() -> None:
    service = unit_options("Service")
    assert {value.split()[0] for value in service["DeviceAllow"]} >= {
        "char-video4linux",
        "char-media",
        "char-dma_heap",
    }
    assert set(service["RestrictAddressFamilies"][0].split()) == {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}
    assert service["ProtectSystem"] == ["strict"]
    assert service["StateDirectory"] == ["tablesight"]
    assert "ReadWritePaths" not in service
    assert service["User"] == ["tablesight"]


def test_unit_and_scripts_agree_on_the_places() -> None:
    command = unit_options("Service")["ExecStart"][0].split()
    install = (DEPLOY / "install.sh").read_text(encoding="utf-8")
    uninstall = (DEPLOY / "uninstall.sh").read_text(encoding="utf-8")
    data_dir = command[command.index("--data-dir") + 1]
    assert command[0] == "/opt/tablesight/venv/bin/tablesight"
    assert "program_dir=/opt/tablesight\n" in install
    assert f"data_dir={data_dir}\n" in install
    assert f"data_dir={data_dir}\n" in uninstall
    for target in re.findall(r"install -D -m 0644 \S+ (\S+)", install):
        assert target in uninstall, f"{target} is installed and never removed"


def test_avahi_announces_the_page_on_its_port() -> None:
    group = ElementTree.parse(DEPLOY / "tablesight.avahi.service").getroot()
    assert group.tag == "service-group"
    assert [child.tag for child in group] == ["name", "service"]
    service = group.find("service")
    assert service is not None
    assert service.findtext("type") == "_http._tcp"
    assert service.findtext("port") == "8000"


def test_the_udev_rule_gives_the_frame_buffers_to_the_group_video() -> None:
    lines = (DEPLOY / "99-tablesight-camera.rules").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules == ['SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"']


def test_the_options_file_is_empty_until_the_owner_fills_it() -> None:
    options = configparser.ConfigParser()
    options.read_string("[options]\n" + (DEPLOY / "tablesight.default").read_text(encoding="utf-8"))
    assert dict(options["options"]) == {"tablesight_options": '""'}
