"""The account's rate limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any


@dataclass(frozen=True)
class Cost:
    """Cost of an operation in points."""

    requested: float
    actual: float
    available: float
    """Points left afterwards."""
    restore_rate: float
    """Points restored per second."""


def read_cost(found: Mapping[str, Any]) -> Cost | None:
    """`extensions.cost` of a response."""
    values = [found.get(name) for name in ("requested", "actual", "available", "restoreRate")]
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return Cost(*numbers) if len(numbers) == len(values) else None


MAX_KNOWN = 200


class Budget:
    """The rate limit as of the latest response: a request that exceeds it waits instead of being rejected.

    The platform decides; this only keeps long iterations below its limit.
    """

    def __init__(self) -> None:
        self._available = inf
        self._restore_rate = 0.0
        self._at = 0.0
        self._prices: dict[str, float] = {}

    def note(self, text: str, cost: Cost, now: float) -> None:
        """Records the cost that a response reports for the operation with this text."""
        if len(self._prices) >= MAX_KNOWN:
            self._prices.clear()
        self._prices[text] = cost.requested
        self._available, self._restore_rate, self._at = cost.available, cost.restore_rate, now

    def wait(self, text: str, now: float) -> float:
        """Seconds until enough points are available for the operation; 0 when unknown."""
        price = self._prices.get(text)
        if price is None or self._restore_rate <= 0:
            return 0.0
        available = self._available + (now - self._at) * self._restore_rate
        return max(0.0, (price - available) / self._restore_rate)
