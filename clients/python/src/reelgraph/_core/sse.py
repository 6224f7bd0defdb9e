"""Server-sent events (HTML, "Parsing an event stream")."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class StreamEvent:
    """One message of a stream."""

    event: str
    data: str
    id: str | None
    """The id to resume after; None without one."""


class EventParser:
    """Lines end with CR, LF or both, a message ends with an empty line, lines that start with a colon are comments."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""
        self._event = ""
        self._data: list[str] = []
        self._id: str | None = None

    def push(self, chunk: bytes) -> list[StreamEvent]:
        """The messages that this chunk completes."""
        text = self._rest + self._decode(chunk)
        # A CR at the very end may be half of a CRLF.
        usable = text[:-1] if text.endswith("\r") else text
        *lines, last = re.split(r"\r\n|\r|\n", usable)
        self._rest = last + text[len(usable) :]
        return [event for line in lines for event in self._line(line)]

    def _line(self, line: str) -> list[StreamEvent]:
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        return []

    def _dispatch(self) -> list[StreamEvent]:
        message = StreamEvent(self._event or "message", "\n".join(self._data), self._id)
        is_empty = not self._data and self._event == ""
        self._event, self._data, self._id = "", [], None
        return [] if is_empty else [message]
