"""The versions of what is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version(package: str, missing: str = "") -> str:
    """The version of a package; `missing` where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return missing
