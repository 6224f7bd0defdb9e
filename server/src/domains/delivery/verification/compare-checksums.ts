import { comparisonWith } from '../../../platform/storage/checksums.ts';
import { isKey } from '../../../platform/storage/object-keys.ts';
import type { ObjectStore, StoredChecksum } from '../../../platform/storage/object-store.ts';
import type { MediaProblem } from './media-problems.ts';
import { groupOf } from './object-groups.ts';

/** What was compared. */
export interface ChecksumCounts {
  /** Objects whose bytes were read, and how many bytes these were. */
  compared: number;
  bytes: number;
  /** Objects that have no checksum. */
  without: number;
}

type Checked = Pick<ObjectStore, 'entries' | 'checksum' | 'read'>;

/** Objects that are read at the same time. */
const AT_ONCE = 4;
/** An object that is replaced this often while it is read is in use. */
const MAX_ATTEMPTS = 3;

/** Reads every object of the store and compares its bytes with the checksum from when they arrived. */
export async function compareChecksums(
  store: Checked,
  rowOf: (key: string) => string | null,
  report: (problem: MediaProblem) => void,
): Promise<ChecksumCounts> {
  const counts = { compared: 0, bytes: 0, without: 0 };
  const objects = store.entries()[Symbol.asyncIterator]();
  const lane = async () => {
    for (let next = await objects.next(); !next.done; next = await objects.next()) {
      const { key } = next.value;
      if (isKey(key) && !(await compare(store, key, counts))) report(wrongChecksum(key, rowOf(key)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return counts;
}

/** False for other bytes than those that arrived; an object that was deleted meanwhile is no problem. */
async function compare(store: Checked, key: string, counts: ChecksumCounts): Promise<boolean> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const stored = await store.checksum(key);
    if (stored === null) {
      counts.without += 1;
      return true;
    }
    const read = await readAgainst(store, key, stored);
    if (read === null) return true;
    if (read.isSame || attempt === MAX_ATTEMPTS) {
      counts.compared += 1;
      counts.bytes += read.bytes;
      return read.isSame;
    }
  }
  return true;
}

async function readAgainst(
  store: Checked,
  key: string,
  stored: StoredChecksum,
): Promise<{ isSame: boolean; bytes: number } | null> {
  const found = await store.read(key);
  if (!found) return null;
  const comparison = comparisonWith(stored);
  let bytes = 0;
  for await (const chunk of found.stream) {
    comparison.add(chunk as Buffer); // a stream of bytes without an encoding
    bytes += (chunk as Buffer).length;
  }
  return { isSame: comparison.isSame(), bytes };
}

/** The kind and id of the row that owns an object, by its key; null for other objects. */
export function ownerOf(key: string): { readonly kind: 'videoAsset' | 'imageAsset'; readonly id: string } | null {
  const { owner } = groupOf(key);
  if (owner?.area === 'media' || owner?.area === 'sources') return { kind: 'videoAsset', id: owner.id };
  return owner?.area === 'images' ? { kind: 'imageAsset', id: owner.id } : null;
}

function wrongChecksum(key: string, row: string | null): MediaProblem {
  const message = 'Its bytes are not those that arrived: the disk or somebody has changed them.';
  const fix = 'Restore it from a backup, and check the disk.';
  return { kind: 'WRONG_CHECKSUM', row, key, message, fix };
}
