"""Uploads over a bad network and after restarts."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

from support import PLATFORM, QUICK, PlatformTest, cases_of, for_both, network, once, scratch, until

from reelgraph import (
    AsyncStreamSource,
    NetworkError,
    ProcessingError,
    ProcessingProgress,
    ReelgraphError,
    RetryOptions,
    StreamSource,
    UploadProgress,
)

BYTES = b"no video, " * 60_000
"""No video, so that nothing is encoded where only the bytes count."""
CHUNK = 64 * 1024
TO_UPLOAD = {"notMethod": "POST"}
PATCH = {"method": "PATCH"}
STORED = "query ($id: DID!) { content(id: $id) { assets { videos(first: 1) { edges { node { sizeBytes } } } } } }"


class Uploading(PlatformTest):
    """What the tests of uploads share."""

    def stored(self, content_id: str) -> int:
        """What the platform received of a content's file."""
        data = self.result(self.connect().request(STORED, {"id": content_id}))
        return int(data["content"]["assets"]["videos"]["edges"][0]["node"]["sizeBytes"])

    def upload(self, file: Any, **options: Any) -> Any:
        """Uploads without waiting."""
        given = {"input": {"title": "Of a test"}, "wait": False, "max_chunk_bytes": CHUNK, "retry": QUICK, **options}
        return self.result(self.connect().upload(file, **given))


def pieces() -> Iterator[bytes]:
    """The file in pieces."""
    for at in range(0, len(BYTES), 10_000):
        yield BYTES[at : at + 10_000]


async def async_pieces() -> AsyncIterator[bytes]:
    """The same, as it comes."""
    for piece in pieces():
        await asyncio.sleep(0)
        yield piece


@for_both
class Uploads(Uploading):
    """An upload."""

    @once
    def test_creates_sends_waits_publishes_and_reports_progress(self) -> None:
        client = self.connect()
        progress: list[UploadProgress | ProcessingProgress] = []
        about = {"title": "Whole", "publish": True, "visibility": "UNLISTED"}
        done = self.result(
            client.upload(PLATFORM["clip"], about, on_progress=progress.append, max_chunk_bytes=CHUNK)
        )
        self.assertEqual(done.processing.status, "COMPLETE")
        content = lambda: self.result(client.content(id=done.content_id))  # noqa: E731
        until(lambda: content().status == "PUBLISHED", "it was never published")
        self.assertEqual(content().metadata.title, "Whole")
        size = os.path.getsize(PLATFORM["clip"])
        sent = [one for one in progress if one.phase == "uploading"]
        self.assertEqual((sent[0].sent_bytes, sent[-1].sent_bytes, sent[-1].remaining_seconds), (0, size, 0))
        offsets = [one.sent_bytes for one in sent]
        self.assertTrue(len(offsets) > 5 and offsets == sorted(set(offsets)))
        last = progress[-1]
        assert isinstance(last, ProcessingProgress)
        self.assertEqual((last.content_id, last.status, last.percent), (done.content_id, "COMPLETE", 100))

    def test_accepts_files_bytes_and_streams(self) -> None:
        path = scratch("clip.mp4")
        path.write_bytes(BYTES)
        facts = {"name": "clip.mp4", "size_bytes": len(BYTES)}
        with path.open("rb") as opened:
            files = [str(path), StreamSource(pieces(), **facts), path, opened, io.BytesIO(BYTES), BYTES]
            if self.asynchronous:
                files = [AsyncStreamSource(async_pieces(), **facts), *cases_of(files, 1)]
            for file in files:
                with self.subTest(file=type(file).__name__):
                    done = self.upload(file)
                    self.assertIsNone(done.processing)
                    self.assertEqual(self.stored(done.content_id), len(BYTES))

    def test_of_something_else_is_refused(self) -> None:
        for file in (io.StringIO("text"), 7, None, StreamSource(iter([b"short"]), name="clip.mp4", size_bytes=9)):
            with self.assertRaises((TypeError, ValueError)):
                self.upload(file)
        with self.assertRaises(TypeError):
            self.upload(BYTES, input=None)

    def test_of_a_file_that_is_no_video_raises_the_reason(self) -> None:
        with self.assertRaises(ProcessingError) as caught:
            self.upload(b"this is no video" * 100, wait=True)
        self.assertEqual(caught.exception.status, "ERROR")

    def test_that_the_platform_refuses_raises_its_error(self) -> None:
        with self.assertRaises(ReelgraphError) as caught:
            self.upload(BYTES, input={"title": ""})
        self.assertEqual((caught.exception.code, caught.exception.field), ("FIELD_REQUIRED", "input.title"))


