import type { SizedSegment } from '@reelgraph/manifests';
import type { Loudness } from '../inspect/measure-loudness.ts';

/** Invalid output of the encoder; the message is for the log. */
export class PackageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PackageError';
  }
}

/** Nothing was decoded of a whole segment of pictures that keep the times of the source. */
export class MissingPicturesError extends PackageError {}

/** File names in every rendition folder. */
export const PLAYLIST_NAME = 'index.m3u8';
export const IFRAMES_NAME = 'iframes.m3u8';
export const INIT_NAME = 'init.mp4';
/** Numbered from 00000. */
export const SEGMENT_PATTERN = 'seg-%05d.m4s';

/** Name of a segment by its number, from 0. */
export function segmentName(number: number): string {
  return SEGMENT_PATTERN.replace('%05d', `${number}`.padStart(5, '0'));
}

/** A segment of a part; pictures also have the bytes from its start to the end of its first frame, a keyframe. */
export type EncodedSegment = readonly [duration: number, sizeBytes: number, keyframeBytes?: number];

/** What a chunk contributes to a rendition. Plain data: stored as JSON. */
export interface EncodedPart {
  readonly folder: string;
  /** RFC 6381. */
  readonly codecs: string;
  /** Units per second of durations. */
  readonly timescale: number;
  /** The initialization segment, in base64: the same for all chunks. */
  readonly init: string;
  readonly segments: readonly EncodedSegment[];
}

/** What was encoded of a chunk. */
export interface EncodedChunk {
  readonly firstSegment: number;
  readonly parts: readonly EncodedPart[];
  readonly cpuMs: number;
  /** With the default audio track. Absent or null where it has none. */
  readonly loudness?: Loudness | null;
}

/** A whole rendition. */
export interface EncodedRendition {
  readonly folder: string;
  readonly codecs: string;
  readonly init: Buffer;
  /** Units per second of `durations`. */
  readonly timescale: number;
  readonly durations: readonly number[];
  readonly segments: readonly SizedSegment[];
  /** The keyframe at the start of each segment, with its bytes from there; null for sound. */
  readonly keyframes: readonly SizedSegment[] | null;
  readonly durationSeconds: number;
}

/** A rendition of the chunks in their order. Pure. @throws PackageError where they do not fit together. */
export function joinChunks(folder: string, chunks: readonly EncodedChunk[]): EncodedRendition {
  const found = chunks.flatMap(({ firstSegment, parts }) =>
    parts.filter((part) => part.folder === folder).map((part) => ({ ...part, firstSegment })),
  );
  const [first] = found;
  if (first === undefined) throw new PackageError(`Nothing was encoded for ${folder}.`);
  const all: EncodedSegment[] = [];
  for (const { init, timescale, segments, firstSegment } of found) {
    if (init !== first.init || timescale !== first.timescale)
      throw new PackageError(`The chunks of ${folder} were encoded with different settings.`);
    if (segments.length > 0 && firstSegment !== all.length)
      throw new PackageError(`Segment ${all.length} of ${folder} is missing before segment ${firstSegment}.`);
    all.push(...segments);
  }
  if (all.length === 0) throw new PackageError(`${folder} has no segments.`);
  const segments = all.map(([duration, sizeBytes]) => ({ durationSeconds: duration / first.timescale, sizeBytes }));
  const keyframes = all.flatMap(([duration, , sizeBytes]) =>
    sizeBytes === undefined ? [] : [{ durationSeconds: duration / first.timescale, sizeBytes }],
  );
  return {
    folder,
    codecs: first.codecs,
    init: Buffer.from(first.init, 'base64'),
    timescale: first.timescale,
    durations: all.map(([duration]) => duration),
    segments,
    keyframes: keyframes.length === all.length ? keyframes : null,
    durationSeconds: segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
  };
}
