"""Lists as loops."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from itertools import chain
from typing import Generic, TypeVar, cast

from ._core.paging import Listing, edges_of, node_of
from ._drivers.aio import AsyncDriver
from ._drivers.sync import SyncDriver

Node = TypeVar("Node")
Edge = TypeVar("Edge")
Page = TypeVar("Page")


class Pages(Generic[Node, Edge, Page]):
    """All entries of a list, one after the other.

    A page is requested once the entries before it are consumed; ending the loop requests nothing more. A second
    iteration reads the list again.
    """

    def __init__(self, driver: SyncDriver, listing: Listing) -> None:
        self._driver = driver
        self._listing = listing

    def __iter__(self) -> Iterator[Node]:
        return (cast(Node, node_of(edge)) for edge in self.edges())

    def edges(self) -> Iterator[Edge]:
        """Entries with their cursors."""
        return chain.from_iterable(edges_of(page) for page in self.pages())

    def pages(self) -> Generator[Page, None, None]:
        """Whole pages, with `total_count`. A list that is null has none."""
        return self._driver.stream(self._listing.pages())

    def to_list(self) -> list[Node]:
        """All entries. Set a limit: a list may be long."""
        return list(self)


class AsyncPages(Generic[Node, Edge, Page]):
    """All entries of a list, one after the other, for `async for`.

    A page is requested once the entries before it are consumed; ending the loop requests nothing more. A second
    iteration reads the list again.
    """

    def __init__(self, driver: AsyncDriver, listing: Listing) -> None:
        self._driver = driver
        self._listing = listing

    async def __aiter__(self) -> AsyncIterator[Node]:
        async for edge in self.edges():
            yield node_of(edge)

    async def edges(self) -> AsyncIterator[Edge]:
        """Entries with their cursors."""
        async for page in self.pages():
            for edge in edges_of(page):
                yield edge

    def pages(self) -> AsyncGenerator[Page, None]:
        """Whole pages, with `total_count`. A list that is null has none."""
        return self._driver.stream(self._listing.pages())

    async def to_list(self) -> list[Node]:
        """All entries. Set a limit: a list may be long."""
        return [node async for node in self]
