"""The addresses that are shown for phones: by number first, by name second."""

from __future__ import annotations

import pytest

from tablesight.webui.network import local_name, name_url, page_url


@pytest.mark.parametrize(
    ("name", "port", "url"),
    [
        pytest.param("kitchen", 8000, "http://kitchen.local:8000", id="a plain name"),
        pytest.param("Kitchen.fritz.box", 8000, "http://kitchen.local:8000", id="a name with the router's"),
        pytest.param("kitchen", 80, "http://kitchen.local", id="the usual port"),
    ],
)
def test_the_name_on_the_network(name: str, port: int, url: str) -> None:
    assert name_url(port, local_name(name)) == url


def test_the_code_to_scan_has_the_number() -> None:
    assert ".local" not in page_url(8000)
    assert page_url(8000).endswith(":8000")
