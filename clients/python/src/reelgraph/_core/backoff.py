"""When to try again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime

from ..errors import NetworkError, ReelgraphError
from ..options import RetryOptions
from .flow import Flow, Sleep, T


def pause(
    failures: int,
    retry: RetryOptions,
    requested: float | None,
    rand: Callable[[], float] = random.random,
) -> float:
    """Seconds to wait after `failures` failed attempts.

    Random, up to a limit that doubles ("full jitter": clients that failed together do not retry together). A pause
    that the platform requests is a minimum, with a little jitter.
    """
    if requested is not None:
        return requested + rand() * retry.base_delay
    # More than 60 doublings exceed any limit, and floats.
    return rand() * min(retry.max_delay, retry.base_delay * 2.0 ** min(failures - 1, 60))


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Header Retry-After, seconds or a date, in seconds from now; None without a valid one."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - (time.time() if now is None else now))
    except (TypeError, ValueError, OverflowError):
        return None


def may_pass(error: BaseException) -> bool:
    """Whether a failure is transient."""
    return isinstance(error, ReelgraphError | NetworkError) and error.retryable


def is_last(failures: int, retry: RetryOptions) -> bool:
    """Whether no attempt is left."""
    return retry.max_attempts is not None and failures >= retry.max_attempts


def retrying(retry: RetryOptions, give_up_at: float, attempt: Callable[[], Flow[T]]) -> Flow[T]:
    """Retries transient failures until success, a permanent failure, or the last attempt; then raises the last one.

    `give_up_at` is a time of `time.monotonic` after which nothing is retried.
    """
    failures = 0
    while True:
        try:
            return (yield from attempt())
        except (ReelgraphError, NetworkError) as error:
            failures += 1
            if not error.retryable or is_last(failures, retry):
                raise
            seconds = pause(failures, retry, error.retry_after)
            if time.monotonic() + seconds > give_up_at:
                raise
        yield Sleep(seconds)
