import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  describeMovieFile,
  type Fragment,
  fragmentHeadBytes,
  Mp4Error,
  readFragment,
  type SegmentedTrack,
} from '@reelgraph/mp4';
import { type EncodedRendition, PackageError, segmentName } from '../encode/encoded.ts';
import type { Ladder } from '../ladder/ladder.ts';
import { writeDownloadIndex } from './download-index.ts';

/** The folder of downloads in a package, which are authorized separately from the stream. */
export const DOWNLOADS_FOLDER = 'downloads';
/** The index of a download ends its name with this; without it, the file itself is stored. */
export const DOWNLOAD_INDEX_SUFFIX = '.index';
const VIDEO_PATH = `${DOWNLOADS_FOLDER}/video.mp4${DOWNLOAD_INDEX_SUFFIX}`;
const AUDIO_PATH = `${DOWNLOADS_FOLDER}/audio.m4a${DOWNLOAD_INDEX_SUFFIX}`;

/** Paths of the indexes of downloads in a package. */
export interface PackagedDownloads {
  /** Of the largest video with the default audio as one MP4 file; null for audio only. */
  readonly videoDownload: string | null;
  /** Of the default audio as one M4A file; null for a silent video. */
  readonly audioDownload: string | null;
}

/** Reads a part of a segment from its start. */
export type ReadSegment = (path: string, bytes: number) => Promise<Buffer>;

/** The renditions that downloads are assembled of. */
export interface DownloadSource {
  readonly ladder: Pick<Ladder, 'video' | 'audio'>;
  readonly renditions: readonly EncodedRendition[];
  readonly read: ReadSegment;
}

/**
 * Writes the indexes with which downloads are assembled of the segments of a package on request.
 * @throws PackageError where segments are not as they were encoded.
 */
export async function indexDownloads(
  outDir: string,
  { ladder, renditions, read }: DownloadSource,
): Promise<PackagedDownloads> {
  const load = (kind: SegmentedTrack['kind'], folder: string | undefined, language: string | null) =>
    folder === undefined ? null : loadTrack(kind, rendition(renditions, folder), language, read);
  const video = await load('video', ladder.video[0]?.folder, null);
  const audio = await load('audio', ladder.audio?.folder, ladder.audio?.source.language ?? null);
  await mkdir(join(outDir, DOWNLOADS_FOLDER), { mode: 0o700 });
  const write = async (path: string, tracks: readonly (FolderTrack | null)[]) => {
    // The sandbox must not have put a link there.
    await writeFile(join(outDir, path), assembled(tracks.filter((track) => track !== null)), {
      mode: 0o600,
      flag: 'wx',
    });
    return path;
  };
  return {
    videoDownload: video && (await write(VIDEO_PATH, [video, audio])),
    audioDownload: audio && (await write(AUDIO_PATH, [audio])),
  };
}

type FolderTrack = SegmentedTrack & { readonly folder: string; readonly heads: readonly number[] };

function rendition(renditions: readonly EncodedRendition[], folder: string): EncodedRendition {
  const found = renditions.find((each) => each.folder === folder);
  if (!found) throw new PackageError(`There is no rendition ${folder}.`);
  return found;
}

/** Segments whose heads are read at a time. */
const READ_AT_ONCE = 8;
/** Most heads are shorter: 4 seconds of 60 frames have 4 kB. */
const HEAD_BYTES = 8 * 1024;

async function loadTrack(
  kind: SegmentedTrack['kind'],
  { folder, init, segments }: Omit<AssembledTrack, 'kind'>,
  language: string | null,
  read: ReadSegment,
): Promise<FolderTrack> {
  const heads: Head[] = [];
  for (let first = 0; first < segments.length; first += READ_AT_ONCE) {
    const batch = segments.slice(first, first + READ_AT_ONCE);
    const loaded = batch.map(({ sizeBytes }, index) =>
      readHead(`${folder}/${segmentName(first + index)}`, sizeBytes, read),
    );
    heads.push(...(await Promise.all(loaded)));
  }
  return {
    ...{ kind, folder, init, language },
    fragments: heads.map(({ fragment }) => fragment),
    heads: heads.map(({ bytes }) => bytes),
  };
}

interface Head {
  readonly fragment: Fragment;
  readonly bytes: number;
}

async function readHead(path: string, sizeBytes: number, read: ReadSegment): Promise<Head> {
  const start = await read(path, Math.min(HEAD_BYTES, sizeBytes));
  const bytes = start.length < 8 ? 0 : fragmentHeadBytes(start);
  try {
    const fragment = readFragment(bytes <= start.length ? start : await read(path, Math.min(bytes, sizeBytes)));
    const found = fragment.sizes.reduce((sum, size) => sum + size, bytes);
    if (found !== sizeBytes) throw new Mp4Error(`It has ${sizeBytes} bytes, its samples end at ${found}.`);
    return { fragment, bytes };
  } catch (error) {
    if (error instanceof Mp4Error) throw new PackageError(`${path}: ${error.message}`);
    throw error;
  }
}

/** A track of a file that is assembled of the segments of a package. */
export interface AssembledTrack extends Pick<EncodedRendition, 'folder' | 'init'> {
  readonly kind: SegmentedTrack['kind'];
  readonly segments: readonly { readonly sizeBytes: number }[];
}

/** A part of a segment. */
export interface AssembledPart {
  readonly path: string;
  readonly start: number;
  readonly bytes: number;
}

/**
 * An MP4 file of these tracks: its beginning, and what follows.
 * @throws PackageError where segments are not as they were written, Mp4Error where they do not follow each other.
 */
export async function assembleMovie(
  tracks: readonly AssembledTrack[],
  read: ReadSegment,
): Promise<{ readonly head: Buffer; readonly parts: readonly AssembledPart[] }> {
  const loaded: FolderTrack[] = [];
  for (const track of tracks) loaded.push(await loadTrack(track.kind, track, null, read));
  const { head, parts } = describeMovieFile(loaded);
  return {
    head,
    parts: parts.map(({ track, segment, bytes }) => ({
      path: `${loaded[track]?.folder}/${segmentName(segment)}`,
      start: loaded[track]?.heads[segment] ?? 0,
      bytes,
    })),
  };
}

function assembled(tracks: readonly FolderTrack[]): Buffer {
  const { head, parts } = describeMovieFile(tracks);
  return writeDownloadIndex(
    head,
    tracks.map(({ folder }) => folder),
    parts.map(({ track, segment, bytes }) => [track, segment, tracks[track]?.heads[segment] ?? 0, bytes]),
  );
}
