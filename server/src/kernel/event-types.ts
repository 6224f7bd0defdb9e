/**
 * Everything the event log reports: one table, from which the types, the documentation of webhooks and the checks
 * of subscriptions derive. Named `<subject>.<what happened>`.
 */
export const EVENT_TYPES = {
  'content.created': 'A content was created.',
  'content.updated': 'The metadata or visibility of a content changed.',
  'content.published': 'A content became visible to its audience.',
  'content.unpublished': 'A content is no longer visible to its audience.',
  'content.deleted': 'A content was moved to the trash.',
  'channel.updated': 'The metadata of a channel changed.',
  'upload.finished': 'All bytes of an upload arrived.',
  'upload.failed': 'An upload was refused or ran out of time.',
  'image.ready': 'An image was processed and can be shown.',
  'job.updated': 'The processing of a video was queued, finished, failed or was cancelled.',
  'asset.ready': 'A video was processed and can be played.',
  'asset.failed': 'A video could not be processed.',
} as const satisfies Record<string, string>;

export type EventType = keyof typeof EVENT_TYPES;
