import { formatDid } from '../../../gql/index.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import { publicPayload, subjectDid } from './event-subject.ts';
import { ALL_EVENT_TYPES } from './event-types.ts';

const ID = '01a1fbd9-f9ef-7000-a2d5-0118192635b4';
const ABOUT_COMMENT = { contentId: ID, status: 'PUBLISHED' };
const ABOUT_TARGET = { simulcastTargetId: ID, name: 'YouTube' };
const ABOUT_UPLOAD = { contentId: ID, assetName: 'video' };

/** Payloads of events in the log; empty for types that are not listed. */
const PAYLOADS: Readonly<Partial<Record<EventType, Readonly<Record<string, unknown>>>>> = {
  'content.rising': { day: 9, views: 1_840, forecastP50: 612.4, forecastP90: 1_131.8 },
  'content.test_finished': { testId: ID, state: 'WON', reason: 'WINNER_FOUND', winnerId: ID, applied: true },
  'content.shared': { contentShareId: ID },
  'content.unshared': { contentShareId: ID },
  'content.link_created': { shareLinkId: ID },
  'content.link_deleted': { shareLinkId: ID },
  'content.link_opened': { shareLinkId: ID },
  'content.purged': { kind: 'FEATURE' },
  'channel.updated': { codecs: ['AV1'] },
  'channel.transferred': { owner: 'anna' },
  'member.invited': { role: 'EDITOR' },
  'member.added': { username: 'anna', role: 'EDITOR' },
  'member.updated': { username: 'anna', role: 'MANAGER' },
  'member.removed': { username: 'anna' },
  'upload.finished': { ...ABOUT_UPLOAD, videoAssetId: ID },
  'upload.failed': { ...ABOUT_UPLOAD, code: 'UPLOAD_FAILED', message: 'The upload was not finished in time.' },
  'image.ready': { contentId: ID, playlistId: null, purpose: 'THUMBNAIL' },
  'job.updated': { contentId: ID, status: 'TRANSCODING' },
  'asset.arriving': { videoAssetId: ID },
  'asset.playable': { videoAssetId: ID },
  'asset.ready': { videoAssetId: ID, jobId: ID },
  'asset.failed': { videoAssetId: ID, jobId: ID, code: 'TRANSCODE_FAILED' },
  'asset.renditions_added': { videoAssetId: ID, codec: 'AV1', upmix: '5.1', upscale: '2160p' },
  'asset.original_deleted': { videoAssetId: ID, sizeBytes: 734_003_200 },
  'stream.scheduled': { scheduledAt: '2026-12-24T18:00:00.000Z' },
  'stream.canceled': { state: 'MISSED' },
  'stream.unhealthy': { reason: 'SIZES_LEFT_OUT', leftOutSizes: ['720p'] },
  'stream.simulcast_live': ABOUT_TARGET,
  'stream.simulcast_failed': { ...ABOUT_TARGET, reason: 'The server does not answer.' },
  'stream.ended': { reason: 'ENCODER_STOPPED' },
  'stream.recorded': { durationMs: 5_412_480, missingMs: 0 },
  'captions.updated': { captionsId: ID },
  'playlist.updated': { added: 2 },
  'chat_message.created': ABOUT_COMMENT,
  'chat_message.updated': { ...ABOUT_COMMENT, approved: true },
  'chat_message.deleted': { contentId: ID },
  'comment.created': { ...ABOUT_COMMENT, parentId: null, mentions: [ID] },
  'comment.updated': { ...ABOUT_COMMENT, approved: true, hearted: true },
  'comment.deleted': { contentId: ID },
  'report.created': { reason: 'SPAM' },
  'report.resolved': { resolution: 'RESOLVED' },
  'youtube_publish.completed': {
    contentId: ID,
    youtubeVideoId: 'a1B2c3D4e5F',
    youtubeUrl: 'https://www.youtube.com/watch?v=a1B2c3D4e5F',
  },
  'youtube_publish.failed': { contentId: ID, code: 'UPLOAD_FAILED', message: 'YouTube could not convert the video.' },
  'export.completed': { objectCount: 12_480, sizeBytes: 9_318_204 },
  'export.failed': { code: 'UNAUTHENTICATED', message: 'The API key that the export reads with has ended.' },
  'webhook.disabled': { reason: 'FAILURES' },
};

/** Subject and payload of a message of a type, as in `data`. */
export interface EventExample {
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An example of each event type, for documentation, built by the code that builds messages. Pure. */
export function eventExamples(): Readonly<Record<EventType, EventExample>> {
  const names = {
    did: (kind: Parameters<typeof formatDid>[1], id: string): string => formatDid('reelgraph', kind, id),
  };
  const examples = ALL_EVENT_TYPES.map((type) => {
    const facts = { type, subjectId: ID, payload: PAYLOADS[type] ?? {}, contentKind: 'FEATURE' } as const;
    return [type, { subject: subjectDid(facts, names), payload: publicPayload(facts, names) }];
  });
  return Object.fromEntries(examples) as Record<EventType, EventExample>; // one for each type
}