@for_both
class UploadsOverABadNetwork(Uploading):
    """An upload over a bad network."""

    @once
    def test_asks_for_the_offset_and_continues_there(self) -> None:
        faults = (
            {"kind": "lost request"},
            {"kind": "lost response"},
            {"kind": "broken body", "afterBytes": 20_000},
            {"kind": "response", "status": 502, "body": "Bad gateway"},
            {"kind": "response", "status": 503, "headers": {"retry-after": "0"}},
            {"kind": "response", "status": 409},
        )
        for fault in faults:
            with self.subTest(**fault):
                network.reset()
                network.next(**fault, match=PATCH, times=2)
                pauses: list[float] = []
                stream = StreamSource(pieces(), name="clip.mp4", size_bytes=len(BYTES))
                done = self.upload(stream, on_disconnect=lambda error, seconds: pauses.append(seconds))
                self.assertTrue(len(pauses) == 2 and max(pauses) <= QUICK.max_delay, pauses)
                seen = network.take()
                self.assertEqual(self.stored(done.content_id), len(BYTES))
                self.assertEqual(sum(one["method"] == "HEAD" for one in seen), 3)
                offsets = offsets_of(seen)
                self.assertLessEqual(len(offsets) - len(set(offsets)), 2, "only what was not confirmed is sent again")

    def test_continues_as_long_as_it_makes_progress(self) -> None:
        network.next("broken body", afterBytes=20_000, arrived=True, match=PATCH, times=8)
        done = self.upload(BYTES, retry=RetryOptions(max_attempts=3, base_delay=0.02, max_delay=0.05))
        self.assertEqual(self.stored(done.content_id), len(BYTES))

    def test_gives_up_without_progress(self) -> None:
        network.next("lost request", match=TO_UPLOAD, times=3)
        with self.assertRaises(NetworkError) as caught:
            self.upload(BYTES, retry=RetryOptions(max_attempts=3, base_delay=0.02))
        self.assertEqual(caught.exception.reason, "unreachable")


class Interrupted(Exception):
    """Ends an upload in the middle."""


@for_both
class InterruptedUploads(Uploading):
    """An interrupted upload."""

    def interrupted(self, file: Any) -> str:
        """Sends about half of the file, then stops."""
        tokens: list[str] = []

        def stop(progress: UploadProgress | ProcessingProgress) -> None:
            if isinstance(progress, UploadProgress) and progress.sent_bytes > len(BYTES) / 2:
                raise Interrupted

        with self.assertRaises(Interrupted):
            self.upload(file, on_start=lambda started: tokens.append(started.resume_token), on_progress=stop)
        network.take()
        return tokens[0]

    def test_is_resumed_by_another_program_without_the_bytes_already_received(self) -> None:
        path = scratch("interrupted.mp4")
        path.write_bytes(BYTES)
        token = self.interrupted(path)
        done = self.upload(path, input=None, resume_from=token)
        sent = offsets_of(network.take())
        self.assertEqual(self.stored(done.content_id), len(BYTES))
        self.assertTrue(sent and min(sent) > len(BYTES) / 2, sent)

    def test_is_not_resumed_with_another_file_or_an_invalid_token(self) -> None:
        token = self.interrupted(BYTES)
        for file in (BYTES[1:], BYTES[:-1] + b"x"):
            with self.assertRaisesRegex(ValueError, "is not the file"):
                self.upload(file, resume_from=token)
        for invalid in ("nonsense", "", "null", '{"contentId": 1}'):
            with self.assertRaisesRegex(ValueError, "not an upload token"):
                self.upload(BYTES, resume_from=invalid)
        self.assertEqual(network.take(), [])

    def test_cannot_be_resumed_if_it_is_unknown(self) -> None:
        token = json.loads(self.interrupted(BYTES))
        token["endpoint"] = token["endpoint"].rsplit("/", 1)[0] + "/unknown"
        with self.assertRaises(ReelgraphError) as caught:
            self.upload(BYTES, resume_from=json.dumps(token))
        self.assertEqual(caught.exception.status, 404)


KILLED = """
import sys
from pathlib import Path
from reelgraph import Reelgraph

url, key, file, token = sys.argv[1:]
client = Reelgraph(url, key)
client.upload(
    file,
    {"title": "Killed"},
    wait=False,
    max_chunk_bytes=65536,
    on_start=lambda started: Path(token).write_text(started.resume_token),
    on_progress=lambda progress: progress.sent_bytes > 300_000 and (print("half", flush=True), sys.stdin.read()),
)
"""


class KilledUploads(Uploading):
    """An upload whose program is killed."""

    def test_is_resumed_by_the_next_program_with_the_stored_token(self) -> None:
        path, token = scratch("killed.mp4"), scratch("killed.upload")
        path.write_bytes(BYTES)
        arguments = [sys.executable, "-c", KILLED, PLATFORM["url"], PLATFORM["key"], str(path), str(token)]
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
            assert program.stdout is not None
            self.assertEqual(program.stdout.readline(), b"half\n")
            program.send_signal(signal.SIGKILL)
        network.take()
        done = self.upload(path, input=None, resume_from=token.read_text())
        sent = offsets_of(network.take())
        self.assertEqual(self.stored(done.content_id), len(BYTES))
        self.assertTrue(sent and min(sent) > 300_000, sent)


def offsets_of(seen: list[dict[str, Any]]) -> list[int]:
    """The offsets at which parts were sent."""
    return [int(one["headers"]["upload-offset"]) for one in seen if one["method"] == "PATCH"]
