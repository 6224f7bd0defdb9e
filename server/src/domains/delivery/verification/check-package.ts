import { posix } from 'node:path';
import {
  dashReferences,
  directoryBytes,
  HEAD_BYTES,
  IFRAMES_NAME,
  INDEX_PATH,
  INDEXED_PATH,
  isCutOff,
  Mp4Error,
  PLAYLIST_NAME,
  partPath,
  playlistReferences,
  REMUXED_PATH,
  readDirectory,
} from '../../../media/index.ts';
import type { ObjectInfo, ObjectStore } from '../../../platform/storage/object-store.ts';
import { COPY_NAME, MASTER_PLAYLIST, ON_DEMAND_SUFFIX, storedBytes } from '../../assets/index.ts';
import { isDownloadIndex, openDownload } from '../files/assembled-downloads.ts';
import type { RowProblem } from './media-problems.ts';
import type { StoredStream, VideoObjects } from './media-rows.store.ts';

type Store = Pick<ObjectStore, 'head' | 'list' | 'read'>;
type Packaged = VideoObjects & { readonly packagePrefix: string };

const RESTORE = 'Restore the object from a backup, or upload the video again.';
/** A manifest of twelve hours takes less. */
const MAX_MANIFEST_BYTES = 16 * 1024 ** 2;
const BOXES = /\.(?:mp4|m4a|m4s)$/;

/**
 * Compares the row of a video with its package: the files that the row, the playlists and the manifest name, their
 * number and total size, and the file that segments are cut from (`source`, null when it is missing).
 */
export async function checkPackage(store: Store, video: Packaged, source: ObjectInfo | null): Promise<RowProblem[]> {
  const { packagePrefix, derivedBytes, derivedFiles, streams } = video;
  const isOldCopy = streams === null && packagePrefix.endsWith(`/${COPY_NAME}/`);
  const indexPrefix = isOldCopy ? packagePrefix : video.indexPrefix;
  const sizes = new Map<string, number>();
  const added = (streams ?? []).filter(({ origin }) => origin === 'ENCODE').map(({ prefix }) => packageOf(prefix));
  for (const prefix of new Set([packagePrefix, indexPrefix, ...added]))
    if (prefix) for await (const { key, sizeBytes } of store.list(prefix)) sizes.set(key, sizeBytes);
  // Deleted soon after the package was made: the copy that was encoded in place of the uploaded file.
  for (const prefix of [packagePrefix, ...added]) sizes.delete(prefix + INDEXED_PATH);
  // They are deleted a day later.
  for (const { prefix } of (streams ?? []).filter(({ isEvicted }) => isEvicted))
    for (const key of sizes.keys()) if (key.startsWith(`${prefix}seg-`)) sizes.delete(key);
  if (streams) forgetOmitted(sizes, [packagePrefix, ...added], streams);
  const check = new PackageCheck(store, sizes);
  for (const path of filesOfRow(video)) await check.requires(packagePrefix + path);
  // The playlists of a broadcast are stored when it ends.
  if (streams) await check.followsStreams(streams.filter(({ origin }) => origin !== 'LIVE' || derivedFiles > 0));
  else
    await check.follows(packagePrefix + MASTER_PLAYLIST, isOldCopy || packagePrefix.endsWith(`${ON_DEMAND_SUFFIX}/`));
  const dash = video.extras?.dash;
  if (dash) await check.follows(packagePrefix + dash, isOldCopy);
  if (indexPrefix) check.problems.push(...(await checkIndex(store, indexPrefix + INDEX_PATH, source)));
  for (const path of [video.extras?.videoDownload, video.extras?.audioDownload])
    if (path) await check.assembles(packagePrefix, path);
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const isCounted = derivedFiles > 0;
  if (isCounted && (sizes.size !== derivedFiles || bytes !== derivedBytes) && check.problems.length === 0) {
    await check.findCutOff();
    const message =
      `The package has ${sizes.size} files with ${bytes} bytes; ` +
      `${derivedFiles} with ${derivedBytes} bytes were stored.`;
    if (check.problems.length === 0)
      check.problems.push({ kind: 'WRONG_SIZE', key: packagePrefix, message, fix: RESTORE });
  }
  return check.problems;
}

const SEGMENT_OF_SIZE = /^v\d+\/seg-\d+\.m4s$/;

/** Segments of sizes that were left out after they were encoded are deleted within a day: see `purgeOmitted`. */
function forgetOmitted(
  sizes: Map<string, number>,
  packages: readonly string[],
  streams: readonly StoredStream[],
): void {
  const listed = new Set(streams.map(({ prefix }) => prefix));
  for (const key of sizes.keys()) {
    const found = packages.find((each) => key.startsWith(each)) ?? '';
    if (SEGMENT_OF_SIZE.test(key.slice(found.length)) && !listed.has(`${posix.dirname(key)}/`)) sizes.delete(key);
  }
}

/** The prefix of the package of a rendition. */
function packageOf(prefix: string): string {
  return `${posix.dirname(prefix)}/`;
}

/** Paths that the row names. */
function filesOfRow({ renditions, thumbnails, extras }: Packaged): string[] {
  const { videoDownload, audioDownload, preview, stills } = extras ?? {};
  const images = Array.from({ length: thumbnails?.count ?? 0 }, (_, index) =>
    (thumbnails?.pattern ?? '').replace('%05d', String(index + 1).padStart(5, '0')),
  );
  const others = [videoDownload, audioDownload, preview, thumbnails?.vtt].filter(
    (path) => path !== null && path !== undefined,
  );
  return [...(renditions ?? []), ...(stills ?? [])].map(({ path }) => path).concat(others, images);
}

