"""Plays whole games through `tablesight serve` at the simulated table; compares every scored hand with what lay there.

`python -m tablesight.vision.evaluation.simulated_games --players 6 --way mats --options seed=7,lamp=hard,shake=5`

Questions are answered as a person would who looks at the die; each is counted. `latency_ms` of a hand is the time from
the moment when the camera process counts its zone as settled to the event that tells a page of it. The simulator's own
drawing is left out: the camera process adds up how long it drew pictures of the table (previews and stills, whatever
zone they were for) between that moment and the reading, and says so with the reading (`ms.drawn`): a camera would only
deliver them.
`cpu_ms` is what the camera process computed in that time, without the drawing: it says the same on a busy machine.

With `--keep FOLDER` hands that were silently wrong leave there what is needed to find out why: the picture as it was
read, every look at each die (`tablesight.vision.worker.reading_keeper.kept_looks` gives them back), what lay there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from tablesight.vision.box_overlap import iou
from tablesight.vision.picture_part import in_pixels, place_of
from tablesight.vision.worker.reading_keeper import FOLDER

Json = dict[str, Any]
WAYS: Final = ("zones", "mats", "tray")
MANY_DICE: Final = 8
"""Hands of this many dice or more are counted by themselves: the last rounds are the slow ones."""
IS_IT: Final = 0.25
"""A die whose box has this much in common (IoU) with the one that is asked about is that one; else nothing is."""


@dataclass(frozen=True, slots=True)
class HandTime:
    """How long a hand of so many dice took from settled to told, and what was computed for it."""

    dice: int
    latency_ms: float
    cpu_ms: float
    looks: int


@dataclass(slots=True)
class GameTally:
    """What came of one game. `wrong` names what was scored otherwise than it lay, without being asked about."""

    hands: int = 0
    right: int = 0
    dice: int = 0
    wrong: list[str] = field(default_factory=list)
    questions: set[tuple[int, int, str]] = field(default_factory=set)
    times: list[HandTime] = field(default_factory=list)
    rounds: int = 0

    def to_json(self) -> Json:
        """For a line of output."""
        asked = Counter(what.partition(" ")[0] for _, _, what in self.questions)
        many = [time for time in self.times if time.dice >= MANY_DICE]
        return {
            "rounds": self.rounds,
            "hands": self.hands,
            "hands_right": self.right,
            "dice": self.dice,
            "silently_wrong": len(self.wrong),
            "wrong": self.wrong[:10],
            "questions": dict(asked),
            "dice_per_question": round(self.dice / max(1, len(self.questions)), 1),
            "latency_ms": _quantiles([time.latency_ms for time in self.times]),
            f"latency_ms_from_{MANY_DICE}_dice": _quantiles([time.latency_ms for time in many]),
            "cpu_ms": _quantiles([time.cpu_ms for time in self.times]),
            f"cpu_ms_from_{MANY_DICE}_dice": _quantiles([time.cpu_ms for time in many]),
            "looks": round(sum(time.looks for time in self.times) / max(1, len(self.times)), 2),
        }


def _quantiles(times_ms: Sequence[float]) -> Json:
    if not times_ms:
        return {"hands": 0}
    p50, p95 = np.percentile(times_ms, [50, 95])
    return {"hands": len(times_ms), "p50": round(float(p50)), "p95": round(float(p95))}


class Client:
    """Speaks to one server."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def get(self, path: str) -> Json:
        """The JSON behind an address."""
        with urllib.request.urlopen(self.url + path, timeout=20) as answer:
            content: Json = json.load(answer)
            return content

    def post(self, path: str, body: Json) -> bool:
        """Whether a write was taken."""
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=20):
                return True
        except urllib.error.HTTPError as error:
            with error:
                return False

    def states(self) -> Iterator[tuple[float, Json]]:
        """The views as they are sent to the pages, with the time when each came (Unix, seconds)."""
        with urllib.request.urlopen(self.url + "/api/events", timeout=60) as events:
            name = ""
            for line in events:
                if line.startswith(b"event:"):
                    name = line[6:].strip().decode()
                elif line.startswith(b"data:") and name == "state":
                    yield time.time(), json.loads(line[5:])


