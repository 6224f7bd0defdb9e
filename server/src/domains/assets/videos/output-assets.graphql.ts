import type { EntityRef, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import type { PackagedExtras } from '../../../media/index.ts';
import { isMember } from '../../channels/index.ts';
import type { AssetEnums } from '../asset-enums.graphql.ts';
import type { ImageVariantRef } from '../images/image-asset.graphql.ts';
import { type DownloadFile, MASTER_PLAYLIST } from '../media-address.ts';
import { dashManifestOf } from '../renditions/renditions.sql.ts';
import { isKeptContent, isOpenDownload } from '../visibility.sql.ts';
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
        read: ([prefix, open]: [string | null, boolean], env) => packageAddress(env, prefix, open, MASTER_PLAYLIST),
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
  [prefix, open, path]: [string | null, boolean, string | null],
  env: RequestEnv,
): string | null {
  return path === null ? null : packageAddress(env, prefix, open, path);
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
        read: ([prefix, open, stills]: StillColumns, env) => {
          const first = stills?.[0];
          if (first === undefined) return null;
          const pattern = first.path.replace(FIRST_NUMBER, '%d$1');
          return numbered(env, { prefix, open, pattern, first: first.path, count: stills?.length ?? 0, vtt: null });
        },
      }),
      stills: f.column({
        type: [ImageVariant],
        description:
          'Stills of at most 4 moments of the video, in their order, to choose a poster from; none for audio only.',
        sql: stillColumns,
        read: ([prefix, open, stills]: StillColumns, env) =>
          (stills ?? []).map(({ path, width, height }) => ({
            url: packageAddress(env, prefix, open, path),
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
        read: ([prefix, open, thumbnails]: [string | null, boolean, StoredThumbnails | null], env) =>
          seriesOf(env, prefix, open, thumbnails),
      }),
    }),
  });
}

/** The id of the video, whether the file exists, whether anyone may download it, whether the viewer may. */
type DownloadColumns = readonly [id: string, exists: boolean | null, open: boolean, own: boolean];

function downloadColumns(s: RowScope, extra: 'videoDownload' | 'audioDownload'): string[] {
  const { t } = s;
  return [
    `${t}.id`,
    `${t}.extras ->> '${extra}' is not null`,
    isOpenDownload(`${t}.content_id`, s.owner),
    `(${isMember(s, `${t}.channel_id`)} and ${isKeptContent(`${t}.content_id`, s.owner)})`,
  ];
}

function downloadAddressFor(
  env: RequestEnv,
  [id, exists, open, own]: DownloadColumns,
  file: DownloadFile,
): string | null {
  const { assets } = env.services;
  const forAll = open && !assets.switchedOff().includes('DOWNLOADS');
  return exists && (forAll || own) ? assets.downloadAddress(id, file, forAll, env.nowMs) : null;
}

type StillColumns = readonly [prefix: string | null, open: boolean, stills: PackagedExtras['stills'] | null];

function stillColumns(s: RowScope): string[] {
  return [...packageColumns(s), `${s.t}.extras -> 'stills'`];
}

/** The number of the first still in its path. */
const FIRST_NUMBER = /1(\.\w+)$/;

interface NumberedImages {
  readonly prefix: string | null;
  readonly open: boolean;
  /** Path of the images with a placeholder for the number, and that of the first. */
  readonly pattern: string;
  readonly first: string;
  readonly count: number;
  readonly vtt: string | null;
}

/** Addresses are built for existing files: that of the first image becomes the pattern. */
function numbered(
  env: RequestEnv,
  { prefix, open, pattern, first, count, vtt }: NumberedImages,
): { urlFormat: string; count: number; vtt: string | null } | null {
  const address = packageAddress(env, prefix, open, first);
  if (address === null || count === 0) return null;
  const at = address.lastIndexOf(first);
  return {
    urlFormat: address.slice(0, at) + pattern + address.slice(at + first.length),
    count,
    vtt: vtt === null ? null : packageAddress(env, prefix, open, vtt),
  };
}

function seriesOf(env: RequestEnv, prefix: string | null, open: boolean, thumbnails: StoredThumbnails | null) {
  if (!thumbnails) return null;
  const { pattern, count, vtt = null } = thumbnails;
  return numbered(env, { prefix, open, pattern, first: pattern.replace('%05d', '00001'), count, vtt });
}
