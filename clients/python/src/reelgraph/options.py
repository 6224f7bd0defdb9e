"""Options of clients, calls and subscriptions. Times are in seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class RetryOptions:
    """Options of retries."""

    max_attempts: int | None = 5
    """Number of attempts, including the first; 1 disables retries, None does not limit them."""
    base_delay: float = 0.25
    """Upper limit of the first pause; it doubles with every attempt."""
    max_delay: float = 20.0
    """Upper limit of any pause except those the platform requests."""


NO_RETRY = RetryOptions(max_attempts=1)


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """Options of one call; None means those of the client."""

    idempotency_key: str | None = None
    """
    Key for which the platform executes a mutation at most once in 24 hours. Each call generates one, so that its
    attempts are one mutation; pass one to make several calls, or the calls before and after a restart, one mutation.
    """
    repeatable: bool = False
    """The mutation may be executed twice: it is retried without a key."""
    timeout: float | None = None
    """Longest wait of one attempt."""
    deadline: float | None = None
    """Longest duration of the call with all its attempts."""
    retry: RetryOptions | None = None
    """Retries; `NO_RETRY` disables them."""
    operation_name: str | None = None
    """Which operation of a text that holds several."""


@dataclass(frozen=True, kw_only=True)
class FollowOptions:
    """Options of a subscription."""

    after: str | None = None
    """Resumes after this cursor, that of the last message you handled. Default: from now on."""
    retry: RetryOptions | None = None
    """
    Pauses between connections. `max_attempts` counts consecutive connections without a message; without options it
    is not limited.
    """
    on_disconnect: Callable[[Exception | None, float], Any] | None = None
    """Called with the error, if any, when a connection ended, and the seconds until the next attempt."""
    silence: float = 45.0
    """Longest silence before reconnecting; the platform sends a heartbeat every 15 s."""
    operation_name: str | None = None
    """Which operation of a text that holds several."""
