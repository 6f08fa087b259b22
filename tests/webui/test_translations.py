from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.languages import LANGUAGES

WEBUI = Path(__file__).resolve().parents[2] / "webui"
TRANSLATED = [language for language in LANGUAGES if language != "en"]


MORE_THAN_ONE = [
    "Draw {n} dice from the bag.",
    "everybody, {n} dice",
    "{n} dice from the bag, each takes one; most yellow first",
]
"""Texts whose number is never one: there are two players at least, and after a round everybody has two dice."""


def texts() -> set[str]:
    """Every text that the pages show."""
    found: set[str] = set()
    for path in (WEBUI / "static" / "js").rglob("*.js"):
        # nested calls too, which Babel's own extractor passes over
        quoted = re.findall(r'\bt\(\s*("(?:[^"\\]|\\.)*")', path.read_text(encoding="utf-8"))
        found |= {json.loads(text) for text in quoted}
    for path in (WEBUI / "templates").rglob("*.html"):
        found |= set(re.findall(r"_\('((?:[^'\\]|\\.)*)'\)", path.read_text(encoding="utf-8")))
    return found


def numbers() -> set[tuple[str, str]]:
    """Every text about a number of things, for one and for many."""
    text = r'("(?:[^"\\]|\\.)*")'
    return {
        (json.loads(one), json.loads(many))
        for path in (WEBUI / "static" / "js").rglob("*.js")
        for one, many in re.findall(rf"\btn\(\s*{text},\s*{text}", path.read_text(encoding="utf-8"))
    }


def catalogue(language: str) -> Catalog:
    with (WEBUI / "translations" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file)


def by_context(found: Catalog) -> dict[tuple[str | None, str], Any]:
    def flat(text: Any) -> Any:
        return text if isinstance(text, str) else tuple(text)

    return {(message.context, flat(message.id)): flat(message.string) for message in found if message.id}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_with_its_placeholders(language: str) -> None:
    known = {
        message.id: message.string
        for message in catalogue(language)
        if message.id and not message.context and isinstance(message.id, str)
    }
    assert len(texts()) > 250
    assert sorted(texts() - set(known)) == []
    assert sorted(set(known) - texts()) == []  # nor any that no page shows
    for text, translation in known.items():
        assert translation, text
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", translation)), text


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_about_a_number_has_all_its_forms(language: str) -> None:
    found = catalogue(language)
    known = {message.id: message.string for message in found if isinstance(message.id, tuple)}
    assert len(numbers()) > 10
    assert sorted(numbers()) == sorted(known)
    for texts, forms in known.items():
        assert len(forms) == found.num_plurals
        assert all(forms), texts
        for form in forms[1:]:
            assert set(re.findall(r"\{\w+\}", form)) == set(re.findall(r"\{\w+\}", texts[1])), texts


def test_no_number_stands_before_a_fixed_plural() -> None:
    """A text such as "{n} dice" must come from tn, which knows "1 die"."""
    things = "dice|points|squares|tokens|cards|creatures|screens|entries|pictures|games"
    assert sorted(text for text in texts() if re.search(rf"\{{\w+\}} (?:{things})\b", text)) == MORE_THAN_ONE


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_a_guess(language: str) -> None:
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    with (WEBUI / "translations" / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = by_context(read_mo(file))
    assert compiled == by_context(catalogue(language))


@pytest.mark.parametrize(
    ("accepted", "cookie", "language", "word"),
    [
        pytest.param("de-AT,de;q=0.9,en;q=0.8", "", "de", "Wertungsblatt", id="Austrian German"),
        pytest.param("pt,en;q=0.5", "", "pt-BR", "Folha de pontos", id="any Portuguese"),
        pytest.param("fr-CA", "", "fr", "Feuille de score", id="Canadian French"),
        pytest.param("es-MX,es", "", "es", "Hoja de puntos", id="Mexican Spanish"),
        pytest.param("ja", "", "en", None, id="a language that is not there"),
        pytest.param("de", "es", "es", "Hoja de puntos", id="chosen on the page"),
    ],
)
def test_the_browser_s_language_is_spoken(
    tmp_path: Path, accepted: str, cookie: str, language: str, word: str | None
) -> None:
    house = House(tmp_path, lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    if cookie:
        client.get(f"/language/{cookie}")
    page = client.get("/", headers={"Accept-Language": accepted}).get_data(as_text=True)
    house.close()
    assert f'<html lang="{language}">' in page
    assert word is None or word in page
