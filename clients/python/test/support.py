"""What the tests share: a running platform, the network in front of it, and both clients."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import time
import unittest
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import Request, urlopen

from reelgraph import AsyncReelgraph, Reelgraph, RetryOptions

T = TypeVar("T")

PLATFORM: dict[str, str] = json.loads(os.environ.get("PLATFORM", "{}"))
QUICK = RetryOptions(base_delay=0.02, max_delay=0.05)
_FEW = os.environ.get("TEST_CASES") == "few"
"""`npm test` runs everything, and leaves what takes long to `npm run test:full` (scripts/test-runner/cases.ts)."""


def cases_of(table: Sequence[T], few: int) -> Sequence[T]:
    """The cases of a table that take long: only the first few where `npm test` runs everything."""
    return table[:few] if _FEW else table


class Network:
    """The network between the client and the platform (clients/typescript/test/faulty-proxy.fixture.ts)."""

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
        cls.plain: Any = None

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
        """A client of either kind; without options always the same one, because httpx reads certificates for each."""
        if key is None and not options and cls.plain is not None:
            return cls.plain
        kind = AsyncReelgraph if cls.asynchronous else Reelgraph
        client = kind(PLATFORM["url"], key or PLATFORM["key"], **{"retry": QUICK, **options})
        cls.clients.append(client)
        if key is None and not options:
            cls.plain = client
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


def once(test: Callable[[Any], None]) -> Callable[[Any], None]:
    """Where `npm test` runs everything, a test that takes long runs with one client: decisions are shared."""
    vars(test)["once"] = True
    return test


def for_both(test: type[PlatformTest]) -> type[PlatformTest]:
    """Runs a class of tests with the asynchronous client, too."""
    name = f"Async{test.__name__}"
    left_out = [key for key, value in vars(test).items() if _FEW and getattr(value, "once", False)]
    members = {"asynchronous": True, "__module__": test.__module__, **dict.fromkeys(left_out)}
    both = type(name, (test,), members)
    vars(__import__("sys").modules[test.__module__])[name] = both
    return test


def scratch(name: str) -> Path:
    """A path in a folder that is removed after the tests."""
    return Path(PLATFORM["folder"]) / name
