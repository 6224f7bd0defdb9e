"""
Flows: what the client does, without doing it.

A flow is a generator that yields effects and receives their results; its return value is the result of the call. The
drivers in `_drivers` perform the effects, one synchronously, one for asyncio, so that every decision (what to send,
when to try again, at which byte to resume) is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .source import Source

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One HTTP request."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes = b""
    timeout: float = 30.0
    """Longest wait for the connection and for any part of the response, and for the whole exchange between them."""
    with_key: bool = False
    """Whether the account's key is sent."""


@dataclass(frozen=True)
class Response:
    """A response; its body is empty when it is still to be read."""

    url: str
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = b""


@dataclass(frozen=True)
class Send:
    """Sends a request and reads the whole response. Raises NetworkError without one."""

    request: Request


@dataclass(frozen=True)
class Open:
    """Sends a request and reads only the head of the response; closes what was open before."""

    request: Request


@dataclass(frozen=True)
class ReadChunk:
    """Reads the next bytes of the opened response; None at its end."""


@dataclass(frozen=True)
class Close:
    """Closes the opened response."""


@dataclass(frozen=True)
class Sleep:
    """Waits."""

    seconds: float


@dataclass(frozen=True)
class Call:
    """Calls a function of the caller and waits for its result, if that can be awaited."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class ReadSource:
    """Reads a part of a file to upload."""

    source: Source
    start: int
    end: int


@dataclass(frozen=True)
class Emit:
    """Hands a value to the caller, who iterates over the values of the flow."""

    value: Any


Effect = Send | Open | ReadChunk | Close | Sleep | Call | ReadSource | Emit
Flow = Generator[Effect, Any, T]


def send(request: Request) -> Flow[Response]:
    """The whole response to a request."""
    response: Response = yield Send(request)
    return response


def open_stream(request: Request) -> Flow[Response]:
    """The head of the response to a request."""
    response: Response = yield Open(request)
    return response


def read_chunk() -> Flow[bytes | None]:
    """The next bytes of the opened response; None at its end."""
    chunk: bytes | None = yield ReadChunk()
    return chunk


def read_source(source: Source, start: int, end: int) -> Flow[bytes]:
    """The bytes from `start` to before `end`."""
    part: bytes = yield ReadSource(source, start, end)
    return part


PIECE_BYTES = 64 * 1024


def pieces(content: bytes, check: Callable[[], None]) -> Iterator[bytes]:
    """The content in pieces; `check` is called before each."""
    view = memoryview(content)
    for start in range(0, len(view), PIECE_BYTES):
        check()
        yield bytes(view[start : start + PIECE_BYTES])
