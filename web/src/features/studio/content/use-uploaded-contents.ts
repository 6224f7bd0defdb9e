import { useEffect, useRef } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';

interface ShownList {
  readonly contents: readonly StudioContentFragment[];
  readonly add: (content: StudioContentFragment) => void;
  readonly change: (content: StudioContentFragment) => void;
  readonly refresh: (id: string) => Promise<unknown>;
}

/** Keeps the contents of a channel in step with the uploads beside the page: new, changed and cancelled ones. */
export function useUploadedContents(channelId: string, uploads: readonly UploadItem[], list: ShownList): void {
  const known = useRef<ReadonlyMap<string, UploadItem>>(new Map());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(uploads.map((upload) => [upload.id, upload]));
    const listed = new Set(list.contents.map(({ id }) => id));
    for (const { id, channel, content } of uploads) {
      if (!content || before.get(id)?.content === content) continue;
      if (listed.has(content.id)) list.change(content);
      else if (channel === channelId) list.add(content);
    }
    for (const { id, contentId } of before.values()) {
      if (contentId && listed.has(contentId) && !known.current.has(id)) void list.refresh(contentId);
    }
  });
}
