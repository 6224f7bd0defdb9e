"""Pure decisions, with expected values written down."""

from __future__ import annotations

import unittest
from math import inf

from reelgraph import RetryOptions, operation_kind
from reelgraph._core.backoff import pause, retry_after
from reelgraph._core.budget import Budget, Cost
from reelgraph._core.document import Prepared
from reelgraph._core.flow import Request, Response, Send, Sleep
from reelgraph._core.progress import Pace, next_chunk
from reelgraph._core.requester import Requester, Settings, base_url_of
from reelgraph._core.sse import EventParser, StreamEvent
from reelgraph.options import CallOptions


class Pauses(unittest.TestCase):
    """A pause."""

    def test_is_random_up_to_a_limit_that_doubles(self) -> None:
        retry = RetryOptions(base_delay=0.25, max_delay=20)
        longest = [pause(n, retry, None, lambda: 1.0) for n in (1, 2, 3, 7, 8, 5_000)]
        self.assertEqual(longest, [0.25, 0.5, 1, 16, 20, 20])
        self.assertEqual(pause(3, retry, None, lambda: 0.0), 0)

    def test_that_the_platform_requests_is_a_minimum(self) -> None:
        self.assertEqual(pause(1, RetryOptions(base_delay=0.5), 7.0, lambda: 0.5), 7.25)

    def test_is_read_from_retry_after(self) -> None:
        now = 1_795_206_811.0  # 2026-11-20T20:33:31Z
        for header, seconds in (
            ("7", 7.0),
            ("Fri, 20 Nov 2026 20:34:31 GMT", 60.0),
            ("Fri, 20 Nov 2026 20:32:31 GMT", 0.0),
            ("soon", None),
            ("", None),
            ("-1", None),
            ("9" * 400, None),
        ):
            self.assertEqual(retry_after({"retry-after": header}, now), seconds, header)
        self.assertIsNone(retry_after({}))


class Kinds(unittest.TestCase):
    """The kind of an operation."""

    def test_is_found_outside_of_braces_texts_and_comments(self) -> None:
        for text, name, kind in (
            ("{ me { id } }", None, "query"),
            ("mutation { a }", None, "mutation"),
            ("# mutation\nquery Q { a }", None, "query"),
            ('query Q { a(b: "} mutation X {") }', None, "query"),
            ("query A { mutation } mutation B { b }", "B", "mutation"),
            ("fragment F on T { subscription } subscription S { a }", "S", "subscription"),
            ("query A { a }", "Missing", "query"),
        ):
            self.assertEqual(operation_kind(text, name), kind, text)


class EventParsing(unittest.TestCase):
    """A stream of events."""

    TEXT = (
        ':beat\r\n\r\nevent: next\nid: 1\ndata: {\ndata:  "ü"}\n\n'
        "event: complete\ndata:\r\rretry: 1\n\nid: 7\ndata: x\n\n"
    )

    def test_is_parsed_wherever_it_is_cut(self) -> None:
        expected = [
            StreamEvent("next", '{\n "ü"}', "1"),
            StreamEvent("complete", "", None),
            StreamEvent("message", "x", "7"),
        ]
        content = self.TEXT.encode()
        for size in (1, 2, 3, 7, len(content)):
            parser = EventParser()
            parts = [content[at : at + size] for at in range(0, len(content), size)]
            self.assertEqual([event for part in parts for event in parser.push(part)], expected, size)


class Budgets(unittest.TestCase):
    """The budget."""

    def test_makes_an_operation_wait_until_its_cost_is_available(self) -> None:
        budget = Budget()
        self.assertEqual(budget.wait("{ a }", 0), 0)
        budget.note("{ a }", Cost(50, 40, 10, 20), 100)
        self.assertEqual([budget.wait("{ a }", now) for now in (100, 101, 102, 103)], [2, 1, 0, 0])
        self.assertEqual(budget.wait("{ other }", 100), 0)


class Parts(unittest.TestCase):
    """A part of an upload."""

    def test_aims_at_two_seconds(self) -> None:
        mib = 1024 * 1024
        for last, seconds, longest, expected in (
            (mib, 1.0, 32 * mib, 2 * mib),
            (mib, 0.0, 32 * mib, 2 * mib),
            (mib, 4.0, 32 * mib, mib // 2),
            (mib, 600.0, 32 * mib, 256 * 1024),
            (32 * mib, 1.0, 32 * mib, 32 * mib),
            (64 * 1024, 0.1, 64 * 1024, 64 * 1024),
        ):
            self.assertEqual(next_chunk(last, seconds, longest), expected)

    def test_changes_the_rate_gradually(self) -> None:
        pace = Pace()
        self.assertEqual((pace.at(0, 100).bytes_per_second, pace.at(0, 100).remaining_seconds), (0, None))
        pace.note(100, 1.0)
        pace.note(200, 1.0)
        self.assertEqual((pace.at(60, 200).bytes_per_second, pace.at(60, 200).remaining_seconds), (140, 1))


class Flows(unittest.TestCase):
    """A call, driven by hand: no network, no clock."""

    def test_asks_for_what_it_needs_and_decides_what_it_means(self) -> None:
        settings = Settings("https://video.example.com", True, RetryOptions(base_delay=0), 30, 120)
        prepared = Prepared("mutation { a }", {}, "mutation")
        flow = Requester(settings).request(prepared, CallOptions(idempotency_key="mine"))
        first = next(flow)
        assert isinstance(first, Send)
        self.assertEqual(first.request.headers["idempotency-key"], "mine")
        self.assertEqual(first.request.content, b'{"query": "mutation { a }", "variables": {}}')
        self.assertEqual(flow.send(_response(503, b"")), Sleep(0.0))
        again = next(flow)
        assert isinstance(again, Send)
        self.assertEqual(again.request.headers, first.request.headers)
        with self.assertRaises(StopIteration) as done:
            flow.send(_response(200, b'{"data": {"a": 1}}'))
        self.assertEqual(done.exception.value, {"a": 1})

    def test_knows_the_address_with_and_without_a_path(self) -> None:
        for path in ("", "/", "/graphql", "/graphql/"):
            self.assertEqual(base_url_of(f"https://a.example{path}"), "https://a.example")

    def test_of_values_that_are_no_json_is_refused(self) -> None:
        settings = Settings("https://video.example.com", True, RetryOptions(), 30, 120)
        for value in (inf, object()):
            with self.assertRaises((TypeError, ValueError)):
                next(Requester(settings).request(Prepared("{ a }", {"x": value}, "query"), CallOptions()))


def _response(status: int, body: bytes) -> Response:
    request = Request("POST", "https://video.example.com/graphql", {})
    return Response(request.url, status, {}, body)
