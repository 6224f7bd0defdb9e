import { Mp4Error } from '@reelgraph/mp4';
import { segmentName } from '../encode/encoded.ts';

/**
 * How a file is assembled of the segments of a package, as one object: a head of 8 bytes (`RGDI`, length of the
 * directory), the directory as JSON, then the beginning of the file.
 */
export interface DownloadDirectory {
  /** Of the whole file. */
  readonly sizeBytes: number;
  /** Of the beginning of the file, which the object contains. */
  readonly headBytes: number;
  /** Folders of segments in the package. */
  readonly folders: readonly string[];
  /** What follows the beginning: parts of segments, in their order. */
  readonly parts: readonly DownloadPart[];
}

/** The number of the folder, the number of the segment, where the part begins in the segment, its length. */
export type DownloadPart = readonly [folder: number, segment: number, start: number, bytes: number];

/** A range of an object. Both positions are inclusive. */
export interface Piece {
  /** Path in the package; null for the index itself. */
  readonly path: string | null;
  readonly start: number;
  readonly end: number;
}

const MAGIC = 'RGDI';
/** Before the directory. */
export const DOWNLOAD_HEAD_BYTES = 8;

/** The index of a file that begins with `head`. Pure. */
export function writeDownloadIndex(head: Buffer, folders: readonly string[], parts: readonly DownloadPart[]): Buffer {
  const sizeBytes = parts.reduce((sum, [, , , bytes]) => sum + bytes, head.length);
  const directory: DownloadDirectory = { sizeBytes, headBytes: head.length, folders, parts };
  const json = Buffer.from(JSON.stringify(directory));
  const start = Buffer.alloc(DOWNLOAD_HEAD_BYTES);
  start.write(MAGIC, 'latin1');
  start.writeUInt32BE(json.length, 4);
  return Buffer.concat([start, json, head]);
}

/** Length of the directory. @throws Mp4Error where `start` is of another file. */
export function downloadDirectoryBytes(start: Buffer): number {
  if (start.length < DOWNLOAD_HEAD_BYTES || start.toString('latin1', 0, 4) !== MAGIC)
    throw new Mp4Error('Not the index of a download.');
  return start.readUInt32BE(4);
}

/** Parses a directory. @throws Mp4Error where it is damaged. */
export function readDownloadDirectory(bytes: Buffer): DownloadDirectory {
  try {
    // Written by `writeDownloadIndex`.
    return JSON.parse(bytes.toString()) as DownloadDirectory;
  } catch {
    throw new Mp4Error('The index of a download is damaged.');
  }
}

/** The path of a part in the package. */
export function partPath({ folders }: DownloadDirectory, [folder, segment]: DownloadPart): string {
  return `${folders[folder]}/${segmentName(segment)}`;
}

/**
 * What a range of the file is read from, in its order; `directoryBytes` is the length of the directory. Pure.
 */
export function* piecesOf(
  directory: DownloadDirectory,
  directoryBytes: number,
  { start, end }: { readonly start: number; readonly end: number },
): Generator<Piece, void> {
  const { headBytes, parts } = directory;
  const before = DOWNLOAD_HEAD_BYTES + directoryBytes;
  if (start < headBytes) yield { path: null, start: before + start, end: before + Math.min(end, headBytes - 1) };
  let at = headBytes;
  for (const part of parts) {
    const [, , from, bytes] = part;
    if (at > end) return;
    if (at + bytes > start)
      yield {
        path: partPath(directory, part),
        start: from + Math.max(0, start - at),
        end: from + Math.min(bytes, end + 1 - at) - 1,
      };
    at += bytes;
  }
}
