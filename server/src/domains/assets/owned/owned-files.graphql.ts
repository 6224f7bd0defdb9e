import type { EntityRef, Graph } from '../../../gql/index.ts';
import { tokenAllows } from '../../channels/index.ts';
import { imageColumns, readImageAddress } from '../images/image-asset.graphql.ts';

/** Declares UserVideo: a video file as its owner manages it. */
export function declareUserVideo(graph: Graph): EntityRef {
  return graph.entity('UserVideo', {
    description: 'A video file in the storage of an account.',
    table: 'video_assets',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the file, as VideoAsset.id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('videoAsset', id),
      }),
      name: f.column({ type: 'String', description: 'Original name of the file.', sql: (s) => `${s.t}.filename` }),
      url: f.column({
        type: 'URL',
        nullable: true,
        description:
          'Signed address of the original file, valid for some hours; null once it was deleted, and for tokens ' +
          'without asset:upload.',
        sql: (s) => [
          ...[`${s.t}.id`, `${s.t}.filename`],
          `(${s.t}.original_deleted_at is null${tokenAllows(s, 'asset:upload', s.t)})`,
        ],
        read: ([id, filename, mayDownload]: [string, string, boolean], env) =>
          mayDownload ? env.services.assets.sourceAddress(id, filename, env.nowMs) : null,
      }),
      width: f.column({
        type: 'Int',
        nullable: true,
        description: 'Display width in pixels; null until it is known.',
        sql: (s) => `${s.t}.width`,
      }),
      height: f.column({
        type: 'Int',
        nullable: true,
        description: 'Display height in pixels; null until it is known.',
        sql: (s) => `${s.t}.height`,
      }),
      duration: f.column({
        type: 'Float',
        nullable: true,
        description: 'Length in seconds; null until it is known.',
        sql: (s) => `${s.t}.duration_ms / 1000.0::float8`,
      }),
      mime: f.column({
        type: 'MimeType',
        nullable: true,
        description: 'Media type detected in the file; null until it is known.',
        sql: (s) => `${s.t}.mime_type`,
      }),
      sizeBytes: f.column({
        type: 'BigInt',
        description: 'Size of the file in bytes.',
        sql: (s) => `${s.t}.size_bytes`,
      }),
      deployed: f.column({
        type: 'Boolean',
        description: 'Whether it is playable.',
        sql: (s) => `${s.t}.ready_at is not null`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was uploaded.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

/** Declares UserImage: an image as its owner manages it. */
export function declareUserImage(graph: Graph): EntityRef {
  return graph.entity('UserImage', {
    description: 'An image in the storage of an account.',
    table: 'image_assets',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the image, as ImageAsset.id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('imageAsset', id),
      }),
      name: f.column({
        type: 'String',
        description: 'Its alternative text; empty if it has none.',
        sql: (s) => `${s.t}.alt`,
      }),
      url: f.column({
        type: 'URL',
        description: 'Absolute address of the largest variant.',
        sql: (s) => imageColumns(s.t, s),
        read: readImageAddress,
      }),
      width: f.column({ type: 'Int', description: 'Width of that variant.', sql: (s) => `${s.t}.width` }),
      height: f.column({ type: 'Int', description: 'Height of that variant.', sql: (s) => `${s.t}.height` }),
      hint: f.column({ type: 'String', description: 'Its ImagePurpose.', sql: (s) => `${s.t}.purpose` }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was processed.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}
