import { readNew } from '../../../gql/index.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { JobDefinition } from '../../../platform/jobs/job.ts';
import { type FetchSource, startFetching } from '../../ingest/index.ts';
import { type ContentLayout, VIDEO_FIELDS, type VideoInput } from '../contents/content-fields.ts';
import { insertContent } from '../contents/contents.store.ts';
import type { CatalogServices } from '../services.ts';
import { TYPE_OF_LAYOUT } from './video-source.ts';

/** A video on another site to import as a content. */
export interface ImportedContent extends VideoInput {
  readonly channelId: string;
  readonly layout: ContentLayout;
  /** ISO 8601; the displayed release date; publication waits for a future one. */
  readonly releaseAt: string | null;
  readonly publishWhenReady: boolean;
  /** The job that fetches its file; null: the file is uploaded. */
  readonly source: { readonly job: JobDefinition<FetchSource>; readonly url: string; readonly field: string } | null;
}

/** The new content, and the job waiting for its file. */
export interface ImportedContentIds {
  readonly contentId: ContentId;
  readonly jobId: string | null;
}

/** Creates a draft from the metadata of another site, in the caller's transaction. The caller checks the channel. */
export async function importContent(
  tools: CatalogServices,
  tx: Transaction,
  content: ImportedContent,
): Promise<ImportedContentIds> {
  const nowMs = tools.clock.now();
  const { channelId, layout, releaseAt, publishWhenReady, source } = content;
  const values = readNew(VIDEO_FIELDS, content);
  const contentId = newId<'content'>(nowMs);
  await insertContent(
    tx,
    { id: contentId, channel: channelId, kind: 'FEATURE', values, releaseAt, publishWhenReady },
    nowMs,
  );
  await appendEvent(tx, { type: 'content.created', channelId, subjectId: contentId });
  const hint = TYPE_OF_LAYOUT[layout];
  const jobId = source && (await startFetching(tools, tx, { contentId, channelId, hint, layout, ...source }));
  return { contentId, jobId };
}
