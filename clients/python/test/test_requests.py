"""Calls, errors and retries."""

from __future__ import annotations

import json
import time

from support import PLATFORM, QUICK, PlatformTest, for_both, network

from reelgraph import (
    NO_RETRY,
    AsyncReelgraph,
    CallOptions,
    NetworkError,
    Reelgraph,
    ReelgraphError,
    RetryOptions,
)

MISSING = "did:reelgraph:content/feature/0190a0c4-0000-7000-8000-000000000000"


@for_both
class Calls(PlatformTest):
    """A call."""

    def test_returns_the_value_of_its_root_field(self) -> None:
        client = self.connect()
        connection = self.result(client.verify_connection())
        self.assertEqual((connection.user.username, connection.authenticated), (PLATFORM["username"], True))
        created = self.result(client.create_content(input={"title": "First", "short_summary": "In a sentence."}))
        self.assertEqual(created.metadata.title, "First")
        self.assertEqual(created.metadata.short_summary, "In a sentence.")
        self.assertIsNotNone(created.created_at.utcoffset())

    def test_keeps_what_an_input_omits_and_clears_what_is_none(self) -> None:
        client = self.connect()
        given = {"title": "Kept", "summary": "One", "short_summary": "Two"}
        created = self.result(client.create_content(input=given))
        changed = self.result(client.update_content(id=created.id, input={"summary": None})).metadata
        self.assertEqual((changed.title, changed.summary, changed.short_summary), ("Kept", "", "Two"))

    def test_accepts_documents_of_the_caller(self) -> None:
        text = "query ($handle: String) { channel(handle: $handle) { id } }"
        data = self.result(self.connect().request(text, {"handle": PLATFORM["username"]}))
        self.assertEqual(data, {"channel": {"id": PLATFORM["channelId"]}})

    def test_runs_the_named_operation(self) -> None:
        text = "query A { rateLimit { limit } } query B { me { username } }"
        data = self.result(self.connect().request(text, options=CallOptions(operation_name="B")))
        self.assertEqual(data, {"me": {"username": PLATFORM["username"]}})

    def test_calls_a_function_for_the_key_each_time(self) -> None:
        keys = ["rg_wrong", PLATFORM["key"]]
        client = self.connect(lambda: keys.pop(0))
        with self.assertRaises(ReelgraphError) as caught:
            self.result(client.me())
        self.assertEqual((caught.exception.code, caught.exception.status), ("UNAUTHENTICATED", 401))
        self.assertEqual(self.result(client.me()).username, PLATFORM["username"])

    def test_returns_the_cost_and_the_request_id(self) -> None:
        answer = self.result(self.connect().answer("{ me { username } }"))
        self.assertEqual((answer.data, answer.errors), ({"me": {"username": PLATFORM["username"]}}, ()))
        self.assertEqual((answer.status, answer.replayed), (200, False))
        self.assertGreater(answer.cost.available, 0)
        self.assertTrue(answer.request_id)

    def test_names_the_program_and_the_version(self) -> None:
        self.result(self.connect(user_agent="my-program/1.0").me())
        self.result(self.connect().me())
        named, plain = (seen["headers"] for seen in network.take())
        self.assertRegex(named["user-agent"], r"^my-program/1\.0 reelgraph-python/\d+\.\d+\.\d+$")
        self.assertRegex(plain["user-agent"], r"^reelgraph-python/\d+\.\d+\.\d+$")
        self.assertNotIn("reelgraph-version", plain)

    def test_sends_the_version(self) -> None:
        network.next("response", status=200, body='{"data":{"me":{"username":"ada"}}}')
        self.assertEqual(self.result(self.connect(version="2027-01").me()).username, "ada")
        self.assertEqual(network.take()[0]["headers"]["reelgraph-version"], "2027-01")