class PackageCheck {
  readonly problems: RowProblem[] = [];
  readonly #store: Store;
  /** Of the objects below the prefix of the package, and of others that were asked for. */
  readonly #sizes: Map<string, number>;
  readonly #seen = new Set<string>();

  constructor(store: Store, sizes: Map<string, number>) {
    this.#store = store;
    this.#sizes = sizes;
  }

  /** Whether the object exists and has bytes; each is reported once. */
  async requires(key: string): Promise<boolean> {
    const size = this.#sizes.get(key) ?? (await this.#store.head(key))?.sizeBytes;
    if (size !== undefined && size > 0) return true;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    if (size === undefined)
      this.problems.push({ kind: 'MISSING_OBJECT', key, message: 'The file does not exist.', fix: RESTORE });
    else this.problems.push({ kind: 'WRONG_SIZE', key, message: 'The file is empty.', fix: RESTORE });
    return false;
  }

  /** Requires the playlists of renditions and their files. Segments that are made on request are not stored. */
  async followsStreams(streams: readonly StoredStream[]): Promise<void> {
    for (const { prefix, origin, hasIframes, isEvicted } of streams) {
      const isMade = !(origin === 'ENCODE' || origin === 'LIVE') || isEvicted;
      await this.follows(prefix + PLAYLIST_NAME, isMade);
      if (hasIframes) await this.follows(prefix + IFRAMES_NAME, isMade);
    }
  }

  /** Requires a manifest and what it refers to; of a manifest with `cut` segments, only other manifests. */
  async follows(key: string, cut: boolean): Promise<void> {
    if (this.#seen.has(key) || !(await this.requires(key))) return;
    this.#seen.add(key);
    const text = await this.#read(key);
    const { uris, isWhole } = key.endsWith('.mpd') ? dashReferences(text) : playlistReferences(text);
    if (!isWhole)
      this.problems.push({ kind: 'DAMAGED_FILE', key, message: 'The manifest is not complete.', fix: RESTORE });
    for (const uri of uris) {
      const target = posix.join(posix.dirname(key), uri);
      if (target.endsWith('.m3u8')) await this.follows(target, cut);
      else if (!cut || !target.endsWith('.m4s')) await this.requires(target);
    }
  }

  /** Requires a readable index of a download, and that segments have the length that it tells. */
  async assembles(prefix: string, path: string): Promise<void> {
    const key = prefix + path;
    const size = this.#sizes.get(key);
    if (!isDownloadIndex(key) || !size) return;
    try {
      const download = await openDownload(this.#store, key);
      if (download?.indexBytes !== size) throw new Mp4Error('Another length.');
      for (const part of download.directory.parts)
        this.#hasSize(prefix + partPath(download.directory, part), part[2] + part[3]);
    } catch (error) {
      if (!(error instanceof Mp4Error)) throw error;
      this.problems.push({ kind: 'DAMAGED_FILE', key, message: 'The index of a download is damaged.', fix: RESTORE });
    }
  }

  /** Those that are missing or empty are reported with their playlists. */
  #hasSize(key: string, expected: number): void {
    const size = this.#sizes.get(key) ?? 0;
    if (size === 0 || size === expected || this.#seen.has(key)) return;
    this.#seen.add(key);
    const message = `The file has ${size} bytes; a download is assembled of ${expected}.`;
    this.problems.push({ kind: 'WRONG_SIZE', key, message, fix: RESTORE });
  }

  /** Reports media files that end in the middle of a box. */
  async findCutOff(): Promise<void> {
    for (const key of this.#sizes.keys()) {
      const source = BOXES.test(key) ? await storedBytes(this.#store, key) : null;
      if (!source || !(await isCutOff(source))) continue;
      const message = `The file is cut off after ${source.sizeBytes} bytes.`;
      this.problems.push({ kind: 'WRONG_SIZE', key, message, fix: RESTORE });
    }
  }

  async #read(key: string): Promise<string> {
    const source = await storedBytes(this.#store, key);
    return source ? (await source.read(0, MAX_MANIFEST_BYTES)).toString() : '';
  }
}

/** Whether the index describes the uploaded file, or its copy in the package, by size and ETag. */
async function checkIndex(store: Store, key: string, uploaded: ObjectInfo | null): Promise<RowProblem[]> {
  const index = await storedBytes(store, key);
  if (!index) return [{ kind: 'MISSING_OBJECT', key, message: 'The index of segments does not exist.', fix: RESTORE }];
  try {
    const length = directoryBytes(await index.read(0, HEAD_BYTES));
    const directory = readDirectory(await index.read(HEAD_BYTES, length));
    const end = Object.values(directory.tracks)
      .flat()
      .reduce((most, [position, size]) => Math.max(most, position + size), 0);
    if (HEAD_BYTES + length + end !== index.sizeBytes) throw new Mp4Error('Another length.');
    const { key: sourceKey, sizeBytes, etag } = directory.source;
    const isCopy = sourceKey === posix.join(posix.dirname(key), posix.basename(REMUXED_PATH));
    const source = isCopy ? await store.head(sourceKey) : uploaded;
    const fix = 'Upload the video again.';
    if (!source && isCopy)
      return [{ kind: 'MISSING_OBJECT', key: sourceKey, message: 'The file that segments are cut from is gone.', fix }];
    if (!source || (source.sizeBytes === sizeBytes && source.etag === etag)) return [];
    const message = `Segments are cut from the file with the ETag ${etag}; it has ${source.etag} now.`;
    return [{ kind: 'CHANGED_SOURCE', key: sourceKey, message, fix }];
  } catch (error) {
    if (!(error instanceof Mp4Error || error instanceof SyntaxError)) throw error;
    return [{ kind: 'DAMAGED_FILE', key, message: 'The index of segments is damaged.', fix: RESTORE }];
  }
}
