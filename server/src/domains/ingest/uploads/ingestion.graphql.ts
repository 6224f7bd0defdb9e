import type { EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { type AssetEnums, ERROR_FIELD, kindOfContent } from '../../assets/index.ts';
import { arrivedBytes } from './arrived-bytes.sql.ts';
import type { DirectUploadRef } from './direct-upload.graphql.ts';
import { mayWorkOn } from './upload-access.sql.ts';

/** Declares IngestionSession, and the uploads of an account on `me`. */
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
      ...addressFields(f, DirectUpload),
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

/** Where the bytes are sent. */
function addressFields(f: FieldFactory, DirectUpload: DirectUploadRef) {
  return {
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
        may && state === 'OPEN' ? env.services.ingest.uploadEndpoint(id) : null,
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
        may && !sentOtherwise && state === 'OPEN' ? env.services.ingest.directUpload(id, sizeBytes) : null,
    }),
  };
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
