"""Operations, their texts and kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")
OperationKind = Literal["query", "mutation", "subscription"]


class Operation(Generic[T]):
    """An operation of the client, generated from the schema; `T` is what its method returns."""

    __slots__ = ("fragments", "kind", "path", "result", "text")

    def __init__(
        self, kind: OperationKind, text: str, path: tuple[str, ...], result: str, fragments: tuple[str, ...]
    ) -> None:
        self.kind = kind
        self.text = text
        self.path = path
        """Keys of the data down to what the method returns."""
        self.result = result
        """The type `T`, in the words of `reelgraph.models`."""
        self.fragments = fragments

    def __str__(self) -> str:
        return "\n".join((self.text, *self.fragments))

    def value_in(self, data: Any) -> Any:
        """The part of the data that the method returns."""
        for key in self.path:
            data = data.get(key) if isinstance(data, Mapping) else None
        return data


@dataclass(frozen=True)
class Prepared:
    """What to run: a text, its variables as the platform names them, and what kind of operation it is."""

    text: str
    variables: Mapping[str, Any]
    kind: OperationKind
    operation_name: str | None = None


_NOISE = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*')
_DEFINITION = re.compile(r"\b(query|mutation|subscription)\b\s*(\w*)")
_KINDS: Mapping[str, OperationKind] = {"query": "query", "mutation": "mutation", "subscription": "subscription"}


def operation_kind(text: str, operation_name: str | None = None) -> OperationKind:
    """Kind of the operation called `operation_name`, or of the only one. A shorthand `{ … }` is a query."""
    for kind, name in _DEFINITION.findall(_without_braces(_NOISE.sub(" ", text))):
        if operation_name is None or name == operation_name:
            return _KINDS[kind]
    return "query"


def _without_braces(text: str) -> str:
    """The text outside of all braces."""
    depth = 0
    outside = []
    for part in re.split(r"([{}])", text):
        if part == "}":
            depth -= 1
        elif part == "{":
            depth += 1
        elif depth == 0:
            outside.append(part)
    return " ".join(outside)
