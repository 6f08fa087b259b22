"""The host's PIN: drawn once, then kept in the data folder, so that a power cut locks nobody out."""

from __future__ import annotations

import logging
import os
import re
import secrets
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

NAME: Final = "host-pin"


def host_pin(data_dir: Path) -> str:
    """The PIN of this data folder, four digits. To get another one, delete the file `host-pin` and start again.

    Where the file cannot be used the reason is logged, and the PIN holds until the next start.
    """
    path = data_dir / NAME
    try:
        kept = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        kept = ""
    except (OSError, UnicodeError) as error:
        log.warning("expected the host's PIN in %s, got %r: another is drawn", path, str(error))
        kept = ""
    if re.fullmatch(r"[0-9]{4,8}", kept):
        return kept
    pin = f"{secrets.randbelow(10**4):04d}"
    fresh = path.with_name(f"{NAME}.new")
    try:
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{pin}\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        log.warning("the host's PIN cannot be kept in %s, it holds until the next start: %s", path, error)
    return pin
