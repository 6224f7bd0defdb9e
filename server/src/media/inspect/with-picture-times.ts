import { open } from 'node:fs/promises';
import { Mp4Error, pictureSeconds } from '@reelgraph/mp4';
import type { Runner } from '../runner.ts';
import type { MediaFacts, VideoFacts } from './media-facts.ts';
import { PictureTimeline } from './packet-times.ts';
import { rateOf, type ShownPictures } from './picture-times.ts';
import { type PictureClock, pictureClock, probeArgs } from './probe.ts';
import { MAX_PROBE_BYTES, PROBE_LIMITS, type ScanOptions, scanPackets } from './scan-packets.ts';

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
  const { video } = facts;
  if (video === null || video.interlaced !== null) return facts;
  const shown = await shownPictures(path, facts, clock, scan);
  const rate = shown && rateOf(shown);
  return rate ? { ...facts, video: { ...video, ...rate } } : facts;
}

/** When the pictures of a file are shown, of which only headers have been read; null where that is not known. */
export async function readShownPictures(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  options: ScanOptions,
): Promise<ShownPictures | null> {
  const { stdout } = await runner.run('ffprobe', probeArgs(facts.demuxer), {
    ...{ limits: PROBE_LIMITS, inputs: [path], maxStdoutBytes: MAX_PROBE_BYTES },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return shownPictures(path, facts, pictureClock(stdout, facts), (onLine) =>
    scanPackets(runner, path, facts.demuxer, options, onLine),
  );
}

async function shownPictures(
  path: string,
  { video, demuxer, durationMs }: MediaFacts,
  clock: PictureClock | null,
  scan: Scan,
): Promise<ShownPictures | null> {
  if (video === null || clock === null) return null;
  const { start, tick, nominal } = clock;
  const shown = (demuxer === 'mov' ? await inTables(path, video.index, start) : null) ?? (await inPackets(video));
  return shown && { ...shown, fileEndSeconds: durationMs === null ? null : durationMs / 1000, tick, nominal };

  async function inPackets({ index }: VideoFacts) {
    const timeline = new PictureTimeline(demuxer, index);
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
