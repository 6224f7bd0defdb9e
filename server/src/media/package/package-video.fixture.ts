import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunLimits } from '@reelgraph/sandbox';
import { encodeChunk } from '../encode/encode-chunk.ts';
import { planEncode } from '../encode/encode-plan.ts';
import { type EncodedChunk, PLAYLIST_NAME } from '../encode/encoded.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import type { Runner } from '../runner.ts';
import { finishPackage, type PackagedVideo } from './finish-package.ts';
import { listPackage } from './list-package.ts';
import { dashOf, hlsMaster, type Quality, qualitiesOf } from './stream-manifests.ts';

export interface PackageOptions {
  readonly inputPath: string;
  /** An empty or missing folder for all output. */
  readonly outDir: string;
  /** From `inspectFile`. */
  readonly facts: MediaFacts;
  /** Times in seconds at which segments begin; default: all have the same length. */
  readonly cuts?: readonly number[];
  /** Those of its keyframes; default none. */
  readonly keyframes?: readonly number[];
  /** Chunks that are encoded at a time; default 1. */
  readonly lanes?: number;
  readonly limits?: RunLimits;
  readonly maxBytes?: number;
  /** As of `finishPackage`. */
  readonly acceptShort?: boolean;
  /** Called with rising values from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** A package with the manifests of its renditions, `master.m3u8` and `manifest.mpd`. */
export interface VideoWithManifests extends PackagedVideo {
  readonly qualities: readonly Quality[];
}

/** Encodes all chunks of a file, so many at a time, and finishes their package in a folder, with its manifests. */
export async function packageVideo(
  runner: Runner,
  { inputPath, outDir, facts, cuts, keyframes, lanes = 1, onProgress, ...options }: PackageOptions,
): Promise<VideoWithManifests> {
  const plan = planEncode(facts, cuts ?? null, undefined, keyframes);
  const write = async (path: string, bytes: Buffer) => {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), bytes);
  };
  const waiting = [...plan.chunks.entries()];
  const chunks: EncodedChunk[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, chunk] = next;
      const report = (fraction: number) => onProgress?.((index + fraction) / (plan.chunks.length + 1));
      const run = { ...options, inputPath, workDir: `${outDir}.${index}`, write, onProgress: report };
      chunks[index] = await encodeChunk(runner, plan, chunk, run);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const read = (path: string, bytes: number) => beginningOf(join(outDir, path), bytes);
  const finish = { ...options, inputPath, outDir, fetch: async () => {}, read };
  const packaged = await finishPackage(runner, plan, chunks, finish);
  onProgress?.(1);
  const { renditions, captions } = packaged;
  const subtitles = captions.map((track) => ({ ...track, uri: join(dirname(track.path), PLAYLIST_NAME) }));
  const text = captions.map(({ path, ...track }, index) => ({ ...track, id: `text${index}`, uri: path }));
  await write('master.m3u8', Buffer.from(hlsMaster(renditions, subtitles)));
  await write('manifest.mpd', Buffer.from(dashOf(renditions, text)));
  return { ...packaged, qualities: qualitiesOf(renditions), files: await listPackage(outDir) };
}

async function beginningOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
