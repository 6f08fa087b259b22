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


def catalogue() -> dict[str, str]:
    """All translated texts of the request's language, for the scripts."""
    texts = getattr(get_translations(), "_catalog", {})
    return {key: value for key, value in texts.items() if isinstance(key, str) and key and isinstance(value, str)}
