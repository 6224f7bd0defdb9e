import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  bufferSource,
  describeMovieFile,
  type Fragment,
  fragmentHeadBytes,
  readFragment,
  readMovie,
  VIDEO_TIMESCALE,
} from '@reelgraph/mp4';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { segmentName } from '../../../media/index.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { storedBytes } from '../../assets/index.ts';
import { initName } from '../packaging/live-track.ts';
import type { ClipSegment } from './clip-broadcast.job.ts';
import type { ClipPiece } from './clip-pieces.ts';

export interface CopyOptions {
  readonly store: Pick<ObjectStore, 'head' | 'read'>;
  /** Prefix of the segments. */
  readonly prefix: string;
  /** Where to write the file; beside it, the samples are collected. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A segment of a track whose samples are collected. */
interface Collected {
  readonly fragment: Fragment;
  /** Of its samples. */
  readonly position: number;
}

type Kind = 'video' | 'audio';

/** A segment, in its tracks. */
type CollectedSegment = Readonly<Partial<Record<Kind, Collected>>> & { readonly video: Collected };

/**
 * Copies the segments of a piece into one MP4 file, without encoding, from a keyframe on. Returns when it begins, in
 * milliseconds of the broadcast.
 * @throws AppError RESOURCE_NOT_FOUND where a segment was deleted meanwhile.
 */
export async function copyPiece(piece: ClipPiece, options: CopyOptions): Promise<number> {
  const samples = await SampleFile.create(`${options.path}.samples`);
  try {
    const collect = (segment: ClipSegment) => collectSegment(options, piece, samples, segment);
    const collected: CollectedSegment[] = [];
    for (const segment of piece.segments) collected.push(await collect(segment));
    let startMs = piece.segments[0]?.startMs ?? 0;
    for (const segment of piece.before.toReversed()) {
      if (beginsWithKeyframe(collected[0])) break;
      collected.unshift(await collect(segment));
      startMs = segment.startMs;
    }
    await writeMovie(piece, collected, samples, options);
    return startMs;
  } finally {
    await samples.close();
  }
}

function beginsWithKeyframe(segment: CollectedSegment | undefined): boolean {
  return segment?.video.fragment.sync[0] === 1;
}

async function collectSegment(
  { store, prefix, signal }: CopyOptions,
  { hasSound }: ClipPiece,
  samples: SampleFile,
  { number }: ClipSegment,
): Promise<CollectedSegment> {
  signal.throwIfAborted();
  const collect = async (kind: Kind): Promise<Collected> => {
    const bytes = await readObject(store, `${prefix}${kind}/${segmentName(number)}`);
    const position = await samples.add(bytes.subarray(fragmentHeadBytes(bytes)));
    return { fragment: readFragment(bytes), position };
  };
  const video = await collect('video');
  return hasSound ? { video, audio: await collect('audio') } : { video };
}

async function readObject(store: CopyOptions['store'], key: string): Promise<Buffer> {
  const source = await storedBytes(store, key);
  if (!source) throw new AppError('RESOURCE_NOT_FOUND', t`This part of the broadcast was deleted meanwhile.`);
  return source.read(0, source.sizeBytes);
}

async function writeMovie(
  { init, hasSound }: ClipPiece,
  segments: readonly CollectedSegment[],
  samples: SampleFile,
  { store, prefix, path, signal }: CopyOptions,
): Promise<void> {
  const kinds: readonly Kind[] = hasSound ? ['video', 'audio'] : ['video'];
  const startTicks = segments[0]?.video.fragment.decodeTime ?? 0;
  const tracks = await Promise.all(
    kinds.map(async (kind) => {
      const bytes = await readObject(store, `${prefix}${kind}/${initName(init)}`);
      const timescale = (await readMovie(bufferSource(bytes)))?.tracks[0]?.timescale ?? VIDEO_TIMESCALE;
      const start = Math.round((startTicks * timescale) / VIDEO_TIMESCALE);
      const collected = segments.flatMap((segment) => segment[kind] ?? []);
      const fragments = collected.map(({ fragment }) => ({
        ...fragment,
        decodeTime: Math.max(0, fragment.decodeTime - start),
      }));
      return { kind, init: bytes, language: null, fragments, collected };
    }),
  );
  const { head, parts } = describeMovieFile(tracks);
  async function* content() {
    yield head;
    for (const { track, segment, bytes } of parts)
      yield samples.read(tracks[track]?.collected[segment]?.position ?? 0, bytes);
  }
  const file = createWriteStream(path, { mode: 0o600 });
  await pipeline(Readable.from(content(), { objectMode: false }), file, { signal });
}

/** Samples of segments, in the order in which they were read. */
class SampleFile {
  readonly #file: FileHandle;
  #end = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<SampleFile> {
    return new SampleFile(await open(path, 'wx+', 0o600));
  }

  /** Returns where they are. */
  async add(bytes: Buffer): Promise<number> {
    const position = this.#end;
    await this.#file.write(bytes, 0, bytes.length, position);
    this.#end += bytes.length;
    return position;
  }

  async read(position: number, length: number): Promise<Buffer> {
    const { buffer } = await this.#file.read(Buffer.allocUnsafeSlow(length), 0, length, position);
    return buffer;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
