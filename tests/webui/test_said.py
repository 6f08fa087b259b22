"""What the server and the rules say, in the language of the page: none is left in English, and the page finds each."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from tablesight.rules.games import GAMES
from tablesight.webui.languages import LANGUAGES

HERE = Path(__file__).parent
WEBUI = HERE.parents[1] / "webui"


def load_sentences() -> Any:
    spec = importlib.util.spec_from_file_location("sentences", HERE / "sentences.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sentences = load_sentences()


def said(language: str) -> dict[str, str]:
    with (WEBUI / "translations" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return {message.id: message.string for message in read_po(file) if message.context == "said"}


def choices() -> set[str]:
    """The values of the house rules, as the page shows them."""
    named = {(option.name, value) for game in GAMES.values() for option in game.options for value in option.choices}
    return {f"{name}: {str(value).lower()}" for name, value in named if isinstance(value, str | bool)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_server_is_there_in_every_language(language: str) -> None:
    known = said(language)
    shown = {*sentences.shown(), *choices()}
    assert len(shown) > 300
    assert sorted(text for text in shown if not known.get(text)) == []
    for text, translation in known.items():
        assert set(re.findall(r"\{\d+\}", translation)) <= set(re.findall(r"\{\d+\}", text)), text


def test_the_list_of_texts_for_programs_names_only_what_is_there() -> None:
    listed = sentences.FOR_PROGRAMS.read_text(encoding="utf-8").splitlines()
    written = {
        text.replace("\n", "\\n")
        for pattern in sentences.SHOWN
        for path in sentences.ROOT.glob(pattern)
        for text in sentences.sentences(path)
    }
    assert sorted(set(listed) - written) == []


CAMERA = ("vision/sources/*.py", "vision/worker/camera_line.py")

NEVER_ON_A_PAGE = {
    # a camera that is closed is opened before it is asked again
    "the camera {1} is closed: open it again",
    "the network camera {1} is closed: open it again",
    "the Raspberry Pi camera {1} is closed: open it again",
    "expected a mains frequency of {1} Hz, got {2}",  # an option of programs
}


def camera_errors() -> list[str]:
    """Every sentence that a camera may fail with."""
    found: dict[str, None] = {}
    for path in (path for pattern in CAMERA for path in sorted(sentences.ROOT.glob(pattern))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("SourceError", "NoCamera"):
                text = sentences.template(node.args[0])
                if text and " " in re.sub(r"\{\d+\}[:; ]*", "", text):
                    found.setdefault(text, None)
    return [text for text in found if text not in NEVER_ON_A_PAGE]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_of_a_camera_is_there_in_every_language(language: str) -> None:
    known = said(language)
    assert len(camera_errors()) > 25
    assert sorted(text for text in camera_errors() if not known.get(text)) == []


def filled(text: str) -> str:
    """With something in each gap that is no word of any sentence."""
    return re.sub(r"\{(\d+)\}", r"X\1", text)


def test_the_page_says_what_a_camera_failed_with_as_it_comes_with_a_capital(
    make_server: Callable[..., Any], phone: Callable[..., Any]
) -> None:
    told = "No camera found: plug in a USB camera, or name another with --camera"
    server = make_server("600", FAKE_STATE="no_camera", FAKE_MESSAGE=told)
    page = phone(server.url, "Pixel 7", locale="de-DE").open("/#camera")
    page.locator("#notice").get_by_text("Keine Kamera gefunden: ").wait_for()
    assert "plug in" not in page.locator("#notice").inner_text()
    errors = camera_errors()
    known = said("de")
    spoken = [filled(text) for text in errors]
    shown = page.evaluate(
        "async sentences => { const module = document.querySelector('link[href$=\"js/said.js\"]').href;"
        " const { cameraSays } = await import(module); return sentences.map(cameraSays); }",
        [*(text[:1].upper() + text[1:] for text in spoken), "Error 7 in unknown driver: none"],
    )
    assert shown.pop() == "Die Kamera sagt: Error 7 in unknown driver: none"
    wanted = [filled(known[text]) for text in errors]
    assert shown == [text[:1].upper() + text[1:] for text in wanted]


SAID = (
    (
        "two players are called 'Ana': choose another name",
        "Zwei Spieler heißen 'Ana': Wähl einen anderen Namen.",
    ),
    ("Ana shows blue d6, expected yellow d6", "Ana zeigt W6 blau, sollte aber W6 gelb haben"),
    (
        "Ben shows 2 dice, expected 3 (the pink one included)",
        "Ben zeigt 2 Würfel, gebraucht werden aber 3 (der rosa mitgezählt)",
    ),
    (
        "Ben shows a pink die, expected none: this round's pity goes to Ana and Cleo",
        "Ben zeigt einen rosa Würfel, diese Runde bekommt ihn aber Ana und Cleo",
    ),
    (
        "Ben shows red d6 new and 2 blue d8 gone, which no draft and trades explain; expected one new die from the bag",
        "Ben zeigt W6 rot neu und 2 \u00d7 W8 blau nicht mehr: Das erklärt kein Tausch und keine Wahl. "
        "Erwartet wird ein neuer Würfel",
    ),
    (
        "no drafts and trades lead from the hands of round 2 to these: new on the table are red d6, pink d12; "
        "look again at Ben's red d6 (is it a pink d12?), or accept the hand as seen",
        "Kein Tausch und keine Wahl führen von Runde 2 zu diesen Würfeln: Neu sind W6 rot, W12 rosa. "
        "sieh noch einmal nach: W6 rot von Ben (ist es W12 rosa?), oder zählt es, wie es liegt.",
    ),
    (
        "somebody was faster: this die is now a green d20 with 17",
        "Jemand war schneller: Dieser Würfel ist jetzt W20 grün mit 17.",
    ),
    (
        "The camera cannot see the table: is the lamp on, is something in front of the lens?",
        "Die Kamera sieht den Tisch nicht: Ist die Lampe an, ist etwas vor der Linse?",
    ),
    (
        "Lower the camera by about 12 cm: the dice appear too small.",
        "Häng die Kamera etwa 12 cm tiefer: Die Würfel erscheinen zu klein.",
    ),
    (
        "expected a JPEG, PNG, WebP, HEIC, AVIF or BMP photo, got a PDF document: choose a photo",
        "Das ist ein PDF-Dokument: Wähl ein Foto.",
    ),
    ("a sentence that nobody has translated", "a sentence that nobody has translated"),
)


def test_the_page_says_it_in_german(make_server: Callable[..., Any], phone: Callable[..., Any]) -> None:
    server = make_server("600")
    page = phone(server.url, "Pixel 7", locale="de-DE").open()
    found = page.evaluate(
        "async sentences => { const module = document.querySelector('link[href$=\"js/said.js\"]').href;"
        " const { said } = await import(module); return sentences.map(said); }",
        [sentence for sentence, _ in SAID],
    )
    for (sentence, wanted), shown in zip(SAID, found, strict=True):
        assert shown == wanted, sentence
    for place in (1, 2):
        page.get_by_label(f"Name von Spieler {place}").fill("Ana")
    page.locator(".start .big").click()
    page.get_by_role("alert").get_by_text("Zwei Spieler heißen 'Ana'").wait_for()
