"""The `tablesight` command."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Final

COMMANDS: Final[dict[str, str]] = {
    "serve": "run the table: camera, referee and the page for the phones",
    "read": "read the dice in photos",
    "score": "score one hand or board of a game",
    "referee": "replay the events of a game and print its rounds",
    "check": "compute every case of a vectors file and compare",
    "evaluate": "measure the models on a folder of labelled photos",
    "export-corrections": "write the rolls that players corrected as a folder for `evaluate`",
    "record": "record a session for `serve --camera DIR`",
    "calibrate": "measure the lens of a camera with a printed mat, so that mats are found to the millimetre",
    "doctor": "check camera, models, port, folders and network",
}


def main(argv: list[str] | None = None) -> int:
    """Parse the command line and run one command; returns its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="tablesight", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        subparser = commands.add_parser(name, help=summary, description=summary)
        if arguments[:1] == [name]:
            # only the chosen command is imported, so that `score` does not load the camera
            module = importlib.import_module(f"tablesight.webui.commands.{name.replace('-', '_')}")
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    args = parser.parse_args(arguments)
    try:
        status = int(args.run(args))
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read the output, such as `head`, has seen enough: nothing is left to flush into the closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
