"""`tablesight serve`: the product."""

from __future__ import annotations

import argparse
import fcntl
import logging
import os
import socket
import sys
from pathlib import Path
from typing import IO, Any

from tablesight.webui.doctor.cameras import any_camera
from tablesight.webui.errors import StoreError
from tablesight.webui.host_pin import host_pin
from tablesight.webui.mdns import is_answered
from tablesight.webui.network import PortError, listen, local_name, name_url, page_url, qr_terminal
from tablesight.webui.store import Store, check_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument(
        "--camera", default="auto", metavar="CAMERA",
        help="auto, picamera2, v4l2:N, a URL, a video file, a folder of pictures, simulated, or none: the "
        "dice are tapped in (default: auto)",
    )  # fmt: skip
    parser.add_argument(
        "--or-simulated", action="store_true",
        help="with --camera auto: where no camera is found at the start, show the simulated table",
    )  # fmt: skip
    parser.add_argument("--host", help="listen on this address only (default: all, IPv4 and IPv6)")
    parser.add_argument("--port", type=_port, default=8000, help="default: 8000")
    parser.add_argument("--data-dir", type=Path, default=default_data_dir(), help="default: %(default)s")
    parser.add_argument("--pace", type=float, default=1.0, help=argparse.SUPPRESS)  # simulated players, for tests


def default_data_dir() -> Path:
    """systemd's state directory, else the XDG data folder."""
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tablesight"


def run(args: argparse.Namespace) -> int:
    """Serves until it is stopped; 1 and a sentence where it cannot start."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    data_dir: Path = args.data_dir.expanduser().resolve()
    held: IO[str] | None = None
    try:
        check_folder(data_dir)
        held = _lock(data_dir)  # first: to open a log is to repair it, and another server may be writing it
        Store(data_dir / "tablesight.sqlite").close()
        _check_stills(data_dir / "stills")
        sock = listen(args.host, args.port)
    except (StoreError, PortError) as error:
        if held is not None:
            held.close()
        print(f"tablesight: {error}", file=sys.stderr)
        return 1
    url = page_url(args.port)
    pin = host_pin(data_dir)
    show_addresses(url, args.port, pin)
    # only now: Flask and the rest take a second on a Pi, a mistyped port should not
    from tablesight.webui.app import assets_version, create_app
    from tablesight.webui.camera_supervisor import worker_command
    from tablesight.webui.house import House
    from tablesight.webui.server import Server
    from tablesight.webui.simulated_players import Pace

    camera = _at_the_start(args.camera, args.or_simulated)
    houses: list[House] = []

    def make_app() -> Any:
        house = House(
            data_dir,
            lambda chosen: worker_command(chosen or camera, 2, data_dir),
            source=camera,
            join_url=url,
            pin=pin,
            pace=Pace(0.7 * args.pace, 10.0 * args.pace, 1.5 * args.pace),
            assets=assets_version,
        )
        houses.append(house)
        house.start()
        return create_app(house)

    def close_app() -> None:
        for house in houses:
            house.close()

    try:
        Server(sock, make_app, close_app).run()
    finally:
        held.close()
    return 0


def show_addresses(url: str, port: int, pin: str) -> None:
    """What phones can open, for the terminal: the address by name only where somebody answers for the name."""
    name = local_name(socket.gethostname())
    by_name = f"  or by name: {name_url(port, name)}\n" if is_answered(name) else ""
    print(
        f"\n{qr_terminal(url)}\n  Tablesight: {url}\n{by_name}"
        f"  on this machine: http://127.0.0.1:{port}\n  host PIN: {pin}\n",
        flush=True,
    )


def _at_the_start(camera: str, or_simulated: bool) -> str:
    """The camera for the whole run: decided once, so that a table never turns into a simulated one later."""
    if camera != "auto" or not or_simulated or any_camera():
        return camera
    print("  no camera found: the dice are simulated\n", flush=True)
    return "simulated"


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 1 to 65535, got {text!r}: give one such as 8000")
    return port


def _lock(data_dir: Path) -> IO[str]:
    """Two servers must not write one log. Raises StoreError."""
    try:
        held = (data_dir / "lock").open("w")
    except OSError as error:
        raise _not_ours(data_dir / "lock", error) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        held.close()
        raise StoreError(
            f"another Tablesight is using the data folder {str(data_dir)!r}: stop it, or choose another with --data-dir"
        ) from error
    return held


def _check_stills(folder: Path) -> None:
    """The folder of the pictures. Raises StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_ours(folder, error) from error


def _not_ours(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot use {str(path)!r} ({error.strerror}): move it away, or choose another folder with --data-dir"
    )