@contextmanager
def served(options: str, pace: float, log: Path, readings: Path | None = None) -> Iterator[Client]:
    """`tablesight serve` with a simulated table and a data folder of its own; all readings are kept in `readings`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder, log.open("wb") as out:
        command = [
            sys.executable, "-m", "tablesight.webui.cli", "serve", "--camera", f"simulated:{options}", "--host",
            "127.0.0.1", "--port", str(port), "--data-dir", folder, "--pace", str(pace),
        ]  # fmt: skip
        kept = {} if readings is None else {FOLDER: str(readings)}
        process = subprocess.Popen(command, stdout=out, stderr=out, env=os.environ | kept)
        try:
            client = Client(port)
            _wait_until_watching(client, process)
            yield client
        finally:
            process.terminate()
            process.wait(20)


def _wait_until_watching(client: Client, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            if client.get("/healthz")["camera"]["state"] == "watching":
                return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.2)
    raise RuntimeError(f"the server did not watch its table within {seconds:.0f} s: see its log")


class TruthRecord:
    """What lay on the table when: asked for a few times a second, until `close`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._seen: deque[tuple[float, list[Json]]] = deque(maxlen=3000)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="truth", daemon=True)
        self._thread.start()

    def at(self, at_s: float, seat: int) -> list[Json]:
        """The dice of a seat at a time (Unix, seconds), as told nearest to it."""
        if not self._seen:
            return []
        _, dice = min(list(self._seen), key=lambda told: abs(told[0] - at_s))
        return [die for die in dice if die["seat"] == seat]

    def close(self) -> None:
        """Ask no more."""
        self._closing.set()
        self._thread.join(25)

    def _run(self) -> None:
        while not self._closing.wait(0.15):
            try:
                dice = self._client.get("/api/simulated/truth")["dice"]
            except (urllib.error.URLError, OSError):
                continue
            self._seen.append((time.time(), dice))


class Game:
    """One game, followed by its events."""

    def __init__(self, client: Client, players: int, rounds: int) -> None:
        self._client = client
        self._rounds = rounds
        self.tally = GameTally()
        self._seen: dict[tuple[int, int], str] = {}
        self._hands: dict[tuple[int, int], tuple[list[str], int]] = {}
        self.mistakes: dict[tuple[int, int], Json] = {}
        """Each hand that was silently wrong, by round and seat: its reading, what was scored, what lay there."""
        self._timed: set[str] = set()
        self._truth = TruthRecord(client)
        if not client.post("/api/games", {"players": [f"Player {number + 1}" for number in range(players)]}):
            raise RuntimeError("the game could not be started")

    def play(self, seconds: float) -> GameTally:
        """Follow it to the end, or for so long at most."""
        end = time.monotonic() + seconds
        for at_s, state in self._client.states():
            game = state["game"]
            if game is None:
                continue
            self._time(at_s, state)
            for seat in game["seats"]:
                if seat["dice"] and seat["state"] == "rolled" and game["phase"] != "reroll":
                    self._compare(game["round"], seat)
            self._answer(game)
            over = game["phase"] == "ended" or (game["phase"] == "scored" and game["round"] >= self._rounds)
            if over or time.monotonic() > end:
                break
        self._truth.close()
        return self._summed()

    def _summed(self) -> GameTally:
        for number, (wrong, dice) in ((key[0], hand) for key, hand in self._hands.items()):
            self.tally.rounds = max(self.tally.rounds, number)
            self.tally.hands += 1
            self.tally.right += not wrong
            self.tally.dice += dice
            self.tally.wrong += wrong
        return self.tally

    def _compare(self, number: int, seat: Mapping[str, Any]) -> None:
        """A hand that has been scored with what lay there when its still was taken."""
        place, shown = (number, int(seat["seat"])), json.dumps([seat["still"], seat["dice"]])
        if self._seen.get(place) == shown:
            return
        self._seen[place] = shown
        truth = self._lay(seat)
        lay = Counter((die["kind"], die["value"]) for die in truth)
        read = Counter((die["kind"], die["value"]) for die in seat["dice"])
        missed = ", ".join(f"{kind} {value}" for kind, value in lay - read) or "nothing"
        wrong = [
            f"round {number}, seat {place[1]}: {kind} {value} did not lie there but {missed}"
            for kind, value in read - lay
        ]
        if len(seat["dice"]) != len(truth):
            wrong.append(f"round {number}, seat {place[1]}: {len(seat['dice'])} dice scored, {len(truth)} lay there")
        self._hands[place] = (wrong, len(seat["dice"]))
        self.mistakes.pop(place, None)
        if wrong:
            self.mistakes[place] = {"reading": seat["still"], "wrong": wrong, "scored": seat["dice"], "lay": truth}

    def _lay(self, seat: Mapping[str, Any]) -> list[Json]:
        """What lay there when a hand was read: all that lay in its newest still, and of the dice that it has from an
        older one (in a tray only the yellow dice of a tie are thrown again) those that lay there then."""
        number, newest = int(seat["seat"]), str(seat["still"])
        lay = self._lay_in(newest, number)
        for die in seat["dice"]:
            still, kind = str(die.get("image") or "").removeprefix("/stills/").partition("/")[0], die["kind"]
            lacking = sum(one["kind"] == kind for one in seat["dice"]) - sum(one["kind"] == kind for one in lay)
            if still not in ("", newest) and lacking > 0:
                alike = [one for one in self._lay_in(still, number) if one["kind"] == kind]
                lay += sorted(alike, key=lambda one: one["value"] != die["value"])[:1]
        return lay

    def _lay_in(self, still: str, seat: int) -> list[Json]:
        try:
            taken_at_s = float(self._client.get(f"/stills/{still}.json")["at_s"])
        except urllib.error.HTTPError:  # a person told the hand
            taken_at_s = time.time()
        return self._truth.at(taken_at_s, seat)

    def _answer(self, game: Json) -> None:
        """Count each question once, and answer it as somebody would who looks at the die."""
        for question in game["questions"]:
            seat, what = int(question["seat"]), str(question["what"])
            self.tally.questions.add((game["round"], seat, f"{what} {question.get('die', '')}"))
            if what != "die":
                continue  # the simulated players tell the whole hand after a while
            try:
                reading = self._client.get(f"/stills/{question['reading']}.json")
                seen = next(die["box"] for die in reading["dice"] if str(die["id"]) == question["die"])
            except (urllib.error.HTTPError, StopIteration):
                continue
            whole = self._client.get("/api/simulated/truth")
            box = in_pixels(place_of(seen, reading), whole["width"], whole["height"])
            truth = self._truth.at(time.time(), seat)
            near = [(iou(die["box"], box), die) for die in truth]
            common, die = max(near, key=lambda pair: pair[0], default=(0.0, {}))
            is_there = common > IS_IT
            answer: Json = {"kind": die["kind"], "value": die["value"]} if is_there else {"none": True}
            body = {"seat": seat, "die": question["die"], **answer}
            threading.Thread(target=self._client.post, args=(f"/api/games/{game['id']}/answers", body)).start()

    def _time(self, at_s: float, state: Json) -> None:
        """How long the readings of this event took that no event has shown before."""
        game, look = state["game"], state.get("look") or {}
        ids = {look.get("id"), *(seat["still"] for seat in game["seats"]), *(q["reading"] for q in game["questions"])}
        for still in ids - self._timed - {None}:
            self._timed.add(still)
            try:
                reading = self._client.get(f"/stills/{still}.json")
            except urllib.error.HTTPError:
                continue
            if reading.get("settled_at_s"):
                ms = reading["ms"]
                took_ms = (at_s - reading["settled_at_s"]) * 1e3 - ms["drawn"]
                self.tally.times.append(HandTime(len(reading["dice"]), took_ms, ms["cpu"], ms["looks"]))


