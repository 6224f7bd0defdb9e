"""Webhooks, with messages that the platform's own code has signed (webhook-vectors.json)."""

from __future__ import annotations

import json
import unittest
from datetime import datetime, timezone
from pathlib import Path

from reelgraph import WebhookVerificationError, verify_webhook

VECTORS = json.loads((Path(__file__).parent / "webhook-vectors.json").read_text("utf-8"))
NOW = VECTORS["now"]
OLD, NEW = VECTORS["old"], VECTORS["new"]
BODY, HEADERS = VECTORS["body"], VECTORS["headers"]


class SignedMessages(unittest.TestCase):
    """A message signed by the platform."""

    def test_is_accepted_and_parsed(self) -> None:
        message = verify_webhook(BODY, HEADERS, NEW, now=NOW)
        self.assertEqual((message.id, message.type), ("msg_1", "content.published"))
        self.assertEqual(message.timestamp, datetime(2026, 11, 20, 20, 33, 31, 123_000, timezone.utc))
        self.assertEqual(message.data.subject, "did:reelgraph:content/feature/0190a0c4-0000-7000-8000-000000000002")
        self.assertEqual(message.data.payload, {"title": "Ünï “quoted” 🎬"})
        shouted = {name.upper(): value for name, value in HEADERS.items()}
        self.assertEqual(verify_webhook(BODY.encode(), shouted, [NEW], now=NOW + 299), message)
        self.assertEqual(verify_webhook(BODY, HEADERS, [NEW], now=NOW - 299), message)

    def test_is_accepted_with_either_secret_during_rotation(self) -> None:
        for headers, known in (
            (VECTORS["headersOfBoth"], [OLD]),
            (VECTORS["headersOfBoth"], [NEW]),
            (VECTORS["headersOfOld"], [NEW, OLD]),
            (HEADERS, [OLD, NEW]),
        ):
            self.assertEqual(verify_webhook(BODY, headers, known, now=NOW).id, "msg_1")

    def test_is_accepted_within_the_given_tolerance(self) -> None:
        self.assertEqual(verify_webhook(BODY, HEADERS, NEW, now=NOW + 3_000, tolerance=3_600).id, "msg_1")


class InvalidMessages(unittest.TestCase):
    """An invalid message."""

    def test_is_refused_with_the_reason(self) -> None:
        signature = HEADERS["webhook-signature"]
        cases = (
            ("changed", BODY.replace("quoted", "qouted"), HEADERS, 0, "forged"),
            ("signed with another secret", BODY, VECTORS["headersOfForeign"], 0, "forged"),
            ("sent under another id", BODY, {**HEADERS, "webhook-id": "msg_2"}, 0, "forged"),
            ("sent with another time", BODY, {**HEADERS, "webhook-timestamp": str(NOW + 1)}, 0, "forged"),
            ("of another version", BODY, {**HEADERS, "webhook-signature": "v2" + signature[2:]}, 0, "forged"),
            ("half a signature", BODY, {**HEADERS, "webhook-signature": signature[:20]}, 0, "forged"),
            ("no signature", BODY, {**HEADERS, "webhook-signature": "v1,*** ünï v1"}, 0, "forged"),
            ("unsigned", BODY, {**HEADERS, "webhook-signature": ""}, 0, "incomplete"),
            ("without headers", BODY, {}, 0, "incomplete"),
            ("whose time is no number", BODY, {**HEADERS, "webhook-timestamp": "now"}, 0, "incomplete"),
            ("sent again later", BODY, HEADERS, 301, "too-old"),
            ("from ahead of time", BODY, HEADERS, -301, "too-new"),
            ("of another product", '{"hello":1}', VECTORS["headersOfHello"], 0, "malformed"),
            ("no JSON", "hello", VECTORS["headersOfText"], 0, "malformed"),
        )
        for name, body, headers, seconds, reason in cases:
            with self.subTest(name):
                with self.assertRaises(WebhookVerificationError) as caught:
                    verify_webhook(body, headers, [OLD, NEW], now=NOW + seconds)
                self.assertEqual(caught.exception.reason, reason)

    def test_cannot_be_verified_with_an_invalid_secret(self) -> None:
        for secret in ("", "whsec_", "whsec_***", "whsec_ü"):
            with self.assertRaises(ValueError):
                verify_webhook(BODY, HEADERS, secret, now=NOW)
