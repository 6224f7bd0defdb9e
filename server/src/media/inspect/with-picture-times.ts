import { open } from 'node:fs/promises';
import { Mp4Error } from '../mp4/boxes.ts';
import { pictureSeconds } from '../mp4/picture-seconds.ts';
import type { MediaFacts } from './media-facts.ts';
import { PictureTimeline } from './packet-times.ts';
import { rateOf } from './picture-times.ts';
import type { PictureClock } from './probe.ts';

/** Reads the times of all packets. */
type Scan = (onLine: (line: string) => void) => Promise<void>;

/**
 * The facts of a file with the rate of its pictures as their times show it. They are in the tables of MP4 and MOV;
 * of other files, packets are read. The rate of interlaced video, whose fields may be packets, is the declared one.
 */
export async function withPictureTimes(
  path: string,
  facts: MediaFacts,
  clock: PictureClock | null,
  scan: Scan,
): Promise<MediaFacts> {
  const { video, demuxer } = facts;
  if (video === null || clock === null || video.interlaced !== null) return facts;
  const { start, tick, nominal } = clock;
  const shown = (demuxer === 'mov' ? await inTables(path, video.index, start) : null) ?? (await inPackets());
  const fileEndSeconds = facts.durationMs === null ? null : facts.durationMs / 1000;
  const rate = shown && rateOf({ ...shown, fileEndSeconds, tick, nominal });
  return rate ? { ...facts, video: { ...video, ...rate } } : facts;

  async function inPackets() {
    const timeline = new PictureTimeline(demuxer, video?.index ?? 0);
    await scan((line) => timeline.add(line));
    return timeline.shown(start);
  }
}

/** Null where they do not tell. */
async function inTables(path: string, index: number, start: number) {
  const file = await open(path, 'r');
  try {
    const { size: sizeBytes } = await file.stat();
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const found = await pictureSeconds({ sizeBytes, read }, index);
    if (found === null || found.seconds.length === 0) return null;
    return { seconds: found.seconds.map((second) => second - start), endSeconds: found.endSeconds - start };
  } catch (error) {
    if (error instanceof Mp4Error) return null;
    throw error;
  } finally {
    await file.close();
  }
}