@for_both
class Errors(PlatformTest):
    """An error."""

    def test_is_raised_with_all_its_details(self) -> None:
        with self.assertRaises(ReelgraphError) as caught:
            self.result(self.connect().create_content(input={"title": ""}))
        error = caught.exception
        self.assertEqual((error.code, error.error_type), ("FIELD_REQUIRED", "ValidationError"))
        self.assertEqual((error.field, error.retryable), ("input.title", False))
        self.assertEqual(error.documentation, f"{PLATFORM['url']}/docs/errors/field_required")
        self.assertTrue(len(error.suggested_fix) > 10 and error.request_id)
        self.assertRegex(str(error), "^FIELD_REQUIRED: ")
        self.assertEqual(len(network.take()), 1, "what cannot pass is not tried again")

    def test_of_a_field_leaves_the_other_fields_in_data(self) -> None:
        text = "query ($id: DID!) { me { username } feature(id: $id) { id } }"
        with self.assertRaises(ReelgraphError) as caught:
            self.result(self.connect().request(text, {"id": MISSING}))
        error = caught.exception
        self.assertEqual((error.code, error.field, error.path), ("RESOURCE_NOT_FOUND", "id", ("feature",)))
        self.assertEqual(error.data, {"me": {"username": PLATFORM["username"]}, "feature": None})
        answer = self.result(self.connect().answer(text, {"id": MISSING}))
        self.assertEqual((answer.data, answer.errors[0].code), (error.data, "RESOURCE_NOT_FOUND"))

    def test_of_the_whole_document_is_raised_too(self) -> None:
        with self.assertRaises(ReelgraphError) as caught:
            self.result(self.connect().request("{ nothing }"))
        self.assertEqual((caught.exception.code, caught.exception.data), ("GRAPHQL_VALIDATION_FAILED", None))

    def test_is_raised_without_a_request_for_the_wrong_method(self) -> None:
        with self.assertRaises(TypeError):
            self.result(self.connect().request("subscription { eventsAfter { id } }"))
        with self.assertRaises(TypeError):
            next(self.each(self.connect().subscribe("{ me { username } }")))
        self.assertEqual(network.take(), [])

    def test_of_a_redirect_is_not_followed_because_the_key_would_be_sent_there(self) -> None:
        network.next("response", status=301, headers={"location": "https://elsewhere.example/graphql"})
        with self.assertRaisesRegex(NetworkError, r"leads to https://elsewhere\.example/graphql") as caught:
            self.result(self.connect().me())
        self.assertEqual((caught.exception.reason, caught.exception.status), ("no-answer", 301))
        self.assertEqual(len(network.take()), 1)


