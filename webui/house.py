"""Everything that lives in one house, put together: log, table, camera, feed, pictures."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tablesight.rules.games.panda_state import PandaState
from tablesight.vision.picture_part import part_of
from tablesight.webui.access import Access
from tablesight.webui.backup import restore_log, restore_zip
from tablesight.webui.camera_setup import CameraSetup
from tablesight.webui.camera_supervisor import CameraStatus, CameraSupervisor
from tablesight.webui.chance_keeper import GAMES, ChanceKeeper
from tablesight.webui.confirmed_inks import ConfirmedInks
from tablesight.webui.corrected_pictures import CorrectedPictures
from tablesight.webui.errors import Conflict, RequestError
from tablesight.webui.feed import Feed
from tablesight.webui.hand_page import hand_page
from tablesight.webui.installed_version import installed_version
from tablesight.webui.lobby import Lobby
from tablesight.webui.panda_page import panda_page
from tablesight.webui.past_games import PastGames
from tablesight.webui.record import Record
from tablesight.webui.repairs import EXCHANGED, Repairs, told_repairs
from tablesight.webui.seat_colours import colours_of
from tablesight.webui.session import Session
from tablesight.webui.settings import MOST_COLORS, SETTINGS, Settings
from tablesight.webui.simulated_players import Pace
from tablesight.webui.simulated_table import SimulatedTable
from tablesight.webui.still_archive import StillArchive
from tablesight.webui.store import REPAIRS_NAME, Store
from tablesight.webui.teaching import Teaching

log = logging.getLogger(__name__)

PHOTO_WAIT_S: Final = 90.0
MOST_PHOTOS: Final = 3
"""Read one after the other, each within `PHOTO_WAIT_S` on a Pi; more would only wait in memory, 40 MB each."""

WHOLE_PICTURE: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class House:
    """The composition root behind the routes. `start` begins the camera and the simulated players."""

    def __init__(
        self,
        data_dir: Path,
        camera_command: Callable[[str], Sequence[str]],
        *,
        source: str = "",
        join_url: str = "",
        pin: str = "",
        pace: Pace | None = None,
        assets: Callable[[], str] = lambda: "",
    ) -> None:
        self.version = installed_version("tablesight", "0")
        self.join_url = join_url
        self.data_dir = data_dir
        self.boot = secrets.token_hex(6)
        self.store = Store(data_dir / "tablesight.sqlite")
        self.repairs = Repairs(data_dir / REPAIRS_NAME)
        self.settings = Settings(self.store)
        self.access = Access(self.settings, pin)
        self.stills = StillArchive(data_dir / "stills")
        self.corrected = CorrectedPictures(data_dir, self.stills, self.settings)
        self.teaching = Teaching(data_dir)
        self.past = PastGames(self.store)
        self.session = Session(self.store, self._changed)
        self.lobby = Lobby(self.player_names())
        self.feed = Feed(self._feed_snapshot, lambda after: self.store.entries(after=after))
        self._camera_command = camera_command
        spec = self.settings["camera"] or source
        self.camera = CameraSupervisor(
            camera_command(self.settings["camera"]),
            self._on_camera,
            self._on_status,
            source=spec,
            # said before the camera process has said it: a game can be started in that moment
            simulated=spec.partition(":")[0] == "simulated",
        )
        self._inks = ConfirmedInks(self.camera.send)
        self._assets = assets
        paused = data_dir / "paused"
        self._people = SimulatedTable(self.session, self.camera.send, self.feed.publish, 0, pace, paused)
        self._chances = ChanceKeeper(self.feed.publish)
        self._restarts = 0
        self._mats: dict[str, Any] | None = None
        self.camera_setup = CameraSetup(self.camera.send, self.feed.publish)
        self._preview: bytes | None = None
        self._photos: dict[str, tuple[threading.Event, list[tuple[dict[str, Any], bytes]]]] = {}
        self._photo_places = threading.BoundedSemaphore(MOST_PHOTOS)
        self._shown_camera: tuple[Any, ...] = ()
        self._told: dict[str, Any] = {}
        self._colors_lock = threading.Lock()
        self._cached: tuple[int, str] = (-1, "")
        self._cache_lock = threading.Lock()
        self._closing = threading.Event()

    def start(self) -> None:
        """Begins to watch the table."""
        self._tell_camera()
        self.camera.start()
        watch = (self.camera_status, lambda: self.settings["way"] == "tray", self._closing)
        threading.Thread(target=self._people.watch, args=watch, name="simulated-players", daemon=True).start()

    def close(self) -> None:
        """Lets everything go."""
        self._closing.set()
        self.feed.close()
        self.camera.close()
        self.store.close()

    # the view

    def state_json(self) -> tuple[int, str]:
        """The log's sequence number and the whole view as JSON; computed once per change."""
        with self._cache_lock:
            revision = self.feed.revision
            if self._cached[0] != revision:
                self._cached = (revision, json.dumps(self.view(revision), ensure_ascii=False, separators=(",", ":")))
            return self._seq(), self._cached[1]

    def view(self, revision: int) -> dict[str, Any]:
        """The whole view."""
        with self.session.lock:
            record = self.session.record
            status = self.camera.status
            return {
                "boot": self.boot,
                "revision": revision,
                "seq": self._seq(),
                "version": self.version,
                "assets": self._assets(),
                "join": self.join_url,
                "settings": {name: self.settings[name] for name in SETTINGS if name != "host"},
                "camera": {
                    "source": status.source,
                    "simulated": status.simulated,
                    "state": status.state,
                    "message": status.message,
                    "frames_per_s": round(status.frames_per_s, 1),
                    "gate": status.gate,
                    "mats": self._mats if self.settings["way"] == "mats" else None,
                    "calibration": self.camera_setup.calibration,
                },
                "game": self._game(record),
                "lobby": self.lobby.to_json(self.settings["colors"]),
                "look": self.session.look,
                "boxes": self.session.boxes,
                "repairs": told_repairs(self.repairs, self.store),
                "has_host": bool(self.settings["host"]),
            }

    def _game(self, record: Record | None) -> dict[str, Any] | None:
        if record is None:
            return None
        if isinstance(record.state, PandaState):
            page = panda_page(self.session, record, self.colours())
            page["tray"] = self.session.tray_seat() if self.settings["way"] == "tray" else None
            page["told"] = self._people.told if record.simulated else None
            people = self.simulated_people()
            page["plays_itself"] = {"paused": people.stands, "comes": people.comes} if people else None
            page["chance_games"] = GAMES
            page["chances"] = self._chances.latest(record.id, record.state) if self.settings["chances"] else None
            return page
        return hand_page(record, self.colours())

    def simulated_people(self) -> SimulatedTable | None:
        """The players of a game that plays itself; None where people roll its dice."""
        record = self.session.record
        return self._people if record and record.simulated and self.camera.status.simulated else None

    def player_names(self) -> tuple[str, ...]:
        """The players of the game at the table; none without a game."""
        record = self.session.record
        return tuple(record.state.players) if record else ()

    def colours(self) -> tuple[int, ...]:
        """The colour of each player of the game at the table, a place in `SEAT_RGB`."""
        return colours_of(self.player_names(), self.settings["colors"])

    def choose_colors(self, chosen: Mapping[str, int], who: str) -> None:
        """Remembers the colours that players chose, by name: the newest `MOST_COLORS` names."""
        with self._colors_lock:
            self._keep_colors(chosen, who)
        self.feed.publish()

    def choose_color(self, players: Sequence[str], seat: int, color: int, who: str) -> None:
        """One of the players chooses a colour. Raises Conflict where another of them has it: nothing has changed."""
        with self._colors_lock:  # looked and written in one: two phones can ask in the same moment
            colours = colours_of(players, self.settings["colors"])
            if color in colours and (other := colours.index(color)) != seat:
                raise Conflict(f"{players[other]} has this colour: choose another one")
            self._keep_colors({players[seat]: color}, who)
        self.feed.publish()

    def _keep_colors(self, chosen: Mapping[str, int], who: str) -> None:
        """The caller holds the colours' lock."""
        new = {name.casefold(): color for name, color in chosen.items()}
        kept = {name: color for name, color in self.settings["colors"].items() if name not in new} | new
        self.settings.change("colors", dict(list(kept.items())[-MOST_COLORS:]), who)

    def _seq(self) -> int:
        record = self.session.record
        return record.last.seq if record else 0

    def _feed_snapshot(self) -> tuple[int, str]:
        return self.state_json()

    def _changed(self) -> None:
        self.corrected.note(self.session.record)
        self._inks.note(self.session.record)
        self._tell_camera()
        self.feed.publish()

    def change_settings(self, values: Mapping[str, Any], who: str) -> None:
        """Sets some settings, all or none, and does what follows. Raises RequestError."""
        for name, value in values.items():
            if name == "host" or name not in SETTINGS:
                known = ", ".join(known for known in SETTINGS if known != "host")
                raise RequestError(f"expected settings of {known}, got {name!r:.40}: send only these")
            SETTINGS[name].check(value)
        for name, value in values.items():
            self.settings.change(name, value, who)
        if "camera" in values:
            self.camera.change(self._camera_command(self.settings["camera"]))
        self._changed()

    def restore(self, data: bytes) -> int:
        """Puts a backup in the place of everything. Raises RequestError."""
        count = restore_zip(self.store, data, self.teaching)
        self.camera.send({"type": "learn_taught"})
        self._read_anew()
        return count

    def go_back(self, repair_id: str) -> None:
        """Exchanges the log for the one that a repair put aside, and tells it. Raises RequestError."""
        kept = Path(self.repairs.to_go_back(repair_id).aside).name
        count, present = restore_log(self.store, self.data_dir / kept)
        self.repairs.note(count, None, present, EXCHANGED)
        self.repairs.forget(repair_id)
        self._read_anew()

    def _read_anew(self) -> None:
        """After another log has taken the place of the present one."""
        self.settings.reload()
        self.session.reload()
        self.lobby.reset(self.player_names())

    # the camera

    def camera_status(self) -> CameraStatus:
        """The camera as last heard of."""
        return self.camera.status

    def preview_jpeg(self) -> bytes | None:
        """The newest preview; None before the first, and while the camera is lost: an old picture is no live one."""
        return None if self.camera.status.state in ("lost", "starting") else self._preview

    def truth(self) -> Mapping[str, Any]:
        """What the simulator says lies on the table now."""
        return self._people.truth

    @contextmanager
    def place_for_photo(self) -> Iterator[None]:
        """Held while a photo is taken in and read. Raises RequestError where too many are already."""
        if not self._photo_places.acquire(blocking=False):
            raise RequestError(f"{MOST_PHOTOS} photos are being read already: send this one again in a minute", 503)
        try:
            yield
        finally:
            self._photo_places.release()

    def read_photo(self, data: bytes, seat: int | None, who: str) -> dict[str, Any]:
        """Reads a photo in the camera process. Raises RequestError with a plain sentence."""
        if seat is not None and self.session.next_roll(seat) is None:
            raise RequestError(
                "this seat has nothing to roll now: the photo was not read; tap a die to correct it", 409
            )
        photo_id, answer, jpeg = self.ask_photo(data)
        header = {"id": photo_id, "at_s": time.time(), "zone": seat, **answer["reading"]}
        look = self.keep(header, jpeg)
        used = seat is not None and self.session.take_photo(header, seat, who)
        return {**look, "used": used}

    def ask_photo(self, data: bytes, **fields: Any) -> tuple[str, dict[str, Any], bytes]:
        """Has a photo read: its id, the answer of the camera process, and the picture for the page. Raises
        RequestError."""
        photo_id = f"photo-{secrets.token_hex(6)}"
        arrived: tuple[threading.Event, list[tuple[dict[str, Any], bytes]]] = (threading.Event(), [])
        self._photos[photo_id] = arrived
        try:
            if not self.camera.send({"type": "read_photo", "id": photo_id, **fields}, data):
                raise RequestError("the reader is just starting: try again in a few seconds", 503)
            if not arrived[0].wait(PHOTO_WAIT_S):
                raise RequestError("reading this photo took too long: try a smaller picture", 504)
        finally:
            self._photos.pop(photo_id, None)
        answer, jpeg = arrived[1][0]
        if answer.get("error"):
            raise RequestError(str(answer["error"]), 422)
        return photo_id, answer, jpeg

    def _on_camera(self, header: dict[str, Any], payload: bytes) -> None:
        match header["type"]:
            case "preview":
                self._preview = payload
            case "reading":
                self.session.show(self.keep(header, payload))
                self._people.take_reading(header, self.camera.status.simulated)
            case "photo":
                waiting = self._photos.get(str(header.get("id")))
                if waiting:
                    waiting[1].append((header, payload))
                    waiting[0].set()
            case "mats":
                self._mats = {"zones": header.get("zones"), "missing": header.get("missing")}
                self.feed.publish()
            case "advice" | "calibration":
                self.camera_setup.take(header)
            case "camera_moved":
                log.info("the camera was moved by %s, %s of the picture", header.get("dx"), header.get("dy"))
            case "taught":
                self.teaching.take_learnt(header)
            case "truth":
                self._people.take_truth(header)
            case other:
                log.info("the camera process said %r, which is not known here", other)

    def keep(self, header: Mapping[str, Any], jpeg: bytes) -> dict[str, Any]:
        """Keeps the picture of a reading; returns it as the page shows it."""
        still_id = str(header["id"])
        look = {
            "id": still_id,
            "at_s": header.get("at_s"),
            "settled_at_s": header.get("settled_at_s"),
            "zone": header.get("zone"),
            "still": f"/stills/{still_id}.jpg",
            "width": header["width"],
            "height": header["height"],
            "part": part_of(header),
            "ms": header.get("ms"),
            "dice": [
                {
                    "id": str(die.get("id", place)), "box": die["box"], "kind": die["kind"], "value": die["value"],
                    "accepted": die["accepted"], "confidence": die["confidence"],
                }
                for place, die in enumerate(header["dice"])
            ],
        }  # fmt: skip
        if jpeg:
            self.stills.keep(still_id, jpeg, {**look, "dice": header["dice"]})
        return look

    def _on_status(self, status: CameraStatus) -> None:
        if status.restarts != self._restarts:
            self._restarts = status.restarts
            self.session.camera_restarted()
            self.camera_setup.camera_restarted()
        self.session.take_gate(status.gate)
        shown = (status.state, status.source, status.simulated, status.message, round(status.frames_per_s))
        if shown[:4] != self._shown_camera[:4]:
            self._shown_camera = shown
            self.feed.publish()

    def _tell_camera(self) -> None:
        """Tells the camera process the seats and the hands to expect, whenever they change."""
        with self.session.lock:
            record = self.session.record
            seats = len(record.state.players) if record else 2
            configure = {"type": "configure", "seats": seats, **self._layout(seats)}
            hands = self.session.expected_hands(tray=self.settings["way"] == "tray")
            expect: dict[str, Any] = {"type": "expect", "seats": hands and [list(hand.kinds) for hand in hands]}
            if hands:
                expect["open"] = [hand.open for hand in hands]
                expect["count"] = [hand.count for hand in hands]
                expect["new"] = [dict(hand.of_new) for hand in hands]
        for message in (configure, expect):
            kind = str(message["type"])
            if self._told.get(kind) != message:
                self._told[kind] = message
                self.camera.send(message)

    def _layout(self, seats: int) -> dict[str, Any]:
        """Whose part of the picture is where."""
        if self.settings["way"] == "mats":
            return {"zones": "mats", "paper": self.settings["paper"]}
        if self.settings["way"] == "tray":
            return {"zones": [{"seat": self.session.tray_seat(), "polygon": WHOLE_PICTURE}]}
        return {"zones": self.settings["zones"].get(str(seats))}
