"""`python -m tablesight.vision.worker`: the camera process. Messages on stdin and stdout, everything else on stderr."""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tablesight.vision.zones import MAX_SEATS, MIN_SEATS

if TYPE_CHECKING:
    from tablesight.vision.frame import FrameSource
    from tablesight.vision.lens import Lens

logger = logging.getLogger("tablesight.vision.worker")

HUNG: Final = 70
"""The exit status after the main loop hung."""


def main(argv: list[str] | None = None) -> int:
    """Watch until the web process closes the pipe."""
    parser = argparse.ArgumentParser(prog="python -m tablesight.vision.worker", description=__doc__)
    parser.add_argument("--source", required=True, help="as for tablesight serve --camera; simulated[:OPTIONS] too")
    parser.add_argument("--seats", type=int, default=2, choices=range(MIN_SEATS, MAX_SEATS + 1), metavar="N")
    parser.add_argument("--data-dir", type=Path, default=None)
    args = parser.parse_args(argv)
    stdin, stdout = _claim_pipes()
    _return_large_blocks()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="camera: %(levelname)s %(name)s: %(message)s")
    return run(stdin, stdout, args.source, args.seats, args.data_dir)


def run(stdin: BinaryIO, stdout: BinaryIO, source: str, seats: int, data_dir: Path | None) -> int:
    """Composition root: everything is put together here."""
    # imported here, after the pipes are claimed: libraries may print while they are imported
    from tablesight.vision.lens import LENSES_FILE, load_lenses, save_lens
    from tablesight.vision.worker.camera_line import CameraLine
    from tablesight.vision.worker.camera_place import CameraPlace
    from tablesight.vision.worker.channel import Channel
    from tablesight.vision.worker.heartbeat import Heartbeat
    from tablesight.vision.worker.model_shelf import ModelShelf
    from tablesight.vision.worker.photo_desk import PhotoDesk
    from tablesight.vision.worker.reading_keeper import ReadingKeeper
    from tablesight.vision.worker.requests import LearnTaught, ReadPhoto, parse_request
    from tablesight.vision.worker.source_choice import choose_source
    from tablesight.vision.worker.table_watch import TableWatch
    from tablesight.vision.worker.taught_desk import TaughtDesk
    from tablesight.vision.worker.zone_book import ZoneBook

    channel = Channel(stdin, stdout)
    simulated = source.startswith("simulated")
    taught = TaughtDesk(None if data_dir is None else data_dir / "taught", simulated, channel.send)
    shelf = ModelShelf(taught.load_models)
    # a table of its own for each evening, the same one when this process has to be started again
    seed = zlib.crc32(f"{os.getppid()} {data_dir}".encode())
    heartbeat: Heartbeat

    def open_source() -> FrameSource:
        with heartbeat.busy(45):  # a network camera that does not answer, a lens that is swept
            return choose_source(source, seats, seed)

    camera = CameraLine(open_source)
    # the simulated table has other dice each evening: what they show must not be kept for the real ones
    prints = None if data_dir is None or simulated else data_dir / "ink-prints.json"
    book = ZoneBook(prints)
    # ... and another lens
    lenses = None if data_dir is None or simulated else data_dir / LENSES_FILE
    place = CameraPlace({} if lenses is None else load_lenses(lenses))

    def keep_lens(name: str, lens: Lens) -> None:
        try:
            if lenses is not None:
                save_lens(lenses, name, lens)
        except OSError as error:  # it is used all the same, until this process ends
            logger.warning("the lens of %s could not be kept: %s", name, error)

    watch = TableWatch(
        camera, lambda: shelf.table, lambda: shelf.problem, channel.send, seats, book=book, place=place,
        keep_lens=keep_lens, keeper=ReadingKeeper.from_environment(),
    )  # fmt: skip
    # a loop that hangs in a driver is never freed: the web process starts a new one, at once
    heartbeat = Heartbeat(watch.status, channel.send, hung=lambda: os._exit(HUNG))
    photos = PhotoDesk(lambda: shelf.photo, channel.send, lambda: shelf.problem, taught.read)
    heartbeat.start()
    shelf.load()
    while True:
        for message in channel.receive():
            try:
                request = parse_request(message)
                if isinstance(request, ReadPhoto):
                    photos.take(request)
                elif isinstance(request, LearnTaught):
                    taught.learn()
                else:
                    watch.handle(request)
            except ValueError as error:
                logger.warning("a %r message was refused: %s", message.type, error)
            except Exception:  # no message, however odd, ends the watching
                logger.exception("a %r message could not be handled", message.type)
        try:
            watch.turn(heartbeat)
        except Exception:  # one bad picture must not end the watching
            logger.exception("a turn failed")
            camera.close()


def _return_large_blocks() -> None:
    """Tell glibc to give the memory of stills back when they are dropped, and to keep that of previews.

    Left to itself it would keep that of stills too, 100 MB. With a small top to the heap, which is what setting the one
    leaves of the other, every picture the size of a preview would be taken from the kernel anew and given back: that
    was a third of what watching costs. On other C libraries nothing is done.
    """
    mmap_threshold, trim_threshold, megabyte = -3, -1, 1024 * 1024
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_threshold, 4 * megabyte)
        libc.mallopt(trim_threshold, 8 * megabyte)
    except (OSError, AttributeError):
        logger.debug("this C library has no mallopt")


def _claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Stdin and stdout for messages alone: whatever a library prints from now on lands on stderr."""
    messages_in, messages_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return os.fdopen(messages_in, "rb", buffering=0), os.fdopen(messages_out, "wb")


if __name__ == "__main__":
    sys.exit(main())
