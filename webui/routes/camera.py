"""What the camera sees and saw."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request, send_file

from tablesight.webui.backup import report_zip
from tablesight.webui.errors import Missing, RequestError
from tablesight.webui.routes.current import device, field, house, json_body

routes = Blueprint("camera", __name__)


@routes.get("/camera.jpg")
def latest() -> Response:
    """The newest preview picture."""
    jpeg = house().preview_jpeg()
    if jpeg is None:
        raise Missing("there is no picture of the camera now: ask again in a second")
    return Response(jpeg, mimetype="image/jpeg")


@routes.get("/stills/<still_id>.jpg")
def still(still_id: str) -> Response:
    """The picture behind a reading."""
    path = house().stills.path(still_id)
    if path is None:
        raise Missing(f"the picture {still_id!r} is not kept any more: look at a newer one")
    response = send_file(path, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


@routes.get("/stills/<still_id>.json")
def reading(still_id: str) -> Response:
    """What was read in that picture, boxes in its pixels."""
    found = house().stills.reading(still_id)
    if found is None:
        raise Missing(f"the reading {still_id!r} is not kept any more: look at a newer one")
    return jsonify(found)


@routes.get("/stills/<still_id>/dice/<die_id>.jpg")
def die(still_id: str, die_id: str) -> Response:
    """One die of that picture, cut out."""
    jpeg = house().stills.crop(still_id, die_id)
    if jpeg is None:
        raise Missing(f"there is no die {die_id!r} in the picture {still_id!r}: its reading lists them")
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


@routes.get("/stills/<still_id>/hand.jpg")
def hand(still_id: str) -> Response:
    """All dice of that picture, each in a box, the rest of the table cut off."""
    jpeg = house().stills.hand(still_id)
    if jpeg is None:
        raise Missing(f"there are no dice in the picture {still_id!r}: look at the whole picture")
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


@routes.get("/stills/<still_id>/report.zip")
def report(still_id: str) -> Response:
    """A misread to be sent by hand: picture, reading, game and versions. `?said=` is what the die really shows."""
    home = house()
    path, found = home.stills.path(still_id), home.stills.reading(still_id)
    if path is None or found is None:
        raise Missing(f"the picture {still_id!r} is not kept any more: look at a newer one")
    record = home.session.record
    game = record.game.dump(record.state) if record else None
    said = {key: value[:200] for key, value in request.args.items()}
    response = Response(report_zip(path.read_bytes(), found, game, said), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="misread-{still_id}.zip"'
    return response


@routes.get("/api/simulated/truth")
def truth() -> Response:
    """What the simulator has laid on the table; the referee never asks."""
    home = house()
    if not home.camera_status().simulated:
        raise Missing("the camera is real, only the simulated table knows the truth: start with --camera simulated")
    return jsonify(home.truth())


@routes.post("/api/simulated")
def simulated() -> Response:
    """`{paused}`: the simulated players stop or go on; `{next: true}`: they roll the next round now."""
    body = json_body()
    home = house()
    home.access.check_host(device())
    people = home.simulated_people()
    if people is None:
        raise RequestError("people roll the dice of this game: only a game of the simulated table can be paused", 409)
    if body.get("next") is True:
        people.play_next()
    else:
        people.pause(field(body, "paused", bool))
    return jsonify(paused=people.paused)
