"""The errors of the client, by what the caller can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ._generated.error_codes import ERROR_CODES

if TYPE_CHECKING:
    from .enums import TranscodeJobStatus

NetworkFailure = Literal["unreachable", "timeout", "no-answer"]
"""
`unreachable`: no connection, or it broke. `timeout`: no response in time. `no-answer`: something else responded, such
as a proxy.
"""


@dataclass(frozen=True)
class Conflict:
    """What an update met that was based on an earlier revision."""

    revision: int
    """The present one."""
    fields: Mapping[str, Any]
    """What was sent and has another value by now, such as `input.title`, with that value."""


@dataclass(frozen=True)
class ErrorDetail:
    """One error of the platform. Every code has a page, at `documentation`."""

    message: str
    code: str
    error_type: str
    """Category: `ValidationError`, `RateLimitError`, …"""
    field: str | None
    """The argument it concerns, such as `input.title`."""
    suggested_fix: str
    documentation: str
    """Address of the page that explains the code."""
    path: tuple[str | int, ...] | None
    """Path of the missing value in the data."""
    retryable: bool
    """Whether the same request may succeed later."""
    conflict: Conflict | None = None
    """With CONFLICT."""


class ReelgraphError(Exception):
    """The platform answered with errors: for everything, or for a part; then `data` holds the rest.

    `code`, `field` and the other details are those of the first error.
    """

    def __init__(
        self,
        errors: tuple[ErrorDetail, ...],
        *,
        status: int,
        request_id: str | None = None,
        data: Any = None,
        retry_after: float | None = None,
        is_partly_done: bool = False,
    ) -> None:
        first = errors[0] if errors else None
        super().__init__(first.message if first else f"The platform answered with status {status}.")
        self.errors = errors
        self.code = first.code if first else "INTERNAL_SERVER_ERROR"
        self.error_type = first.error_type if first else "InternalError"
        self.field = first.field if first else None
        self.suggested_fix = first.suggested_fix if first else ""
        self.documentation = first.documentation if first else ""
        self.path = first.path if first else None
        self.conflict = first.conflict if first else None
        """With CONFLICT: the present revision, and the present values of what was sent."""
        self.status = status
        self.request_id = request_id
        """Quote it when reporting a problem: it is in the server's log."""
        self.data = data
        """What succeeded, as the platform sent it; None without anything."""
        self.retryable = not is_partly_done and bool(errors) and all(error.retryable for error in errors)
        """Whether the same request may succeed later: never where another mutation of it was executed (`data`)."""
        self.retry_after = retry_after
        """Seconds to wait before a retry, if the platform says so."""

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"


class NetworkError(Exception):
    """No response from the platform.

    A mutation may or may not have been executed; repeat it with its idempotency key.
    """

    def __init__(
        self,
        reason: NetworkFailure,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status
        """HTTP status of the other responder; None without a response."""
        self.retryable = status is None or status in (408, 429) or status >= 500
        self.retry_after = retry_after


class ProcessingError(Exception):
    """The video could not be processed, or its processing was cancelled. The message says why."""

    def __init__(self, content_id: str, status: TranscodeJobStatus, error: str | None) -> None:
        super().__init__(
            error
            or (
                "No video was uploaded for this content."
                if status == "NONE"
                else f"The processing of the video ended with {status}."
            )
        )
        self.content_id = content_id
        self.status = status


def read_errors(found: object) -> tuple[ErrorDetail, ...]:
    """Errors of a GraphQL response, with their details in `extensions`, or of another endpoint, beside the message."""
    return tuple(_read_error(one) for one in found) if isinstance(found, list) else ()


def _read_error(found: object) -> ErrorDetail:
    error = as_dict(found)
    members = {**error, **as_dict(error.get("extensions"))}

    def text(name: str, otherwise: str = "") -> str:
        value = members.get(name)
        return value if isinstance(value, str) else otherwise

    code = text("code", "INTERNAL_SERVER_ERROR")
    path, retryable = members.get("path"), members.get("retryable")
    return ErrorDetail(
        message=text("message", "The platform rejected the request."),
        code=code,
        error_type=text("errorType", "InternalError"),
        field=text("field") or None,
        suggested_fix=text("suggestedFix"),
        documentation=text("documentation"),
        path=tuple(path) if isinstance(path, list) else None,
        # The platform knows more than the code says: what is not set up stays unavailable.
        retryable=retryable if isinstance(retryable, bool) else ERROR_CODES.get(code, False),
        conflict=_read_conflict(as_dict(members["conflict"])) if "conflict" in members else None,
    )


def _read_conflict(found: Mapping[str, Any]) -> Conflict:
    fields = [as_dict(one) for one in found.get("fields", [])]
    return Conflict(
        revision=found.get("revision", 0),
        fields={str(one.get("field")): one.get("value") for one in fields},
    )


def as_dict(value: object) -> Mapping[str, Any]:
    """The members of a JSON object; none for anything else."""
    return value if isinstance(value, dict) else {}
