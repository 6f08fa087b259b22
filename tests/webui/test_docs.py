from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tablesight.webui.app import create_app
from tablesight.webui.house import House

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"


def test_every_address_is_on_the_api_page_and_every_address_there_exists(tmp_path: Path) -> None:
    house = House(tmp_path, lambda _: [sys.executable, "-c", ""])
    app = create_app(house)
    real = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static":
            continue
        path = re.sub(r"<[^>]*>", "*", rule.rule)
        real |= {f"{method} {path}" for method in rule.methods or () if method in ("GET", "POST")}
    house.close()
    text = PAGE.read_text(encoding="utf-8")
    told = {
        f"{method} {re.sub(r'(?<=/)[A-Z]+(?=[/.]|$)', '*', path)}"
        for method, path in re.findall(r"\| `(GET|POST) (/[^` ]*)`", text)
    }
    assert told == real


@pytest.mark.parametrize("word", ["Last-Event-ID", "403", "409", "40 MB"])
def test_the_api_page_tells_what_surprises(word: str) -> None:
    assert word in PAGE.read_text(encoding="utf-8")
