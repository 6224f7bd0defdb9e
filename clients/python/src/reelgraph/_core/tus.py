"""Sends the bytes of a file (tus 1.0.0)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import ErrorDetail, NetworkError, ReelgraphError, as_dict, read_errors
from ..options import RetryOptions
from .backoff import is_last, pause, retry_after
from .flow import Call, Flow, Request, Response, Sleep, read_source, send
from .progress import next_chunk
from .requester import no_answer, parsed
from .source import Source

UPLOAD_RETRY = RetryOptions(max_attempts=30)
"""About ten minutes of consecutive failures before giving up."""
MAX_CHUNK = 32 * 1024 * 1024
FIRST_CHUNK = 1024 * 1024
LEAST_CHUNK = 64 * 1024
ASK_SECONDS = 30.0
"""Proxies close connections that are silent for longer."""
PART_SECONDS = 60.0
"""
A part aims at two seconds: after this long the connection is dead or too slow; the bytes of the part that arrived are
kept.
"""
TUS = {"tus-resumable": "1.0.0"}


@dataclass(frozen=True)
class Sending:
    """How to send a file."""

    url: str
    """The address of the upload, which is its own permission."""
    retry: RetryOptions
    """`max_attempts` counts consecutive failures without a byte between them."""
    max_chunk: int
    on_confirmed: Callable[[int, int, float], Any]
    """Called with the confirmed offset, the bytes of this part and how long it took."""
    on_disconnect: Callable[[Exception, float], Any] | None


@dataclass
class _State:
    chunk: int
    offset: int | None = None
    """None until it is read, and again after a failure."""
    reached: int = 0
    """The highest confirmed offset: only a higher one shows that bytes of a failed part arrived."""
    failures: int = 0


def send_file(source: Source, sending: Sending) -> Flow[None]:
    """Reads the offset, then sends part after part; after a lost connection it reads the offset and resumes there.

    Raises ReelgraphError when the platform rejects the upload, NetworkError when it stays unreachable.
    """
    state = _State(min(FIRST_CHUNK, sending.max_chunk))
    while state.offset is None or state.offset < source.size_bytes:
        try:
            if state.offset is None:
                yield from _read_offset(state, sending)
            else:
                yield from _send_next(state, state.offset, source, sending)
        except (ReelgraphError, NetworkError) as error:
            state.failures += 1
            if not _can_continue(error) or is_last(state.failures, sending.retry):
                raise
            state.offset = None
            state.chunk = max(LEAST_CHUNK, state.chunk // 2)
            seconds = pause(state.failures, sending.retry, error.retry_after)
            failure = error
        else:
            continue
        notify = sending.on_disconnect
        if notify is not None:
            yield Call(partial(notify, failure, seconds))
        yield Sleep(seconds)


def _read_offset(state: _State, sending: Sending) -> Flow[None]:
    offset = yield from _ask(Request("HEAD", sending.url, TUS, timeout=ASK_SECONDS))
    if offset > state.reached:
        state.failures = 0
    state.offset = offset
    state.reached = max(state.reached, offset)
    yield Call(lambda: sending.on_confirmed(offset, 0, 0.0))


def _send_next(state: _State, offset: int, source: Source, sending: Sending) -> Flow[None]:
    end = min(source.size_bytes, offset + state.chunk)
    started = time.monotonic()
    part = yield from read_source(source, offset, end)
    headers = {**TUS, "content-type": "application/offset+octet-stream", "upload-offset": str(offset)}
    confirmed = yield from _ask(Request("PATCH", sending.url, headers, part, PART_SECONDS))
    seconds = time.monotonic() - started
    state.chunk = next_chunk(end - offset, seconds, sending.max_chunk)
    state.offset = confirmed
    state.reached = max(state.reached, confirmed)
    state.failures = 0
    yield Call(lambda: sending.on_confirmed(confirmed, confirmed - offset, seconds))


def _can_continue(error: ReelgraphError | NetworkError) -> bool:
    """409 and 423: another client is or was sending; the offset is read again."""
    return error.status in (409, 423) or error.retryable


def _ask(request: Request) -> Flow[int]:
    """The offset of the response."""
    response = yield from send(request)
    offset = response.headers.get("upload-offset", "")
    if 200 <= response.status < 300 and offset.isascii() and offset.isdigit():
        return int(offset)
    raise _refusal(response, request.method)


def _refusal(response: Response, method: str) -> ReelgraphError | NetworkError:
    errors = read_errors(as_dict(parsed(response.body)).get("errors"))
    # The response to HEAD has no body: only the status is known.
    if not errors and not (method == "HEAD" and 400 <= response.status < 500):
        return no_answer(response)
    return ReelgraphError(
        errors or (_gone(response.status),),
        status=response.status,
        request_id=response.headers.get("x-request-id"),
        retry_after=retry_after(response.headers),
    )


def _gone(status: int) -> ErrorDetail:
    codes = {429: "RATE_LIMIT_EXCEEDED", 401: "TOKEN_EXPIRED", 410: "TOKEN_EXPIRED"}
    return ErrorDetail(
        message=f"This upload cannot be resumed (status {status}): it ended, expired or is unknown.",
        code=codes.get(status, "UPLOAD_FAILED"),
        error_type="UploadError",
        field=None,
        suggested_fix="Start a new upload of the file.",
        documentation="",
        path=None,
        retryable=status == 429,
    )
