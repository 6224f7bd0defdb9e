"""The synchronous client."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, overload

import httpx

from ._core.calls import Calls
from ._core.follow import Message
from ._core.model import Model
from ._core.paging import PAGE_SIZE
from ._core.processing import wait_until_processed
from ._core.progress import ProcessingProgress, UploadProgress
from ._core.requester import Answer
from ._core.source import Uploadable, source_of
from ._core.tus import MAX_CHUNK
from ._core.upload import UploadOptions, UploadResult, UploadStarted, upload
from ._drivers.http import Head
from ._drivers.sync import Key, SyncDriver
from ._generated.sync_methods import Operations
from .options import CallOptions, FollowOptions, RetryOptions
from .pages import Pages

if TYPE_CHECKING:
    from .inputs import UploadInput
    from .models import WaitForProcessingResult

M = TypeVar("M", bound=Model)


class Reelgraph(Operations):
    """A client of one platform: one method for each root field of the schema, and these.

    It opens no connection until it is used. Threads may share it.
    """

    def __init__(
        self,
        url: str,
        key: Key = None,
        *,
        version: str | None = None,
        retry: RetryOptions | None = None,
        timeout: float = 30.0,
        deadline: float = 120.0,
        user_agent: str | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        Args:
            url: Address of the platform, with or without `/graphql`: `https://video.example.com`.
            key: API key from Developer Settings, or a function that returns it, called before each request.
            version: Dated version of the API to use, sent as `Reelgraph-Version`.
            retry: Retries.
            timeout: Seconds that one attempt may wait for the platform.
            deadline: Seconds that a call may take with all its attempts.
            user_agent: Identifies your program to the operator.
            http_client: Sends the requests, with your proxy or certificates; `close` leaves it open.
        """
        self._own_http = http_client is None
        self._calls = Calls(url, key is not None, timeout, deadline, retry)
        self._driver = SyncDriver(http_client or httpx.Client(), key, Head(user_agent, version))

    def close(self) -> None:
        """Closes the connections."""
        if self._own_http:
            self._driver.http.close()

    def __enter__(self) -> Reelgraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @overload
    def request(
        self, document: str, variables: Mapping[str, Any] | None = None, *, options: CallOptions | None = None
    ) -> dict[str, Any]: ...

    @overload
    def request(
        self,
        document: str,
        variables: Mapping[str, Any] | None = None,
        *,
        result: type[M],
        options: CallOptions | None = None,
    ) -> M: ...

    def request(
        self,
        document: str,
        variables: Mapping[str, Any] | None = None,
        *,
        result: type[Model] | None = None,
        options: CallOptions | None = None,
    ) -> Any:
        """Runs any document and returns its data, as an object of `result` if given.

        Raises ReelgraphError for any error; its `data` holds partial data.
        """
        return self._driver.run(self._calls.request(document, variables, result, options))

    def answer(
        self, document: str, variables: Mapping[str, Any] | None = None, *, options: CallOptions | None = None
    ) -> Answer[Any]:
        """The whole response: data and errors, cost, request id. Raises only NetworkError."""
        return self._driver.run(self._calls.answer(document, variables, options))

    def paginate(
        self,
        document: str,
        variables: Mapping[str, Any] | None,
        pick: Callable[[Any], Any],
        *,
        page_size: int = PAGE_SIZE,
        limit: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[Any, Any, Any]:
        """Iterates over a list in any document that takes `$first: Int` and `$after: String`.

        `pick` finds the list in the data.
        """
        listing = self._calls.paginate(document, variables, pick, page_size, limit, after, options)
        return Pages(self._driver, listing)

    def subscribe(
        self,
        document: str,
        variables: Mapping[str, Any] | None = None,
        *,
        options: FollowOptions | None = None,
    ) -> Generator[Message[Any], None, None]:
        """Follows any subscription; each message comes with the cursor to resume after."""
        return self._driver.stream(self._calls.subscribe(document, variables, options))

    def upload(
        self,
        file: Uploadable,
        input: UploadInput | None = None,
        *,
        resume_from: str | None = None,
        wait: bool = True,
        on_start: Callable[[UploadStarted], Any] | None = None,
        on_progress: Callable[[UploadProgress | ProcessingProgress], Any] | None = None,
        on_disconnect: Callable[[Exception, float], Any] | None = None,
        max_chunk_bytes: int = MAX_CHUNK,
        retry: RetryOptions | None = None,
    ) -> UploadResult:
        """Creates a video, uploads its file and waits until it is playable.

        After a lost connection the upload resumes where it stopped; after a restart `resume_from` does the same. To
        cancel it, raise an exception in `on_progress`.

        Args:
            file: A path, bytes, or a binary file that can seek; for a stream, `StreamSource`.
            input: The content to create: `title` and more; not needed with `resume_from`.
            resume_from: Resumes the upload with this token of `on_start`.
            wait: False returns once the file is received, before it is processed.
            on_start: Called before the first byte. Store the token to resume after a restart.
            on_progress: Called with the progress of the upload, then of the processing.
            on_disconnect: Called when the connection was lost, with the seconds until the upload resumes.
            max_chunk_bytes: Largest part to send at a time.
            retry: Retries; `max_attempts` counts consecutive failures without a byte between them.

        Raises:
            ReelgraphError: The platform refused.
            NetworkError: The platform stayed unreachable.
            ProcessingError: The video cannot be processed.
            ValueError: The file is not that of the token.
        """
        options = UploadOptions(
            resume_from, wait, on_start, on_progress, on_disconnect, max_chunk_bytes, retry
        )
        return self._driver.run(upload(self._calls.requester, source_of(file), input, options))

    def wait_until_processed(
        self,
        content_id: str,
        *,
        on_progress: Callable[[ProcessingProgress], Any] | None = None,
        give_up_after: float | None = None,
    ) -> WaitForProcessingResult:
        """Waits until a content's video is playable, and published if that was requested.

        Raises ProcessingError with the reason if it cannot be processed, or after `give_up_after` seconds.
        """
        return self._driver.run(
            wait_until_processed(self._calls.requester, content_id, on_progress, give_up_after)
        )
