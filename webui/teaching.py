"""Teach my dice: photos whose dice people have named become what the camera process learns from."""

from __future__ import annotations

import base64
import binascii
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from tablesight.webui.errors import Conflict, Missing, RequestError
from tablesight.webui.plain_json import parsed

if TYPE_CHECKING:
    from tablesight.vision.teaching.taught_folder import TaughtDie

FOLDER: Final = "taught"
MOST_WAITING: Final = 12
"""Photos that were read and whose dice nobody has named yet."""
DAMAGED: Final = "the taught dice in this backup are damaged: nothing was changed; choose another backup"


@dataclass(frozen=True, slots=True)
class Told:
    """What a person says a die of a photo is; `die` is its number in the reading."""

    die: int
    kind: str
    value: int


class Teaching:
    """The taught dice of a house, in the folder `taught` of its data; safe to call from any thread."""

    # OpenCV takes a second to import on a Pi, and most requests do without: the folder's module is imported when used

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, tuple[bytes, ...]] = OrderedDict()
        self._learnt: dict[str, Any] | None = None

    def offer(self, photo_id: str, answer: Mapping[str, Any]) -> None:
        """A photo was read: keep the pictures of its dice until somebody says what they are."""
        try:
            crops = tuple(base64.b64decode(text, validate=True) for text in answer.get("crops", ()))
        except (binascii.Error, TypeError, ValueError) as error:
            raise RequestError(
                "the camera process sent no pictures of the dice: start Tablesight again", 500
            ) from error
        with self._lock:
            self._waiting[photo_id] = crops
            while len(self._waiting) > MOST_WAITING:
                self._waiting.popitem(last=False)

    def take(self, photo_id: str, told: Sequence[Told]) -> None:
        """Remember dice of a photo. Raises RequestError; then nothing has changed."""
        from tablesight.vision.teaching.taught_folder import MOST_DICE, TaughtDie, TaughtError, save_taught

        with self._lock:
            crops = self._waiting.get(photo_id)
            if crops is None:
                raise Missing("this photo is not waiting any more: take it again")
            if not told:
                raise RequestError("expected at least one die to remember, got none: name a die first")
            if len({one.die for one in told}) < len(told):
                raise RequestError("expected each die once, got one twice: send it once")
            new: list[TaughtDie] = []
            for one in told:
                if not 0 <= one.die < len(crops):
                    raise RequestError(
                        f"expected a die of this photo, 0 to {len(crops) - 1}, got {one.die!r}: send one of these"
                    )
                try:
                    die = TaughtDie(one.kind, one.value, crops[one.die], photo_id)
                    die.crop_bgr()
                except TaughtError as error:
                    raise RequestError(str(error)) from error
                new.append(die)
            dice = self._load()
            if len(dice) + len(new) > MOST_DICE:
                raise Conflict(f"{len(dice)} dice are remembered, at most {MOST_DICE} can be: forget some kinds first")
            save_taught(self._folder, [*dice, *new])
            del self._waiting[photo_id]
            self._learnt = None

    def forget(self, kind: str | None) -> int:
        """Forget the dice of a kind, or all; how many there were."""
        from tablesight.vision.teaching.taught_folder import save_taught

        with self._lock:
            dice = self._load()
            left = [die for die in dice if kind is not None and die.kind != kind]
            if len(left) != len(dice):
                save_taught(self._folder, left)
                self._learnt = None
        return len(dice) - len(left)

    def summary(self) -> dict[str, Any]:
        """What is remembered, and what the camera process makes of it: None until it has said so."""
        with self._lock:
            dice, learnt = self._load(), self._learnt
        kinds: dict[str, list[int]] = {}
        for die in dice:
            kinds.setdefault(die.kind, []).append(die.value)
        return {
            "dice": len(dice),
            "photos": len({die.lesson for die in dice}),
            "kinds": [
                {"kind": kind, "dice": len(values), "values": sorted(set(values))}
                for kind, values in sorted(kinds.items())
            ],
            "learnt": learnt,
        }

    def take_learnt(self, header: Mapping[str, Any]) -> None:
        """The camera process has learnt what there is."""
        fields = ("dice", "uses_prints", "problem", "seconds")
        with self._lock:
            self._learnt = {name: header.get(name) for name in fields}

    def files(self) -> Mapping[str, bytes]:
        """The files of the intact dice by name, for a backup; none where nothing was ever taught, or nothing can be
        read any more: such a backup leaves the dice of the house that it is put into."""
        with self._lock:
            dice = self._load()
            if not dice and not _is_empty(self._folder):
                return {}
        from tablesight.vision.teaching.taught_folder import save_taught

        with TemporaryDirectory() as place:  # without what is damaged, which `dice_of_files` would refuse
            folder = Path(place) / FOLDER
            save_taught(folder, dice)
            return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    def put_back(self, dice: Sequence[TaughtDie]) -> None:
        """Puts the dice of a backup in the place of the present ones."""
        from tablesight.vision.teaching.taught_folder import save_taught

        with self._lock:
            save_taught(self._folder, dice)
            self._learnt = None

    def _load(self) -> tuple[TaughtDie, ...]:
        if not self._folder.exists() and not self._folder.with_name(f"{FOLDER}.old").exists():
            return ()
        from tablesight.vision.teaching.taught_folder import load_taught

        return load_taught(self._folder)


def dice_of_files(files: Mapping[str, bytes]) -> tuple[TaughtDie, ...]:
    """The dice in the files of a backup. Raises RequestError where one of them, or the list of them, is damaged."""
    from tablesight.vision.teaching.taught_folder import load_taught

    with TemporaryDirectory() as place:
        folder = Path(place)
        try:
            for name, content in files.items():
                if Path(name).name == name:  # no path that leads elsewhere
                    (folder / name).write_bytes(content)
            listed = _listed(folder)
            dice = load_taught(folder)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RequestError(DAMAGED) from error
    if len(dice) != listed:
        raise RequestError(DAMAGED)
    return dice


def _listed(folder: Path) -> int:
    """How many dice the list of a folder names. Raises OSError, ValueError, KeyError, TypeError where it is damaged."""
    from tablesight.vision.teaching.taught_folder import INDEX

    dice = parsed((folder / INDEX).read_bytes())["dice"]
    if not isinstance(dice, list):
        raise TypeError(f"expected a list of dice in {INDEX}, got {dice!r:.80}")
    return len(dice)


def _is_empty(folder: Path) -> bool:
    """Whether the list of a folder can be read and names no die."""
    try:
        return _listed(folder) == 0
    except (OSError, ValueError, KeyError, TypeError):
        return False
