import type { IdPort } from '@reelgraph/sql-planner';
import { AppError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { anyOf, t } from '../kernel/languages/message.ts';

/** All kinds of objects with a DID: name in code to path in `did:<namespace>:<path>/<uuid>`. */
export const DID_KINDS = {
  user: 'user',
  channel: 'channel',
  member: 'channel-member',
  membership: 'membership',
  channelInvitation: 'channel-invitation',
  feature: 'content/feature',
  short: 'content/short',
  serie: 'content/serie',
  season: 'content/season',
  episode: 'content/episode',
  miniserie: 'content/miniserie',
  stream: 'content/stream',
  playlist: 'content/playlist',
  category: 'content/category',
  genre: 'content/genre',
  rating: 'content/rating',
  searchHit: 'search-hit',
  watched: 'watched',
  comment: 'comment',
  commentEdit: 'comment-edit',
  block: 'block',
  report: 'report',
  captions: 'asset/captions',
  playlistItem: 'playlist-item',
  event: 'event',
  webhook: 'webhook',
  webhookDelivery: 'webhook-delivery',
  liveInput: 'live-input',
  simulcastTarget: 'simulcast-target',
  chatMessage: 'chat-message',
  videoAsset: 'asset/video',
  imageAsset: 'asset/image',
  ingestion: 'ingestion',
  job: 'job',
  youtubePublishJob: 'youtube-publish-job',
  keyAction: 'key-action',
  invitation: 'invitation',
  signingKey: 'signing-key',
  contentShare: 'content-share',
  shareLink: 'share-link',
  contentTest: 'content-test',
  contentTestVariant: 'content-test-variant',
  token: 'token',
  dataExport: 'data-export',
  notification: 'notification',
  operatorAction: 'operator-action',
  serverJob: 'server/job',
  serverReport: 'server/report',
  mailMessage: 'server/mail',
  serverChannel: 'server/channel',
  serverVideo: 'server/video',
} as const;

export type DidKind = keyof typeof DID_KINDS;

export interface ParsedDid {
  readonly kind: DidKind;
  /** UUID, lower case. */
  readonly id: string;
}

const KIND_BY_PATH: ReadonlyMap<string, DidKind> = new Map(
  Object.entries(DID_KINDS).map(([kind, path]) => [path, kind as DidKind]), // Object.entries widens the keys
);

/** The DID of an object. */
export function formatDid(namespace: string, kind: DidKind, id: string): string {
  return `did:${namespace}:${DID_KINDS[kind]}/${id}`;
}

/** The kind and id of a DID of this namespace; null for anything else. Upper-case hexadecimal digits are accepted. */
export function parseDid(namespace: string, text: string): ParsedDid | null {
  const prefix = `did:${namespace}:`;
  if (text.length > 200 || !text.startsWith(prefix)) return null;
  const slash = text.lastIndexOf('/');
  const kind = KIND_BY_PATH.get(text.slice(prefix.length, slash));
  const id = text.slice(slash + 1).toLowerCase();
  return kind !== undefined && isUuid(id) ? { kind, id } : null;
}

/**
 * As {@link parseDid}, for arguments: throws INVALID_INPUT with `field` when the text is not a DID of this namespace,
 * or of another kind.
 */
export function requireDid(namespace: string, text: unknown, kinds: readonly DidKind[], field: string): ParsedDid {
  const parsed = typeof text === 'string' ? parseDid(namespace, text) : null;
  if (parsed && kinds.includes(parsed.kind)) return parsed;
  const expected = anyOf(kinds.map((kind) => `did:${namespace}:${DID_KINDS[kind]}/<id>`));
  const message = parsed
    ? t`This identifier names another kind of object (${DID_KINDS[parsed.kind]}).`
    : t`This is not an identifier of this service.`;
  throw new AppError('INVALID_INPUT', message, {
    field,
    suggestedFix: t`Send an identifier of the form ${expected}.`,
  });
}

const ALL_KINDS = Object.keys(DID_KINDS) as DidKind[]; // Object.keys widens the keys

/** DIDs of a namespace, for the planner. */
export function didPort(namespace: string): IdPort {
  return {
    keyType: 'uuid',
    // Between `did:<namespace>:` and the last slash; parsing validates the rest.
    kindOf: (text) => KIND_BY_PATH.get(text.slice(text.indexOf(':', 'did:'.length) + 1, text.lastIndexOf('/'))) ?? null,
    parse: (text) => parseDid(namespace, text),
    require: (value, kinds, field) => requireDid(namespace, value, kinds ?? ALL_KINDS, field),
  };
}
