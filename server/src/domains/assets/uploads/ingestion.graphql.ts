import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { isMember } from '../../channels/index.ts';
import type { AssetEnums } from '../asset-enums.graphql.ts';
import { kindOfContent } from '../content-kind.sql.ts';
import { MASTER_PLAYLIST } from '../delivery/media-address.ts';
import { isOpenContent } from '../delivery/visibility.sql.ts';
import { ERROR_FIELD } from '../error-field.graphql.ts';
import {
  declareJobInterruption,
  describeInterruption,
  type StoredInterruption,
} from '../processing/interruption.graphql.ts';
import { interruptionOf, JOB_KINDS, kindOfJob, remainingMsOf } from '../processing/jobs.sql.ts';
import { packageAddress } from '../processing/video-asset.graphql.ts';
import { playableManifest } from '../renditions/renditions.sql.ts';
import { arrivedBytes } from './arrived-bytes.sql.ts';
import type { DirectUploadRef } from './direct-upload.graphql.ts';
import { mayWorkOn } from './upload-access.sql.ts';

/** Declares IngestionSession, the uploads of an account on `me`, and TranscodeJob. */
export function declareIngestion(
  graph: Graph,
  {
    Node,
    Me,
    enums,
    DirectUpload,
  }: { Node: EntityRef; Me: EntityRef; enums: AssetEnums; DirectUpload: DirectUploadRef },
): EntityRef {
  const [IngestionSessionTUSData, IngestionSessionMetadata, IngestionProgress] = [
    tusPart(graph),
    metadataPart(graph),
    progressPart(graph),
  ];
  const IngestionSession = graph.entity('IngestionSession', {
    description: 'An upload, from its creation to its last byte.',
    table: 'ingestions',
    interfaces: [Node],
    node: { kinds: ['ingestion'], where: mayWorkOn },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the upload.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('ingestion', id),
      }),
      tus: f.embed({ type: IngestionSessionTUSData, description: 'Metadata of the tus protocol.' }),
      endpoint: f.column({
        type: 'String',
        nullable: true,
        secret: true,
        description:
          'Upload address: HEAD and PATCH it by tus 1.0.0, or PUT the whole file. It needs no key and ' +
          'must be kept secret. Null when the upload has ended, and for members who may not change ' +
          'the object it belongs to (images of a channel are for managers).',
        sql: (s) => [`${s.t}.id`, `${s.t}.state`, mayWorkOn(s.t, s)],
        read: ([id, state, may]: [string, string, boolean], env) =>
          may && state === 'OPEN' ? env.services.assets.uploadEndpoint(id) : null,
      }),
      direct: f.column({
        type: DirectUpload,
        nullable: true,
        description:
          'How to send the file straight to the object storage; null where it takes none ' +
          '(send the file to endpoint), while its size is not known, and whenever endpoint is null.',
        sql: (s) => [
          ...[`${s.t}.id`, `${s.t}.size_bytes`, `${s.t}.size_deferred or ${s.t}.upload_concat is not null`],
          ...[`${s.t}.state`, mayWorkOn(s.t, s)],
        ],
        read: ([id, sizeBytes, sentOtherwise, state, may]: [string, number, boolean, string, boolean], env) =>
          may && !sentOtherwise && state === 'OPEN' ? env.services.assets.directUpload(id, sizeBytes) : null,
      }),
      metadata: f.embed({ type: IngestionSessionMetadata, description: 'The object that the upload belongs to.' }),
      progress: f.embed({ type: IngestionProgress, description: 'Bytes received so far.' }),
      state: f.column({ type: enums.IngestionState, description: 'State of the upload.', sql: (s) => `${s.t}.state` }),
      error: f.column({
        description: 'Why the upload failed; null otherwise.',
        ...ERROR_FIELD,
      }),
      expiresAt: f.column({
        type: 'DateTime',
        description: 'Deadline for the next data; extended whenever data arrives.',
        sql: (s) => `${s.t}.expires_at`,
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    ingestions: f.connection({
      type: IngestionSession,
      description: "Uploads of the account's channel, newest first.",
      where: (child, s) => `${child}.channel_id = ${s.t}.channel_id and not ${child}.is_partial`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s) => `counter_value('channel:ingestions', ${s.t}.channel_id)`,
    }),
    ingestion: f.one({
      type: IngestionSession,
      nullable: true,
      description: 'One upload of the account; null if it does not exist.',
      args: (t) => ({ id: t.field({ type: 'IngestionID', required: true, description: 'Id of the upload.' }) }),
      on: (child, s, args) => `${child}.id = ${args.id('id', ['ingestion'])} and ${mayWorkOn(child, s)}`,
    }),
  }));
  return IngestionSession;
}

