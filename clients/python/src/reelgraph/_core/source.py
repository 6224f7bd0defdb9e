"""Files to upload."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import IO, Any, Protocol

from .flow import Flow, read_source


class Source(Protocol):
    """A file to upload: any part can be read at any time, or, of a stream, at least what is not confirmed yet."""

    name: str
    size_bytes: int
    seekable: bool
    """Whether parts can be read again in any order; a stream is not compared when an upload is resumed."""

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` to before `end`."""
        ...


class FileSource:
    """A file on disk. It is only open while a part of it is read."""

    seekable = True

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        self._path = Path(path)
        self.name = name or self._path.name
        self.size_bytes = self._path.stat().st_size

    def read(self, start: int, end: int) -> bytes:
        """Raises ValueError if the file was truncated meanwhile."""
        with self._path.open("rb") as file:
            return read_part(file, start, end, self.name)


class ObjectSource:
    """An open binary file that can seek, from its first byte on."""

    seekable = True

    def __init__(self, file: IO[bytes], name: str | None = None) -> None:
        self._file = file
        self._lock = Lock()
        given = getattr(file, "name", None)
        self.name = name or (Path(given).name if isinstance(given, str) else "upload")
        self.size_bytes = file.seek(0, os.SEEK_END)

    def read(self, start: int, end: int) -> bytes:
        """Raises ValueError if the file was truncated meanwhile."""
        with self._lock:
            return read_part(self._file, start, end, self.name)


class BytesSource:
    """Bytes in memory."""

    seekable = True

    def __init__(self, content: bytes, name: str | None = None) -> None:
        self._content = memoryview(content)
        self.name = name or "upload"
        self.size_bytes = len(content)

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` to before `end`."""
        return bytes(self._content[start:end])


class _Buffered:
    """The bytes of a stream that are not confirmed yet, in order from `start` on."""

    def __init__(self, declared: int) -> None:
        self._bytes = bytearray()
        self._start = 0
        self._declared = declared

    def lacks(self, start: int, end: int) -> bool:
        """Drops what lies before `start`, which is confirmed; whether bytes before `end` are missing."""
        if start < self._start:
            raise ValueError(f"The stream has passed byte {start}: confirmed bytes are not kept.")
        if start - self._start <= len(self._bytes):
            del self._bytes[: start - self._start]
            self._start = start
        return self._start + len(self._bytes) < end

    def add(self, chunk: bytes | None) -> None:
        """None at the end of the stream."""
        if chunk is None:
            got = self._start + len(self._bytes)
            raise ValueError(f"The stream ended after {got} bytes; {self._declared} were declared.")
        self._bytes += chunk

    def part(self, start: int, end: int) -> bytes:
        return bytes(memoryview(self._bytes)[start - self._start : end - self._start])


class StreamSource:
    """A stream of known length, as an iterable of its chunks.

    Unconfirmed bytes are kept, so that it survives a lost connection, but not a restart.
    """

    seekable = False

    def __init__(self, chunks: Iterable[bytes], *, name: str, size_bytes: int) -> None:
        self._chunks: Iterator[bytes] = iter(chunks)
        self._kept = _Buffered(size_bytes)
        self.name = name
        self.size_bytes = size_bytes

    def read(self, start: int, end: int) -> bytes:
        """Raises ValueError if the stream is shorter than declared."""
        while self._kept.lacks(start, end):
            self._kept.add(next(self._chunks, None))
        return self._kept.part(start, end)


class AsyncStreamSource:
    """The same for an asynchronous iterable, which only AsyncReelgraph can read."""

    seekable = False

    def __init__(self, chunks: AsyncIterable[bytes], *, name: str, size_bytes: int) -> None:
        self._chunks: AsyncIterator[bytes] = aiter(chunks)
        self._kept = _Buffered(size_bytes)
        self.name = name
        self.size_bytes = size_bytes

    def read(self, start: int, end: int) -> bytes:
        """Not possible without waiting."""
        raise TypeError("An asynchronous stream needs AsyncReelgraph.")

    async def read_async(self, start: int, end: int) -> bytes:
        """Raises ValueError if the stream is shorter than declared."""
        while self._kept.lacks(start, end):
            self._kept.add(await anext(self._chunks, None))
        return self._kept.part(start, end)


Uploadable = str | os.PathLike[str] | bytes | IO[bytes] | Source
"""What can be uploaded: a path, bytes, a binary file that can seek, or a stream as a `StreamSource`."""


def source_of(file: Any) -> Source:
    """The source for anything that can be uploaded. Raises TypeError for anything else."""
    if isinstance(file, str | os.PathLike):
        return FileSource(file)
    if isinstance(file, bytes | bytearray):
        return BytesSource(bytes(file))
    if hasattr(file, "size_bytes") and hasattr(file, "read"):
        found: Source = file
        return found
    if hasattr(file, "seekable") and file.seekable() and isinstance(file.read(0), bytes):
        return ObjectSource(file)
    raise TypeError(
        "Pass a path, bytes, or a file opened in binary mode that can seek; for a stream: StreamSource(chunks, "
        "name=…, size_bytes=…)."
    )


def read_part(file: IO[bytes], start: int, end: int, name: str) -> bytes:
    """The bytes from `start` to before `end` of an open file."""
    file.seek(start)
    part = bytearray()
    while len(part) < end - start:
        chunk = file.read(end - start - len(part))
        if not chunk:
            raise ValueError(f"{name} ends at byte {start + len(part)}; it was longer when the upload started.")
        part += chunk
    return bytes(part)


SAMPLE_BYTES = 64 * 1024


def fingerprint(source: Source) -> Flow[str | None]:
    """Identifies a file when its upload is resumed: a digest of its length, its first and its last 64 KiB.

    None for streams.
    """
    if not source.seekable:
        return None
    size = source.size_bytes
    digest = hashlib.sha256(f"{size}\n".encode())
    digest.update((yield from read_source(source, 0, min(SAMPLE_BYTES, size))))
    digest.update((yield from read_source(source, max(0, size - SAMPLE_BYTES), size)))
    return digest.hexdigest()
