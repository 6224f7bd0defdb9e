"""What the tests share: a running platform, the network in front of it, and both clients."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from reelgraph import AsyncReelgraph, Reelgraph, RetryOptions

PLATFORM: dict[str, str] = json.loads(os.environ.get("PLATFORM", "{}"))
QUICK = RetryOptions(base_delay=0.02, max_delay=0.05)


class Network:
    """The network between the client and the platform (client/test/faulty-proxy.fixture.ts)."""

    def _command(self, name: str, body: object = None) -> Any:
        request = Request(f"{PLATFORM['control']}/{name}", data=json.dumps(body).encode(), method="POST")
        with urlopen(request, timeout=30) as response:
            return json.load(response)

    def next(self, kind: str, *, match: dict[str, str] | None = None, times: int = 1, **fault: Any) -> None:
        """Applies a fault to the next requests."""
        self._command("next", {"fault": {"kind": kind, **fault}, "match": match or {}, "times": times})

    def take(self) -> list[dict[str, Any]]:
        """Requests since the last call."""
        seen: list[dict[str, Any]] = self._command("take")
        return seen

    def open_connections(self) -> int:
        """Responses that have not ended."""
        return int(self._command("open"))

    def break_all(self) -> None:
        """Closes every connection."""
        self._command("break")

    def reset(self) -> None:
        """Forgets faults and requests."""
        self._command("reset")

    def account(self) -> dict[str, str]:
        """Another account."""
        account: dict[str, str] = self._command("account")
        return account


network = Network()


def until(holds: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    """Waits for a condition."""
    give_up = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > give_up:
            raise AssertionError(what)
        time.sleep(0.01)


class PlatformTest(unittest.TestCase):
    """Tests on the platform, with the synchronous client."""

    asynchronous = False
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.loop = asyncio.new_event_loop() if cls.asynchronous else None
        cls.clients: list[Any] = []

    @classmethod
    def tearDownClass(cls) -> None:
        for client in cls.clients:
            cls.result(client.close())
        if cls.loop is not None:
            cls.loop.run_until_complete(cls.loop.shutdown_asyncgens())
            cls.loop.close()

    def setUp(self) -> None:
        network.reset()

    @classmethod
    def connect(cls, key: Any = None, **options: Any) -> Any:
        """A client of either kind."""
        kind = AsyncReelgraph if cls.asynchronous else Reelgraph
        client = kind(PLATFORM["url"], key or PLATFORM["key"], **{"retry": QUICK, **options})
        cls.clients.append(client)
        return client

    @classmethod
    def result(cls, value: Any) -> Any:
        """What a call returned, waited for."""
        return cls.loop.run_until_complete(value) if cls.loop and inspect.isawaitable(value) else value

    @classmethod
    def each(cls, values: Any) -> Iterator[Any]:
        """The values of either kind of iteration; closing this closes the other."""
        if cls.loop is None:
            yield from values
            return
        iterator = aiter(values)
        try:
            while True:
                try:
                    yield cls.loop.run_until_complete(anext(iterator))
                except StopAsyncIteration:
                    return
        finally:
            cls.loop.run_until_complete(iterator.aclose())


def for_both(test: type[PlatformTest]) -> type[PlatformTest]:
    """Runs a class of tests with the asynchronous client, too."""
    name = f"Async{test.__name__}"
    both = type(name, (test,), {"asynchronous": True, "__module__": test.__module__})
    vars(__import__("sys").modules[test.__module__])[name] = both
    return test


def scratch(name: str) -> Path:
    """A path in a folder that is removed after the tests."""
    return Path(PLATFORM["folder"]) / name
