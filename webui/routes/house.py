"""The house: who is who, settings, backup, the machine, mats to print."""

from __future__ import annotations

import json
import time

from flask import Blueprint, Response, jsonify, request

from tablesight.webui.backup import backup_zip
from tablesight.webui.errors import RequestError
from tablesight.webui.lobby import check_color
from tablesight.webui.routes.current import device, field, house, json_body, who
from tablesight.webui.seat_colours import SEAT_RGB, colours_of
from tablesight.webui.system_facts import system_facts

routes = Blueprint("house", __name__)


@routes.get("/api/me")
def me() -> Response:
    """What this device is: host, and the seat it took in the game at the table."""
    home = house()
    record = home.session.record
    seat = home.access.seat_of(device(), record.id) if record else None
    return jsonify(host=home.access.is_host(device()), seat=seat)


@routes.post("/api/me")
def sit() -> Response:
    """`{seat[, color]}`: this device belongs to that player of the game at the table, who likes that colour."""
    body = json_body()
    seat = field(body, "seat", int)
    color = check_color(body["color"]) if "color" in body else None
    home = house()
    record = home.session.record
    if record is None or not 0 <= seat < len(record.state.players):
        raise RequestError(f"expected a seat of the game at the table, got {seat!r}: send 0 for the first player")
    if color is not None:
        home.access.check_seat(device(), record.id, seat)
        home.choose_color(record.state.players, seat, color, who())
    home.access.sit(device(), record.id, seat)
    return me()


@routes.post("/api/lobby")
def lobby() -> Response:
    """`{id, name?, color?, seen?}` adds or changes a player of the next game, `{id, gone: true}` takes one out."""
    body = json_body()
    row = field(body, "id", str)
    home = house()
    free = not home.settings["locked"] or home.access.is_host(device())
    if body.get("gone") is True:
        home.lobby.drop(row, who(), free)
    else:
        home.lobby.put(row, body, who(), free)
    home.feed.publish()
    return jsonify(lobby=home.lobby.to_json(home.settings["colors"]))


@routes.post("/api/host")
def become_host() -> Response:
    """`{pin}`: the PIN that the server showed when it was started."""
    house().access.claim_host(device(), field(json_body(), "pin", str))
    return me()


@routes.post("/api/repairs")
def repair_was_read() -> Response:
    """`{id}`: the host has read what was repaired in the log; it is told no more. With `back: true` the log put
    aside takes the place of the present one, which is put aside in turn."""
    body = json_body()
    repair = field(body, "id", str)
    home = house()
    home.access.check_host(device())
    if body.get("back") is True:
        home.go_back(repair)
    else:
        home.repairs.forget(repair)
    home.feed.publish()
    return jsonify(repairs=len(home.repairs.unread))


@routes.post("/api/settings")
def change_settings() -> Response:
    """Any of `locked`, `chances`, `camera`, `way`, `paper`, `zones`."""
    home = house()
    home.access.check_host(device())
    body = json_body()
    if "locked" in body and not home.access.is_host(device()):
        raise RequestError("only the host can lock the table: type the PIN first", 403)
    home.change_settings(body, who())
    return jsonify({name: home.settings[name] for name in body})


@routes.get("/api/system")
def system() -> Response:
    """Storage, temperature, listeners."""
    home = house()
    return jsonify(system_facts(home.data_dir, home.stills.used_bytes(), home.feed.listeners))


@routes.post("/api/advice")
def advice() -> Response:
    """Looks at a still and says how well the camera hangs: scale, sharpness, light, glare, tilt."""
    json_body()
    return jsonify(house().camera_setup.advice())


@routes.post("/api/calibration")
def calibration() -> Response:
    """`{"paper": "a4"}` or `"letter"` begins to measure the lens with a mat that is moved about; null gives it up."""
    home = house()
    home.access.check_host(device())
    paper = json_body().get("paper")
    if paper not in (None, "a4", "letter"):
        raise RequestError(f"expected the paper a4 or letter, got {paper!r:.20}: choose one of these")
    home.camera_setup.calibrate(paper)
    return jsonify(ok=True)


@routes.get("/api/backup")
def backup() -> Response:
    """All games and settings as one zip file."""
    response = Response(backup_zip(house().store, house().teaching), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="tablesight-{time.strftime("%Y%m%d-%H%M")}.zip"'
    return response


@routes.post("/api/restore")
def restore() -> Response:
    """multipart/form-data with `backup`: puts it in the place of everything."""
    home = house()
    home.access.check_host(device())
    upload = request.files.get("backup")
    if upload is None:
        raise RequestError("expected a backup in the form field 'backup', got none: choose the file")
    return jsonify(entries=home.restore(upload.stream.read()))


@routes.get("/api/log.jsonl")
def log() -> Response:
    """Every entry of the log, one JSON object a line."""
    lines = [
        json.dumps({"seq": e.seq, "game": e.game, "at_s": e.at_s, "event": e.event}, ensure_ascii=False)
        for e in house().store.entries()
    ]
    return Response("\n".join(lines) + "\n", mimetype="application/x-ndjson")


@routes.get("/mats.pdf")
def mats() -> Response:
    """A sheet for each seat: `?seats=N` (or the game at the table), `?paper=a4` or `letter`."""
    # OpenCV takes a second to import on a Pi, and most requests do without
    from tablesight.vision.mat_sheet import MatSeat, mats_pdf

    record = house().session.record
    names = list(record.state.players) if record else []
    given = request.args.get("seats", "")
    if given and not (given.isdecimal() and len(given) < 3 and 1 <= int(given) <= len(SEAT_RGB)):
        raise RequestError(f"expected 1 to {len(SEAT_RGB)} seats, got {given:.20}: ask for such a number")
    count = int(given) if given else len(names) or 4
    paper = request.args.get("paper", "a4").lower()
    if paper not in ("a4", "letter"):
        raise RequestError(f"expected the paper a4 or letter, got {paper!r:.20}: choose one of these")
    named = [names[seat] if seat < len(names) else "" for seat in range(count)]
    colours = colours_of(named, house().settings["colors"])
    seats = [
        MatSeat(seat, name, SEAT_RGB[colour]) for seat, (name, colour) in enumerate(zip(named, colours, strict=True))
    ]
    return Response(mats_pdf(seats, "a4" if paper == "a4" else "letter"), mimetype="application/pdf")
