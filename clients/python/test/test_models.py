"""Typed results and inputs."""

from __future__ import annotations

import inspect
import typing
import unittest
from datetime import date, datetime, timedelta, timezone

from reelgraph import ERROR_CODES, WebhookEventType, Model, enums, inputs, models
from reelgraph._core.model import decoder_of_result, encode
from reelgraph._generated.documents import OPERATIONS

TIME = datetime(2026, 11, 20, 20, 33, 31, 123_000, timezone.utc)


class Part(Model):
    """A part of a result of the caller's own."""

    published_at: datetime | None
    day: date
    visibility: enums.Visibility
    keywords: list[str]


class Whole(Model):
    """A result of the caller's own."""

    parts: list[Part | None]
    from_: str
    node: models.Node


WIRE = {
    "parts": [
        {"publishedAt": "2026-11-20T20:33:31.123Z", "day": "2026-11-20", "visibility": "PUBLIC", "keywords": ["a"]},
        None,
    ],
    "from": "here",
    "node": {"__typename": "Channel", "id": "did:reelgraph:channel/1", "handle": "ada"},
}


class Models(unittest.TestCase):
    """A model."""

    def test_has_attributes_by_its_annotations(self) -> None:
        whole = Whole.from_dict(WIRE)
        part = whole.parts[0]
        assert part is not None
        self.assertEqual((part.published_at, part.day), (TIME, date(2026, 11, 20)))
        self.assertIs(part.visibility, enums.Visibility.PUBLIC)
        self.assertEqual((part.keywords, whole.parts[1], whole.from_), (["a"], None, "here"))

    def test_tells_the_members_of_an_interface_apart(self) -> None:
        node = Whole.from_dict(WIRE).node
        assert isinstance(node, models.NodeChannel)
        self.assertEqual((node.typename, node.handle), ("Channel", "ada"))
        for name in ("Webhook", "NewerThanTheClient"):
            other = Whole.from_dict({**WIRE, "node": {"__typename": name, "id": "did:reelgraph:x/1"}}).node
            self.assertIsInstance(other, models.NodeOther)
            self.assertEqual((other.typename, other.id), (name, "did:reelgraph:x/1"))

    def test_keeps_values_that_are_newer_than_the_client(self) -> None:
        part = Part.from_dict({"visibility": "FRIENDS"})
        self.assertIsInstance(part.visibility, enums.Visibility)
        self.assertEqual((part.visibility, part.visibility.value, part.day), ("FRIENDS", "FRIENDS", None))
        self.assertNotIn("FRIENDS", enums.Visibility.__members__)

    def test_becomes_the_same_json_again(self) -> None:
        again = Whole.from_dict(Whole.from_dict(WIRE).to_dict())
        self.assertEqual(again, Whole.from_dict(WIRE))
        self.assertEqual(again.to_dict()["node"]["__typename"], "Channel")

    def test_can_be_made_for_tests_but_not_changed(self) -> None:
        part = Part(published_at=TIME, keywords=[])
        self.assertIn("published_at=datetime.datetime(2026", repr(part))
        self.assertNotEqual(part, Part(published_at=None, keywords=[]))
        with self.assertRaises(AttributeError):
            part.keywords = ["b"]
        with self.assertRaises(AttributeError):
            del part.keywords
        with self.assertRaisesRegex(TypeError, "has no field title"):
            Part(title="A")

    def test_of_every_type_and_operation_can_be_decoded(self) -> None:
        classes = [one for one in vars(models).values() if inspect.isclass(one) and issubclass(one, Model)]
        self.assertGreater(len(classes), 200)
        for one in classes:
            self.assertIsInstance(one.from_dict({}), one)
        for operation in OPERATIONS.values():
            self.assertTrue(callable(decoder_of_result(operation.result)))


class Inputs(unittest.TestCase):
    """An input."""

    def test_has_the_names_of_the_schema(self) -> None:
        given = {
            "short_summary": "a",
            "keywords": ("b", "c"),
            "genre": {"from_": 1},
            "visibility": enums.Visibility.UNLISTED,
            "release_date": TIME.astimezone(timezone(timedelta(hours=2))),
            "day": date(2026, 11, 20),
            "payload": {"my_own": {"x_y": 1}},
            "alreadyCamel": None,
        }
        expected = {
            "shortSummary": "a",
            "keywords": ["b", "c"],
            "genre": {"from": 1},
            "visibility": "UNLISTED",
            "releaseDate": "2026-11-20T22:33:31.123000+02:00",
            "day": "2026-11-20",
            "payload": {"my_own": {"x_y": 1}},
            "alreadyCamel": None,
        }
        self.assertEqual(encode(given, frozenset({"payload"})), expected)

    def test_refuses_a_time_without_a_zone(self) -> None:
        with self.assertRaisesRegex(TypeError, "time zone"):
            encode({"release_date": datetime(2026, 11, 20)})

    def test_of_an_upload_lacks_what_is_known_of_the_file(self) -> None:
        whole, upload = inputs.PublishVideoInput.__annotations__, inputs.UploadInput.__annotations__
        self.assertEqual(whole.keys() - upload.keys(), {"filename", "size", "source_url"})
        self.assertIn("title", upload)


class Tables(unittest.TestCase):
    """The tables of the platform."""

    def test_are_those_of_its_kernel(self) -> None:
        self.assertEqual((ERROR_CODES["RATE_LIMIT_EXCEEDED"], ERROR_CODES["FIELD_REQUIRED"]), (True, False))
        self.assertIn("content.published", typing.get_args(WebhookEventType))
