"""
The typed client of a Reelgraph platform: see README.md.

Names are loaded when they are first used, so that a program that only verifies webhooks loads no HTTP client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import VERSION as __version__

if TYPE_CHECKING:
    from ._core.budget import Cost
    from ._core.document import OperationKind, operation_kind
    from ._core.follow import Message
    from ._core.model import Model, OpenEnum
    from ._core.progress import ProcessingProgress, UploadProgress
    from ._core.requester import Answer
    from ._core.source import AsyncStreamSource, Source, StreamSource
    from ._core.upload import UploadResult, UploadStarted
    from ._generated.error_codes import ERROR_CODES
    from ._generated.event_types import WebhookEventType
    from .async_client import AsyncReelgraph
    from .client import Reelgraph
    from .errors import Conflict, ErrorDetail, NetworkError, NetworkFailure, ProcessingError, ReelgraphError
    from .options import NO_RETRY, CallOptions, FollowOptions, RetryOptions
    from .pages import AsyncPages, Pages
    from .webhooks import WebhookData, WebhookMessage, WebhookVerificationError, verify_webhook

_MODULES = {
    "_core.budget": ("Cost",),
    "_core.document": ("OperationKind", "operation_kind"),
    "_core.follow": ("Message",),
    "_core.model": ("Model", "OpenEnum"),
    "_core.progress": ("ProcessingProgress", "UploadProgress"),
    "_core.requester": ("Answer",),
    "_core.source": ("AsyncStreamSource", "Source", "StreamSource"),
    "_core.upload": ("UploadResult", "UploadStarted"),
    "_generated.error_codes": ("ERROR_CODES",),
    "_generated.event_types": ("WebhookEventType",),
    "async_client": ("AsyncReelgraph",),
    "client": ("Reelgraph",),
    "errors": ("Conflict", "ErrorDetail", "NetworkError", "NetworkFailure", "ProcessingError", "ReelgraphError"),
    "options": ("NO_RETRY", "CallOptions", "FollowOptions", "RetryOptions"),
    "pages": ("AsyncPages", "Pages"),
    "webhooks": ("WebhookData", "WebhookMessage", "WebhookVerificationError", "verify_webhook"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'reelgraph' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


__all__ = [
    "ERROR_CODES",
    "NO_RETRY",
    "Answer",
    "AsyncPages",
    "AsyncReelgraph",
    "AsyncStreamSource",
    "CallOptions",
    "Conflict",
    "Cost",
    "ErrorDetail",
    "FollowOptions",
    "Message",
    "Model",
    "NetworkError",
    "NetworkFailure",
    "OpenEnum",
    "OperationKind",
    "Pages",
    "ProcessingError",
    "ProcessingProgress",
    "Reelgraph",
    "ReelgraphError",
    "RetryOptions",
    "Source",
    "StreamSource",
    "UploadProgress",
    "UploadResult",
    "UploadStarted",
    "WebhookData",
    "WebhookEventType",
    "WebhookMessage",
    "WebhookVerificationError",
    "__version__",
    "operation_kind",
    "verify_webhook",
]
