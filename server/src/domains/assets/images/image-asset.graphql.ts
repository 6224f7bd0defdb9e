import type { EntityRef, FieldFactory, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import type { AssetEnums } from '../asset-enums.graphql.ts';
import type { MediaPermission } from '../media-address.ts';
import { imagePermission, isVisibleImage } from '../visibility.sql.ts';
import type { ImageVariantFormat } from './image-plan.ts';

/** A file as image processing wrote it into the row. */
interface StoredVariant {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly format: ImageVariantFormat;
}

export type ImageVariantRef = ReturnType<typeof declareImageVariant>;

/** Declares ImageVariant: an image as one file. */
export function declareImageVariant(graph: Graph, enums: AssetEnums) {
  return graph.object('ImageVariant', {
    description: 'One size and format of an image.',
    fields: (f) => ({
      url: f.value({ type: 'URL', description: 'Absolute address of the file.' }),
      width: f.value({ type: 'Int', description: 'Width in pixels.' }),
      height: f.value({ type: 'Int', description: 'Height in pixels.' }),
      format: f.value({ type: enums.ImageFormat, description: 'Format of the file.' }),
    }),
  });
}

interface Types {
  readonly Node: EntityRef;
  readonly enums: AssetEnums;
  readonly ImageVariant: ImageVariantRef;
}

/** Declares ImageAsset. */
export function declareImageAsset(graph: Graph, { Node, enums, ImageVariant }: Types): EntityRef {
  return graph.entity('ImageAsset', {
    description: 'An image in several sizes and formats, without the metadata of its camera.',
    table: 'image_assets',
    interfaces: [Node],
    node: { kinds: ['imageAsset'], where: isVisibleImage },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the image.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('imageAsset', id),
      }),
      ...largestFields(f),
      purpose: f.column({
        type: enums.ImagePurpose,
        description: 'Purpose of the image.',
        sql: (s) => `${s.t}.purpose`,
      }),
      alt: f.column({
        type: 'String',
        description: 'Alternative text; may be empty.',
        sql: (s) => `${s.t}.alt`,
      }),
      variants: f.column({
        type: [ImageVariant],
        description: 'One for each size and format, largest first.',
        sql: (s) => [`${s.t}.object_prefix`, imagePermission(s.t, s), `${s.t}.variants`],
        read: ([prefix, permission, variants]: [string, MediaPermission, StoredVariant[]], env) =>
          variants.map(({ file, width, height, format }) => ({
            url: imageAddress(env, prefix, permission, file),
            width,
            height,
            format,
          })),
      }),
      dominantColor: f.column({
        type: 'String',
        description: 'The dominant color, as #rrggbb.',
        sql: (s) => `${s.t}.dominant_color`,
      }),
      blurhash: f.column({
        type: 'String',
        description: 'A blurred preview in a few characters (blurha.sh).',
        sql: (s) => `${s.t}.blurhash`,
      }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the image was processed.',
        sql: (s) => `${s.t}.created_at`,
      }),
    }),
  });
}

/** The largest variant. */
function largestFields(f: FieldFactory) {
  return {
    url: f.column({
      type: 'URL',
      description:
        'Absolute address of the largest variant; signed and valid ' +
        'for some hours unless its content or playlist is public.',
      sql: (s) => imageColumns(s.t, s),
      read: readImageAddress,
    }),
    width: f.column({
      type: 'Int',
      description: 'Width of the largest variant in pixels.',
      sql: (s) => `${s.t}.width`,
    }),
    height: f.column({
      type: 'Int',
      description: 'Height of the largest variant in pixels.',
      sql: (s) => `${s.t}.height`,
    }),
    mimeType: f.column({
      type: 'MimeType',
      description: 'Media type of the file at url.',
      sql: (s) => `${s.t}.mime_type`,
    }),
    sizeBytes: f.column({
      type: 'BigInt',
      description: 'Size of the file at url in bytes.',
      sql: (s) => `${s.t}.size_bytes`,
    }),
  };
}

/** SQL: what the address of an image is made of. */
export function imageColumns(image: string, s: RowScope): string[] {
  return [`${image}.object_prefix`, imagePermission(image, s), `${image}.variants -> 0 ->> 'file'`];
}

export function readImageAddress(
  [prefix, permission, file]: [prefix: string, permission: MediaPermission, file: string],
  env: RequestEnv,
): string {
  return imageAddress(env, prefix, permission, file);
}

function imageAddress(env: RequestEnv, prefix: string, permission: MediaPermission, file: string): string {
  return env.services.assets.mediaAddress(prefix + file, permission, env.nowMs);
}
