"""Runs operations: what to send, when to wait and what to try again."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..errors import ErrorDetail, NetworkError, ReelgraphError, as_dict, read_errors
from ..options import NO_RETRY, CallOptions, RetryOptions
from .backoff import retry_after, retrying
from .budget import Budget, Cost, read_cost
from .document import Prepared
from .flow import Flow, Request, Response, Sleep, send

T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A whole response."""

    data: T
    """None without data; partial with errors."""
    errors: tuple[ErrorDetail, ...]
    cost: Cost | None
    """Its cost, and the points that remain."""
    request_id: str | None
    """Quote it when reporting a problem."""
    status: int
    replayed: bool
    """Whether it is the stored response to an earlier call with the same idempotency key."""


@dataclass(frozen=True)
class Exchange(Answer[Any]):
    """A response with what a retry needs to know."""

    retry_after: float | None = None
    is_partly_done: bool = False

    def error(self) -> ReelgraphError:
        """Its errors, to be raised."""
        return ReelgraphError(
            self.errors,
            status=self.status,
            request_id=self.request_id,
            data=self.data,
            retry_after=self.retry_after,
            is_partly_done=self.is_partly_done,
        )


@dataclass(frozen=True)
class Settings:
    """Settings of a client."""

    base_url: str
    has_key: bool
    retry: RetryOptions
    timeout: float
    deadline: float


ACCEPT = "application/graphql-response+json, application/json;q=0.9"


class Requester:
    """The state that the calls of a client share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._budget = Budget()

    def request(self, prepared: Prepared, options: CallOptions) -> Flow[Any]:
        """The data. Raises ReelgraphError for any error, even with partial data."""
        exchange = yield from self.exchange(prepared, options)
        if exchange.errors or exchange.data is None:
            raise exchange.error()
        return exchange.data

    def exchange(self, prepared: Prepared, options: CallOptions) -> Flow[Exchange]:
        """The whole response; errors of the platform are part of it and are not raised."""
        if prepared.kind == "subscription":
            raise TypeError("A subscription is a stream: use subscribe.")
        key = self._idempotency_key(options) if prepared.kind == "mutation" else None
        is_repeatable = prepared.kind == "query" or key is not None or options.repeatable
        retry = (options.retry or self.settings.retry) if is_repeatable else NO_RETRY
        give_up_at = time.monotonic() + (self.settings.deadline if options.deadline is None else options.deadline)
        body = json.dumps(_body_of(prepared), ensure_ascii=False, allow_nan=False).encode()
        last: list[Exchange] = []

        def attempt() -> Flow[Exchange]:
            last.clear()
            wait = self._budget.wait(prepared.text, time.monotonic())
            if 0 < wait < give_up_at - time.monotonic():
                yield Sleep(wait)
            exchange = read_answer((yield from send(self._post(body, key, options, give_up_at))))
            if prepared.kind == "mutation":
                exchange = replace(exchange, is_partly_done=_has_values(exchange.data))
            if exchange.cost is not None:
                self._budget.note(prepared.text, exchange.cost, time.monotonic())
            if exchange.errors and exchange.error().retryable:
                last.append(exchange)
                raise exchange.error()
            return exchange

        try:
            return (yield from retrying(retry, give_up_at, attempt))
        except ReelgraphError:
            return last[0]  # what was refused to the end

    def _idempotency_key(self, options: CallOptions) -> str | None:
        """Keys belong to an account: an anonymous mutation has none."""
        if options.idempotency_key is not None or options.repeatable or not self.settings.has_key:
            return options.idempotency_key
        return secrets.token_hex(16)

    def _post(self, body: bytes, key: str | None, options: CallOptions, give_up_at: float) -> Request:
        longest = self.settings.timeout if options.timeout is None else options.timeout
        headers = {"content-type": "application/json", "accept": ACCEPT}
        if key is not None:
            headers["idempotency-key"] = key
        return Request(
            method="POST",
            url=f"{self.settings.base_url}/graphql",
            headers=headers,
            content=body,
            timeout=max(0.001, min(longest, give_up_at - time.monotonic())),
            with_key=True,
        )


def _has_values(data: Any) -> bool:
    return isinstance(data, dict) and any(value is not None for value in data.values())


def _body_of(prepared: Prepared) -> dict[str, Any]:
    body: dict[str, Any] = {"query": prepared.text, "variables": prepared.variables}
    if prepared.operation_name is not None:
        body["operationName"] = prepared.operation_name
    return body


def base_url_of(url: str) -> str:
    """The address of the platform, given with or without `/graphql`."""
    return url.rstrip("/").removesuffix("/graphql")


def read_answer(response: Response) -> Exchange:
    """Reads a response of `/graphql`. Raises NetworkError for anything else."""
    body = as_dict(parsed(response.body))
    if "data" not in body and not isinstance(body.get("errors"), list):
        raise no_answer(response)
    return Exchange(
        data=body.get("data"),
        errors=read_errors(body.get("errors")),
        cost=read_cost(as_dict(as_dict(body.get("extensions")).get("cost"))),
        request_id=response.headers.get("x-request-id"),
        status=response.status,
        replayed=response.headers.get("idempotency-replayed") == "true",
        retry_after=retry_after(response.headers),
    )


def parsed(text: bytes) -> object:
    """The JSON value; None for what is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def no_answer(response: Response) -> NetworkError:
    """The error for a response that is not the platform's."""
    if 300 <= response.status < 400:
        message = (
            f"{response.url} leads to {response.headers.get('location', 'another address')}, which is not followed: "
            "give the address of the platform itself."
        )
    else:
        message = (
            f"{response.url} answered with status {response.status} and something that is no answer of the platform."
        )
    return NetworkError("no-answer", message, status=response.status, retry_after=retry_after(response.headers))
