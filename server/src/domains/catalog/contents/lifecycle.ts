import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Message, phrase, type Text, t } from '../../../kernel/languages/message.ts';
import type { ChannelPermission } from '../../channels/index.ts';

/** States of a content, in the table and the API. */
export const CONTENT_STATUSES = ['DRAFT', 'PROCESSING', 'READY', 'FAILED', 'PUBLISHED'] as const;
export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** Initial state of a content: a container needs no video, so it can be published from the start. */
export function firstStatus(kind: ContentKind): ContentStatus {
  return CONTENT_KINDS[kind].holds === null ? 'DRAFT' : 'READY';
}

interface Action {
  /** States in which the action is possible. */
  readonly from: readonly ContentStatus[];
  /** Permission required in the content's channel. */
  readonly permission: ChannelPermission;
  /** Completes "This content cannot be …". */
  readonly past: Message;
}

/**
 * The lifecycle of a content: every action and the states that allow it. Commands use the states in their SQL
 * conditions; errors and documentation derive from the same table. The command implements the change.
 */
export const LIFECYCLE = {
  update: { from: CONTENT_STATUSES, permission: 'content:update', past: phrase`changed` },
  addImage: { from: CONTENT_STATUSES, permission: 'asset:upload', past: phrase`given an image` },
  addVideo: { from: ['DRAFT', 'READY', 'FAILED'], permission: 'asset:upload', past: phrase`given a new video` },
  replaceVideo: {
    from: ['READY', 'FAILED', 'PUBLISHED'],
    permission: 'asset:upload',
    past: phrase`given a replacement video`,
  },
  process: { from: ['DRAFT', 'PROCESSING', 'READY', 'FAILED'], permission: 'content:update', past: phrase`processed` },
  processAgain: { from: CONTENT_STATUSES, permission: 'content:update', past: phrase`processed again` },
  publish: { from: ['READY', 'PUBLISHED'], permission: 'content:publish', past: phrase`published` },
  publishWhenReady: {
    from: ['DRAFT', 'PROCESSING', 'READY', 'PUBLISHED'],
    permission: 'content:publish',
    past: phrase`published`,
  },
  unpublish: {
    from: ['DRAFT', 'PROCESSING', 'READY', 'PUBLISHED'],
    permission: 'content:publish',
    past: phrase`unpublished`,
  },
  delete: { from: CONTENT_STATUSES, permission: 'content:delete', past: phrase`deleted` },
  restore: { from: CONTENT_STATUSES, permission: 'content:delete', past: phrase`restored` },
  purge: { from: CONTENT_STATUSES, permission: 'content:delete', past: phrase`permanently deleted` },
} as const satisfies Record<string, Action>;

export type ContentAction = keyof typeof LIFECYCLE;

/** How error messages describe a state, and what the owner can do next. */
const STATES: Record<ContentStatus, { readonly is: Message; readonly fix: Text }> = {
  DRAFT: {
    is: phrase`has no processed video yet`,
    fix: t`Upload a video (createContentAsset), then call submitContentForProcessing and wait with waitForProcessing.`,
  },
  PROCESSING: {
    is: phrase`is being processed`,
    fix: t`Wait until waitForProcessing returns COMPLETE, then repeat the call.`,
  },
  READY: { is: phrase`is ready but not published`, fix: t`Call publishContent first.` },
  FAILED: {
    is: phrase`could not be processed`,
    fix: t`Read transcodeJob.error, then call replaceContentVideo with a corrected file or another address.`,
  },
  PUBLISHED: { is: phrase`is published`, fix: t`Call unpublishContent first, then repeat the call.` },
};

/**
 * INVALID_INPUT explaining why `action` is not possible in `status` and what to do first. `field` names the id's
 * argument.
 */
export function refusal(action: ContentAction, status: ContentStatus, field: string): AppError {
  const isReplacement = action === 'addVideo' && status === 'PUBLISHED';
  return new AppError('INVALID_INPUT', t`This content cannot be ${LIFECYCLE[action].past}: it ${STATES[status].is}.`, {
    field,
    suggestedFix: isReplacement
      ? t`Call replaceContentVideo: the video is played as before until the new one can be.`
      : STATES[status].fix,
  });
}
