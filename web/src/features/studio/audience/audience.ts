import {
  PublishContent,
  type StudioContentFragment,
  UnpublishContent,
  UpdateContent,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { localInstant } from '../../../lib/format.ts';
import { textOf } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';

const AUDIENCES = ['PRIVATE', 'UNLISTED', 'PUBLIC', 'SCHEDULED'] as const;
/** Who can watch a content, as creators choose it: its visibility and its publication in one. */
export type Audience = (typeof AUDIENCES)[number];

/** A choice, with the instant of a scheduled publication. */
export interface ChosenAudience {
  readonly audience: Audience;
  readonly releaseDate: string | null;
}

export type Published = Pick<StudioContentFragment, 'status' | 'publishWhenReady'> & {
  readonly metadata: Pick<StudioContentFragment['metadata'], 'visibility' | 'releaseDate'>;
};

/** Whether others can watch it from a later time on. */
export function isScheduled({ status, publishWhenReady, metadata }: Published, nowMs: number): boolean {
  const waits = (publishWhenReady || status === 'READY') && metadata.visibility !== 'PRIVATE';
  return waits && metadata.releaseDate !== null && Date.parse(metadata.releaseDate) > nowMs;
}

/** What is not published is private, whatever its visibility will be. */
export function audienceOf(content: Published, nowMs: number): Audience {
  if (isScheduled(content, nowMs)) return 'SCHEDULED';
  return content.status === 'PUBLISHED' || content.publishWhenReady ? content.metadata.visibility : 'PRIVATE';
}

export const AUDIENCE_NAMES: Readonly<Record<Audience, string>> = {
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

/** The audience in a word or three: `Public when ready`. A draft is what nobody has chosen an audience for. */
export function audienceText(content: Published, nowMs: number): string {
  const audience = audienceOf(content, nowMs);
  if (audience === 'PRIVATE' && content.status === 'DRAFT') return t`Draft`;
  const waits = content.publishWhenReady && (audience === 'PUBLIC' || audience === 'UNLISTED');
  return waits ? NAMES_WHEN_READY[audience] : AUDIENCE_NAMES[audience];
}

/** The same, with the date of what is scheduled. */
export function audienceLine(content: Published, nowMs: number): string {
  const { releaseDate } = content.metadata;
  if (releaseDate === null || !isScheduled(content, nowMs)) return audienceText(content, nowMs);
  const date = localInstant(releaseDate);
  return t`Scheduled for ${date}`;
}

/** Whether others see it now, or will: then it can be unpublished. */
export function isOpenToOthers(content: Published, nowMs: number): boolean {
  return content.publishWhenReady || audienceOf(content, nowMs) !== 'PRIVATE';
}

export const IN_FUTURE = t`Choose a date in the future.`;

/** Reads the fields `audience` and `when` of a form. Throws ApiError for a date that is missing or has passed. */
export function readAudience(data: FormData, nowMs: number): ChosenAudience {
  const audience = AUDIENCES.find((value) => value === data.get('audience')) ?? 'PRIVATE';
  if (audience !== 'SCHEDULED') return { audience, releaseDate: null };
  const atMs = new Date(textOf(data, 'when')).getTime();
  if (atMs > nowMs) return { audience, releaseDate: new Date(atMs).toISOString() };
  throw new ApiError({ message: IN_FUTURE, extensions: { code: 'INVALID_INPUT', field: 'releaseDate' } });
}

/**
 * Applies a choice: a video that is not ready is published once it is. Visibility and publication are changed by one
 * call, so that a refused one changes nothing; what becomes private does so before anything else. Throws ApiError.
 */
export async function applyAudience(
  content: StudioContentFragment,
  { audience, releaseDate }: ChosenAudience,
): Promise<StudioContentFragment> {
  const { id } = content;
  if (audience === 'PRIVATE') {
    const isWaiting = content.publishWhenReady || isScheduled(content, Date.now());
    if (isWaiting) return unpublish(content);
    const input = { visibility: 'PRIVATE', ifRevision: content.revision } as const;
    return (await api(UpdateContent, { id, input })).updateContent;
  }
  const isLater = audience === 'SCHEDULED';
  const visibility = isLater ? scheduledVisibility(content) : audience;
  return (await api(PublishContent, { id, visibility, releaseDate: isLater ? releaseDate : null })).publishContent;
}

/** Takes a content from others. It becomes private by its visibility, too: lists are filtered by that. */
export async function unpublish({ id }: Pick<StudioContentFragment, 'id'>): Promise<StudioContentFragment> {
  await api(UpdateContent, { id, input: { visibility: 'PRIVATE' } });
  return (await api(UnpublishContent, { id })).unpublishContent;
}

/** A date that is changed keeps the visibility that was chosen with it. */
function scheduledVisibility(content: StudioContentFragment): 'PUBLIC' | 'UNLISTED' {
  const { visibility } = content.metadata;
  return isScheduled(content, Date.now()) && visibility === 'UNLISTED' ? 'UNLISTED' : 'PUBLIC';
}
