import { countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { kindOfContent } from '../../assets/index.ts';
import { MOST_COUNTED } from '../most-counted.ts';
import { allStoredBy, ownerOf, storedBy } from './server-channels.sql.ts';
import { bytesOf, originalBytesOf, titleOfVideo } from './server-videos.sql.ts';

const BYTES = {
  originalBytes: 'Uploaded files of videos.',
  otherBytes: 'Images, and the size of open uploads.',
  derivedBytes: 'Files derived from videos: streams, downloads and previews.',
  totalBytes: 'All of these.',
} as const;
/** It sums the counters of all channels. */
const STORAGE_POINTS = 20;

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

/** Declares what is stored: by channel, and the videos that need the most. */
export function declareServerStorage(graph: Graph, types: Types): void {
  declareStorage(graph);
  const ServerChannel = declareServerChannel(graph, types);
  graph.queryConnection('serverChannels', {
    access: 'server:read',
    type: ServerChannel,
    description:
      `All channels, those that store the most first; totalCount counts at most ${MOST_COUNTED}. ` + 'For operators.',
    cost: [{ points: STORAGE_POINTS }],
    where: (_, s) => `${s.viewer}.is_operator`,
    order: (child) => [allStoredBy(child), `${child}.id`],
    total: (s) => countRows('channels', () => `${s.viewer}.is_operator`, MOST_COUNTED),
  });
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
  const StoredBytes = graph.object('StoredBytes', {
    description: 'Bytes that are stored, by what they are.',
    fields: (f) => ({
      originalBytes: f.value({ type: 'BigInt', description: BYTES.originalBytes }),
      otherBytes: f.value({ type: 'BigInt', description: BYTES.otherBytes }),
      derivedBytes: f.value({ type: 'BigInt', description: BYTES.derivedBytes }),
      totalBytes: f.value({ type: 'BigInt', description: BYTES.totalBytes }),
    }),
  });
  const ServerStorage = graph.object('ServerStorage', {
    description: 'What is stored.',
    fields: (f) => ({
      total: f.value({
        type: StoredBytes,
        description: 'What all channels store together, with deleted ones whose files are not deleted yet.',
      }),
    }),
  });
  graph.queryResolve('serverStorage', {
    access: 'server:read',
    type: ServerStorage,
    description: 'What is stored; serverChannels has it by channel. For signed-in operators.',
    cost: [{ points: STORAGE_POINTS }],
    resolve: (context) => context.services.operations.storage(),
  });
}

function declareServerChannel(graph: Graph, { Node, Channel }: Types): EntityRef {
  return graph.entity('ServerChannel', {
    description: 'What a channel stores, as operators of the server see it.',
    table: 'channels',
    interfaces: [Node],
    node: { kinds: ['serverChannel'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the channel for operators.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('serverChannel', id),
      }),
      channel: f.one({ type: Channel, description: 'The channel.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      owner: f.column({
        type: 'String',
        description: 'Username of its owner.',
        sql: (s) => ownerOf(s.t),
      }),
      originalBytes: f.column({
        type: 'BigInt',
        description: BYTES.originalBytes,
        sql: (s) => storedBy(s.t, ['channel:originals']),
      }),
      otherBytes: f.column({
        type: 'BigInt',
        description: BYTES.otherBytes,
        sql: (s) => `${storedBy(s.t, ['channel:storage'])} - ${storedBy(s.t, ['channel:originals'])}`,
      }),
      derivedBytes: f.column({
        type: 'BigInt',
        description: BYTES.derivedBytes,
        sql: (s) => storedBy(s.t, ['channel:derived-bytes']),
      }),
      totalBytes: f.column({ type: 'BigInt', description: BYTES.totalBytes, sql: (s) => allStoredBy(s.t) }),
    }),
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
