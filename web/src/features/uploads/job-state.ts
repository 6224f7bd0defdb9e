import type { StudioContentFragment } from '../../gql/generated/operations.gen.ts';

/** Whether the video of a content waits for processing or is processed, possibly while it can be watched. */
export function isBeingProcessed({ transcodeJob }: Pick<StudioContentFragment, 'transcodeJob'>): boolean {
  return transcodeJob?.status === 'QUEUED' || transcodeJob?.status === 'TRANSCODING';
}

/** Whether a content can be watched, by its members at least. */
export function isWatchable({ status }: Pick<StudioContentFragment, 'status'>): boolean {
  return status === 'READY' || status === 'PUBLISHED';
}
