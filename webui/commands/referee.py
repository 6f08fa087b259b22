"""`tablesight referee`: replay the events of a game and print its rounds."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from tablesight.rules.errors import BadSetup, IllegalEvent, IllegalLog
from tablesight.rules.game import Game, Setup
from tablesight.rules.games import GAMES
from tablesight.rules.log import replay
from tablesight.rules.parsing import get, mapping, sequence
from tablesight.rules.wording import join_words, quote
from tablesight.webui.commands.json_lines import UnreadableInput, complain, print_json, read_input
from tablesight.webui.commands.vectors import MOST_EVENTS, pirate_events


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game and its log."""
    parser.add_argument("game", choices=sorted(GAMES), metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON, a list or lines of it; - for stdin")
    parser.add_argument("--json", action="store_true", help="one line of JSON each, also on a terminal")


def run(args: argparse.Namespace) -> int:
    """One output line per game; 2 where an event is illegal or the input is no game."""
    try:
        given = read_input(args.file)
    except UnreadableInput as error:
        complain(str(error))
        return 2
    refused = 0
    for number, item in enumerate(given.items):
        place = "" if given.single else f"game {number}, "
        try:
            if item.error is not None:
                raise ValueError(item.error)
            result = referee(GAMES[args.game], item.value)
        except IllegalLog as error:
            result = {"error": error.reason, "index": error.index}
            complain(f"{place}event {error.index}{_type_of(item.value, error.index)}: {error.reason}")
            refused += 1
        except ValueError as error:
            result = {"error": str(error)}
            complain(f"{place}{error}")
            refused += 1
        print_json(result, readable=given.single and not args.json)
    if refused:
        which = "the game was" if given.single else f"{refused} of {len(given.items)} games were"
        complain(f"{which} refused; games and events are counted from 0: mend that event and run it again")
    return 2 if refused else 0


def _type_of(game: Any, index: int) -> str:
    """The type of an event, to find it by: " ('rolled')"."""
    try:
        return f" ({quote(game['events'][index]['type'])})"
    except (LookupError, TypeError):
        return ""


def referee(game: Game[Any], data: object) -> Any:
    """The report of a logged game. Raises BadSetup, IllegalEvent, IllegalLog."""
    fields = mapping(data, "input")
    if "type" in fields and "events" not in fields:
        told = f"got an event of type {quote(fields['type'])}: put the events into the list 'events' of a game"
        raise IllegalEvent(f"input: expected a game with 'players' and 'events', {told}")
    if fields.get("game", game.id) != game.id:
        raise IllegalEvent(f"game: expected {game.id!r}, got {quote(fields['game'])}")
    setup = read_setup(game, fields)
    if game.id == "pirate-box" and "events" not in fields and "rounds" in fields:
        return game.report(replay(game, setup, pirate_events(fields)).state)
    events = sequence(get(fields, "events", "input"), "events", 0, MOST_EVENTS)
    return game.report(replay(game, setup, events).state)


def read_setup(game: Game[Any], fields: Mapping[str, Any]) -> Setup:
    """`players` is a number or a list of names; options that the game does not know are left out, and said."""
    players = get(fields, "players", "input")
    given = mapping(fields.get("options", {}), "options")
    known = {option.name for option in game.options}
    for name in given:
        if name not in known:
            complain(f"options: {quote(name)} is none of {', '.join(sorted(known))}; ignored")
    options = {name: value for name, value in given.items() if name in known}
    if "mode" in known:
        # a log written by hand or by a program holds every trade; the table's own default is to watch
        options.setdefault("mode", "strict")
    if "first_captain" in known and "first_captain" in fields:
        options.setdefault("first_captain", fields["first_captain"])
    if isinstance(players, int) and not isinstance(players, bool):
        if players not in game.player_counts:
            counts = join_words(map(str, game.player_counts))
            raise BadSetup(f"players: expected {counts}, got {quote(players)}")
        return Setup.seats(players, options)
    return Setup(tuple(sequence(players, "players (a number or a list of names)", 0, 100)), options)
