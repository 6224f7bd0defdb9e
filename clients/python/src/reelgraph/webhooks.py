"""Webhooks: verifies messages of the platform (Standard Webhooks, HMAC-SHA256)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from .errors import as_dict

WebhookFault = Literal["incomplete", "too-old", "too-new", "forged", "malformed"]
TOLERANCE_SECONDS = 300.0


@dataclass(frozen=True)
class WebhookData:
    """What a message is about."""

    id: str
    """The event."""
    channel: str
    subject: str
    """The object it concerns."""
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class WebhookMessage:
    """A message of a webhook, verified."""

    id: str
    """The same on every attempt of a message: store it to detect duplicates."""
    type: str
    """One of `reelgraph.WebhookEventType`, or `webhook.test`."""
    timestamp: datetime
    """When it happened."""
    data: WebhookData
    out_of_order: bool = False
    """Whether the order that the webhook keeps is broken: an earlier message comes later, or came too late."""


class WebhookVerificationError(Exception):
    """The message cannot be trusted."""

    def __init__(self, reason: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, Any],
    secrets: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookMessage:
    """Verifies a webhook message and returns it.

    Args:
        body: The raw body, not parsed and serialized again.
        headers: The headers of the request, in any case.
        secrets: `Webhook.secret`; while it is being rotated, both.
        tolerance: Maximum difference in seconds between the time of the attempt and now, either way.
        now: The current time, in seconds since 1970.

    Raises:
        WebhookVerificationError: The message cannot be trusted.
        ValueError: A secret is invalid.
    """
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    _require_recent(timestamp, tolerance, time.time() if now is None else now)
    content = body.encode() if isinstance(body, str) else bytes(body)
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    signed = f"{message_id}.{timestamp}.".encode() + content
    if not _is_signed(signed, signatures, keys):
        raise WebhookVerificationError("forged", "No signature matches the message.")
    return _read_message(message_id, content)


def _header(headers: Mapping[str, Any], name: str) -> str:
    for key, value in headers.items():
        if str(key).lower() == name and isinstance(value, str) and value:
            return value
    raise WebhookVerificationError("incomplete", f"The header {name} is missing.")


def _require_recent(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("incomplete", "The header webhook-timestamp is not a time.")
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("too-old", f"The message is {round(age)} s old.")
    if age < -tolerance:
        raise WebhookVerificationError("too-new", f"The message is from {round(-age)} s ahead; check the clocks.")


def _is_signed(signed: bytes, signatures: str, keys: Sequence[bytes]) -> bool:
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    found = False
    for signature in signatures.split(" "):
        version, _, value = signature.partition(",")
        given = _from_base64(value) if version == "v1" else None
        if given is not None:
            for digest in expected:
                found = hmac.compare_digest(digest, given) or found
    return found


def _key_of(secret: str) -> bytes:
    key = _from_base64(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("A secret of a webhook has the form whsec_… (Webhook.secret).")
    return key


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None


def _read_message(message_id: str, content: bytes) -> WebhookMessage:
    try:
        found = as_dict(json.loads(content))
        data = as_dict(found.get("data"))
        texts = [found["type"], found["timestamp"], data["id"], data["channel"], data["subject"]]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("not texts")
        timestamp = datetime.fromisoformat(found["timestamp"])
    except (KeyError, ValueError) as error:
        raise WebhookVerificationError(
            "malformed", "The message is signed, but it is not a message of this platform."
        ) from error
    about = WebhookData(data["id"], data["channel"], data["subject"], as_dict(data.get("payload")))
    return WebhookMessage(message_id, found["type"], timestamp, about, found.get("outOfOrder") is True)
