/**
 * Every event type. The TypeScript types, the documentation of webhooks and the checks of subscriptions derive from
 * this table. Named `<subject>.<what happened>`.
 */
export const EVENT_TYPES = {
  'content.created': 'A content was created.',
  'content.updated': 'The metadata or visibility of a content changed.',
  'content.published': 'A content became visible to its audience.',
  'content.unpublished': 'A content is no longer visible to its audience.',
  'content.rising': 'The views of a content rise faster than forecast: a day was above the 90th percentile.',
  'content.test_finished': 'A test of titles and images of a content ended.',
  'content.shared': 'A private content was shared with a person.',
  'content.unshared': 'A private content is no longer shared with a person.',
  'content.link_created': 'A link to a private content was created.',
  'content.link_deleted': 'A link to a private content was deleted: it no longer opens.',
  'content.link_opened': 'A link to a private content was opened.',
  'content.deleted': 'A content was moved to the trash.',
  'content.restored': 'A content was restored from the trash.',
  'content.purged': 'A content was permanently deleted, with its media.',
  'channel.created': 'A channel was created.',
  'channel.updated': 'The metadata of a channel changed.',
  'channel.transferred': 'A channel has a new owner.',
  'channel.deleted': 'A channel was deleted.',
  'member.invited': 'A person was invited to a channel.',
  'member.added': 'An account was added to a channel.',
  'member.updated': 'The role of a channel member changed.',
  'member.removed': 'An account is no longer a member of a channel.',
  'upload.finished': 'An upload was completed.',
  'upload.failed': 'An upload was rejected or expired.',
  'image.ready': 'An image was processed and is ready.',
  'job.updated': 'The processing of a video was queued, finished, failed or was cancelled.',
  'asset.arriving': 'The beginning of a video can be played while its upload goes on.',
  'asset.playable': 'A video can be played while it is still being processed.',
  'asset.ready': 'A video was processed and is ready to play.',
  'asset.failed': 'A video could not be processed.',
  'asset.renditions_added':
    'A video that is ready to play got qualities in another codec, its sound in 5.1 or 7.1, or an enhanced quality.',
  'asset.original_deleted': 'The uploaded file of a processed video was deleted, as its channel keeps no originals.',
  'stream.scheduled': 'A broadcast was scheduled, or got another time.',
  'stream.canceled': 'A scheduled broadcast does not take place: it was canceled, or missed.',
  'stream.connected': 'An encoder was accepted by a live input.',
  'stream.live': 'A broadcast can be played, for the first time or again.',
  'stream.reconnecting': 'The encoder of a broadcast is gone, and may come back.',
  'stream.unhealthy': 'Viewers of a broadcast get less than they would.',
  'stream.simulcast_live': 'A broadcast is published at a simulcast target.',
  'stream.simulcast_failed':
    'A broadcast could not be published at a simulcast target, or is no longer; it is retried.',
  'stream.ended': 'A broadcast has ended.',
  'stream.recorded': 'A broadcast that has ended is a video.',
  'captions.updated': 'Captions of a content were added, changed or removed.',
  'playlist.created': 'A playlist was created.',
  'playlist.updated': 'A playlist or its items changed.',
  'playlist.deleted': 'A playlist was deleted.',
  'chat_message.created': 'A message was written in a chat.',
  'chat_message.updated': 'A message in a chat was approved.',
  'chat_message.deleted': 'A message in a chat was deleted.',
  'comment.created': 'A comment was written.',
  'comment.updated': 'A comment was edited, pinned, hearted or moderated.',
  'comment.deleted': 'A comment was deleted.',
  'content.liked': 'A content was liked.',
  'content.unliked': 'A like of a content was removed.',
  'channel.followed': 'A channel was followed.',
  'channel.unfollowed': 'An account stopped following a channel.',
  'report.created': "Something was reported to a channel's moderators.",
  'report.resolved': 'A moderator closed a report.',
  'youtube_publish.completed': 'A video was published on YouTube.',
  'youtube_publish.failed': 'A video could not be published on YouTube.',
  'export.completed': 'A bulk export of an account is complete: its file can be downloaded.',
  'export.failed': 'A bulk export of an account failed.',
  'webhook.disabled':
    'A webhook was disabled: every delivery failed for days, or its endpoint responded with 410 Gone.',
} as const satisfies Record<string, string>;

export type EventType = keyof typeof EVENT_TYPES;

/** The name of a type or group in GraphQL, whose names have no dots: CONTENT_PUBLISHED for content.published. */
export function eventTypeName(type: string): string {
  return type.replace('.', '_').toUpperCase();
}
