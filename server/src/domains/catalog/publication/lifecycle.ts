import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
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
  readonly past: string;
}

/**
 * The lifecycle of a content: every action and the states that allow it. Commands use the states in their SQL
 * conditions; errors and documentation derive from the same table. The command implements the change.
 */
export const LIFECYCLE = {
  update: { from: CONTENT_STATUSES, permission: 'content:update', past: 'changed' },
  addImage: { from: CONTENT_STATUSES, permission: 'asset:upload', past: 'given an image' },
  addVideo: { from: ['DRAFT', 'READY', 'FAILED'], permission: 'asset:upload', past: 'given a new video' },
  replaceVideo: { from: ['READY', 'PUBLISHED'], permission: 'asset:upload', past: 'given a replacement video' },
  process: { from: ['DRAFT', 'PROCESSING', 'READY', 'FAILED'], permission: 'content:update', past: 'processed' },
  processAgain: { from: CONTENT_STATUSES, permission: 'content:update', past: 'processed again' },
  publish: { from: ['READY', 'PUBLISHED'], permission: 'content:publish', past: 'published' },
  publishWhenReady: {
    from: ['DRAFT', 'PROCESSING', 'READY', 'PUBLISHED'],
    permission: 'content:publish',
    past: 'published',
  },
  unpublish: {
    from: ['DRAFT', 'PROCESSING', 'READY', 'PUBLISHED'],
    permission: 'content:publish',
    past: 'unpublished',
  },
  delete: { from: CONTENT_STATUSES, permission: 'content:delete', past: 'deleted' },
  restore: { from: CONTENT_STATUSES, permission: 'content:delete', past: 'restored' },
  purge: { from: CONTENT_STATUSES, permission: 'content:delete', past: 'permanently deleted' },
} as const satisfies Record<string, Action>;

export type ContentAction = keyof typeof LIFECYCLE;

/** How error messages describe a state, and what the owner can do next. */
const STATES: Record<ContentStatus, { readonly is: string; readonly fix: string }> = {
  DRAFT: {
    is: 'has no processed video yet',
    fix: 'Upload a video (createContentAsset), then call submitContentForProcessing and wait with waitForProcessing.',
  },
  PROCESSING: { is: 'is being processed', fix: 'Wait until waitForProcessing returns COMPLETE, then repeat the call.' },
  READY: { is: 'is ready but not published', fix: 'Call publishContent first.' },
  FAILED: {
    is: 'could not be processed',
    fix: 'Read transcodeJob.error, upload a corrected file (createContentAsset) and submit it again.',
  },
  PUBLISHED: { is: 'is published', fix: 'Call unpublishContent first, then repeat the call.' },
};

/**
 * INVALID_INPUT explaining why `action` is not possible in `status` and what to do first. `field` names the id's
 * argument.
 */
export function refusal(action: ContentAction, status: ContentStatus, field: string): AppError {
  const isReplacement = action === 'addVideo' && status === 'PUBLISHED';
  return new AppError('INVALID_INPUT', `This content cannot be ${LIFECYCLE[action].past}: it ${STATES[status].is}.`, {
    field,
    suggestedFix: isReplacement
      ? 'Call replaceContentVideo: the video is played as before until the new one can be.'
      : STATES[status].fix,
  });
}
