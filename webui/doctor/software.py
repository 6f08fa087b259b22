"""The interpreter and the libraries: new enough, and starting at all."""

from __future__ import annotations

import importlib
import platform
import re
import struct
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Final

from tablesight.webui.doctor.finding import Finding, failure, ok

MINIMUM_PYTHON: Final = (3, 11)
LIBRARIES: Final[tuple[tuple[str, str, tuple[int, ...], str], ...]] = (
    ("numpy", "numpy", (2,), "OpenCV 5 is built for numpy 2"),
    ("cv2", "OpenCV", (5,), "the program is written for OpenCV 5"),
    ("onnxruntime", "onnxruntime", (1, 22), "1.21 and older stop with an illegal instruction on a Raspberry Pi 4"),
)
"""Module, its name for people, the oldest version that will do, and why."""
REINSTALL: Final = "install again: make clean, then make run (a service: sudo deploy/install.sh)"
SYSTEM_LIBRARIES: Final = "sudo apt install libgl1 libglib2.0-0 libxcb1"


def check_software() -> Iterator[Finding]:
    """Findings about Python, its word size and each library that pictures and models need."""
    yield check_python(sys.version_info[:3], struct.calcsize("P") * 8, platform.machine())
    for module, name, minimum, reason in LIBRARIES:
        yield check_library(module, name, minimum, reason)
    yield from check_opencv_builds({dist.metadata["Name"].lower() for dist in metadata.distributions()})


def check_python(version: tuple[int, ...], bits: int, machine: str) -> Finding:
    """The interpreter: `version` as in sys.version_info, `bits` its word size, `machine` as in platform.machine()."""
    text = f"Python {'.'.join(map(str, version))}, {bits} bit, on {machine}"
    if bits != 64:
        return failure("python", text, "install the 64-bit Raspberry Pi OS or Debian: there are no 32-bit packages")
    if version < MINIMUM_PYTHON:
        return failure("python", text, "use Debian 12, Raspberry Pi OS bookworm or newer: Python 3.11 is needed")
    return ok("python", text)


def check_library(module: str, name: str, minimum: tuple[int, ...], reason: str) -> Finding:
    """Whether a library starts and is new enough."""
    try:
        version = str(importlib.import_module(module).__version__)
    except ImportError as error:
        remedy = SYSTEM_LIBRARIES if "cannot open shared object file" in str(error) else REINSTALL
        return failure("library", f"{name} does not start: {error}", remedy)
    if version_tuple(version) < minimum:
        wanted = ".".join(map(str, minimum))
        return failure("library", f"{name} {version} is too old, expected {wanted} or newer: {reason}", REINSTALL)
    return ok("library", f"{name} {version}")


def check_opencv_builds(distributions: set[str]) -> Iterator[Finding]:
    """Two builds of OpenCV in one environment overwrite each other. `distributions`: lower-case names."""
    builds = sorted(name for name in distributions if re.fullmatch(r"opencv(-contrib)?-python(-headless)?", name))
    if len(builds) > 1:
        yield failure("library", f"{' and '.join(builds)} are both installed and share the folder cv2", REINSTALL)


def version_tuple(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: `1.22.0rc1` -> (1, 22, 0)."""
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()
