"""Games: start, roll, correct, answer, undo; the sheet to take away."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from tablesight.rules.games import GAMES
from tablesight.rules.games.panda_state import PandaState
from tablesight.rules.log import REDONE, UNDONE
from tablesight.webui.errors import Conflict, Missing, RequestError
from tablesight.webui.event_notes import check_notes
from tablesight.webui.lobby import check_color
from tablesight.webui.panda_page import round_json
from tablesight.webui.player_names import player_names
from tablesight.webui.record import Record
from tablesight.webui.routes.current import device, field, house, json_body, who
from tablesight.webui.seat_colours import colours_of
from tablesight.webui.sheet_export import sheet_csv, sheet_json

routes = Blueprint("games", __name__, url_prefix="/api/games")


def _reply(record: Record, status: int = 200) -> tuple[Response, int]:
    return jsonify(id=record.id, seq=record.last.seq), status


@routes.post("")
def start() -> tuple[Response, int]:
    """`{players: [names], colors?, options?, game?}` starts a game and puts it on the table."""
    body = json_body()
    options = body.get("options", {})
    if not isinstance(options, dict):
        raise RequestError(f"expected an object as 'options', got {options!r:.80}: send {{}} for the usual rules")
    game = body.get("game", "panda-royale")
    if not isinstance(game, str):
        raise RequestError(f"expected the name of a game as 'game', got {game!r:.80}: send one of GET /api/games/rules")
    players = body.get("players")
    if not isinstance(players, list):
        raise RequestError(f"expected a list of names as 'players', got {players!r:.80}: send one name for each player")
    colors = body.get("colors")
    if colors is not None and not (isinstance(colors, list) and len(colors) == len(players)):
        raise RequestError(
            f"expected a colour for each player as 'colors', got {colors!r:.80}: send as many as there are names"
        )
    for color in colors or ():
        check_color(color)
    home = house()
    home.access.check_host(device())
    if colors and (twice := next((color for color in colors if colors.count(color) > 1), None)) is not None:
        raise Conflict(f"{player_names(players)[colors.index(twice)]} has this colour: choose another one")
    record = home.session.start(players, options, game, home.camera_status().simulated, who())
    home.access.starts_game(device())
    home.lobby.reset(home.player_names())
    if colors:
        home.choose_colors(dict(zip(record.state.players, colors, strict=True)), who())
    return _reply(record, 201)


@routes.get("/rules")
def rules() -> Response:
    """What can be played: each game's name, numbers of players and choices."""
    return jsonify(
        games=[
            {
                "id": game.id,
                "title": game.title,
                "players": list(game.player_counts),
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "choices": list(option.choices),
                        "meaning": option.meaning,
                        "decision": option.decision,
                    }
                    for option in game.options
                ],
            }
            for game in GAMES.values()
        ]
    )


@routes.get("")
def history() -> Response:
    """All games of the log, newest first."""
    return jsonify(games=house().past.listed())


@routes.post("/<game_id>/events")
def event(game_id: str) -> tuple[Response, int]:
    """One event of the game's rules, as `tablesight referee` reads them."""
    house().access.check_host(device())
    body = json_body()
    field(body, "type", str)
    if body["type"] in (UNDONE, REDONE):
        raise RequestError(
            f"expected an event of the rules, got {body['type']!r}: undo and redo have their own addresses"
        )
    check_notes(body)
    return _reply(house().session.apply(game_id, body, who()))


def _check_seen(body: dict[str, Any]) -> None:
    """`seen`, where it is given, is the die as the sender saw it. Raises RequestError."""
    if "seen" in body and not isinstance(body["seen"], dict):
        raise RequestError(
            f"expected an object with 'kind' and 'value' as 'seen', got {body['seen']!r:.80}: send both or leave it out"
        )


@routes.post("/<game_id>/corrections")
def correction(game_id: str) -> tuple[Response, int]:
    """`{round, seat, die, value[, kind][, seen: {kind, value}]}`: what a die really shows."""
    body = json_body()
    for name in ("round", "seat", "die", "value"):
        field(body, name, int)
    _check_seen(body)
    house().access.check_seat(device(), game_id, body["seat"])
    return _reply(house().session.correct(game_id, body, who()))


@routes.post("/<game_id>/answers")
def answer(game_id: str) -> tuple[Response, int]:
    """`{seat, die, kind, value[, seen]}`; `{seat, die, none: true}`, `{seat, again: true}`, `{seat, accept: true}`."""
    body = json_body()
    field(body, "seat", int)
    _check_seen(body)
    home = house()
    home.access.check_seat(device(), game_id, body["seat"])
    if body.get("accept") is True:
        home.access.check_host(device())
    record = home.session.answer(game_id, body, who())
    if body.get("again") is True:
        home.camera.send({"type": "read_now"})
    return _reply(record)


@routes.post("/<game_id>/rolls")
def roll(game_id: str) -> tuple[Response, int]:
    """`{seat, round, dice: [{kind, value}]}`: a whole roll told by a person."""
    body = json_body()
    seat, number = field(body, "seat", int), field(body, "round", int)
    house().access.check_seat(device(), game_id, seat)
    return _reply(house().session.roll(game_id, seat, number, field(body, "dice", list), who()))


@routes.post("/<game_id>/undo")
def undo(game_id: str) -> tuple[Response, int]:
    """`{[seq]}`: takes the last event back, by appending to the log; refused where it is not the entry `seq`."""
    body = json_body()
    house().access.check_host(device())
    seq = field(body, "seq", int) if "seq" in body else None
    return _reply(house().session.apply(game_id, {"type": UNDONE}, who(), seq))


@routes.post("/<game_id>/redo")
def redo(game_id: str) -> tuple[Response, int]:
    """Brings back what was undone last."""
    json_body()
    house().access.check_host(device())
    return _reply(house().session.apply(game_id, {"type": REDONE}, who()))


@routes.get("/<game_id>/rounds/<int:number>")
def dice_of_round(game_id: str, number: int) -> Response:
    """The dice of one round."""
    record = _panda(game_id)
    if not 1 <= number <= record.state.round_number:
        raise Missing(f"round {number} has not been played: ask for an earlier one")
    return jsonify(round_json(record, number))


@routes.get("/<game_id>/sheet.csv")
def as_csv(game_id: str) -> Response:
    """The score sheet for a spreadsheet."""
    return _download(sheet_csv(_panda(game_id)), "text/csv; charset=utf-8", f"panda-royale-{game_id}.csv")


@routes.get("/<game_id>/sheet.json")
def as_json(game_id: str) -> Response:
    """The score sheet with every die."""
    return _download(sheet_json(_panda(game_id)), "application/json", f"panda-royale-{game_id}.json")


@routes.get("/<game_id>/sheet.png")
def as_png(game_id: str) -> Response:
    """The score sheet as a picture."""
    # OpenCV takes a second to import on a Pi, and most requests do without
    from tablesight.webui.sheet_picture import sheet_png

    record = _panda(game_id)
    colours = colours_of(record.state.players, house().settings["colors"])
    return Response(sheet_png(record, colours), mimetype="image/png")


def _panda(game_id: str) -> Record:
    record = house().session.game(game_id)
    if not isinstance(record.state, PandaState):
        raise Missing(f"the game {game_id!r:.40} is no game of Panda Royale: only these have such a sheet")
    return record


def _download(text: str, mimetype: str, name: str) -> Response:
    response = Response(text, content_type=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
