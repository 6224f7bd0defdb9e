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
  'content.restored': 'A content was taken out of the trash.',
  'content.purged': 'A content was deleted for good, with its media.',
  'channel.created': 'A channel was created.',
  'channel.updated': 'The metadata of a channel changed.',
  'channel.transferred': 'A channel has a new owner.',
  'channel.deleted': 'A channel was deleted.',
  'member.added': 'An account became a member of a channel.',
  'member.updated': 'A member of a channel has another role.',
  'member.removed': 'An account is no longer a member of a channel.',
  'upload.finished': 'All bytes of an upload arrived.',
  'upload.failed': 'An upload was refused or ran out of time.',
  'image.ready': 'An image was processed and can be shown.',
  'job.updated': 'The processing of a video was queued, finished, failed or was cancelled.',
  'asset.ready': 'A video was processed and can be played.',
  'asset.failed': 'A video could not be processed.',
  'captions.updated': 'Captions of a content were added, changed or removed.',
  'playlist.created': 'A playlist was created.',
  'playlist.updated': 'A playlist or its items changed.',
  'playlist.deleted': 'A playlist was deleted.',
  'comment.created': 'A comment was written.',
  'comment.updated': 'A comment was edited, pinned, hearted or moderated.',
  'comment.deleted': 'A comment was deleted.',
  'content.liked': 'A content was liked.',
  'content.unliked': 'A like of a content was taken back.',
  'channel.followed': 'A channel was followed.',
  'channel.unfollowed': 'A channel is no longer followed by an account.',
  'report.created': 'Something was reported to the moderators of a channel.',
  'report.resolved': 'A moderator closed a report.',
  'youtube_publish.completed': 'A video was published on YouTube.',
  'youtube_publish.failed': 'A video could not be published on YouTube.',
  'webhook.disabled': 'A webhook was switched off, because for days every delivery failed or because its address is gone.',
} as const satisfies Record<string, string>;

export type EventType = keyof typeof EVENT_TYPES;
