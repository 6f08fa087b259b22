"""Teach my dice: photos in, what each die is, what is remembered."""

from __future__ import annotations

import time
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request

from tablesight.rules.games.panda_dice import BOX
from tablesight.webui.errors import RequestError
from tablesight.webui.routes.current import device, field, house, json_body
from tablesight.webui.teaching import Told

routes = Blueprint("teach", __name__, url_prefix="/api/teach")

MOST_KINDS: Final = 30
"""Dice in one hand: the camera process's limit, said again so that a request need not load what it loads."""


@routes.get("")
def summary() -> Response:
    """What is remembered: `{"dice", "photos", "kinds": [{"kind", "dice", "values"}], "learnt"}`."""
    return jsonify(house().teaching.summary())


@routes.post("/photos")
def read_photo() -> Response:
    """multipart/form-data with `photo` and `kinds` (ids with commas between, none: any): its dice, to be named."""
    home = house()
    home.access.check_host(device())
    with home.place_for_photo():  # before the body is taken in
        return _read()


def _read() -> Response:
    home = house()
    upload = request.files.get("photo")
    if upload is None:
        raise RequestError("expected a picture in the form field 'photo', got none: choose a photo")
    kinds = [kind for kind in request.form.get("kinds", "").split(",") if kind]
    if len(kinds) > MOST_KINDS:  # the camera process would refuse the message, and nobody would answer
        raise RequestError(
            f"expected at most {MOST_KINDS} kinds, one for each die of a hand, got {len(kinds)}: take fewer dice"
        )
    for kind in kinds:
        if kind not in BOX:
            raise RequestError(f"expected kinds of dice, got {kind!r:.40}: send such as 'red-d6'")
    data = upload.stream.read()
    if not data:
        raise RequestError("the file is empty: take the photo again")
    photo_id, answer, jpeg = home.ask_photo(data, lesson=kinds)
    home.teaching.offer(photo_id, answer)
    look = home.keep({"id": photo_id, "at_s": time.time(), "zone": None, **answer["reading"]}, jpeg)
    candidates = [die.get("candidates", []) for die in answer["reading"]["dice"]]
    for die, choices in zip(look["dice"], candidates, strict=True):
        die["candidates"] = [choice for choice in choices if choice.get("kind") in BOX]
    return jsonify(look)


@routes.post("/photos/<photo_id>")
def name(photo_id: str) -> Response:
    """`{"dice": [{"id", "kind", "value"}]}`: what dice of a photo are; they are remembered from now on."""
    home = house()
    home.access.check_host(device())
    dice = field(json_body(), "dice", list)
    home.teaching.take(photo_id, [_told(die) for die in dice])
    home.camera.send({"type": "learn_taught"})
    return summary()


@routes.post("/forget")
def forget() -> Response:
    """`{"kind"}` forgets the dice of a kind, `{}` all."""
    home = house()
    home.access.check_host(device())
    kind = json_body().get("kind")
    if kind is not None and not (isinstance(kind, str) and kind in BOX):
        raise RequestError(f"expected one of the thirteen kinds of dice, got {kind!r:.40}: send one such as 'red-d6'")
    home.teaching.forget(kind)
    home.camera.send({"type": "learn_taught"})
    return summary()


def _told(die: Any) -> Told:
    if not isinstance(die, dict):
        raise RequestError(f"expected a die as an object, got {die!r:.40}: send its id, kind and value")
    given = die.get("id")
    number = int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 5 else given
    kind = field(die, "kind", str)
    value = field(die, "value", int)
    if isinstance(number, bool) or not isinstance(number, int):
        raise RequestError(f"expected the id of a die of the photo, got {given!r:.40}: send the one that was read")
    return Told(number, kind, value)
