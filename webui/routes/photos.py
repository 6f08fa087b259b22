"""A photo from a phone is a camera too."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from tablesight.webui.errors import RequestError
from tablesight.webui.routes.current import device, house, who

routes = Blueprint("photos", __name__)


@routes.post("/api/photos")
def read_photo() -> Response:
    """multipart/form-data with `photo` and perhaps `seat`: the dice read, and rolled for that seat where given."""
    with house().place_for_photo():  # before the body is taken in
        return _read()


def _read() -> Response:
    upload = request.files.get("photo")
    if upload is None:
        raise RequestError("expected a picture in the form field 'photo', got none: choose a photo")
    given = request.form.get("seat", "")
    if given and not (given.isdecimal() and len(given) < 3):
        raise RequestError(f"expected a seat number, got {given!r:.40}: send 0 for the first player")
    record = house().session.record
    if given and record:
        house().access.check_seat(device(), record.id, int(given))
    data = upload.stream.read()
    if not data:
        raise RequestError("the file is empty: take the photo again")
    return jsonify(house().read_photo(data, int(given) if given else None, who()))