function tusPart(graph: Graph): EntityRef {
  return graph.part('IngestionSessionTUSData', {
    description: 'Metadata of the tus protocol.',
    fields: (f) => ({
      filetype: f.column({
        type: 'String',
        description: 'Media type according to the uploader; the platform detects the type from the file.',
        sql: (s) => `${s.t}.filetype`,
      }),
      filename: f.column({
        type: 'String',
        description: 'Name of the asset on the server: the assetName of submitContentForProcessing.',
        sql: (s) => `${s.t}.asset_name`,
      }),
      originalFilename: f.column({
        type: 'String',
        description: 'Original name of the file.',
        sql: (s) => `${s.t}.filename`,
      }),
      initiator: f.column({
        type: 'String',
        description: 'Id of the channel that created the upload.',
        sql: (s) => `${s.t}.channel_id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
    }),
  });
}

function metadataPart(graph: Graph): EntityRef {
  return graph.part('IngestionSessionMetadata', {
    description: 'The object that an upload belongs to.',
    fields: (f) => ({
      contentId: f.column({
        type: 'DID',
        nullable: true,
        description: 'Id of the content; null for images of a channel or a playlist.',
        sql: (s) => [`${s.t}.content_id`, kindOfContent(`${s.t}.content_id`)],
        read: ([id, kind]: [string | null, ContentKind | null], env) =>
          id === null || kind === null ? null : env.did(CONTENT_KINDS[kind].did, id),
      }),
      playlistId: f.column({
        type: 'DID',
        nullable: true,
        description: 'Id of the playlist whose cover it is; null otherwise.',
        sql: (s) => `${s.t}.playlist_id`,
        read: ([id]: [string | null], env) => (id === null ? null : env.did('playlist', id)),
      }),
      channelId: f.column({
        type: 'DID',
        description: 'Id of the channel.',
        sql: (s) => `${s.t}.channel_id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      mimeType: f.column({
        type: 'MimeType',
        nullable: true,
        description: 'Media type according to the uploader; null if it gave none.',
        sql: (s) => `nullif(${s.t}.filetype, '')`,
      }),
      filename: f.column({
        type: 'String',
        description: 'Name of the asset on the server, as tus.filename.',
        sql: (s) => `${s.t}.asset_name`,
      }),
      originalFilename: f.column({
        type: 'String',
        description: 'Original name of the file.',
        sql: (s) => `${s.t}.filename`,
      }),
      hint: f.column({
        type: 'String',
        description: 'The hint of a video as it was given, or an ImagePurpose.',
        sql: (s) => `${s.t}.hint`,
      }),
    }),
  });
}

function progressPart(graph: Graph): EntityRef {
  return graph.part('IngestionProgress', {
    description: 'Progress of an upload.',
    fields: (f) => ({
      current: f.column({
        type: 'BigInt',
        description: 'Bytes that have arrived and are stored.',
        sql: (s) => arrivedBytes(s.t),
      }),
      total: f.column({
        type: 'BigInt',
        description: 'Size of the file in bytes; while it is not known, the bytes reserved for it so far.',
        sql: (s) => `${s.t}.size_bytes`,
      }),
      totalKnown: f.column({
        type: 'Boolean',
        description: 'Whether the size of the file is known. A tus client may name it later (Upload-Defer-Length).',
        sql: (s) => `not ${s.t}.size_deferred`,
      }),
    }),
  });
}

/** Declares TranscodeJob. */
export function declareTranscodeJob(graph: Graph, { Node, enums }: { Node: EntityRef; enums: AssetEnums }): EntityRef {
  const JobInterruption = declareJobInterruption(graph);
  const TranscodeJobKind = graph.builder.enumType('TranscodeJobKind', {
    description: 'What a job does.',
    values: Object.fromEntries(Object.entries(JOB_KINDS).map(([kind, description]) => [kind, { description }])),
  });
  return graph.entity('TranscodeJob', {
    description: 'Work on the video of a content: its processing, or what is added to it.',
    table: 'transcode_jobs',
    interfaces: [Node],
    node: { kinds: ['job'], where: (child, s) => isMember(s, `${child}.channel_id`) },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the job.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('job', id),
      }),
      kind: f.column({ type: TranscodeJobKind, description: 'What it does.', sql: (s) => kindOfJob(s.t) }),
      status: f.column({
        type: enums.TranscodeJobStatus,
        description: 'State of the job.',
        sql: (s) => `${s.t}.status`,
      }),
      progress: f.column({ type: 'Int', description: 'Progress in percent, 0 to 100.', sql: (s) => `${s.t}.progress` }),
      remainingMs: f.column({
        type: 'BigInt',
        nullable: true,
        description:
          'Estimated milliseconds until it ends, from the measured speed of this server and the videos before it; ' +
          'null until its file was inspected, and when it has ended.',
        sql: (s) => remainingMsOf(s.t),
        read: ([ms]: [number | null]) => (ms === null ? null : Math.ceil(ms)),
      }),
      deployed: f.column({
        type: 'Boolean',
        description: 'Whether the result is stored and served.',
        sql: (s) => `${s.t}.deployed`,
      }),
      error: f.column({
        description: 'Why it failed and how to fix it, in a sentence or two; null otherwise.',
        ...ERROR_FIELD,
      }),
      interruption: f.column({
        type: JobInterruption,
        nullable: true,
        description: 'How it was interrupted; null for jobs that were not, and that have ended.',
        sql: (s) => interruptionOf(s.t),
        read: ([stored]: [StoredInterruption | null], env) => stored && describeInterruption(stored, env.language),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      outputUrl: f.column({
        type: 'URL',
        nullable: true,
        description: 'Absolute address of the HLS master playlist of its video; null until it is playable.',
        sql: (s) => [playableManifest(`${s.t}.video_asset_id`), isOpenContent(`${s.t}.content_id`)],
        read: ([prefix, open]: [string | null, boolean], env) => packageAddress(env, prefix, open, MASTER_PLAYLIST),
      }),
      finished: f.column({
        type: 'Boolean',
        description: 'Whether it has ended: COMPLETE, ERROR or CANCELLED.',
        sql: (s) => `${s.t}.finished_at is not null`,
      }),
      submittedAt: f.column({
        type: 'DateTime',
        description: 'When it was submitted: the same as createdAt.',
        sql: (s) => `${s.t}.created_at`,
      }),
      completedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When its video was complete; null unless its status is COMPLETE.',
        sql: (s) => [`${s.t}.status`, `${s.t}.finished_at`],
        read: ([status, endedAt]: [string, string | null]) =>
          status === 'COMPLETE' && endedAt !== null ? new Date(endedAt).toISOString() : null,
      }),
      startedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When a worker first started it.',
        sql: (s) => `${s.t}.started_at`,
      }),
      finishedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ended.',
        sql: (s) => `${s.t}.finished_at`,
      }),
    }),
  });
}
