"""Lists."""

from __future__ import annotations

from support import PLATFORM, PlatformTest, for_both, network

from reelgraph import ReelgraphError

COUNT = 23


@for_both
class Lists(PlatformTest):
    """A list."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        account = network.account()
        cls.channel = account["channelId"]
        cls.username = account["username"]
        cls.client = cls.connect(account["key"])
        for n in range(COUNT):
            cls.result(cls.client.create_content(input={"title": f"Content {n}"}))
        cls.titles = [f"Content {n}" for n in reversed(range(COUNT))]

    def test_is_iterated_by_entry_over_all_pages(self) -> None:
        contents = self.client.channel_contents.all(id=self.channel, page_size=10)
        self.assertEqual([content.metadata.title for content in self.each(contents)], self.titles)
        self.assertEqual(len(network.take()), 3)

    def test_requests_no_page_before_it_is_needed_and_none_after_the_loop(self) -> None:
        entries = self.each(self.client.channel_contents.all(id=self.channel, page_size=5))
        for taken in range(1, 8):
            next(entries)
            if taken in (1, 5, 6):
                self.assertEqual(len(network.take()), int(taken != 5))
        entries.close()
        self.assertEqual(network.take(), [])

    def test_ends_at_the_limit_and_requests_no_more_entries(self) -> None:
        some = self.result(self.client.channel_contents.all(id=self.channel, page_size=10, limit=12).to_list())
        self.assertEqual([content.metadata.title for content in some], self.titles[:12])
        self.assertEqual(len(network.take()), 2)
        self.assertEqual(self.result(self.client.channel_contents.all(id=self.channel, limit=0).to_list()), [])
        self.assertEqual(network.take(), [])

    def test_has_edges_and_pages_and_continues_after_a_cursor(self) -> None:
        contents = self.client.channel_contents.all(id=self.channel, page_size=20)
        counts = [(page.total_count, len(page.edges)) for page in self.each(contents.pages())]
        self.assertEqual(counts, [(COUNT, 20), (COUNT, 3)])
        cursors = [edge.cursor for edge in self.each(contents.edges())]
        rest = self.result(self.client.channel_contents.all(id=self.channel, after=cursors[19]).to_list())
        self.assertEqual([content.metadata.title for content in rest], self.titles[20:])

    def test_can_be_anywhere_in_a_document_of_the_caller(self) -> None:
        text = """query ($handle: String, $first: Int, $after: String) {
          channel(handle: $handle) { contents(first: $first, after: $after) {
            pageInfo { hasNextPage endCursor } edges { node { metadata { title } } } } }
        }"""
        contents = self.client.paginate(
            text, {"handle": self.username}, lambda data: data["channel"]["contents"], page_size=9
        )
        self.assertEqual([node["metadata"]["title"] for node in self.each(contents)], self.titles)

    def test_that_is_null_for_the_caller_is_empty(self) -> None:
        stranger = self.connect(PLATFORM["key"])
        self.assertIsNone(self.result(stranger.channel_contents(id=self.channel)))
        self.assertEqual(self.result(stranger.channel_contents.all(id=self.channel).to_list()), [])

    def test_raises_the_error_of_the_platform(self) -> None:
        with self.assertRaises(ReelgraphError) as caught:
            self.result(self.client.features.all(page_size=101).to_list())
        self.assertEqual((caught.exception.code, caught.exception.field), ("INVALID_INPUT", "first"))
