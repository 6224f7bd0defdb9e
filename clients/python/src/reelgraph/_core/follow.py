"""Subscriptions: streams that reconnect without losing or repeating a message."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from ..errors import NetworkError, ReelgraphError, as_dict, read_errors
from ..options import CallOptions, FollowOptions, RetryOptions
from .backoff import is_last, pause
from .document import Prepared
from .flow import Call, Close, Emit, Flow, Request, Response, Sleep, open_stream, read_chunk
from .requester import Requester, no_answer, read_answer
from .sse import EventParser

T = TypeVar("T")


@dataclass(frozen=True)
class Message(Generic[T]):
    """One message of a subscription."""

    data: T
    cursor: str | None
    """Store it and pass it as `after` to resume after this message, even after a restart."""


@dataclass
class _Place:
    """How far a subscription has come."""

    cursor: str | None
    failures: int = 0


def follow(
    requester: Requester,
    prepared: Prepared,
    options: FollowOptions,
    read: Callable[[Message[Any]], Any],
) -> Flow[None]:
    """The messages of a subscription, as they happen; `read` turns each into what the caller receives.

    Raises ReelgraphError when the platform rejects it for good: the key was replaced, the object deleted.
    """
    if prepared.kind != "subscription":
        raise TypeError("Only a subscription can be followed: run other operations with request.")
    retry = options.retry or replace(requester.settings.retry, max_attempts=None)
    place = _Place(options.after)
    while True:
        ended: ReelgraphError | NetworkError | None = None
        try:
            yield from _connection(requester, prepared, place, options.silence, read)
        except (ReelgraphError, NetworkError) as error:
            if not error.retryable:
                raise
            ended = error
        place.failures += 1
        if is_last(place.failures, retry):
            raise ended or NetworkError("unreachable", "The stream ended repeatedly.")
        yield from _wait(ended, place.failures, retry, options)


def _wait(
    ended: ReelgraphError | NetworkError | None, failures: int, retry: RetryOptions, options: FollowOptions
) -> Flow[None]:
    seconds = pause(failures, retry, ended.retry_after if ended else None)
    notify = options.on_disconnect
    if notify is not None:
        yield Call(partial(notify, ended, seconds))
    yield Sleep(seconds)


def _connection(
    requester: Requester,
    prepared: Prepared,
    place: _Place,
    silence: float,
    read: Callable[[Message[Any]], Any],
) -> Flow[None]:
    """The messages of one connection, in the distinct connections mode of graphql-sse."""
    response = yield from open_stream(_request(requester, prepared, place.cursor, silence))
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        yield from _refuse(response)
    parser = EventParser()
    while (chunk := (yield from read_chunk())) is not None:
        for event in parser.push(chunk):
            if event.event == "complete":
                yield Close()
                return
            if event.event == "next":
                message = Message(_data_of(event.data), event.id)
                place.failures = 0
                place.cursor = message.cursor or place.cursor
                yield Emit(read(message))
    yield Close()


def _request(requester: Requester, prepared: Prepared, cursor: str | None, silence: float) -> Request:
    headers = {"content-type": "application/json", "accept": "text/event-stream"}
    if cursor is not None:
        headers["last-event-id"] = cursor
    body = {"query": prepared.text, "variables": prepared.variables, "operationName": prepared.operation_name}
    return Request(
        method="POST",
        url=f"{requester.settings.base_url}/graphql",
        headers=headers,
        content=json.dumps(body).encode(),
        timeout=silence,
        with_key=True,
    )


def _refuse(head: Response) -> Flow[None]:
    """Raises the error of a response that is no stream."""
    body = b""
    while (chunk := (yield from read_chunk())) is not None:
        body += chunk
    yield Close()
    response = replace(head, body=body)
    exchange = read_answer(response)
    raise exchange.error() if exchange.errors else no_answer(response)


def _data_of(text: str) -> Any:
    """The data of a message. Raises ReelgraphError for one that ends the stream with an error."""
    body = as_dict(json.loads(text))
    errors, data = read_errors(body.get("errors")), body.get("data")
    if errors or data is None:
        raise ReelgraphError(errors, status=200, data=data)
    return data


END_OF_LOG = Prepared("query EndOfLog { events(last: 1) { edges { cursor } } }", {}, "query")


def end_of_log(requester: Requester) -> Flow[str | None]:
    """The current position in the event log; None without one, or without permission to read it.

    Without it, events before the first message of a subscription would be lost with its connection.
    """
    try:
        data = yield from requester.request(END_OF_LOG, CallOptions())
    except ReelgraphError as error:
        if error.code == "UNAUTHORIZED":
            return None
        raise
    edges = as_dict(as_dict(data).get("events")).get("edges") or []
    return edges[-1]["cursor"] if edges else None


def follow_from_now(
    requester: Requester,
    prepared: Prepared,
    options: FollowOptions,
    read: Callable[[Message[Any]], Any],
) -> Flow[None]:
    """The same for a subscription without an initial message, which would lose events before its first one."""
    if options.after is None:
        options = replace(options, after=(yield from end_of_log(requester)))
    yield from follow(requester, prepared, options, read)
