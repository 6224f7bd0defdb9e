import type { DidKind, RequestEnv } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import { isUuid } from '../../../kernel/ids.ts';

/** Subject of each event type; the row of a content has its kind. */
const SUBJECTS: Readonly<Record<EventType, DidKind | 'content'>> = {
  'content.created': 'content',
  'content.updated': 'content',
  'content.published': 'content',
  'content.unpublished': 'content',
  'content.rising': 'content',
  'content.test_finished': 'content',
  'content.shared': 'content',
  'content.unshared': 'content',
  'content.link_created': 'content',
  'content.link_deleted': 'content',
  'content.link_opened': 'content',
  'content.deleted': 'content',
  'content.restored': 'content',
  'content.purged': 'content',
  'channel.created': 'channel',
  'channel.updated': 'channel',
  'channel.transferred': 'channel',
  'channel.deleted': 'channel',
  'member.invited': 'channelInvitation',
  'member.added': 'user',
  'member.updated': 'user',
  'member.removed': 'user',
  'upload.finished': 'ingestion',
  'upload.failed': 'ingestion',
  'image.ready': 'imageAsset',
  'job.updated': 'job',
  'asset.arriving': 'content',
  'asset.playable': 'content',
  'asset.ready': 'content',
  'asset.failed': 'content',
  'asset.renditions_added': 'content',
  'asset.original_deleted': 'content',
  'stream.scheduled': 'content',
  'stream.canceled': 'content',
  'stream.connected': 'liveInput',
  'stream.live': 'content',
  'stream.reconnecting': 'content',
  'stream.unhealthy': 'content',
  'stream.simulcast_live': 'content',
  'stream.simulcast_failed': 'content',
  'stream.ended': 'content',
  'stream.recorded': 'content',
  'captions.updated': 'content',
  'playlist.created': 'playlist',
  'playlist.updated': 'playlist',
  'playlist.deleted': 'playlist',
  'chat_message.created': 'chatMessage',
  'chat_message.updated': 'chatMessage',
  'chat_message.deleted': 'chatMessage',
  'comment.created': 'comment',
  'comment.updated': 'comment',
  'comment.deleted': 'comment',
  'content.liked': 'content',
  'content.unliked': 'content',
  'channel.followed': 'channel',
  'channel.unfollowed': 'channel',
  'report.created': 'report',
  'report.resolved': 'report',
  'youtube_publish.completed': 'youtubePublishJob',
  'youtube_publish.failed': 'youtubePublishJob',
  'export.completed': 'dataExport',
  'export.failed': 'dataExport',
  'webhook.disabled': 'webhook',
};

/** Exposed identifiers in payloads, by name. Other UUIDs are omitted: the account of a like is private. */
const PAYLOAD_IDS: Readonly<Record<string, DidKind | 'content'>> = {
  contentId: 'content',
  parentContentId: 'content',
  channelId: 'channel',
  jobId: 'job',
  videoAssetId: 'videoAsset',
  imageAssetId: 'imageAsset',
  ingestionId: 'ingestion',
  commentId: 'comment',
  parentId: 'comment',
  playlistId: 'playlist',
  captionsId: 'captions',
  simulcastTargetId: 'simulcastTarget',
  contentShareId: 'contentShare',
  shareLinkId: 'shareLink',
  testId: 'contentTest',
  winnerId: 'contentTestVariant',
  mentions: 'user',
};

/** An event, from its row and its content. */
export interface EventFacts {
  readonly type: EventType;
  readonly subjectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Kind of the content in the subject or `payload.contentId`; null when it was purged. */
  readonly contentKind: ContentKind | null;
}

/** The content that an event is about, or else its subject. */
export function aboutOf({ subjectId, payload }: Pick<EventFacts, 'subjectId' | 'payload'>): string {
  const { contentId } = payload;
  return typeof contentId === 'string' && isUuid(contentId) ? contentId : subjectId;
}

/** SQL: the kind of an event's (alias) content; null without one. One lookup by primary key. */
export function contentKindOfEvent(event: string): string {
  return (
    `(select k.kind from contents k where k.id = coalesce((${event}.payload ->> 'contentId')::uuid, ` +
    `${event}.subject_id))`
  );
}

type Namer = Pick<RequestEnv, 'did'>;

/** DID of the subject of an event. */
export function subjectDid({ type, subjectId, contentKind, payload }: EventFacts, env: Namer): string {
  return didOf(SUBJECTS[type], subjectId, kindOf(contentKind, payload), env);
}

/** The payload as the API returns it: identifiers as DIDs under names without `Id`, everything else unchanged. */
export function publicPayload({ payload, contentKind }: EventFacts, env: Namer): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(payload)) {
    const kind = PAYLOAD_IDS[name];
    const convert = (each: unknown): unknown => {
      if (typeof each !== 'string' || !isUuid(each)) return each;
      return kind && didOf(kind, each, kindOf(contentKind, payload), env);
    };
    const shown = Array.isArray(value) ? value.map(convert).filter((each) => each !== undefined) : convert(value);
    if (shown !== undefined) converted[kind ? name.replace(/Id$/, '') : name] = shown;
  }
  return converted;
}

/** A permanently deleted content has the kind of its last event, or FEATURE. */
function kindOf(contentKind: ContentKind | null, payload: EventFacts['payload']): ContentKind {
  if (contentKind) return contentKind;
  const { kind } = payload;
  // Checked above.
  return typeof kind === 'string' && Object.hasOwn(CONTENT_KINDS, kind) ? (kind as ContentKind) : 'FEATURE';
}

function didOf(kind: DidKind | 'content', id: string, contentKind: ContentKind, env: Namer): string {
  return env.did(kind === 'content' ? CONTENT_KINDS[contentKind].did : kind, id);
}
