"""What type checkers know about programs that use the package; checked by mypy, never run."""

from __future__ import annotations

from datetime import datetime
from typing import Any, assert_type

from reelgraph import AsyncReelgraph, Model, Reelgraph, enums, inputs, models


class Playable(Model):
    """A result of the program's own."""

    status: str


def synchronous(client: Reelgraph) -> None:
    content = client.content(id="did:reelgraph:content/feature/1")
    assert_type(content, models.Content)
    assert_type(content.created_at, datetime)
    assert_type(content.status, enums.ContentStatus)
    for hit in client.search.all(query="morning"):
        assert_type(hit, models.SearchHit)
    for page in client.channels.all().pages():
        assert_type(page, models.ChannelConnection)
        assert_type(page.edges[0].node, models.Channel)
    assert_type(client.channel_contents(id="did:reelgraph:channel/1"), models.ContentConnection | None)
    for event in client.events_after(types=["COMMENT_CREATED"]):
        assert_type(event, models.Event)
    assert_type(client.request("{ me { id } }"), dict[str, Any])
    assert_type(client.request("{ status }", result=Playable), Playable)
    node = client.node(id="did:reelgraph:channel/1")
    if isinstance(node, models.NodeChannel):
        assert_type(node.handle, str)
    elif node.typename == "Comment":
        assert_type(node, models.NodeComment)


def inputs_are_checked(client: Reelgraph) -> None:
    about: inputs.ContentInput = {"title": "A", "visibility": "UNLISTED"}
    client.create_content(input=about)
    client.create_content(input={"title": "A", "visibility": enums.Visibility.PUBLIC})
    client.create_content(input={"titel": "A"})  # type: ignore[typeddict-item]
    client.create_content(input={"visibility": "SECRET"})  # type: ignore[typeddict-item]
    client.content("did:reelgraph:content/feature/1")  # type: ignore[misc]
    client.upload("video.mp4", {"summary": "Without a title"})  # type: ignore[arg-type]


async def asynchronous(client: AsyncReelgraph) -> None:
    assert_type(await client.content(id="did:reelgraph:content/feature/1"), models.Content)
    async for hit in client.search.all(query="morning"):
        assert_type(hit, models.SearchHit)
    async for event in client.events_after(types=["COMMENT_CREATED"]):
        assert_type(event, models.Event)
    assert_type(await client.features(first=1), models.FeatureConnection)
    await client.upload(b"", {"title": "A"}, on_progress=lambda progress: None)