def play(
    players: int, way: str, options: str, rounds: int, pace: float, seconds: float, log: Path, keep: Path | None = None
) -> Json:
    """One game; what came of it."""
    started_s = time.monotonic()
    spec = options + (",mats=1" if way == "mats" else "")
    with tempfile.TemporaryDirectory() as scratch:
        readings = None if keep is None else Path(scratch)
        with served(spec, pace, log, readings) as client:
            if not client.post("/api/settings", {"way": way}):
                raise RuntimeError(f"the way {way!r} could not be chosen")
            game = Game(client, players, rounds)
            tally = game.play(seconds)
        if keep is not None and readings is not None:
            keep_mistakes(game.mistakes, readings, keep, f"{players}-{way}-{spec}")
    took_s = round(time.monotonic() - started_s)
    return {"players": players, "way": way, "options": spec, **tally.to_json(), "took_s": took_s}


def keep_mistakes(mistakes: Mapping[tuple[int, int], Json], readings: Path, keep: Path, game: str) -> None:
    """Copy the readings of hands that were silently wrong to `keep`, each with what lay there in a file beside it."""
    for (number, seat), mistake in mistakes.items():
        keep.mkdir(parents=True, exist_ok=True)
        name = f"{game}-round-{number}-seat-{seat}"
        (keep / f"{name}.json").write_text(json.dumps(mistake, indent=1))
        reading = readings / f"{mistake['reading']}.npz"
        if reading.exists():  # not where a person told the hand
            shutil.copy(reading, keep / f"{name}.npz")


def main(argv: list[str] | None = None) -> int:
    """Play and print one JSON line a game; 1 where a score was silently wrong or a game did not come to its end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[3], help="a game for each of these numbers")
    parser.add_argument("--way", nargs="+", choices=WAYS, default=["zones"], help="... in each of these ways")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--options", default="seed=7,lamp=hard,shake=5", help="as after simulated:")
    parser.add_argument("--pace", type=float, default=0.3, help="how slow the players are; 1 is as people are")
    parser.add_argument("--seconds", type=float, default=1800, help="a game is given up after so long")
    parser.add_argument("--log", type=Path, default=Path(tempfile.gettempdir()) / "tablesight-simulated-games.log")
    parser.add_argument("--keep", type=Path, help="a folder for what was silently read wrong")
    args = parser.parse_args(argv)
    status = 0
    for way in args.way:
        for players in args.players:
            told = play(players, way, args.options, args.rounds, args.pace, args.seconds, args.log, args.keep)
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
            if told["silently_wrong"] or told["rounds"] < args.rounds or told["hands"] < players * args.rounds:
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
