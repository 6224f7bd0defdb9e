"""What both drivers need of httpx."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from .._core.flow import PIECE_BYTES, Request, Response
from .._version import VERSION
from ..errors import NetworkError


class Head:
    """Headers that identify the program and what it expects."""

    def __init__(self, user_agent: str | None, version: str | None) -> None:
        own = f"reelgraph-python/{VERSION}"
        self._headers = {"user-agent": own if user_agent is None else f"{user_agent} {own}"}
        if version is not None:
            self._headers["reelgraph-version"] = version

    def of(self, request: Request, key: str | None) -> dict[str, str]:
        """The headers of a request. The length is known, although long bodies are sent in pieces."""
        headers = {**self._headers, **request.headers}
        if request.with_key and key is not None:
            headers["authorization"] = f"Bearer {key}"
        if request.content:
            headers["content-length"] = str(len(request.content))
        return headers


class Clock:
    """Checks the time of a whole exchange, of which httpx only limits each step."""

    def __init__(self, request: Request) -> None:
        self._until = time.monotonic() + request.timeout
        self._request = request

    def check(self) -> None:
        """Raises NetworkError when the time is over."""
        if time.monotonic() > self._until:
            raise timed_out(self._request)


def is_long(request: Request) -> bool:
    """Whether the body is sent in pieces, between which the time is checked."""
    return len(request.content) > PIECE_BYTES


def timed_out(request: Request) -> NetworkError:
    """The error for a response that does not come in time."""
    return NetworkError("timeout", f"{request.url} did not answer within {request.timeout:g} s.")


@contextmanager
def network_errors(request: Request, *, is_stream: bool = False) -> Iterator[None]:
    """Raises NetworkError where httpx found no connection, lost it, or waited for too long."""
    try:
        yield
    except httpx.TimeoutException as error:
        if is_stream:
            silent = f"{request.url} sent nothing for {request.timeout:g} s."
            raise NetworkError("timeout", silent) from error
        raise timed_out(request) from error
    except (httpx.UnsupportedProtocol, httpx.LocalProtocolError):
        raise  # mistakes of the program
    except httpx.RequestError as error:
        message = f"{request.url} is unreachable, or the connection was lost ({error or type(error).__name__})."
        raise NetworkError("unreachable", message) from error


def response_of(request: Request, response: httpx.Response, body: bytes = b"") -> Response:
    """A response for the flow."""
    return Response(request.url, response.status_code, response.headers, body)
