"""Progress of an upload, and how much to send at a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from ..enums import TranscodeJobStatus


@dataclass(frozen=True)
class UploadProgress:
    """Progress of the upload."""

    phase: ClassVar[Literal["uploading"]] = "uploading"
    sent_bytes: int
    """Bytes confirmed by the platform; they are never sent again."""
    total_bytes: int
    bytes_per_second: int
    """Recent rate; 0 when unknown."""
    remaining_seconds: int | None
    """Until the last byte, at this rate; None when unknown."""


@dataclass(frozen=True)
class ProcessingProgress:
    """Progress of the processing after it."""

    phase: ClassVar[Literal["processing"]] = "processing"
    content_id: str
    status: TranscodeJobStatus
    percent: int
    """0 to 100."""


NEWEST = 0.4
"""Weight of the newest part in the rate."""


class Pace:
    """Computes progress from confirmed offsets."""

    def __init__(self) -> None:
        self._rate = 0.0

    def note(self, count: int, seconds: float) -> None:
        """Records that this many bytes took this long."""
        if count <= 0:
            return
        latest = count / max(0.001, seconds)
        self._rate = latest if self._rate == 0 else NEWEST * latest + (1 - NEWEST) * self._rate

    def at(self, sent: int, total: int) -> UploadProgress:
        """The progress at an offset."""
        rate = round(self._rate)
        return UploadProgress(sent, total, rate, None if rate == 0 else ceil((total - sent) / rate))


MIN_CHUNK = 256 * 1024
AIM_SECONDS = 2.0


def next_chunk(last: int, seconds: float, longest: int) -> int:
    """Size of the next part: about two seconds' worth, so that progress is smooth and little is sent again.

    At most twice the last one.
    """
    aimed = round(last / max(0.001, seconds) * AIM_SECONDS)
    return min(longest, max(min(MIN_CHUNK, longest), min(aimed, last * 2)))
