"""The state, and its changes as server-sent events."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from tablesight.webui.routes.current import house

routes = Blueprint("live", __name__)


@routes.get("/healthz")
def health() -> Response:
    """Whether the product is well, for machines."""
    home = house()
    camera = home.camera_status()
    well = camera.state in ("watching", "cannot_see")  # one that is starting may never come
    return jsonify(
        status="ok" if well and not home.store.is_full else "degraded",
        camera={"source": camera.source, "state": camera.state, "frames_per_s": camera.frames_per_s},
        version=home.version,
    )


@routes.get("/api/state")
def state() -> Response:
    """The whole current view."""
    revision, text = house().state_json()
    del revision
    return Response(text, mimetype="application/json")


@routes.get("/api/events")
def events() -> Response:
    """Server-sent events: `log` for each missed log entry, `state` with the whole view on every change."""
    given = request.headers.get("Last-Event-ID") or request.args.get("last_event_id") or ""
    last_seen = int(given) if given.isdecimal() and len(given) < 18 else None
    response = Response(house().feed.listen(last_seen), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
