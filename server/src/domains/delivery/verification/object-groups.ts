import { isUuid } from '../../../kernel/ids.ts';
import { isKey } from '../../../platform/storage/object-keys.ts';
import type { ListedObject } from '../../../platform/storage/object-store.ts';

/** Below these prefixes lie uploads, fetched files, packages and images. */
export type MediaArea = 'uploads' | 'sources' | 'media' | 'images';

/** Objects that a row owns together, or that no row owns. */
export interface ObjectGroup {
  /** A key, or with a `/` at its end the prefix of all its objects. */
  readonly prefix: string;
  /** Null for a name that Reelgraph does not write. */
  readonly owner: GroupOwner | null;
  readonly objects: number;
  readonly bytes: number;
  /** When the last of them was written, in Unix milliseconds. */
  readonly modifiedAtMs: number;
}

export interface GroupOwner {
  readonly area: MediaArea;
  /** Of the upload, the fetched file, the video or the image. */
  readonly id: string;
  /** Of a video. */
  readonly contentId: string | null;
}

/** Objects that follow each other in a listing, by the row that owns them. */
export async function* groupObjects(objects: AsyncIterable<ListedObject>): AsyncIterable<ObjectGroup> {
  let group: ObjectGroup | null = null;
  for await (const { key, sizeBytes, modifiedAtMs } of objects) {
    const { prefix, owner } = groupOf(key);
    if (group && group.prefix !== prefix) yield group;
    const before: ObjectGroup = group?.prefix === prefix ? group : { ...EMPTY, prefix, owner };
    group = {
      ...before,
      objects: before.objects + 1,
      bytes: before.bytes + sizeBytes,
      modifiedAtMs: Math.max(before.modifiedAtMs, modifiedAtMs),
    };
  }
  if (group) yield group;
}

const EMPTY = { objects: 0, bytes: 0, modifiedAtMs: 0 };

/** The group of an object: a package, an image, a fetched file, or an upload (in S3 with journal and tail). Pure. */
export function groupOf(key: string): Pick<ObjectGroup, 'prefix' | 'owner'> {
  const [area = '', first = '', second = '', folder = '', ...rest] = key.split('/');
  const unknown = { prefix: key, owner: null };
  if (!isKey(key)) return unknown;
  if (area === 'uploads' || area === 'sources') {
    const [, id = '', suffix = ''] = /^([^.]*)(\.journal|\.tail-\d+)?$/.exec(first) ?? [];
    if (second !== '' || !isUuid(id) || (suffix !== '' && area === 'sources')) return unknown;
    // Deleting the upload aborts it by its journal.
    const prefix = suffix === '.journal' ? `${area}/${id}` : key;
    return { prefix, owner: { area, id, contentId: null } };
  }
  if (area === 'images' && isUuid(first) && second !== '' && folder === '')
    return { prefix: `images/${first}/`, owner: { area, id: first, contentId: null } };
  if (area === 'media' && isUuid(first) && isUuid(second) && folder !== '' && rest.length > 0)
    return {
      prefix: `media/${first}/${second}/${folder}/`,
      owner: { area, id: second, contentId: first },
    };
  return unknown;
}
