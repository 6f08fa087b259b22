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


def test_scripts_are_kept_by_phones_until_they_change(tmp_path: Path) -> None:
    house = House(tmp_path, lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    page = client.get("/").get_data(as_text=True)
    house.close()
    scripts = set(re.findall(r'"(/assets/[0-9a-f]+/js/[a-z/]+\.js)"', page))
    assert len(scripts) > 15
    for script in scripts:
        answer = client.get(script)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        answer.close()
    old = client.get("/assets/old/js/main.js")
    assert "immutable" not in old.headers["Cache-Control"]
    old.close()
