import type { EntityRef, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import type { PackagedExtras } from '../../../media/index.ts';
import { isMember } from '../../channels/index.ts';
import type { AssetEnums } from '../asset-enums.graphql.ts';
import type { ImageVariantRef } from '../images/image-asset.graphql.ts';
import { type DownloadFile, MASTER_PLAYLIST, type MediaPermission } from '../media-address.ts';
import { dashManifestOf } from '../renditions/renditions.sql.ts';
import { downloadPermission, isKeptContent, isOpenDownload, isSharedDownload } from '../visibility.sql.ts';
import { manifestColumns, packageAddress, packageColumns } from './video-asset.graphql.ts';

/** Pictures for the seek bar as processing wrote them into the row. */
interface StoredThumbnails {
  /** `thumbs/%05d.jpg`. */
  readonly pattern: string;
  readonly count: number;
  /** Absent where each image is one picture. */
  readonly vtt?: string;
}

interface Types {
  readonly enums: AssetEnums;
  readonly ImageVariant: ImageVariantRef;
}

/** Declares OutputAssets: the outputs of a content's newest playable video. */
export function declareOutputAssets(graph: Graph, { enums, ImageVariant }: Types): EntityRef {
  const OutputVideoAssets = declareOutputVideoAssets(graph);
  const OutputAudioAssets = declareOutputAudioAssets(graph);
  const OutputImageAssets = declareOutputImageAssets(graph, ImageVariant);
  return graph.entity('OutputAssets', {
    description: "The output files of a content's newest playable video.",
    table: 'video_assets',
    fields: (f) => ({
      encoderType: f.column({
        type: enums.EncoderType,
        nullable: true,
        description: 'Video codec; null for audio only.',
        sql: (s) => `${s.t}.extras ->> 'encoder'`,
      }),
      video: f.embed({ type: OutputVideoAssets, description: 'Addresses for playback.' }),
      audio: f.embed({ type: OutputAudioAssets, description: 'Addresses of the audio.' }),
      images: f.embed({ type: OutputImageAssets, description: 'Images from the video.' }),
    }),
  });
}

const WHO = 'always for members of the channel, for everyone else if content and server allow it';

function declareOutputVideoAssets(graph: Graph) {
  return graph.part('OutputVideoAssets', {
    description: 'Addresses of a video.',
    fields: (f) => ({
      hls: f.column({
        type: 'URL',
        nullable: true,
        description: 'Absolute address of the HLS master playlist.',
        sql: manifestColumns,
        read: ([prefix, permission]: [string | null, MediaPermission], env) =>
          packageAddress(env, prefix, permission, MASTER_PLAYLIST),
      }),
      dash: f.column({
        type: 'String',
        nullable: true,
        description:
          'Absolute address of the MPEG-DASH manifest, with the segments of the HLS streams; null while the video is ' +
          'sent encrypted (Channel.encryptPrivateVideos), for videos processed before DASH was introduced, and until ' +
          'a broadcast is recorded (Broadcast.dash).',
        sql: (s) => [...manifestColumns(s), dashManifestOf(s.t)],
        read: packagedFileAddress,
      }),
      download: f.column({
        type: 'URL',
        nullable: true,
        description:
          `Absolute address of one MP4 file with the highest quality and the audio, ${WHO}. Null for audio ` +
          'only, before all qualities are encoded, and for videos processed before downloads were introduced.',
        sql: (s) => downloadColumns(s, 'videoDownload'),
        read: (columns: DownloadColumns, env) => downloadAddressFor(env, columns, 'video.mp4'),
      }),
      preview: f.column({
        type: 'URL',
        nullable: true,
        description:
          'Absolute address of a silent MP4 file with a few seconds ' +
          'of several moments, to show on hover; null for audio only.',
        sql: (s) => [...packageColumns(s), `${s.t}.extras ->> 'preview'`],
        read: packagedFileAddress,
      }),
    }),
  });
}

function packagedFileAddress(
  [prefix, permission, path]: [string | null, MediaPermission, string | null],
  env: RequestEnv,
): string | null {
  return path === null ? null : packageAddress(env, prefix, permission, path);
}

function declareOutputAudioAssets(graph: Graph) {
  return graph.part('OutputAudioAssets', {
    description: 'Addresses of the audio of a video.',
    fields: (f) => ({
      download: f.column({
        type: 'URL',
        nullable: true,
        description:
          `Absolute address of one M4A file with the audio, ${WHO}. Null for silent ` +
          'videos, before all qualities are encoded, and for videos processed before downloads were introduced.',
        sql: (s) => downloadColumns(s, 'audioDownload'),
        read: (columns: DownloadColumns, env) => downloadAddressFor(env, columns, 'audio.m4a'),
      }),
    }),
  });
}

function declareOutputImageAssets(graph: Graph, ImageVariant: ImageVariantRef) {
  const ThumbnailSet = graph.object('ThumbnailSet', {
    description: 'Numbered images.',
    fields: (f) => ({
      urlFormat: f.value({
        type: 'String',
        description: 'Absolute address with %d or %05d (with zeros in front) for the number, starting at 1.',
      }),
      count: f.value({ type: 'Int', description: 'Number of images.' }),
      vtt: f.value({
        type: 'URL',
        nullable: true,
        description:
          'Absolute address of a WebVTT file that names the part of an image for each moment (`#xywh=`), as players ' +
          'read it; null if each image is one picture.',
      }),
    }),
  });
  return graph.part('OutputImageAssets', {
    description: 'Images from a video.',
    fields: (f) => ({
      thumbnails: f.column({
        type: ThumbnailSet,
        nullable: true,
        description: 'The images of stills by their numbers; null for audio only.',
        sql: stillColumns,
        read: ([prefix, permission, stills]: StillColumns, env) => {
          const first = stills?.[0];
          if (first === undefined) return null;
          const pattern = first.path.replace(FIRST_NUMBER, '%d$1');
          return numbered(env, {
            prefix,
            permission,
            pattern,
            first: first.path,
            count: stills?.length ?? 0,
            vtt: null,
          });
        },
      }),
      stills: f.column({
        type: [ImageVariant],
        description:
          'Stills of at most 4 moments of the video, in their order, to choose a poster from; none for audio only.',
        sql: stillColumns,
        read: ([prefix, permission, stills]: StillColumns, env) =>
          (stills ?? []).map(({ path, width, height }) => ({
            url: packageAddress(env, prefix, permission, path),
            width,
            height,
            format: 'JPEG',
          })),
      }),
      videoThumbnails: f.column({
        type: ThumbnailSet,
        nullable: true,
        description:
          'Pictures for the seek bar: up to four images with up to 100 pictures each, and the WebVTT file that names ' +
          'them; in videos processed before it was introduced, one picture per image, at equal intervals. Null for ' +
          'audio only.',
        sql: (s) => [...packageColumns(s), `${s.t}.thumbnails`],
        read: ([prefix, permission, thumbnails]: [string | null, MediaPermission, StoredThumbnails | null], env) =>
          seriesOf(env, prefix, permission, thumbnails),
      }),
    }),
  });
}

/** The id of the video, whether the file exists, who may download it, and the permission for its address. */
type DownloadColumns = readonly [
  id: string,
  exists: boolean | null,
  open: boolean,
  own: boolean,
  shared: boolean,
  permission: MediaPermission,
];

function downloadColumns(s: RowScope, extra: 'videoDownload' | 'audioDownload'): string[] {
  const { t } = s;
  const content = `${t}.content_id`;
  return [
    `${t}.id`,
    `${t}.extras ->> '${extra}' is not null`,
    isOpenDownload(content, s.owner),
    `(${isMember(s, `${t}.channel_id`)} and ${isKeptContent(content, s.owner)})`,
    isSharedDownload(content, s),
    downloadPermission(content, s),
  ];
}

/** Members may always download; who else may watch, where the content and the server allow it. */
function downloadAddressFor(
  env: RequestEnv,
  [id, exists, open, own, shared, permission]: DownloadColumns,
  file: DownloadFile,
): string | null {
  const { assets } = env.services;
  const offered = (open || shared) && !assets.switchedOff().includes('DOWNLOADS');
  if (!exists || !(offered || own)) return null;
  return assets.downloadAddress(id, file, offered ? permission : 'SIGNED', env.nowMs);
}

type StillColumns = readonly [
  prefix: string | null,
  permission: MediaPermission,
  stills: PackagedExtras['stills'] | null,
];

function stillColumns(s: RowScope): string[] {
  return [...packageColumns(s), `${s.t}.extras -> 'stills'`];
}

/** The number of the first still in its path. */
const FIRST_NUMBER = /1(\.\w+)$/;

interface NumberedImages {
  readonly prefix: string | null;
  readonly permission: MediaPermission;
  /** Path of the images with a placeholder for the number, and that of the first. */
  readonly pattern: string;
  readonly first: string;
  readonly count: number;
  readonly vtt: string | null;
}

/** Addresses are built for existing files: that of the first image becomes the pattern. */
function numbered(
  env: RequestEnv,
  { prefix, permission, pattern, first, count, vtt }: NumberedImages,
): { urlFormat: string; count: number; vtt: string | null } | null {
  const address = packageAddress(env, prefix, permission, first);
  if (address === null || count === 0) return null;
  const at = address.lastIndexOf(first);
  return {
    urlFormat: address.slice(0, at) + pattern + address.slice(at + first.length),
    count,
    vtt: vtt === null ? null : packageAddress(env, prefix, permission, vtt),
  };
}

function seriesOf(
  env: RequestEnv,
  prefix: string | null,
  permission: MediaPermission,
  thumbnails: StoredThumbnails | null,
) {
  if (!thumbnails) return null;
  const { pattern, count, vtt = null } = thumbnails;
  return numbered(env, { prefix, permission, pattern, first: pattern.replace('%05d', '00001'), count, vtt });
}
