import { SNIFF_BYTES, sniff } from '../../../media/index.ts';
import type { FlvSource } from '../ingest/flv-program.ts';

/** The beginning of a file that is looked at: before its index, an MP4 file may have other boxes. */
const MOST_HEAD_BYTES = 1024 ** 2;
/** Enough for most. */
const LEAST_HEAD_BYTES = 8 * 1024;

/** ffmpeg describes the streams after so much of them. Frame rates are not needed. */
const DESCRIBED = ['-analyzeduration', '500000', '-fpsprobesize', '0'];
const COPIED = ['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy'];
/** Copying 64 GiB takes minutes. */
const CPU_SECONDS = 3_600;

/** How a file is read from its beginning. */
export interface ArrivingSource extends FlvSource {
  readonly mimeType: string;
}

/**
 * How a file can be read from its beginning, by its first bytes: `more` where these do not tell, null where it cannot
 * be. `isAll` says that there are no others.
 */
export function arrivingSource(head: Buffer, isAll: boolean): ArrivingSource | 'more' | null {
  const isEnough = isAll || head.length >= MOST_HEAD_BYTES;
  if (head.length < LEAST_HEAD_BYTES && !isAll) return 'more';
  const sniffed = sniff(head);
  if (!sniffed.ok) return isAll || head.length >= SNIFF_BYTES ? null : 'more';
  const { container, demuxer, mimeType } = sniffed;
  if (container !== 'mov' && container !== 'matroska' && container !== 'mpegts') return null;
  const isFirst = container === 'mov' ? beginsWithIndex(head) : true;
  if (isFirst === null) return isEnough ? null : 'more';
  if (!isFirst) return null;
  return {
    arguments: [...DESCRIBED, '-f', demuxer, '-i', 'pipe:0', ...COPIED],
    faultIn: (stderr) => stderr,
    ...{ cpuSeconds: CPU_SECONDS, mimeType },
  };
}

/** The head of a box with a size of 64 bits. */
const LARGE_HEAD_BYTES = 16;

/** Whether the movie box comes before the media (ISO/IEC 14496-12 section 8.2.1); null where that is not there yet. */
function beginsWithIndex(head: Buffer): boolean | null {
  for (let at = 0; at + LARGE_HEAD_BYTES <= head.length; ) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'moov') return true;
    const size = head.readUInt32BE(at);
    const length = size === 1 ? Number(head.readBigUInt64BE(at + 8)) : size;
    if (type === 'mdat' || type === 'moof' || length < 8) return false;
    at += length;
  }
  return null;
}
