import type { EntityRef, FieldFactory, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import { qualitiesOf } from '../../../media/index.ts';
import { isMember, mayInChannel } from '../../channels/index.ts';
import type { AssetEnums } from '../asset-enums.graphql.ts';
import { MASTER_PLAYLIST, type MediaPermission } from '../media-address.ts';
import { presentationOf, type VideoHint } from '../media-hints.ts';
import { type RenditionRow, renditionOf } from '../renditions/rendition-row.ts';
import { manifestPrefix, renditionRows } from '../renditions/renditions.sql.ts';
import { isVisibleVideo, mediaPermission } from '../visibility.sql.ts';
import { isArriving } from './arriving.sql.ts';

/** A quality in the row of a video that has no renditions. */
interface StoredQuality {
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly bandwidthBps: number;
  readonly path: string;
}

function declareResolution(graph: Graph) {
  return graph.object('Resolution', {
    description: 'Width and height of a picture.',
    fields: (f) => ({
      width: f.value({ type: 'Int', description: 'Width in pixels.' }),
      height: f.value({ type: 'Int', description: 'Height in pixels.' }),
      aspectRatio: f.value({ type: 'String', description: 'Width to height as a reduced ratio, such as 16:9.' }),
    }),
  });
}

/** Null without a picture. */
function resolutionOf(width: number, height: number): { width: number; height: number; aspectRatio: string } | null {
  if (width === 0 || height === 0) return null;
  const divisor = commonDivisor(width, height);
  return { width, height, aspectRatio: `${width / divisor}:${height / divisor}` };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

type ResolutionRef = ReturnType<typeof declareResolution>;

function declareQuality(graph: Graph, Resolution: ResolutionRef) {
  return graph.object('VideoQuality', {
    description: 'One quality of a video.',
    fields: (f) => ({
      label: f.value({
        type: 'String',
        description:
          'Label of the quality, such as 1080p; 1080p source if it is the uploaded one; audio for audio only.',
      }),
      resolution: f.value({
        type: Resolution,
        nullable: true,
        description: 'Width and height; null for audio only.',
      }),
      bitrate: f.value({ type: 'Int', description: 'Peak bit rate in bits per second, including audio.' }),
      url: f.value({ type: 'URL', description: 'Absolute address of the media playlist of this quality.' }),
    }),
  });
}

function declareLoudness(graph: Graph) {
  return graph.object('Loudness', {
    description: 'Loudness of an audio track by EBU R 128.',
    fields: (f) => ({
      integratedLufs: f.value({
        type: 'Float',
        description: 'Integrated loudness in LUFS: -23 in broadcasts, about -14 on most video sites.',
      }),
      rangeLu: f.value({ type: 'Float', description: 'Loudness range in LU: from quiet to loud parts.' }),
      truePeakDbtp: f.value({ type: 'Float', description: 'True peak in dBTP; above 0, players may clip.' }),
    }),
  });
}

/** Declares VideoAsset: an uploaded video file and its outputs. */
export function declareVideoAsset(graph: Graph, { Node, enums }: { Node: EntityRef; enums: AssetEnums }): EntityRef {
  const Resolution = declareResolution(graph);
  const VideoQuality = declareQuality(graph, Resolution);
  const Loudness = declareLoudness(graph);
  return graph.entity('VideoAsset', {
    description: 'An uploaded video file and its streams.',
    table: 'video_assets',
    interfaces: [Node],
    node: { kinds: ['videoAsset'], where: isVisibleVideo },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the file.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('videoAsset', id),
      }),
      ...fileFields(f, enums, Resolution),
      ...integrityFields(f),
      loudness: f.column({
        type: Loudness,
        nullable: true,
        description:
          'Loudness of the default audio track of the uploaded file, with all its channels; mono as played by two ' +
          'loudspeakers. Null until it is measured, without audio, and for silence.',
        sql: (s) => `${s.t}.loudness`,
      }),
      arriving: f.column({
        type: 'Boolean',
        description:
          'Whether its upload goes on while it is played: playlistUrl has what has arrived, and grows. Later it has ' +
          'the file, at the same address.',
        sql: (s) => isArriving(s.t),
      }),
      ...streamFields(f, enums, VideoQuality),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the upload finished; while it is arriving, when it could be played.',
        sql: (s) => `${s.t}.created_at`,
      }),
    }),
  });
}

