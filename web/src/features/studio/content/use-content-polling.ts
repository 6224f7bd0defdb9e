import { useEffect } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { isBeingProcessed } from '../../uploads/job-state.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';

const POLL_MS = 1500;

/** Polls with `reload` while the content is being uploaded or processed. */
export function useContentPolling(content: StudioContentFragment, upload: UploadItem | null, reload: () => void): void {
  const moving =
    content.status === 'PROCESSING' ||
    isBeingProcessed(content) ||
    (content.status === 'DRAFT' && upload?.phase === 'sent');
  // `reload` is a new function on each render, with the same effect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [moving]);
}
