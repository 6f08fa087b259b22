"""`tablesight check`: compute every case of a vectors file from its inputs and compare with what it expects."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any, Final

from tablesight.rules.wording import quote
from tablesight.webui.commands.json_lines import UnreadableInput, complain, print_json, read_input
from tablesight.webui.commands.vectors import form_of, pirate_other_readings, pirate_report

FREE_TEXT: Final = "why"
MOST_COMPLAINTS: Final = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file of cases."""
    parser.add_argument("vectors", metavar="VECTORS.json", help="a JSON list of cases, or one case a line; - for stdin")
    parser.add_argument("--json", action="store_true", help="print JSON only (the lines are JSON anyway)")


def run(args: argparse.Namespace) -> int:
    """One line per case, then the count; 1 where a case disagrees or cannot be computed, 2 where there is no file."""
    try:
        items = read_input(args.vectors).items
    except UnreadableInput as error:
        complain(str(error))
        return 2
    agree = compared = failed = 0
    for index, item in enumerate(items):
        if item.error is not None:
            computed, problems = {"error": item.error}, [item.error]
        else:
            computed, problems = check_case(item.value)
        print_json(computed)
        expected = isinstance(item.value, Mapping) and item.value.get("expected") is not None
        compared += expected or bool(problems)
        agree += expected and not problems
        failed += bool(problems)
        if problems and failed <= MOST_COMPLAINTS and not args.json:
            name = item.value.get("id", index) if isinstance(item.value, Mapping) else index
            complain(f"case {name}: {'; '.join(problems)}")
    print_json({"agree": agree, "of": compared})
    if failed and not args.json:
        more = f" ({failed - MOST_COMPLAINTS} more are not said)" if failed > MOST_COMPLAINTS else ""
        verb = "does" if failed == 1 else "do"
        told = "'computed' is by the rules (docs/rules.md says which)"
        complain(f"{failed} of {len(items)} cases {verb} not agree{more}: {told}")
    elif not compared and not args.json:
        complain('no case says what it expects: add "expected" to compare')
    return 1 if failed else 0


def check_case(case: Any) -> tuple[Any, list[str]]:
    """What the rules make of the case, and where that is not what the case expects."""
    try:
        form = form_of(case)
        computed = form.compute(case)
        problems = differences(computed, case.get("expected"), "")
        if form.name == "pirate score" and "other_readings" in case:
            problems += differences(pirate_other_readings(case), case["other_readings"], "other_readings")
        if form.name == "pirate game":
            problems += _round_differences(case)
    except ValueError as error:
        return {"error": str(error)}, [str(error)]
    return computed, problems


def _round_differences(case: Mapping[str, Any]) -> list[str]:
    problems = []
    for index, (row, played) in enumerate(zip(pirate_report(case)["rounds"], case["rounds"], strict=True)):
        computed = {key: row[key] for key in ("captain", "counts", "points", "running")}
        problems += differences(computed, played.get("expected"), f"rounds[{index}]")
    return problems


def differences(computed: Any, expected: Any, where: str) -> list[str]:
    """Where two JSON values differ; texts under "why" are free, and nothing expected is always met at the top."""
    if expected is None and (not where or (where.startswith("rounds[") and "." not in where)):
        return []
    if isinstance(computed, Mapping) and isinstance(expected, Mapping):
        problems = []
        for key in sorted({*computed, *expected} - {FREE_TEXT}):
            place = f"{where}.{key}" if where else key
            if key not in computed or key not in expected:
                problems.append(f"{place}: {'not computed' if key in expected else 'not expected'}")
            else:
                problems += differences(computed[key], expected[key], place)
        return problems
    same_type = isinstance(computed, bool) == isinstance(expected, bool)
    if same_type and computed == expected:
        return []
    return [f"{where or 'value'}: computed {quote(computed)}, expected {quote(expected)}"]
