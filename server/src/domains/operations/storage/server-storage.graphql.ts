import { countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { kindOfContent } from '../../assets/index.ts';
import { MOST_COUNTED } from '../most-counted.ts';
import { bytesOf, originalBytesOf, titleOfVideo } from './server-videos.sql.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** It sums the counters of all channels. */
const STORAGE_POINTS = 20;

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

/** Declares what is stored: by channel, and the videos that need the most. */
export function declareServerStorage(graph: Graph, types: Types): void {
  declareStorage(graph);
  const ServerVideo = declareServerVideo(graph, types);
  graph.queryConnection('serverVideos', {
    access: 'server:read',
    type: ServerVideo,
    description: `Videos of all channels, largest first; totalCount counts at most ${MOST_COUNTED}. For operators.`,
    where: (_, s) => `${s.viewer}.is_operator`,
    order: (child) => [bytesOf(child), `${child}.id`],
    total: (s) => countRows('video_assets', () => `${s.viewer}.is_operator`, MOST_COUNTED),
  });
}

function declareStorage(graph: Graph): void {
  const bytes = {
    originalBytes: 'Uploaded files of videos.',
    otherBytes: 'Images, and the size of open uploads.',
    derivedBytes: 'Files derived from videos: streams, downloads and previews.',
    totalBytes: 'All of these.',
  } as const;
  const StoredBytes = graph.object('StoredBytes', {
    description: 'Bytes that are stored, by what they are.',
    fields: (f) => ({
      originalBytes: f.value({ type: 'BigInt', description: bytes.originalBytes }),
      otherBytes: f.value({ type: 'BigInt', description: bytes.otherBytes }),
      derivedBytes: f.value({ type: 'BigInt', description: bytes.derivedBytes }),
      totalBytes: f.value({ type: 'BigInt', description: bytes.totalBytes }),
    }),
  });
  const StorageOfChannel = graph.object('StorageOfChannel', {
    description: 'What a channel stores.',
    fields: (f) => ({
      channelId: f.value({ type: 'DID', description: 'Id of the channel.' }),
      handle: f.value({ type: 'String', description: 'Its handle.' }),
      title: f.value({ type: 'String', description: 'Its title.' }),
      owner: f.value({ type: 'String', description: 'Username of its owner.' }),
      stored: f.value({ type: StoredBytes, description: 'What it stores.' }),
    }),
  });
  const ServerStorage = graph.object('ServerStorage', {
    description: 'What is stored.',
    fields: (f) => ({
      total: f.value({
        type: StoredBytes,
        description: 'What all channels store together, with deleted ones whose files are not deleted yet.',
      }),
      channels: f.value({ type: [StorageOfChannel], description: 'The channels that store the most, largest first.' }),
    }),
  });
  graph.queryResolve('serverStorage', {
    access: 'server:read',
    type: ServerStorage,
    description: 'What is stored, by channel. For signed-in operators.',
    cost: [{ points: STORAGE_POINTS }],
    args: (t) => ({
      limit: t.int({ description: `Number of channels, 1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}.` }),
    }),
    resolve: async (context, { limit }) => {
      const most = limit ?? DEFAULT_LIMIT;
      if (most < 1 || most > MAX_LIMIT)
        throw new AppError('INVALID_INPUT', t`limit must be between 1 and ${MAX_LIMIT}.`, {
          field: 'limit',
          suggestedFix: t`Ask for fewer channels.`,
        });
      return context.services.operations.storage(most, (id) => context.did('channel', id));
    },
  });
}

function declareServerVideo(graph: Graph, { Node, Channel }: Types): EntityRef {
  return graph.entity('ServerVideo', {
    description: 'A video file and what is derived from it, as operators of the server see it.',
    table: 'video_assets',
    interfaces: [Node],
    node: { kinds: ['serverVideo'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the video for operators.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('serverVideo', id),
      }),
      originalBytes: f.column({
        type: 'BigInt',
        description: 'Bytes of the uploaded file; 0 once it was deleted, as its channel chose with keepOriginals.',
        sql: (s) => originalBytesOf(s.t),
      }),
      derivedBytes: f.column({
        type: 'BigInt',
        description: 'Bytes of the files derived from it.',
        sql: (s) => `${s.t}.derived_bytes`,
      }),
      totalBytes: f.column({ type: 'BigInt', description: 'Both together.', sql: (s) => bytesOf(s.t) }),
      channel: f.one({
        type: Channel,
        description: 'The channel.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      contentId: f.column({
        type: 'DID',
        description: 'Id of the content.',
        sql: (s) => [kindOfContent(`${s.t}.content_id`), `${s.t}.content_id`],
        read: ([kind, id]: [ContentKind, string], env) => env.did(CONTENT_KINDS[kind].did, id),
      }),
      contentTitle: f.column({
        type: 'String',
        description: 'Title of the content.',
        sql: (s) => titleOfVideo(s.t),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it arrived.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}
