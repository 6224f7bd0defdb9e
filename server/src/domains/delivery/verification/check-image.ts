import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { RowProblem } from './media-problems.ts';
import type { ImageObjects } from './media-rows.store.ts';

const RESTORE = 'Restore the object from a backup, or upload the image again.';

/** Compares the variants of an image with the objects below its prefix. */
export async function checkImage(
  store: Pick<ObjectStore, 'list'>,
  { objectPrefix, variants }: ImageObjects,
): Promise<RowProblem[]> {
  const sizes = new Map<string, number>();
  for await (const { key, sizeBytes } of store.list(objectPrefix)) sizes.set(key, sizeBytes);
  const problems: RowProblem[] = [];
  for (const { file, sizeBytes } of variants) {
    const key = objectPrefix + file;
    const size = sizes.get(key);
    sizes.delete(key);
    if (size === undefined)
      problems.push({ kind: 'MISSING_OBJECT', key, message: 'The image does not exist.', fix: RESTORE });
    else if (sizeBytes !== undefined && size !== sizeBytes) {
      const message = `The image has ${size} bytes; ${sizeBytes} were stored.`;
      problems.push({ kind: 'WRONG_SIZE', key, message, fix: RESTORE });
    }
  }
  for (const key of sizes.keys()) {
    const message = 'The image has no such variant.';
    problems.push({ kind: 'UNKNOWN_OBJECT', key, message, fix: 'Delete the object if nothing of yours uses it.' });
  }
  return problems;
}
