"""What the generated methods call."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, TypeVar

from ._core.calls import Calls
from ._core.document import Operation
from ._drivers.aio import AsyncDriver
from ._drivers.sync import SyncDriver
from .options import CallOptions, FollowOptions
from .pages import AsyncPages, Pages

T = TypeVar("T")


class Methods:
    """The base of the methods of `Reelgraph`."""

    _calls: Calls
    _driver: SyncDriver

    def _call(self, operation: Operation[T], variables: Mapping[str, Any], options: CallOptions | None) -> T:
        return self._driver.run(self._calls.call(operation, variables, options))

    def _follow(
        self, operation: Operation[T], variables: Mapping[str, Any], options: FollowOptions | None
    ) -> Generator[T, None, None]:
        return self._driver.stream(self._calls.follow(operation, variables, options))


class AsyncMethods:
    """The base of the methods of `AsyncReelgraph`."""

    _calls: Calls
    _driver: AsyncDriver

    async def _call(self, operation: Operation[T], variables: Mapping[str, Any], options: CallOptions | None) -> T:
        return await self._driver.run(self._calls.call(operation, variables, options))

    def _follow(
        self, operation: Operation[T], variables: Mapping[str, Any], options: FollowOptions | None
    ) -> AsyncGenerator[T, None]:
        return self._driver.stream(self._calls.follow(operation, variables, options))


class ListMethod:
    """A method for a list: a call reads one page, `all` iterates over every page."""

    def __init__(self, client: Methods) -> None:
        self._client = client

    def _page(self, operation: Operation[T], variables: Mapping[str, Any], options: CallOptions | None) -> T:
        return self._client._call(operation, variables, options)

    def _all(
        self,
        operation: Operation[Any],
        variables: Mapping[str, Any],
        page_size: int,
        limit: int | None,
        after: str | None,
        options: CallOptions | None,
    ) -> Pages[Any, Any, Any]:
        calls, driver = self._client._calls, self._client._driver
        return Pages(driver, calls.list(operation, variables, page_size, limit, after, options))


class AsyncListMethod:
    """A method for a list: a call reads one page, `all` iterates over every page."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def _page(self, operation: Operation[T], variables: Mapping[str, Any], options: CallOptions | None) -> T:
        return await self._client._call(operation, variables, options)

    def _all(
        self,
        operation: Operation[Any],
        variables: Mapping[str, Any],
        page_size: int,
        limit: int | None,
        after: str | None,
        options: CallOptions | None,
    ) -> AsyncPages[Any, Any, Any]:
        calls, driver = self._client._calls, self._client._driver
        return AsyncPages(driver, calls.list(operation, variables, page_size, limit, after, options))
