import type { EntityRef, Graph, RowScope, RunEnv } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';
import type { AssetEnums } from './asset-enums.graphql.ts';
import { MASTER_PLAYLIST } from './media-address.ts';
import { isKeptContent, isOpenContent } from './visibility.ts';

/** A rendition as processing wrote it into the row. */
interface StoredRendition {
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly bandwidthBps: number;
  readonly path: string;
}

/** Which videos the viewer may see: those that can be played, of contents that are open to all, and all own ones. */
export function isVisibleVideo(child: string, s: Pick<RowScope, 'viewer'>): string {
  return `((${child}.ready_at is not null and ${isOpenContent(`${child}.content_id`)}) or (${isMember(s, `${child}.channel_id`)} and ${isKeptContent(`${child}.content_id`)}))`;
}

/** Declares VideoAsset: an uploaded video file and what was made of it. */
export function declareVideoAsset(graph: Graph, { Node, enums }: { Node: EntityRef; enums: AssetEnums }): EntityRef {
  const VideoQuality = graph.object('VideoQuality', {
    description: 'One quality a viewer can choose.',
    fields: (f) => ({
      label: f.value({ type: 'String', description: 'Name in the quality menu, such as 1080p; audio for sound alone.' }),
      resolution: f.value({ type: 'String', description: 'Width x height in pixels; "audio" for sound alone.' }),
      bitrate: f.value({ type: 'Int', description: 'Peak bit rate in bits per second, sound included.' }),
      url: f.value({ type: 'String', description: 'Absolute address of the media playlist of this quality.' }),
    }),
  });
  return graph.entity('VideoAsset', {
    description: 'An uploaded video file and what was made of it.',
    table: 'video_assets',
    interfaces: [Node],
    node: { kinds: ['videoAsset'], where: isVisibleVideo },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier of the file.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('videoAsset', id),
      }),
      url: f.column({
        type: 'String',
        nullable: true,
        description: 'Signed address of the file as it was uploaded, valid for some hours; null for anyone but the owner.',
        sql: (s) => [`${s.t}.id`, `${s.t}.filename`, isMember(s, `${s.t}.channel_id`)],
        read: ([id, filename, own]: [string, string, boolean], env) =>
          own ? env.services.assets.sourceAddress(id, filename, env.nowMs) : null,
      }),
      width: f.column({
        type: 'Int',
        nullable: true,
        description: 'Width in pixels as displayed; null until it is known.',
        sql: (s) => `${s.t}.width`,
      }),
      height: f.column({
        type: 'Int',
        nullable: true,
        description: 'Height in pixels as displayed; null until it is known.',
        sql: (s) => `${s.t}.height`,
      }),
      resolution: f.column({
        type: 'String',
        nullable: true,
        description: 'Width x height in pixels, such as 1920x1080; null until it is known.',
        sql: (s) => `${s.t}.width || 'x' || ${s.t}.height`,
      }),
      mimeType: f.column({
        type: 'String',
        nullable: true,
        description: 'Media type found in the file; null until it is known.',
        sql: (s) => `${s.t}.mime_type`,
      }),
      sizeBytes: f.column({ type: 'BigInt', description: 'Size of the uploaded file in bytes.', sql: (s) => `${s.t}.size_bytes` }),
      hint: f.column({
        type: enums.VideoContentType,
        description: 'What kind of video the uploader said it is.',
        sql: (s) => `${s.t}.hint`,
      }),
      duration: f.column({
        type: 'Float',
        nullable: true,
        description: 'Length in seconds; null until it is known.',
        sql: (s) => `${s.t}.duration_ms / 1000.0::float8`,
      }),
      format: f.column({
        type: enums.VideoFormat,
        nullable: true,
        description: 'How it is delivered; null until it can be played.',
        sql: (s) => `case when ${s.t}.package_prefix is not null then 'HLS' end`,
      }),
      playlistUrl: f.column({
        type: 'String',
        nullable: true,
        description:
          'Absolute address to play; signed and valid for some hours unless the content is open to all. Null until it can be played.',
        sql: packageColumns,
        read: ([prefix, open]: [string | null, boolean], env) => packageAddress(env, prefix, open, MASTER_PLAYLIST),
      }),
      qualities: f.column({
        type: [VideoQuality],
        description: 'The qualities it can be played in, highest first; empty until it can be played.',
        sql: (s) => [...packageColumns(s), `${s.t}.renditions`],
        read: ([prefix, open, renditions]: [string | null, boolean, StoredRendition[] | null], env) =>
          (renditions ?? []).map(({ label, width, height, bandwidthBps, path }) => ({
            label,
            resolution: width === 0 ? 'audio' : `${width}x${height}`,
            bitrate: bandwidthBps,
            url: packageAddress(env, prefix, open, path),
          })),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When the file had arrived.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function packageColumns(s: RowScope): string[] {
  return [`${s.t}.package_prefix`, isOpenContent(`${s.t}.content_id`)];
}

function packageAddress(env: RunEnv, prefix: string | null, open: boolean, path: string): string | null {
  return prefix === null ? null : env.services.assets.mediaAddress(prefix + path, open, env.nowMs);
}

/** A series of pictures as processing wrote it into the row. */
interface StoredThumbnails {
  /** `thumbs/%05d.jpg`. */
  readonly pattern: string;
  readonly count: number;
}

/** Declares OutputAssets: what was made of the newest playable video of a content. */
export function declareOutputAssets(graph: Graph): EntityRef {
  const ImageSeries = graph.object('ImageSeries', {
    description: 'Numbered pictures.',
    fields: (f) => ({
      urlFormat: f.value({ type: 'String', description: 'Absolute address with %05d for the number, which begins at 1.' }),
      count: f.value({ type: 'Int', description: 'How many there are.' }),
    }),
  });
  const VideoOutputs = graph.part('VideoOutputs', {
    description: 'Ways to play a video.',
    fields: (f) => ({
      hls: f.column({
        type: 'String',
        nullable: true,
        description: 'Absolute address of the HLS master playlist.',
        sql: packageColumns,
        read: ([prefix, open]: [string | null, boolean], env) => packageAddress(env, prefix, open, MASTER_PLAYLIST),
      }),
    }),
  });
  const ImageOutputs = graph.part('ImageOutputs', {
    description: 'Pictures taken from a video.',
    fields: (f) => ({
      videoThumbnails: f.column({
        type: ImageSeries,
        nullable: true,
        description: 'Pictures at even distances over the whole length, for the seek bar; null for sound alone.',
        sql: (s) => [...packageColumns(s), `${s.t}.thumbnails`],
        read: ([prefix, open, thumbnails]: [string | null, boolean, StoredThumbnails | null], env) =>
          seriesOf(env, prefix, open, thumbnails),
      }),
    }),
  });
  return graph.entity('OutputAssets', {
    description: 'What was made of the newest playable video of a content.',
    table: 'video_assets',
    fields: (f) => ({
      video: f.embed({ type: VideoOutputs, description: 'Ways to play it.' }),
      images: f.embed({ type: ImageOutputs, description: 'Pictures taken from it.' }),
    }),
  });
}

/** Addresses are made for real files: the one of the first picture becomes the format of all. */
function seriesOf(
  env: RunEnv,
  prefix: string | null,
  open: boolean,
  thumbnails: StoredThumbnails | null,
): { urlFormat: string; count: number } | null {
  if (!thumbnails || thumbnails.count === 0) return null;
  const first = packageAddress(env, prefix, open, thumbnails.pattern.replace('%05d', '00001'));
  if (first === null) return null;
  const at = first.lastIndexOf('00001');
  return { urlFormat: `${first.slice(0, at)}%05d${first.slice(at + 5)}`, count: thumbnails.count };
}
