import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { readMp4Times } from '../inspect/mp4-times.ts';
import { parseProbe, probeArgs } from '../inspect/probe.ts';
import type { SniffResult } from '../inspect/sniff/sniff.ts';
import { sniffFile } from '../inspect/sniff/sniff-file.ts';
import type { Runner } from '../runner.ts';

/** The streams of a file that can be copied to MP4 or MOV, and what is known of them from its headers. */
export interface RemuxableFile {
  /** MOV has uncompressed sound. */
  readonly format: 'mov' | 'mp4';
  readonly facts: MediaFacts;
  readonly mimeType: string;
  readonly video: VideoFacts;
  readonly audio: AudioFacts | null;
}

const PROBE_LIMITS = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 120_000 };

/**
 * What of a file in another container than plain MP4 may be played after it was copied to one; null for others. Reads
 * its headers only: the copy shows whether it can be played.
 * @throws RunError where the headers cannot be read.
 */
export async function readRemuxable(runner: Runner, path: string, signal: AbortSignal): Promise<RemuxableFile | null> {
  const sniffed = await sniffFile(path);
  if (!sniffed.ok || !(await isRemuxedContainer(sniffed, path))) return null;
  const { stdout } = await runner.run('ffprobe', probeArgs(sniffed.demuxer), {
    ...{ inputs: [path], limits: PROBE_LIMITS, signal },
    maxStdoutBytes: 4 * 1024 ** 2,
  });
  const facts = parseProbe(stdout, sniffed.demuxer);
  const { video, audio, undecodable } = facts;
  if (video === null || !isStandardVideo(video)) return null;
  const format = audio === null ? (undecodable.audio.length === 0 ? 'mp4' : null) : formatFor(audio);
  return format && { format, facts, mimeType: sniffed.mimeType, video, audio };
}

/** Sound in packets of one length each, which is copied with the picture, or encoded from the copy on request. */
const MP4_SOUND: ReadonlySet<string> = new Set(['aac', 'ac3', 'eac3', 'flac', 'mp2', 'mp3', 'opus']);

function formatFor({ codec }: AudioFacts): RemuxableFile['format'] | null {
  if (MP4_SOUND.has(codec)) return 'mp4';
  return /^pcm_(s16|s24|s32|f32)[lb]e$/.test(codec) ? 'mov' : null;
}

/** Matroska (not WebM, which has no H.264), MPEG-TS, FLV, and MP4 in fragments. */
async function isRemuxedContainer(
  { container, mimeType }: Extract<SniffResult, { ok: true }>,
  path: string,
): Promise<boolean> {
  if (container === 'mov') return (await readMp4Times(path))?.fragmented === true;
  return container === 'mpegts' || container === 'flv' || (container === 'matroska' && mimeType !== 'video/webm');
}

function isStandardVideo({ codec, pixelFormat, interlaced, rotation, sar }: VideoFacts): boolean {
  const isPlain = interlaced === null && rotation === 0 && sar.num === sar.den;
  return codec === 'h264' && isPlain && ['yuv420p', 'yuvj420p'].includes(pixelFormat);
}
