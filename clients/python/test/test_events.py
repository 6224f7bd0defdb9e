"""Events and other subscriptions."""

from __future__ import annotations

import asyncio
from typing import Any

from support import QUICK, PlatformTest, cases_of, for_both, network, once, until

from reelgraph import AsyncReelgraph, FollowOptions, NetworkError, ReelgraphError, RetryOptions

CREATED = ["CONTENT_CREATED"]


@for_both
class Events(PlatformTest):
    """Following the log."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        account = network.account()
        cls.channel = account["channelId"]
        cls.key = account["key"]
        cls.client = cls.connect(cls.key)

    def setUp(self) -> None:
        """The end of the log, once all earlier events have settled; other tests write to the same database."""
        super().setUp()
        [marker] = self.make(1, "Marker")

        def settled() -> bool:
            page = self.result(self.client.events(last=1))
            self.start = page.edges[-1].cursor if page.edges else None
            return bool(page.edges) and page.edges[-1].node.subject == marker

        until(settled, "the log never settled")
        network.take()

    def tearDown(self) -> None:
        until(lambda: self.settle() == 0, "a connection was left open")

    def settle(self) -> int:
        """Lets the loop close what was abandoned."""
        if self.asynchronous:
            self.result(asyncio.sleep(0))
        return network.open_connections()

    def make(self, count: int, name: str) -> list[str]:
        """Creates contents in order."""
        given = [{"title": f"{name} {n}"} for n in range(count)]
        return [self.result(self.client.create_content(input=one)).id for one in given]

    def collect(self, events: Any, count: int) -> list[Any]:
        """The next events."""
        values = self.each(events)
        found = [next(values) for _ in range(count)]
        values.close()
        return found

    def follow(self, **options: Any) -> Any:
        """The events after the marker."""
        return self.client.events_after(types=CREATED, options=FollowOptions(after=self.start, **options))

    @once
    def test_delivers_typed_events_in_order(self) -> None:
        ids = self.make(3, "New")
        events = self.collect(self.follow(), 3)
        self.assertEqual([event.subject for event in events], ids)
        self.assertEqual({(event.type, event.channel_id) for event in events}, {("CONTENT_CREATED", self.channel)})
        self.assertIsNotNone(events[0].created_at.utcoffset())

    def test_loses_and_repeats_no_event_while_its_connections_break(self) -> None:
        pauses: list[float] = []
        events = self.each(self.follow(retry=QUICK, on_disconnect=lambda error, seconds: pauses.append(seconds)))
        ids: list[str] = []
        found: list[str] = []
        rounds = cases_of(range(4), 2)
        for n in rounds:
            ids += self.make(2, f"Before {n}")
            found += [next(events).subject for _ in range(2)]
            network.break_all()
            ids += self.make(2, f"After {n}")
            found += [next(events).subject for _ in range(2)]
        events.close()
        self.assertEqual(found, ids)
        self.assertGreaterEqual(len(pauses), len(rounds))

    def test_starts_at_the_end_of_the_log_and_keeps_it_when_the_first_connection_breaks(self) -> None:
        network.next("lost response")  # of the query for the end of the log
        network.next("broken response", afterBytes=2, match={"accept": "text/event-stream"})
        ids: list[str] = []
        other = self.connect(self.key)

        def meanwhile(error: Exception | None, seconds: float) -> Any:
            if self.asynchronous:
                return create()
            ids.append(other.create_content(input={"title": "Unseen"}).id)
            return None

        async def create() -> None:
            ids.append((await other.create_content(input={"title": "Unseen"})).id)

        options = FollowOptions(on_disconnect=meanwhile, retry=QUICK)
        [event] = self.collect(self.client.events_after(types=CREATED, options=options), 1)
        self.assertEqual([event.subject], ids)

    @once
    def test_reconnects_while_a_message_is_in_transit(self) -> None:
        ids = self.make(4, "Cut")
        network.next("broken response", afterBytes=500)
        self.assertEqual([event.subject for event in self.collect(self.follow(), 4)], ids)

    @once
    def test_continues_after_a_restart_from_the_last_processed_event(self) -> None:
        ids = self.make(3, "Restarted")
        [first] = self.collect(self.client.events_after(types=CREATED, cursor=self.start), 1)
        options = FollowOptions(after=first.cursor)
        rest = self.collect(self.connect(self.key).events_after(types=CREATED, options=options), 2)
        self.assertEqual([first.subject, *(event.subject for event in rest)], ids)

    def test_closes_a_connection_that_receives_nothing(self) -> None:
        reasons: list[str] = []
        ids = self.make(1, "Late")
        network.next("silence")
        follow = self.follow(silence=0.3, on_disconnect=lambda error, seconds: reasons.append(str(error)))
        self.assertEqual([event.subject for event in self.collect(follow, 1)], ids)
        self.assertRegex(reasons[0], r"sent nothing for 0\.3 s")

    @once
    def test_ends_with_the_error_of_the_platform(self) -> None:
        with self.assertRaises(ReelgraphError) as caught:
            self.collect(self.connect("rg_wrong").events_after(types=CREATED), 1)
        self.assertEqual(caught.exception.code, "UNAUTHENTICATED")
        with self.assertRaises(ReelgraphError) as caught:
            self.collect(self.client.events_after(types=["no.such"]), 1)
        self.assertEqual((caught.exception.code, caught.exception.field), ("GRAPHQL_VALIDATION_FAILED", "types[0]"))

    @once
    def test_ends_with_an_error_after_the_allowed_connections(self) -> None:
        network.next("lost request", times=2)
        with self.assertRaises(NetworkError) as caught:
            self.collect(self.follow(retry=RetryOptions(max_attempts=2, base_delay=0.02)), 1)
        self.assertEqual(caught.exception.reason, "unreachable")

    def test_of_one_object_delivers_its_state_first_then_each_change(self) -> None:
        [content] = self.make(1, "Followed")
        states = self.each(self.client.content_updated(id=content))
        self.assertEqual(next(states).metadata.title, "Followed 0")
        self.result(self.client.update_content(id=content, input={"title": "Changed"}))
        self.assertEqual(next(states).metadata.title, "Changed")
        states.close()

    @once
    def test_accepts_subscriptions_of_the_caller_with_the_cursor_of_each_message(self) -> None:
        [content] = self.make(1, "Mine")
        text = "subscription ($id: DID!) { contentUpdated(id: $id) { status } }"
        [message] = self.collect(self.client.subscribe(text, {"id": content}), 1)
        self.assertEqual(message.data, {"contentUpdated": {"status": "DRAFT"}})
        self.assertTrue(message.cursor)


class AbandonedStreams(PlatformTest):
    """A subscription that is left by `break` or by the end of its task."""

    asynchronous = True

    def test_closes_its_connection(self) -> None:
        account = network.account()
        text = "subscription ($id: DID!) { contentUpdated(id: $id) { status } }"

        async def left(client: AsyncReelgraph, content: str) -> None:
            async for _ in client.subscribe(text, {"id": content}):
                break

        async def cancelled(client: AsyncReelgraph) -> None:
            async def endless() -> None:
                async for _ in client.events_after(types=CREATED):
                    raise AssertionError("there is no event")

            task = asyncio.create_task(endless())
            while not await asyncio.to_thread(network.open_connections):
                await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        async def both() -> None:
            async with self.connect(account["key"]) as client:
                content = await client.create_content(input={"title": "Left"})
                await left(client, content.id)
                await cancelled(client)
                while await asyncio.to_thread(network.open_connections):
                    await asyncio.sleep(0.01)

        self.result(asyncio.wait_for(both(), 20))
