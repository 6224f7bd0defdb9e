"""Performs flows, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

import httpx

from .._core.flow import (
    Call,
    Close,
    Effect,
    Emit,
    Flow,
    Open,
    ReadChunk,
    ReadSource,
    Request,
    Response,
    Send,
    Sleep,
    pieces,
)
from .http import Clock, Head, is_long, network_errors, response_of

T = TypeVar("T")
Key = str | Callable[[], str] | None


class _Opened:
    """The response of which a flow reads the body part by part."""

    def __init__(self) -> None:
        self._request: Request | None = None
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def take(self, request: Request, response: httpx.Response) -> None:
        self._request, self._response = request, response
        self._chunks = response.iter_bytes()

    def read(self) -> bytes | None:
        if self._request is None:
            return None
        with network_errors(self._request, is_stream=True):
            return next(self._chunks, None)

    def close(self) -> None:
        response, self._response, self._request = self._response, None, None
        if response is not None:
            response.close()


class SyncDriver:
    """Performs flows with an `httpx.Client`."""

    def __init__(self, http: httpx.Client, key: Key, head: Head) -> None:
        self.http = http
        self._key = key
        self._head = head

    def run(self, flow: Flow[T]) -> T:
        """The result of a flow that emits nothing."""
        steps = self._steps(flow)
        try:
            while True:
                next(steps)
        except StopIteration as done:
            result: T = done.value
            return result

    def stream(self, flow: Flow[None]) -> Generator[Any, None, None]:
        """The values that a flow emits."""
        yield from self._steps(flow)

    def _steps(self, flow: Flow[T]) -> Generator[Any, None, T]:
        opened = _Opened()
        outcome: Any = None
        error: Exception | None = None
        try:
            while True:
                try:
                    effect = flow.send(outcome) if error is None else flow.throw(error)
                except StopIteration as done:
                    result: T = done.value
                    return result
                outcome, error = None, None
                if isinstance(effect, Emit):
                    yield effect.value
                    continue
                try:
                    outcome = self._perform(effect, opened)
                except Exception as raised:  # the flow decides what it means
                    error = raised
        finally:
            flow.close()
            opened.close()

    def _perform(self, effect: Effect, opened: _Opened) -> Any:
        match effect:
            case Send(request):
                return self._send(request)
            case Open(request):
                opened.close()
                return self._open(request, opened)
            case ReadChunk():
                return opened.read()
            case Close():
                return opened.close()
            case Sleep(seconds):
                return time.sleep(seconds)
            case Call(function):
                return function()
            case ReadSource(source, start, end):
                return source.read(start, end)
            case _:
                raise AssertionError(effect)

    def _send(self, request: Request) -> Response:
        clock = Clock(request)
        with network_errors(request):
            response = self.http.send(self._built(request, clock), stream=True, follow_redirects=False)
            try:
                body = bytearray()
                for chunk in response.iter_bytes():
                    clock.check()
                    body += chunk
            finally:
                response.close()
        return response_of(request, response, bytes(body))

    def _open(self, request: Request, opened: _Opened) -> Response:
        with network_errors(request, is_stream=True):
            response = self.http.send(self._built(request, Clock(request)), stream=True, follow_redirects=False)
        opened.take(request, response)
        return response_of(request, response)

    def _built(self, request: Request, clock: Clock) -> httpx.Request:
        key = self._key() if request.with_key and callable(self._key) else self._key
        return self.http.build_request(
            request.method,
            request.url,
            headers=self._head.of(request, key if isinstance(key, str) else None),
            content=pieces(request.content, clock.check) if is_long(request) else request.content or None,
            timeout=httpx.Timeout(request.timeout),
        )
