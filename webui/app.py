"""The Flask application: routes by noun, errors as sentences, writes only from our own pages."""

from __future__ import annotations

import errno
import hashlib
import json
import logging
from functools import cache
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, jsonify, request, send_from_directory, url_for
from flask_babel import Babel
from werkzeug.exceptions import (
    ClientDisconnected,
    HTTPException,
    MethodNotAllowed,
    NotFound,
    RequestEntityTooLarge,
)

from tablesight.webui.compress import compressed
from tablesight.webui.errors import CannotWrite, RequestError
from tablesight.webui.house import House
from tablesight.webui.languages import chosen_language
from tablesight.webui.routes import camera, corrections, games, live, pages, photos, teach
from tablesight.webui.routes import house as house_routes
from tablesight.webui.same_origin import refuse_other_sites

log = logging.getLogger(__name__)

MAX_UPLOAD_BYTES: Final = 40 * 1024 * 1024
LATE_SCRIPTS: Final = ("big.js", "teach.js", "teach_photo.js", "pirate_counts.js")
STATIC: Final = Path(__file__).parent / "static"


def create_app(house: House) -> Flask:
    """The application of one house: its table, its log, its camera."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MAX_UPLOAD_BYTES, MAX_FORM_PARTS=20)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["house"] = house
    Babel(app, locale_selector=chosen_language)
    app.before_request(refuse_other_sites)
    app.after_request(_headers)
    app.after_request(compressed)
    app.register_error_handler(RequestError, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _failed)
    for blueprint in (
        pages.routes,
        live.routes,
        games.routes,
        camera.routes,
        photos.routes,
        house_routes.routes,
        corrections.routes,
        teach.routes,
    ):
        app.register_blueprint(blueprint)
    app.add_url_rule("/assets/<version>/<path:name>", "asset", _asset)
    app.jinja_env.globals["asset"] = lambda name: url_for("asset", version=assets_version(), name=name)
    app.jinja_env.globals["scripts"] = lambda: sorted(
        str(path.relative_to(STATIC)) for path in (STATIC / "js").rglob("*.js") if path.name not in LATE_SCRIPTS
    )
    return app


def _asset(version: str, name: str) -> Response:
    """A script or style under the version's own address: it never changes there, so that phones keep it."""
    response = send_from_directory(STATIC, name)
    if version == assets_version():
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@cache
def assets_version() -> str:
    """Changes whenever a script, a style or a translation changes: pages of an older version reload themselves."""
    digest = hashlib.sha256()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def _headers(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    response.headers["Content-Security-Policy"] = (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
        "script-src 'self' 'unsafe-inline'; frame-ancestors 'self'"
    )
    if request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _refused(error: RequestError) -> tuple[Response, int]:
    return jsonify(error=str(error)), error.status


def _http_error(error: HTTPException) -> Any:
    sentence = error.description or "that did not work"
    if isinstance(error, NotFound):
        sentence = f"there is nothing at {request.path!r:.80}: open the page anew, or see the list of addresses"
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        sentence = f"expected {allowed} at {request.path!r:.80}, got {request.method}: use one of these"
    if isinstance(error, RequestEntityTooLarge):
        sent = (request.content_length or 0) / 2**20
        sentence = f"the file has {sent:.0f} MB, at most {MAX_UPLOAD_BYTES // 2**20} MB can be sent: send a smaller one"
    if isinstance(error, ClientDisconnected):  # or silent for `server.SILENCE_S`
        return _refused(RequestError("the request stopped half way: send it again", 408))
    response = error.get_response()
    response.data = json.dumps({"error": sentence})
    response.content_type = "application/json"
    return response


def _failed(error: Exception) -> tuple[Response, int]:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        log.warning("%s %s failed: %s", request.method, request.path, error)
        return _refused(CannotWrite())
    log.exception("%s %s failed", request.method, request.path, exc_info=error)
    return jsonify(error="something went wrong inside; the game is safe, and the log says what"), 500
