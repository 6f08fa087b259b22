"""Servers and browsers for the tests of the web side."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tablesight.webui.app import create_app
from tablesight.webui.house import House

HERE = Path(__file__).parent


def until(what: Callable[[], Any], seconds: float = 15.0, message: str = "it did not happen in time") -> Any:
    """The first true answer of `what`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = what()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(message)


class Server:
    """`tablesight serve` with the fake camera process, as a process of its own."""

    def __init__(self, data_dir: Path, pace: str = "0.1", **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.data_dir, self.pace, self.environment = data_dir, pace, environment
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with (self.data_dir.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / "serve_fake.py"), str(self.port), str(self.data_dir), self.pace],
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
            )
        until(self.is_up, 60, "the server did not start")

    def is_up(self) -> bool:
        try:
            return bool(self.get("/healthz"))
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.loads(answer.read())

    def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        request = urllib.request.Request(
            self.url + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", **(headers or {})},
            method="POST",
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def game(self) -> Any:
        return self.get("/api/state")["game"]

    def camera_pids(self) -> list[int]:
        """The camera processes of this server, found through /proc."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().split(b"\0")
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if (
                str(HERE / "fake_worker.py").encode() in command
                and f"SERVER_PORT={self.port}\0".encode() in environment
            ):
                found.append(int(folder.name))
        return found


@pytest.fixture
def wait_for() -> Callable[..., Any]:
    """`wait_for(what, seconds, message)`: the first true answer of `what`."""
    return until


@pytest.fixture
def make_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def make(pace: str = "0.1", **environment: str) -> Server:
        server = Server(tmp_path / "data", pace, **environment)
        server.environment["SERVER_PORT"] = str(server.port)
        servers.append(server)
        server.start()
        return server

    yield make
    for server in servers:
        server.stop()


@pytest.fixture
def make_client(tmp_path: Path) -> Callable[[int], Server]:
    """A client of a server that the test started itself."""

    def make(port: int) -> Server:
        client = Server(tmp_path)
        client.port = port
        return client

    return make


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser, or a skip that says why there is none."""
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed: pip install -e '.[dev]'")
    from playwright.sync_api import sync_playwright

    path = next((p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), None)
    if path is None:
        pytest.skip("no /usr/bin/chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        arguments = [
            "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync",
        ]  # fmt: skip
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=arguments)
        yield playwright, browser
        browser.close()


class Phone:
    """A page, and everything that went wrong on it."""

    def __init__(self, chromium: Any, device: str, url: str, scheme: str = "light", **options: Any) -> None:
        playwright, browser = chromium
        self.context = browser.new_context(**playwright.devices[device], color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)  # a busy machine is slow
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        self.bytes = 0
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        self.url = url

    def open(self, path: str = "/") -> Any:
        self.page.goto(self.url + path)
        self.page.wait_for_selector("#main[data-page] > *")
        return self.page


@pytest.fixture(scope="session")
def faultless() -> Callable[[Any, str], None]:
    """A check that axe finds nothing on a page as it is now."""
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core-python is not installed").Axe()

    def check(page: Any, what: str) -> None:
        page.wait_for_timeout(250)  # colours fade in
        found = [
            (rule["id"], node["html"][:160], node["failureSummary"][:300])
            for rule in axe.run(page)["violations"]
            for node in rule["nodes"]
        ]
        assert found == [], what

    return check


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[..., Phone]]:
    made: list[Phone] = []

    def make(url: str, device: str = "Pixel 7", scheme: str = "light", **options: Any) -> Phone:
        made.append(Phone(chromium, device, url, scheme, **options))
        return made[-1]

    yield make
    errors = [error for one in made for error in one.errors]
    for one in made:
        one.context.close()
    assert errors == []


class Table:
    """A house without a running camera process, and a client of it."""

    def __init__(self, data_dir: Path) -> None:
        self.house = House(data_dir, lambda _: [sys.executable, "-c", ""])
        self.client: FlaskClient = create_app(self.house).test_client()

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(path, json=body)
        return answer.status_code, answer.get_json()

    def start(self, *players: str, **options: Any) -> str:
        status, reply = self.post("/api/games", {"players": list(players), "options": options})
        assert status == 201, reply
        return str(reply["id"])

    def see(self, seat: int, dice: list[tuple[str, int]], number: int = 1, doubt: int | None = None) -> bool:
        header = self.reading(seat, dice, number, doubt)
        self.house._on_camera(header, b"")
        game = self.game
        return bool(game and game["seats"][seat]["state"] != "waiting")

    def empty(self, *seats: int) -> None:
        self.house.session.take_gate({str(seat): "empty" for seat in seats})

    @property
    def game(self) -> Any:
        return self.client.get("/api/state").get_json()["game"]

    def seat(self, seat: int) -> Any:
        return self.game["seats"][seat]

    @staticmethod
    def reading(seat: int, dice: list[tuple[str, int]], number: int = 1, doubt: int | None = None) -> dict[str, Any]:
        """A reading of the camera process; `doubt` is the place of a die that it is not sure of."""
        return {
            "type": "reading", "id": f"r{number}-{seat}", "at_s": 1.0, "width": 640, "height": 480, "zone": seat,
            "ms": {"detect": 1, "read": 1, "total": 2},
            "dice": [
                {
                    "id": f"t{number}-{seat}-{place}", "box": [10, 10, 50, 50], "kind": kind,
                    "color": kind.partition("-")[0],
                    "sides": int(kind.partition("-d")[2]), "marking": "numeral", "ink": "white", "face": abs(value),
                    "value": value, "confidence": 0.5 if place == doubt else 0.99, "accepted": place != doubt,
                    "candidates": [
                        {"kind": kind, "face": abs(value), "value": value, "p": 0.5},
                        {"kind": kind, "face": 3, "value": 3, "p": 0.4},
                    ],
                }
                for place, (kind, value) in enumerate(dice)
            ],
        }  # fmt: skip

    @classmethod
    def numbered(cls, seat: int, throw: int, dice: list[tuple[str, int]]) -> dict[str, Any]:
        """A reading of a camera process that tells throws apart."""
        return {**cls.reading(seat, dice, throw), "throw": throw}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "data")
    yield table
    table.house.close()


@pytest.fixture
def make_table() -> type[Table]:
    """For tests that restart a house."""
    return Table
