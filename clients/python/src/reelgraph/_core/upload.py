"""Uploads of videos that resume."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import as_dict
from ..options import CallOptions, RetryOptions
from .document import Prepared
from .flow import Call, Flow
from .model import encode
from .processing import wait_until_processed
from .progress import Pace, ProcessingProgress, UploadProgress
from .requester import Requester, parsed
from .source import Source, fingerprint
from .tus import UPLOAD_RETRY, Sending, send_file

if TYPE_CHECKING:
    from ..models import WaitForProcessingResult


@dataclass(frozen=True)
class UploadStarted:
    """An upload of which no byte is sent yet."""

    content_id: str
    resume_token: str
    """
    Store it until the upload has ended, to resume after a restart. Anyone with it can send the file: protect it like
    a password.
    """


@dataclass(frozen=True)
class UploadResult:
    """A complete upload."""

    content_id: str
    processing: WaitForProcessingResult | None
    """Result of processing; None with `wait=False`."""


@dataclass(frozen=True)
class UploadOptions:
    """The arguments of `upload`; see there."""

    resume_from: str | None
    wait: bool
    on_start: Callable[[UploadStarted], Any] | None
    on_progress: Callable[[UploadProgress | ProcessingProgress], Any] | None
    on_disconnect: Callable[[Exception, float], Any] | None
    max_chunk_bytes: int
    retry: RetryOptions | None


@dataclass(frozen=True)
class BegunUpload:
    """An unfinished upload, as its token holds it."""

    content_id: str
    endpoint: str
    """The address that accepts the bytes."""
    size_bytes: int
    fingerprint: str | None
    """None for a stream."""

    def token(self) -> str:
        """The text to resume from; the TypeScript client reads it, too."""
        return json.dumps(
            {
                "contentId": self.content_id,
                "endpoint": self.endpoint,
                "sizeBytes": self.size_bytes,
                "fingerprint": self.fingerprint,
            }
        )


def read_token(token: str) -> BegunUpload:
    """Raises ValueError for an invalid token."""
    found = as_dict(parsed(token.encode()))
    content_id, endpoint, size = found.get("contentId"), found.get("endpoint"), found.get("sizeBytes")
    if not (isinstance(content_id, str) and isinstance(endpoint, str) and isinstance(size, int)):
        raise ValueError("resume_from is not an upload token: pass the resume_token of on_start.")
    mark = found.get("fingerprint")
    return BegunUpload(content_id, endpoint, size, mark if isinstance(mark, str) else None)


def upload(
    requester: Requester, source: Source, about: Mapping[str, Any] | None, options: UploadOptions
) -> Flow[UploadResult]:
    """Creates a video, uploads its file and waits until it is playable."""
    if options.resume_from is None:
        begun = yield from _begin(requester, source, about)
    else:
        begun = yield from _resumed(source, options.resume_from)
    if options.on_start is not None:
        yield Call(partial(options.on_start, UploadStarted(begun.content_id, begun.token())))
    pace = Pace()

    def on_confirmed(offset: int, count: int, seconds: float) -> Any:
        pace.note(count, seconds)
        return options.on_progress(pace.at(offset, source.size_bytes)) if options.on_progress else None

    yield from send_file(
        source,
        Sending(
            url=begun.endpoint,
            retry=options.retry or UPLOAD_RETRY,
            max_chunk=options.max_chunk_bytes,
            on_confirmed=on_confirmed,
            on_disconnect=options.on_disconnect,
        ),
    )
    if not options.wait:
        return UploadResult(begun.content_id, None)
    processing = yield from wait_until_processed(requester, begun.content_id, options.on_progress)
    return UploadResult(begun.content_id, processing)


def _begin(requester: Requester, source: Source, about: Mapping[str, Any] | None) -> Flow[BegunUpload]:
    from .._generated.documents import PUBLISH_VIDEO as operation

    if about is None:
        raise TypeError("An upload needs input={'title': …}, or resume_from.")
    variables = {"input": {**encode(about), "filename": source.name, "size": source.size_bytes}}
    data = yield from requester.request(Prepared(str(operation), variables, operation.kind), CallOptions())
    target = as_dict(operation.value_in(data)).get("upload")
    if target is None:
        raise RuntimeError("The platform created the video without an upload address.")
    mark = yield from fingerprint(source)
    return BegunUpload(target["contentId"], target["endpoint"], source.size_bytes, mark)


def _resumed(source: Source, token: str) -> Flow[BegunUpload]:
    """Raises ValueError for another file than the one of the upload: the result would mix the bytes of both."""
    begun = read_token(token)
    own = None if begun.fingerprint is None else (yield from fingerprint(source))
    if begun.size_bytes != source.size_bytes or own is not None and own != begun.fingerprint:
        raise ValueError(f"{source.name} is not the file of the upload to resume.")
    return begun
