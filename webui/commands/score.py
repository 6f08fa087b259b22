"""`tablesight score`: the points of one hand or board, or of each of many."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from tablesight.rules.games import GAMES
from tablesight.rules.parsing import mapping
from tablesight.webui.commands.json_lines import UnreadableInput, complain, print_json, read_input
from tablesight.webui.commands.vectors import FORMS, box_score, form_of, panda_score, pirate_score

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "panda-royale": {"dice": [{"kind": "red-d6", "value": -4}, {"kind": "yellow-d8", "value": 7}]},
    "pirate-box": {"counts": {"crown": 2, "sword": 3, "mask": 1}},
    "box": {"dots": [[0, 0, "red"], [1, 0, "red"], [0, 1, "red"], [1, 1, "red"]]},
    "pandoras-box": {
        "attacker": {"type": "hero", "god": "ares"},
        "defender": {"type": "lancer", "god": "zeus"},
        "rolls": [[4, 2]],
    },
}
"""One input of each game, for the help and for the error where a field is missing."""


def pandora_result(case: Mapping[str, Any]) -> Any:
    """A battle, creature fight, objective roll, target count or movement, recognised by its keys."""
    form = form_of(case)
    if not form.name.startswith("pandora"):
        raise ValueError(
            f"expected a battle, creature, objective, target or movement, got a {form.name}: "
            "see the example of this game in tablesight score --help"
        )
    return form.compute(case)


SCORERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "panda-royale": panda_score,
    "pirate-box": pirate_score,
    "box": box_score,
    "pandoras-box": pandora_result,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game and its input."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(
        [
            "one input of each game (black numbers on red dice are negative):",
            *(f"  {game}\n    {json.dumps(example)}" for game, example in EXAMPLES.items()),
            "\nfor example:",
            f"  echo '{json.dumps(EXAMPLES['panda-royale'])}' | tablesight score panda-royale",
        ]
    )
    parser.add_argument("game", choices=sorted(SCORERS), metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON, a list or lines of it; - for stdin")
    parser.add_argument("--json", action="store_true", help="one line of JSON each, also on a terminal")


def run(args: argparse.Namespace) -> int:
    """One output line per input; 1 where one of them is bad, 2 where there is nothing to read."""
    try:
        given = read_input(args.file)
    except UnreadableInput as error:
        complain(str(error))
        return 2
    failed = False
    for item in given.items:
        try:
            if item.error is not None:
                raise ValueError(item.error)
            result = _score(args.game, mapping(item.value, "input"))
        except ValueError as error:
            result, failed = {"error": str(error)}, True
        print_json(result, readable=given.single and not args.json)
    return 1 if failed else 0


def _score(game: str, given: Mapping[str, Any]) -> Any:
    """The points. Raises ValueError; where a field of the game's form is missing, with an example."""
    try:
        return SCORERS[game](given)
    except ValueError as error:
        if EXAMPLES[game].keys() <= given.keys() or (
            game == "pandoras-box" and any(f.keys <= given.keys() for f in FORMS)
        ):
            raise
        raise ValueError(f"{error}; for example {json.dumps(EXAMPLES[game])}") from error
