import {
  PublishContent,
  type StudioContentFragment,
  UnpublishContent,
  UpdateContent,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';

/** Who can watch a content, as creators choose it: its visibility and its publication in one. */
export type Audience = 'PRIVATE' | 'UNLISTED' | 'PUBLIC' | 'SCHEDULED';

type Published = Pick<StudioContentFragment, 'status' | 'publishWhenReady'> & {
  readonly metadata: Pick<StudioContentFragment['metadata'], 'visibility' | 'releaseDate'>;
};

/** Whether it is published at a later time. */
export function isScheduled({ status, publishWhenReady, metadata }: Published, nowMs: number): boolean {
  const waits = publishWhenReady || status === 'READY';
  return waits && metadata.releaseDate !== null && Date.parse(metadata.releaseDate) > nowMs;
}

/** What is not published is private, whatever its visibility will be. */
export function audienceOf(content: Published, nowMs: number): Audience {
  if (isScheduled(content, nowMs)) return 'SCHEDULED';
  return content.status === 'PUBLISHED' || content.publishWhenReady ? content.metadata.visibility : 'PRIVATE';
}

const NAMES: Readonly<Record<Audience, string>> = {
  PRIVATE: t`Private`,
  UNLISTED: t`Unlisted`,
  PUBLIC: t`Public`,
  SCHEDULED: t`Scheduled`,
};

/** The same for what is published once it is ready. */
const NAMES_WHEN_READY = {
  PUBLIC: t`Public when ready`,
  UNLISTED: t`Unlisted when ready`,
} as const;

/** The audience in a word or three: `Public when ready`. */
export function audienceText(content: Published, nowMs: number): string {
  const audience = audienceOf(content, nowMs);
  const waits = content.publishWhenReady && (audience === 'PUBLIC' || audience === 'UNLISTED');
  return waits ? NAMES_WHEN_READY[audience] : NAMES[audience];
}

/**
 * Applies a choice: a video that is not ready is published once it is. What becomes private does so before anything
 * else, and what becomes visible after everything else. Throws ApiError.
 */
export async function applyAudience(
  content: StudioContentFragment,
  audience: Audience,
  releaseDate: string | null,
): Promise<StudioContentFragment> {
  const { id } = content;
  if (audience === 'PRIVATE') {
    const isWaiting = content.publishWhenReady || isScheduled(content, Date.now());
    if (isWaiting) await api(UnpublishContent, { id });
    return (await api(UpdateContent, { id, input: { visibility: 'PRIVATE' } })).updateContent;
  }
  const visibility = audience === 'SCHEDULED' ? scheduledVisibility(content) : audience;
  if (content.metadata.visibility !== visibility) await api(UpdateContent, { id, input: { visibility } });
  return (await api(PublishContent, { id, releaseDate: audience === 'SCHEDULED' ? releaseDate : null })).publishContent;
}

/** A date that is changed keeps the visibility that was chosen with it. */
function scheduledVisibility(content: StudioContentFragment): 'PUBLIC' | 'UNLISTED' {
  const { visibility } = content.metadata;
  return isScheduled(content, Date.now()) && visibility === 'UNLISTED' ? 'UNLISTED' : 'PUBLIC';
}
