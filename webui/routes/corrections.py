"""Corrections become data: the rolls that players corrected, as labelled pictures."""

from __future__ import annotations

import time

from flask import Blueprint, Response, jsonify

from tablesight.webui.corrections_folder import corrections_zip
from tablesight.webui.errors import Missing, RequestError
from tablesight.webui.routes.current import device, house, json_body

routes = Blueprint("corrections", __name__)


@routes.get("/api/corrections")
def count() -> Response:
    """How many corrected rolls there are, and what their pictures take."""
    home = house()
    rolls = home.corrected.rolls(home.store.entries())
    return jsonify(
        keeps=home.settings["keep_corrections"],
        rolls=len(rolls),
        dice=sum(len(roll.dice) for roll in rolls),
        corrected=sum(roll.corrected for roll in rolls),
        bytes=home.corrected.used_bytes(),
    )


@routes.get("/api/corrections.zip")
def download() -> Response:
    """The corrected rolls as a zip whose folder `tablesight evaluate` takes. Only where the owner wants them kept."""
    home = house()
    home.access.check_host(device())
    if not home.settings["keep_corrections"]:
        raise RequestError("corrected rolls are not kept: switch it on in the owner's part of the page first", 409)
    rolls = home.corrected.rolls(home.store.entries())
    if not rolls:
        raise Missing("there is no corrected roll of real dice yet: correct one first")
    data, _ = corrections_zip(rolls, home.corrected.picture, home.corrected.zone)
    response = Response(data, mimetype="application/zip")
    name = f"tablesight-corrections-{time.strftime('%Y%m%d-%H%M')}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@routes.post("/api/corrections/forget")
def forget() -> Response:
    """`{}` throws the kept pictures of corrected rolls away; the games stay."""
    json_body()
    home = house()
    home.access.check_host(device())
    return jsonify(forgotten=home.corrected.forget())
