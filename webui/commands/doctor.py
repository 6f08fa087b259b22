"""`tablesight doctor`: looks at everything a table needs and says in plain words what to do."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tablesight.webui.commands import serve
from tablesight.webui.doctor.cameras import check_cameras
from tablesight.webui.doctor.finding import ADVICE, FAILURE, Finding, failure
from tablesight.webui.doctor.folders import check_data_folder
from tablesight.webui.doctor.models import check_models
from tablesight.webui.doctor.reachability import check_reachability
from tablesight.webui.doctor.software import check_software
from tablesight.webui.doctor.warmth import check_warmth

DEFAULT_PORT: Final = 8000
SERVICE_DATA_DIR: Final = Path("/var/lib/tablesight")
SERVICE_PREFIX: Final = Path("/opt/tablesight")
WIDTH: Final = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--json", action="store_true", help='print {"findings": [...], "failures": N} instead of lines')
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="the port of the page (default: %(default)s)")
    parser.add_argument("--data-dir", type=Path, default=None, help="the folder with the games (default: as for serve)")


def run(args: argparse.Namespace) -> int:
    """Print every finding; exit status 1 where there is a failure."""
    findings: list[Finding] = []
    for finding in examine(args.port, args.data_dir or default_data_dir()):
        findings.append(finding)
        if not args.json:
            print(as_text(finding), flush=True)
    failures = sum(finding.state == FAILURE for finding in findings)
    if args.json:
        print(json.dumps({"findings": [asdict(finding) for finding in findings], "failures": failures}))
    else:
        print(summary(findings))
    return 1 if failures else 0


def examine(port: int, data_dir: Path) -> Iterator[Finding]:
    """All findings; a check that fails itself is one more finding, and the others still run."""
    checks: tuple[Callable[[], Iterable[Finding]], ...] = (
        check_software,
        check_models,
        check_cameras,
        lambda: check_data_folder(data_dir),
        lambda: check_reachability(port),
        check_warmth,
    )
    for check in checks:
        try:
            yield from check()
        except Exception as error:  # the doctor looks at broken machines: the next check may still tell something
            yield failure("doctor", f"a check stopped: {type(error).__name__}: {error}", "please report this line")


def default_data_dir() -> Path:
    """Where the games are: the service's folder for the service's program, else as `serve` takes it."""
    return SERVICE_DATA_DIR if Path(sys.prefix).is_relative_to(SERVICE_PREFIX) else serve.default_data_dir()


def as_text(finding: Finding) -> str:
    """One finding as lines for a terminal: state, topic, text; what to do is indented under it."""
    indent = " " * 18
    line = textwrap.fill(
        f"{finding.state:<9}{finding.topic:<9}{finding.text}", WIDTH, subsequent_indent=indent, break_long_words=False
    )
    if not finding.remedy:
        return line
    remedy = textwrap.fill(
        finding.remedy,
        WIDTH,
        initial_indent=f"{indent}-> ",
        subsequent_indent=f"{indent}   ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{line}\n{remedy}"


def summary(findings: Iterable[Finding]) -> str:
    """The closing line."""
    states = [finding.state for finding in findings]
    failures, advices = states.count(FAILURE), states.count(ADVICE)
    if not failures and not advices:
        return "all well"
    return f"{failures} to repair, {advices} to improve"