@for_both
class Retries(PlatformTest):
    """A transient error."""

    def test_is_retried(self) -> None:
        faults = (
            {"kind": "lost request"},
            {"kind": "lost response"},
            {"kind": "broken response", "afterBytes": 10},
            {"kind": "response", "status": 502, "body": "<html>Bad gateway</html>"},
            {"kind": "response", "status": 503, "headers": {"retry-after": "0"}},
        )
        client = self.connect()
        for fault in faults:
            with self.subTest(**fault):
                network.next(**fault)
                self.assertEqual(self.result(client.me()).username, PLATFORM["username"])
                self.assertEqual(len(network.take()), 2)

    def test_does_not_run_a_mutation_twice(self) -> None:
        client = self.connect()
        before = self.result(client.channel_contents(id=PLATFORM["channelId"])).total_count
        network.take()
        network.next("lost response")
        created = self.result(client.create_content(input={"title": "Only once"}))
        keys = [seen["headers"].get("idempotency-key") for seen in network.take()]
        self.assertRegex(keys[0], "^[0-9a-f]{32}$")
        self.assertEqual(keys, [keys[0]] * 2)
        self.assertEqual(created.metadata.title, "Only once")
        contents = self.result(client.channel_contents(id=PLATFORM["channelId"]))
        self.assertEqual(contents.total_count, before + 1)

    def test_runs_one_mutation_for_several_calls_with_the_same_key(self) -> None:
        client = self.connect()
        text = 'mutation { createContent(input: { title: "Keyed" }) { id } }'
        options = CallOptions(idempotency_key=f"key-{type(self).__name__}")
        first, second = (self.result(client.answer(text, options=options)) for _ in range(2))
        self.assertEqual((first.replayed, second.replayed), (False, True))
        self.assertEqual(first.data, second.data)

    def test_is_raised_after_the_allowed_attempts(self) -> None:
        network.next("lost request", times=3)
        retry = RetryOptions(max_attempts=3, base_delay=0.02)
        with self.assertRaises(NetworkError) as caught:
            self.result(self.connect(retry=retry).me())
        error = caught.exception
        self.assertEqual((error.reason, error.status, error.retryable), ("unreachable", None, True))
        self.assertEqual(len(network.take()), 3)

    def test_is_not_retried_after_the_deadline(self) -> None:
        network.next("response", status=503, headers={"retry-after": "60"})
        started = time.monotonic()
        with self.assertRaises(NetworkError) as caught:
            self.result(self.connect(deadline=5).me())
        self.assertEqual((caught.exception.reason, caught.exception.status), ("no-answer", 503))
        self.assertLess(time.monotonic() - started, 5)

    def test_has_the_time_to_wait(self) -> None:
        body = json.dumps({"errors": [{"message": "Much.", "extensions": {"code": "RATE_LIMIT_EXCEEDED"}}]})
        network.next("response", status=429, headers={"retry-after": "7"}, body=body)
        with self.assertRaises(ReelgraphError) as caught:
            self.result(self.connect(retry=NO_RETRY).me())
        error = caught.exception
        self.assertEqual((error.code, error.retryable, error.retry_after), ("RATE_LIMIT_EXCEEDED", True, 7.0))

    def test_is_decided_by_the_platform_where_it_says_so(self) -> None:
        for retryable, attempts in ((False, 1), (True, 2)):
            code = "SERVICE_UNAVAILABLE" if not retryable else "RESOURCE_NOT_FOUND"
            extensions = {"code": code, "retryable": retryable}
            body = json.dumps({"data": None, "errors": [{"message": "No.", "extensions": extensions}]})
            network.next("response", status=200, body=body)
            try:
                self.result(self.connect().me())
            except ReelgraphError as error:
                self.assertFalse(retryable or error.retryable)
            self.assertEqual(len(network.take()), attempts)

    def test_is_no_where_another_mutation_of_the_request_was_executed(self) -> None:
        error = {"message": "Not now.", "path": ["b"], "extensions": {"code": "SERVICE_UNAVAILABLE", "retryable": True}}
        body = json.dumps({"data": {"a": {"id": "did:a"}, "b": None}, "errors": [error]})
        network.next("response", status=200, body=body)
        text = 'mutation { a: createContent(input: { title: "x" }) { id } b: createContent(input: {}) { id } }'
        with self.assertRaises(ReelgraphError) as caught:
            self.result(self.connect().request(text))
        self.assertFalse(caught.exception.retryable)
        self.assertEqual(caught.exception.data, {"a": {"id": "did:a"}, "b": None})
        self.assertEqual(len(network.take()), 1)

    def test_is_not_retried_for_anonymous_mutations(self) -> None:
        network.next("lost request")
        kind = AsyncReelgraph if self.asynchronous else Reelgraph
        client = kind(PLATFORM["url"], retry=QUICK)
        with self.assertRaises(NetworkError):
            self.result(client.update_settings(input={"keep_history": True}))
        self.assertEqual(len(network.take()), 1)
        self.result(client.close())

    def test_is_not_awaited_longer_than_the_timeout(self) -> None:
        network.next("silence")
        started = time.monotonic()
        self.assertEqual(self.result(self.connect(timeout=0.3).me()).username, PLATFORM["username"])
        self.assertGreaterEqual(time.monotonic() - started, 0.3)
        network.next("silence")
        with self.assertRaisesRegex(NetworkError, r"did not answer within 0\.1 s") as caught:
            self.result(self.connect(timeout=0.1, retry=NO_RETRY).me())
        self.assertEqual(caught.exception.reason, "timeout")