/** The uploaded file and its picture. */
function fileFields(f: FieldFactory, enums: AssetEnums, Resolution: ResolutionRef) {
  return {
    url: f.column({
      type: 'URL',
      nullable: true,
      description:
        'Signed address of the original file, valid for some hours; null unless the viewer is a member of the ' +
        'channel who may upload (asset:upload), and when the original was deleted (Channel.keepOriginals).',
      sql: (s) => [
        ...[`${s.t}.id`, `${s.t}.filename`],
        `(${s.t}.original_deleted_at is null and ${mayInChannel(s, `${s.t}.channel_id`, 'asset:upload')})`,
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
    resolution: f.column({
      type: Resolution,
      nullable: true,
      description: 'Display width and height; null until they are known.',
      sql: (s) => [`${s.t}.width`, `${s.t}.height`],
      read: ([width, height]: [number | null, number | null]) => resolutionOf(width ?? 0, height ?? 0),
    }),
    mimeType: f.column({
      type: 'MimeType',
      nullable: true,
      description: 'Media type detected in the file; null until it is known.',
      sql: (s) => `${s.t}.mime_type`,
    }),
    sizeBytes: f.column({
      type: 'BigInt',
      description: 'Size of the uploaded file in bytes.',
      sql: (s) => `${s.t}.size_bytes`,
    }),
    hint: f.column({
      type: enums.VideoPresentationHint,
      description: 'How the video is projected or framed, according to the uploader.',
      sql: (s) => `${s.t}.hint`,
      read: ([hint]: [VideoHint]) => presentationOf(hint),
    }),
  };
}

/** Its length, and what is missing or damaged in it. */
function integrityFields(f: FieldFactory) {
  return {
    duration: f.column({
      type: 'Float',
      nullable: true,
      description: 'Length in seconds; null until it is known.',
      sql: (s) => `${s.t}.duration_ms / 1000.0::float8`,
    }),
    missingDurationMs: f.column({
      type: 'Int',
      nullable: true,
      description:
        'How many milliseconds are missing at the end, because the uploaded file is cut off or damaged there: what ' +
        'it has is played. Null where nothing is missing, until it is known, and for non-members.',
      sql: (s) => [`nullif(${s.t}.missing_ms, 0)`, isMember(s, `${s.t}.channel_id`)],
      read: ([ms, member]: [number | null, boolean]) => (member ? ms : null),
    }),
    damaged: f.column({
      type: 'Boolean',
      nullable: true,
      description:
        'Whether decoding found damaged parts in the uploaded file: they are shown as far as the decoder can ' +
        'conceal them. Null for non-members.',
      sql: (s) => [`${s.t}.is_damaged`, isMember(s, `${s.t}.channel_id`)],
      read: ([damaged, member]: [boolean, boolean]) => (member ? damaged : null),
    }),
  };
}

/** How it is played. */
function streamFields(f: FieldFactory, enums: AssetEnums, VideoQuality: ReturnType<typeof declareQuality>) {
  return {
    format: f.column({
      type: enums.VideoFormat,
      nullable: true,
      description: 'How it is streamed; null until it is playable.',
      sql: (s) => `${s.t}.package_prefix is not null`,
      read: ([isPackaged]: [boolean]) => (isPackaged ? 'HLS' : null),
    }),
    playlistUrl: f.column({
      type: 'URL',
      nullable: true,
      description:
        'Absolute address to play, which stays the same while qualities and captions are added; signed and valid ' +
        'for some hours unless the content is public. Null until it is playable.',
      sql: manifestColumns,
      read: ([prefix, permission]: [string | null, MediaPermission], env) =>
        packageAddress(env, prefix, permission, MASTER_PLAYLIST),
    }),
    qualities: f.column({
      type: [VideoQuality],
      description: 'Its qualities, one for each size and codec, highest first; empty until it is playable.',
      sql: (s) => [...manifestColumns(s), renditionRows(s.t), `${s.t}.renditions`],
      read: ([prefix, permission, rows, stored]: QualityColumns, env) =>
        (rows ? qualitiesOf(rows.map(renditionOf)) : (stored ?? [])).map(
          ({ label, width, height, bandwidthBps, path }) => ({
            label,
            resolution: resolutionOf(width, height),
            bitrate: bandwidthBps,
            url: packageAddress(env, prefix, permission, path),
          }),
        ),
    }),
  };
}

type QualityColumns = [
  prefix: string | null,
  permission: MediaPermission,
  rows: RenditionRow[] | null,
  stored: StoredQuality[] | null,
];

/** Columns for `packageAddress`: the prefix of the manifests, and the permission of the viewer. */
export function manifestColumns(s: RowScope): string[] {
  return [manifestPrefix(s.t), mediaPermission(`${s.t}.content_id`, s)];
}

/** Columns for `packageAddress`: the prefix of the package, and the permission of the viewer. */
export function packageColumns(s: RowScope): string[] {
  return [`${s.t}.package_prefix`, mediaPermission(`${s.t}.content_id`, s)];
}

/** Absolute address of the HLS master playlist below a prefix. */
export function playlistAddress(env: RequestEnv, prefix: string, permission: MediaPermission): string | null {
  return packageAddress(env, prefix, permission, MASTER_PLAYLIST);
}

/** Absolute address of a file of the package; null while there is none. */
export function packageAddress(
  env: RequestEnv,
  prefix: string | null,
  permission: MediaPermission,
  path: string,
): string | null {
  return prefix === null ? null : env.services.assets.mediaAddress(prefix + path, permission, env.nowMs);
}
