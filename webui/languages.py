"""The language of a page: chosen on it, else the browser's."""

from __future__ import annotations

from typing import Final

from flask import request
from flask_babel import get_translations

LANGUAGES: Final = ("en", "pt_BR", "es", "de", "fr")


def chosen_language() -> str:
    """The cookie's language where one was chosen, else the browser's best, else English."""
    cookie = request.cookies.get("language", "")
    if cookie in LANGUAGES:
        return cookie
    tags = {language.replace("_", "-").lower(): language for language in LANGUAGES}
    tags["pt"] = "pt_BR"
    best = request.accept_languages.best_match(list(tags))
    return tags[best] if best else "en"


def catalogue() -> dict[str, str | list[str]]:
    """All translated texts of the request's language, for the scripts; of texts about a number of things the list of
    their forms, under the form for one."""
    texts = getattr(get_translations(), "_catalog", {})
    forms: dict[str, dict[int, str]] = {}
    for key, value in texts.items():
        if isinstance(key, tuple):
            forms.setdefault(key[0], {})[key[1]] = value
    plain = {key: value for key, value in texts.items() if isinstance(key, str) and key and isinstance(value, str)}
    return plain | {key: [found[place] for place in sorted(found)] for key, found in forms.items()}
