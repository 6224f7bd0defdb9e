"""Performs flows for asyncio."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
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
from .._core.source import AsyncStreamSource, BytesSource
from .http import Clock, Head, is_long, network_errors, response_of

T = TypeVar("T")
AsyncKey = str | Callable[[], str | Awaitable[str]] | None


class _Opened:
    """The response of which a flow reads the body part by part."""

    def __init__(self) -> None:
        self._request: Request | None = None
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None

    def take(self, request: Request, response: httpx.Response) -> None:
        self._request, self._response = request, response
        self._chunks = response.aiter_bytes()

    async def read(self) -> bytes | None:
        if self._request is None or self._chunks is None:
            return None
        with network_errors(self._request, is_stream=True):
            return await anext(self._chunks, None)

    async def close(self) -> None:
        response, chunks = self._response, self._chunks
        self._response = self._request = self._chunks = None
        if isinstance(chunks, AsyncGenerator):
            await chunks.aclose()
        if response is not None:
            await response.aclose()


class AsyncDriver:
    """Performs flows with an `httpx.AsyncClient`."""

    def __init__(self, http: httpx.AsyncClient, key: AsyncKey, head: Head) -> None:
        self.http = http
        self._key = key
        self._head = head

    async def run(self, flow: Flow[T]) -> T:
        """The result of a flow that emits nothing."""
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
                outcome, error = await self._tried(effect, opened)
        finally:
            flow.close()
            await opened.close()

    async def stream(self, flow: Flow[None]) -> AsyncGenerator[Any, None]:
        """The values that a flow emits."""
        opened = _Opened()
        outcome: Any = None
        error: Exception | None = None
        try:
            while True:
                try:
                    effect = flow.send(outcome) if error is None else flow.throw(error)
                except StopIteration:
                    return
                if isinstance(effect, Emit):
                    outcome, error = None, None
                    yield effect.value
                else:
                    outcome, error = await self._tried(effect, opened)
        finally:
            flow.close()
            await opened.close()

    async def _tried(self, effect: Effect, opened: _Opened) -> tuple[Any, Exception | None]:
        try:
            return await self._perform(effect, opened), None
        except Exception as raised:  # the flow decides what it means
            return None, raised

    async def _perform(self, effect: Effect, opened: _Opened) -> Any:
        match effect:
            case Send(request):
                return await self._send(request)
            case Open(request):
                await opened.close()
                return await self._open(request, opened)
            case ReadChunk():
                return await opened.read()
            case Close():
                return await opened.close()
            case Sleep(seconds):
                return await asyncio.sleep(seconds)
            case Call(function):
                return await _resolved(function())
            case ReadSource(AsyncStreamSource() as source, start, end):
                return await source.read_async(start, end)
            case ReadSource(BytesSource() as source, start, end):
                return source.read(start, end)
            case ReadSource(source, start, end):
                return await asyncio.to_thread(source.read, start, end)
            case _:
                raise AssertionError(effect)

    async def _send(self, request: Request) -> Response:
        clock = Clock(request)
        built = await self._built(request, clock)
        with network_errors(request):
            response = await self.http.send(built, stream=True, follow_redirects=False)
            try:
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    clock.check()
                    body += chunk
            finally:
                await response.aclose()
        return response_of(request, response, bytes(body))

    async def _open(self, request: Request, opened: _Opened) -> Response:
        built = await self._built(request, Clock(request))
        with network_errors(request, is_stream=True):
            response = await self.http.send(built, stream=True, follow_redirects=False)
        opened.take(request, response)
        return response_of(request, response)

    async def _built(self, request: Request, clock: Clock) -> httpx.Request:
        key = await _resolved(self._key()) if request.with_key and callable(self._key) else self._key
        return self.http.build_request(
            request.method,
            request.url,
            headers=self._head.of(request, key if isinstance(key, str) else None),
            content=_pieces(request.content, clock) if is_long(request) else request.content or None,
            timeout=httpx.Timeout(request.timeout),
        )


async def _resolved(value: Any) -> Any:
    """What a function of the caller returned, waited for if it is asynchronous."""
    return await value if inspect.isawaitable(value) else value


async def _pieces(content: bytes, clock: Clock) -> AsyncIterator[bytes]:
    for piece in pieces(content, clock.check):
        yield piece
