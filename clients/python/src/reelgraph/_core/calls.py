"""What both clients do, as flows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .._generated.documents import JSON_NAMES
from ..options import CallOptions, FollowOptions, RetryOptions
from .document import Operation, Prepared, operation_kind
from .flow import Flow
from .follow import Message, follow, follow_from_now
from .model import Model, decoder_of_result, encode
from .paging import PAGE_SIZE, Listing
from .requester import Answer, Requester, Settings, base_url_of

T = TypeVar("T")

WITHOUT_STATE = frozenset({"eventsAfter", "commentAdded"})
"""Subscriptions without an initial message: events before their first message would be lost with the connection."""


class Calls:
    """The calls of one client."""

    def __init__(self, url: str, has_key: bool, timeout: float, deadline: float, retry: RetryOptions | None) -> None:
        settings = Settings(base_url_of(url), has_key, retry or RetryOptions(), timeout, deadline)
        self.requester = Requester(settings)

    def call(self, operation: Operation[T], variables: Mapping[str, Any], options: CallOptions | None) -> Flow[T]:
        """The result of an operation of the schema."""
        data = yield from self._value(operation, variables, options)
        result: T = decoder_of_result(operation.result)(data)
        return result

    def _value(
        self, operation: Operation[Any], variables: Mapping[str, Any], options: CallOptions | None
    ) -> Flow[Any]:
        prepared = Prepared(str(operation), arguments(variables), operation.kind)
        data = yield from self.requester.request(prepared, options or CallOptions())
        return operation.value_in(data)

    def list(
        self,
        operation: Operation[Any],
        variables: Mapping[str, Any],
        page_size: int,
        limit: int | None,
        after: str | None,
        options: CallOptions | None,
    ) -> Listing:
        """All entries of a list of the schema."""

        def read(page: Mapping[str, Any]) -> Flow[Any]:
            return self._value(operation, {**variables, **page}, options)

        return Listing(read, lambda page: decoder_of_result(operation.result)(page), page_size, limit, after)

    def follow(
        self, operation: Operation[Any], variables: Mapping[str, Any], options: FollowOptions | None
    ) -> Flow[None]:
        """The values of a subscription of the schema."""
        given = dict(variables)
        position = given.pop("cursor", None) or given.pop("after", None)
        options = options or FollowOptions()
        if options.after is None and position is not None:
            options = FollowOptions(**{**vars(options), "after": position})
        prepared = Prepared(str(operation), arguments(given), operation.kind)

        def value(message: Message[Any]) -> Any:
            return decoder_of_result(operation.result)(operation.value_in(message.data))

        start = follow_from_now if operation.path[0] in WITHOUT_STATE else follow
        return start(self.requester, prepared, options, value)

    def request(
        self,
        document: str,
        variables: Mapping[str, Any] | None,
        result: type[Model] | None,
        options: CallOptions | None,
    ) -> Flow[Any]:
        """The data of any document."""
        call = options or CallOptions()
        data = yield from self.requester.request(prepared_of(document, variables, call.operation_name), call)
        return data if result is None else result.from_dict(data)

    def answer(
        self, document: str, variables: Mapping[str, Any] | None, options: CallOptions | None
    ) -> Flow[Answer[Any]]:
        """The whole response to any document."""
        call = options or CallOptions()
        found = yield from self.requester.exchange(prepared_of(document, variables, call.operation_name), call)
        return Answer(found.data, found.errors, found.cost, found.request_id, found.status, found.replayed)

    def paginate(
        self,
        document: str,
        variables: Mapping[str, Any] | None,
        pick: Callable[[Any], Any],
        page_size: int = PAGE_SIZE,
        limit: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Listing:
        """All entries of a list in any document that takes `$first` and `$after`."""

        def read(page: Mapping[str, Any]) -> Flow[Any]:
            data = yield from self.request(document, {**(variables or {}), **page}, None, options)
            return pick(data)

        return Listing(read, lambda page: page, page_size, limit, after)

    def subscribe(
        self, document: str, variables: Mapping[str, Any] | None, options: FollowOptions | None
    ) -> Flow[None]:
        """The messages of any subscription."""
        following = options or FollowOptions()
        prepared = prepared_of(document, variables, following.operation_name)
        return follow(self.requester, prepared, following, lambda message: message)


def arguments(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a method as variables; those that are None are not sent."""
    given = {name: value for name, value in variables.items() if value is not None}
    encoded: dict[str, Any] = encode(given, JSON_NAMES)
    return encoded


def prepared_of(document: str, variables: Mapping[str, Any] | None, operation_name: str | None) -> Prepared:
    """A document of the caller, whose variables have the names of the document."""
    given = {name: encode(value) for name, value in (variables or {}).items()}
    return Prepared(document, given, operation_kind(document, operation_name), operation_name)
