import { readNew } from '../../../gql/index.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { JobDefinition } from '../../../platform/jobs/job.ts';
import { type FetchSource, startFetching } from '../../assets/index.ts';
import { type ContentLayout, VIDEO_FIELDS, type VideoInput } from '../contents/content-fields.ts';
import { insertContent } from '../contents/contents.store.ts';
import type { CatalogServices } from '../services.ts';
import { HINT_OF_LAYOUT } from './video-source.ts';

/** A video of another site as a content of ours. */
export interface ImportedContent extends VideoInput {
  readonly channelId: string;
  readonly layout: ContentLayout;
  /** ISO 8601; shown as the release date, and waited for where it is to come. */
  readonly releaseAt: string | null;
  readonly publishWhenReady: boolean;
  /** What fetches its file; null: people upload one. */
  readonly source: { readonly job: JobDefinition<FetchSource>; readonly url: string; readonly field: string } | null;
}

/** The new content, and the job that waits for its file. */
export interface ImportedContentIds {
  readonly contentId: ContentId;
  readonly jobId: string | null;
}

/** Makes a draft of what another site tells, in the caller's transaction. The channel is the caller's to check. */
export async function importContent(tools: CatalogServices, tx: Transaction, content: ImportedContent): Promise<ImportedContentIds> {
  const nowMs = tools.clock.now();
  const { channelId, layout, releaseAt, publishWhenReady, source } = content;
  const values = readNew(VIDEO_FIELDS, content);
  const contentId = newId<'content'>(nowMs);
  await insertContent(tx, { id: contentId, channel: channelId, kind: 'FEATURE', values, releaseAt, publishWhenReady }, nowMs);
  await appendEvent(tx, { type: 'content.created', channelId, subjectId: contentId });
  const hint = HINT_OF_LAYOUT[layout];
  const jobId = source && (await startFetching(tools, tx, { contentId, channelId, hint, layout, ...source }));
  return { contentId, jobId };
}
