"""Waits for the processing of a video."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import ProcessingError
from ..options import CallOptions
from .document import Prepared
from .flow import Call, Flow
from .model import decoder_of_result
from .progress import ProcessingProgress
from .requester import Requester

if TYPE_CHECKING:
    from ..models import WaitForProcessingResult

CALL_SECONDS = 60
PROGRESS_SECONDS = 3
"""Longest wait of one call; shorter when progress is reported."""


def wait_until_processed(
    requester: Requester,
    content_id: str,
    on_progress: Callable[[ProcessingProgress], Any] | None = None,
    give_up_after: float | None = None,
) -> Flow[WaitForProcessingResult]:
    """Waits until a video is playable, and published if that was requested, in calls that any proxy lets pass.

    Raises ProcessingError when processing fails, or after `give_up_after` seconds.
    """
    until = math.inf if give_up_after is None else time.monotonic() + give_up_after
    while True:
        result = yield from _wait(requester, content_id, PROGRESS_SECONDS if on_progress else CALL_SECONDS, until)
        notify, status = on_progress, result.status
        if notify is not None:
            progress = ProcessingProgress(content_id, status, result.job.progress if result.job else 0)
            yield Call(partial(notify, progress))
        if status == "COMPLETE":
            return result
        if status in ("ERROR", "CANCELLED", "NONE"):
            raise ProcessingError(content_id, status, result.error)
        if time.monotonic() >= until:
            raise ProcessingError(content_id, status, f"The video was not ready within {give_up_after} s.")


def _wait(requester: Requester, content_id: str, longest: int, until: float) -> Flow[WaitForProcessingResult]:
    from .._generated.documents import WAIT_FOR_PROCESSING as operation

    seconds = max(0, math.ceil(min(longest, until - time.monotonic())))
    variables = {"input": {"contentId": content_id, "timeoutSeconds": seconds}}
    # Waiting changes nothing: it can be repeated without a key, and the timeout of other calls does not apply.
    timeout = seconds + 30.0
    options = CallOptions(repeatable=True, timeout=timeout, deadline=2 * timeout)
    data = yield from requester.request(Prepared(str(operation), variables, operation.kind), options)
    result: WaitForProcessingResult = decoder_of_result(operation.result)(operation.value_in(data))
    return result
