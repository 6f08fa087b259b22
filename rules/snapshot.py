"""Frozen dataclasses to JSON and back, checked against their type hints."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tablesight.rules.wording import quote

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """Dataclasses become objects, tuples become lists; str, int, float, bool and None stay."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, tuple):
        return [to_json(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: to_json(entry) for key, entry in value.items()}
    if dataclasses.is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"expected a value made of dataclasses, tuples and JSON scalars, got {quote(value)}")


def from_json(kind: type[T], data: Any, where: str = "state") -> T:
    """The value of this type that `to_json` wrote. Raises ValueError where the data has another shape."""
    value: T = _read(kind, data, where)
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, data: Any, where: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        if data not in arguments:
            raise ValueError(f"{where}: expected one of {arguments}, got {quote(data)}")
        return data
    if origin in (Union, types.UnionType):
        return _read_union(arguments, data, where)
    if origin is tuple:
        return _read_tuple(arguments, data, where)
    if dataclasses.is_dataclass(kind):
        if not isinstance(data, Mapping):
            raise ValueError(f"{where}: expected an object, got {quote(data)}")
        hints = _hints(kind)  # type: ignore[arg-type]  # is_dataclass also admits instances; types only come here
        names = [field.name for field in dataclasses.fields(kind)]
        if set(names) != set(data):
            raise ValueError(f"{where}: expected the fields {', '.join(names)}, got {quote(sorted(map(str, data)))}")
        read = {name: _read(hints[name], data[name], f"{where}.{name}") for name in names}
        return kind(**read)  # type: ignore[operator]  # the same
    if (kind is int and isinstance(data, bool)) or not isinstance(data, kind):
        raise ValueError(f"{where}: expected {kind.__name__}, got {quote(data)}")
    return data


def _read_tuple(arguments: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ValueError(f"{where}: expected a list, got {quote(data)}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_read(arguments[0], entry, f"{where}[{index}]") for index, entry in enumerate(data))
    if len(arguments) != len(data):
        raise ValueError(f"{where}: expected {len(arguments)} entries, got {len(data)}")
    pairs = zip(arguments, data, strict=True)
    return tuple(_read(kind, entry, f"{where}[{index}]") for index, (kind, entry) in enumerate(pairs))


def _read_union(arguments: tuple[Any, ...], data: Any, where: str) -> Any:
    if data is None and type(None) in arguments:
        return None
    kinds = [kind for kind in arguments if kind is not type(None)]
    for kind in kinds[:-1]:
        try:
            return _read(kind, data, where)
        except ValueError:
            continue
    return _read(kinds[-1], data, where)


def wrapped(game: str, version: int, state: Any) -> dict[str, Any]:
    """A state of a game as JSON, with its version."""
    return {"game": game, "version": version, "state": to_json(state)}


def opened(kind: type[T], game: str, version: int, data: Any) -> T:
    """The state that `wrapped` wrote. Raises ValueError for another game, version or shape."""
    if not isinstance(data, Mapping) or data.get("game") != game or data.get("version") != version:
        raise ValueError(f"expected a {game} state of version {version}, got {quote(data)}")
    return from_json(kind, data.get("state"))
