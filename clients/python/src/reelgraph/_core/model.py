"""Typed results: JSON of the platform as objects with snake_case attributes, by their annotations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import Enum, StrEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

Decoder = Callable[[Any], Any]
M = TypeVar("M", bound="Model")


class OpenEnum(StrEnum):
    """A set of names that may grow: a value of a newer platform becomes a member of its own, equal to its text."""

    @classmethod
    def _missing_(cls, value: object) -> OpenEnum | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member


class Model:
    """A part of a response. Its attributes are the selected fields; they cannot be assigned.

    A class of your own types the result of a document of your own: its annotations name the fields in snake_case, and
    may be values, `datetime`, enums, other models, and lists, options and unions of these.
    """

    _decoders: ClassVar[tuple[tuple[str, str, Decoder], ...] | None] = None

    def __init__(self, **values: Any) -> None:
        known = {name for name, _, _ in self._fields()}
        unknown = values.keys() - known
        if unknown:
            raise TypeError(f"{type(self).__name__} has no field {min(unknown)}")
        self.__dict__.update(values)

    @classmethod
    def from_dict(cls: type[M], data: Mapping[str, Any]) -> M:
        """The object for a JSON object of the platform. A field that is missing there is None."""
        self = cls.__new__(cls)
        self.__dict__.update([(name, decode(data.get(wire))) for name, wire, decode in cls._fields()])
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object, with the names of the schema."""
        return {wire_name(name): encode(value) for name, value in self.__dict__.items()}

    @classmethod
    def _fields(cls) -> tuple[tuple[str, str, Decoder], ...]:
        """Attribute, name in the response and decoder of each field; annotations are read on first use."""
        found = cls.__dict__.get("_decoders")
        if found is None:
            hints = get_type_hints(cls)
            found = tuple(
                (name, wire_name(name), decoder_of(hint))
                for name, hint in hints.items()
                if get_origin(hint) is not ClassVar
            )
            cls._decoders = found
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # parts may be lists

    def __repr__(self) -> str:
        members = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({members})"


@lru_cache(maxsize=None)
def wire_name(name: str) -> str:
    """`published_at` as `publishedAt`. An underscore at the end keeps names apart from keywords; `typename` is ours."""
    if name == "typename":
        return "__typename"
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name.rstrip("_"))


def decoder_of(hint: Any) -> Decoder:
    """What turns a JSON value into a value of a type."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _union_decoder([arg for arg in get_args(hint) if arg is not NoneType])
    if origin is list:
        return _list_decoder(decoder_of(get_args(hint)[0]))
    if not isinstance(hint, type):
        return _identity  # Any, literals, dictionaries
    if issubclass(hint, Model):
        return lambda value: None if value is None else hint.from_dict(value)
    if issubclass(hint, datetime):
        return lambda value: None if value is None else datetime.fromisoformat(value)
    if issubclass(hint, date):
        return lambda value: None if value is None else date.fromisoformat(value)
    if issubclass(hint, Enum):
        return lambda value: None if value is None else hint(value)
    return _identity


def _identity(value: Any) -> Any:
    return value


def _list_decoder(decode: Decoder) -> Decoder:
    if decode is _identity:
        return _identity
    return lambda value: None if value is None else [decode(one) for one in value]


def _union_decoder(members: list[Any]) -> Decoder:
    """Models are told apart by `__typename`; the last one stands for types that are not known yet."""
    if len(members) == 1:
        return decoder_of(members[0])
    if not all(isinstance(member, type) and issubclass(member, Model) for member in members):
        return _identity
    by_name: dict[str, type[Model]] = {}
    for member in members:
        for name in get_args(get_type_hints(member).get("typename")):
            by_name[name] = member

    def decode(value: Any) -> Any:
        return None if value is None else by_name.get(value.get("__typename"), members[-1]).from_dict(value)

    return decode


@lru_cache(maxsize=None)
def decoder_of_result(result: str) -> Decoder:
    """The decoder of a type written in the words of `reelgraph.models`, which is loaded for the first one."""
    from .. import models

    return decoder_of(eval(result, vars(models)))  # generated together with the operation


def encode(value: Any, opaque: frozenset[str] = frozenset()) -> Any:
    """A value of the caller as JSON: names of the schema for snake_case ones, instants in UTC.

    What lies below a name in `opaque` is JSON of the caller's own, and keeps its names.
    """
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, Mapping):
        names = {name: wire_name(name) if isinstance(name, str) else name for name in value}
        return {
            wire: value[name] if wire in opaque else encode(value[name], opaque) for name, wire in names.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [encode(one, opaque) for one in value]
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise TypeError("A datetime needs a time zone: datetime.now(timezone.utc), for example.")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return value

