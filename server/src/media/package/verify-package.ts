import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Mp4Error } from '../mp4/boxes.ts';
import { INIT_NAME, PLAYLIST_NAME } from './hls-encode.ts';
import { type MediaPlaylist, parseMediaPlaylist, type SizedSegment } from './hls-playlist.ts';
import { SEGMENT_HEAD_BYTES, type SegmentTime, segmentTime, type Timeline, timelineOf } from './segment-times.ts';

/** A packaged file: its path relative to the package, its type and its size. */
export interface PackagedFile {
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** A verified rendition on disk. */
export interface RenditionOnDisk {
  readonly folder: string;
  readonly playlist: MediaPlaylist;
  readonly segments: readonly SizedSegment[];
  readonly init: Buffer;
  readonly durationSeconds: number;
}

/** Invalid output of the encoder; the message is for the log. */
export class PackageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PackageError';
  }
}

const CONTENT_TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
};

/**
 * Every file below `root`. The output of the sandboxed process is not trusted: anything but a plain file with one name
 * (such as a link to another file) is an error.
 */
export async function listPackage(root: string, below = ''): Promise<PackagedFile[]> {
  const files: PackagedFile[] = [];
  for (const entry of (await readdir(join(root, below), { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      files.push(...(await listPackage(root, path)));
      continue;
    }
    const contentType = CONTENT_TYPES[entry.name.split('.').pop() ?? ''];
    const status = await lstat(join(root, path));
    if (!status.isFile() || status.nlink !== 1 || contentType === undefined)
      throw new PackageError(`Unexpected file in the package: ${path}`);
    files.push({ path, contentType, sizeBytes: status.size });
  }
  return files;
}

/** Reads a file from the sandbox, or its first bytes, without following links. */
async function readPlain(path: string, maxBytes?: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (maxBytes === undefined) return await file.readFile();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads a rendition and checks that its playlist is finished and that all its files exist and are not empty. */
export async function readRendition(
  root: string,
  folder: string,
  files: readonly PackagedFile[],
): Promise<RenditionOnDisk> {
  const sizes = new Map(files.map((file) => [file.path, file.sizeBytes]));
  const playlistPath = `${folder}/${PLAYLIST_NAME}`;
  if (!sizes.has(playlistPath) || !sizes.has(`${folder}/${INIT_NAME}`))
    throw new PackageError(`No playlist or initialisation segment in ${folder}.`);
  const playlist = parseMediaPlaylist((await readPlain(join(root, playlistPath))).toString('utf8'));
  if (!playlist.ended || playlist.segments.length === 0 || playlist.initUri !== INIT_NAME)
    throw new PackageError(`The playlist in ${folder} is not complete.`);
  const segments = playlist.segments.map(({ uri, durationSeconds }) => {
    const sizeBytes = sizes.get(`${folder}/${uri}`) ?? 0;
    if (sizeBytes === 0) throw new PackageError(`Segment ${uri} of ${folder} is missing or empty.`);
    return { durationSeconds, sizeBytes };
  });
  const init = await readPlain(join(root, folder, INIT_NAME));
  return {
    folder,
    playlist,
    segments,
    init,
    durationSeconds: segments.reduce((sum, segment) => sum + segment.durationSeconds, 0),
  };
}

/** The times of a rendition's segments, as their index boxes state them. */
export async function readTimeline(
  root: string,
  { folder, playlist }: Pick<RenditionOnDisk, 'folder' | 'playlist'>,
): Promise<Timeline> {
  const times: SegmentTime[] = [];
  try {
    for (const { uri } of playlist.segments)
      times.push(segmentTime(await readPlain(join(root, folder, uri), SEGMENT_HEAD_BYTES)));
    return timelineOf(times);
  } catch (error) {
    if (!(error instanceof Mp4Error)) throw error;
    throw new PackageError(`Segment ${times.length} of ${folder}: ${error.message}`);
  }
}

/** One frame at 24 fps and the rounding of playlists. */
const CUT_TOLERANCE_SECONDS = 0.05;

/**
 * Players switch renditions at segment boundaries: the n-th segment must start at the same time in all of them. Pure.
 */
export function checkAlignment(renditions: readonly Pick<RenditionOnDisk, 'folder' | 'segments'>[]): void {
  const [reference, ...others] = renditions;
  if (reference === undefined) return;
  for (const other of others) {
    if (other.segments.length !== reference.segments.length) {
      throw new PackageError(
        `${other.folder} has ${other.segments.length} segments, ${reference.folder} has ${reference.segments.length}.`,
      );
    }
    let [here, there] = [0, 0];
    reference.segments.forEach((segment, index) => {
      if (Math.abs(here - there) > CUT_TOLERANCE_SECONDS)
        throw new PackageError(`Segment ${index} of ${other.folder} starts at ${there} s, not ${here} s.`);
      here += segment.durationSeconds;
      there += other.segments[index]?.durationSeconds ?? 0;
    });
  }
}

/**
 * Whether the encoded duration is about that of the source. Headers are imprecise, so the tolerance is 5 % and at least
 * 1.5 s; a truncated file fails. Pure.
 */
export function isDurationPlausible(encodedSeconds: number, expectedMs: number): boolean {
  return Math.abs(encodedSeconds - expectedMs / 1000) <= Math.max(1.5, 0.05 * (expectedMs / 1000));
}
