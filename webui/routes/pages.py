"""The pages, and what belongs to them: QR code, manifest, language."""

from __future__ import annotations

import json
import secrets

from flask import Blueprint, Response, jsonify, redirect, render_template, url_for
from flask_babel import get_locale

from tablesight.webui.errors import Missing
from tablesight.webui.languages import LANGUAGES, catalogue
from tablesight.webui.network import qr_svg
from tablesight.webui.routes.current import DEVICE_COOKIE, device, house

routes = Blueprint("pages", __name__)


def _page(template: str, page: str = "") -> Response:
    _, state = house().state_json()
    text = render_template(
        template,
        page=page,
        state=_in_script(state),
        catalogue=_in_script(json.dumps(catalogue(), ensure_ascii=False)),
        locale=str(get_locale()).replace("_", "-"),
    )
    response = Response(text, mimetype="text/html")
    if not device():
        response.set_cookie(
            DEVICE_COOKIE, secrets.token_hex(16), max_age=10 * 365 * 86400, httponly=True, samesite="Lax"
        )
    return response


def _in_script(text: str) -> str:
    """JSON that is safe inside a script element."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@routes.get("/")
def home() -> Response:
    """The phone's page."""
    return _page("home.html")


@routes.get("/table")
def big_screen() -> Response:
    """Standings, the live table and the last rolls, to be read from across the room."""
    return _page("big.html", "table")


@routes.get("/overlay")
def overlay() -> Response:
    """The standings on nothing, for OBS."""
    return _page("big.html", "overlay")


@routes.get("/teach")
def teach() -> Response:
    """For the owner: photos of the own dice, named one by one."""
    return _page("teach.html", "teach")


@routes.get("/join.svg")
def join_code() -> Response:
    """The QR code that opens the page on another phone."""
    return Response(qr_svg(house().join_url), mimetype="image/svg+xml")


@routes.get("/manifest.webmanifest")
def manifest() -> Response:
    """For "add to home screen"."""
    response = jsonify(
        name="Tablesight",
        short_name="Tablesight",
        start_url="/",
        display="standalone",
        background_color="#f6f3ec",
        theme_color="#17634a",
        icons=[
            {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": url_for("static", filename="icon-192.png"), "sizes": "192x192", "type": "image/png"},
        ],
    )
    response.mimetype = "application/manifest+json"
    return response


@routes.get("/language/<code>")
def language(code: str) -> Response:
    """Remembers the language on this phone."""
    if code not in LANGUAGES:
        raise Missing(f"expected one of {', '.join(LANGUAGES)}, got {code!r:.20}: choose one of these")
    response = redirect(url_for("pages.home") + "#more")
    response.set_cookie("language", code, max_age=10 * 365 * 86400, samesite="Lax")
    assert isinstance(response, Response)
    return response
