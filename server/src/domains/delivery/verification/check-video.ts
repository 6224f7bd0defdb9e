import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { checkPackage } from './check-package.ts';
import type { RowProblem } from './media-problems.ts';
import type { VideoObjects } from './media-rows.store.ts';

const RESTORE_SOURCE =
  'Restore the object from a backup. The streams of a processed video play without it; ' +
  'choosing a poster from the video and downloading the original do not work.';

/** Compares the row of a video with its uploaded file and its package. */
export async function checkVideo(
  store: Pick<ObjectStore, 'head' | 'list' | 'read'>,
  video: VideoObjects,
): Promise<RowProblem[]> {
  const { packagePrefix, sourceKey: key, sizeBytes, hasOriginal } = video;
  const problems: RowProblem[] = [];
  const source = hasOriginal ? await store.head(key) : null;
  if (!hasOriginal) return packagePrefix === null ? [] : checkPackage(store, { ...video, packagePrefix }, null);
  if (!source)
    problems.push({
      kind: 'MISSING_OBJECT',
      key,
      message: 'The uploaded file does not exist.',
      fix: RESTORE_SOURCE,
    });
  else if (source.sizeBytes !== sizeBytes)
    problems.push({
      kind: 'WRONG_SIZE',
      key,
      message: `The uploaded file has ${source.sizeBytes} bytes; ${sizeBytes} were stored.`,
      fix: RESTORE_SOURCE,
    });
  if (packagePrefix !== null) problems.push(...(await checkPackage(store, { ...video, packagePrefix }, source)));
  return problems;
}
