"""Lists, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .flow import Emit, Flow

PAGE_SIZE = 50

ReadPage = Callable[[Mapping[str, Any]], Flow[Any]]
"""Reads the page with these variables, `first` and `after`; a JSON object, or None for a list that is null."""


@dataclass(frozen=True)
class Listing:
    """A list and the part of it to iterate over."""

    read: ReadPage
    decode: Callable[[Any], Any]
    """Turns a page into what the caller receives."""
    page_size: int = PAGE_SIZE
    limit: int | None = None
    after: str | None = None

    def pages(self) -> Flow[None]:
        """Whole pages; each is requested once the entries before it are consumed."""
        left, cursor = self.limit, self.after
        while left is None or left > 0:
            size = self.page_size if left is None else min(self.page_size, left)
            page = yield from self.read({"first": size, "after": cursor})
            if page is None:
                return
            yield Emit(self.decode(page))
            edges, info = page.get("edges") or [], page.get("pageInfo") or {}
            left = None if left is None else left - len(edges)
            cursor = info.get("endCursor") or (edges[-1].get("cursor") if edges else None)
            if not info.get("hasNextPage") or cursor is None:
                return


def edges_of(page: Any) -> Any:
    """Entries of a page with their cursors."""
    return page["edges"] if isinstance(page, Mapping) else page.edges


def node_of(edge: Any) -> Any:
    """The entry."""
    return edge["node"] if isinstance(edge, Mapping) else edge.node
