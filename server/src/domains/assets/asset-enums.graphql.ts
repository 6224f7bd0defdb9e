import type { Graph } from '../../gql/index.ts';
import type { PackagedExtras } from '../../media/index.ts';
import type { ImageVariantFormat } from './images/image-plan.ts';
import type { ImagePurpose, VideoContentType } from './uploads/upload-input.ts';

const VIDEO_CONTENT_TYPES: Readonly<Record<VideoContentType, string>> = {
  VR: 'Equirectangular video to look around in.',
  LANDSCAPE_VIDEO: 'Wider than high.',
  PORTRAIT_VIDEO: 'Higher than wide.',
  SHORT: 'A short portrait video.',
};
const VIDEO_FORMATS = {
  HLS: 'HTTP Live Streaming (RFC 8216).',
  DASH: 'MPEG-DASH.',
  MP4: 'One MP4 file.',
  WEBM: 'One WebM file.',
} as const;
const ENCODER_TYPES: Readonly<Record<NonNullable<PackagedExtras['encoder']>, string>> = {
  X264: 'x264, H.264 on the CPU.',
};
const IMAGE_FORMATS: Readonly<Record<ImageVariantFormat | 'PNG', string>> = {
  JPEG: 'JPEG, read by everything.',
  PNG: 'PNG, lossless.',
  WEBP: 'WebP.',
  AVIF: 'AVIF, the smallest.',
};
const IMAGE_PURPOSES: Readonly<Record<ImagePurpose, string>> = {
  THUMBNAIL: 'Small picture in lists.',
  POSTER: 'Shown before playback begins.',
  BANNER: 'Across the top of a channel.',
  AVATAR: 'The face of a channel.',
  SOCIAL_SHARE: 'Shown where a link is shared.',
  BACKGROUND: 'Behind a page.',
  EQUIRECTANGULAR: 'Panorama to look around in.',
  EQUIRECTANGULAR_STILL: 'Still of an equirectangular video.',
  OTHER: 'Anything else; these do not replace each other.',
};
const INGESTION_STATES = {
  OPEN: 'Waits for bytes.',
  FINISHED: 'All bytes have arrived.',
  FAILED: 'The bytes could not be used.',
  EXPIRED: 'Rested too long and was given up.',
} as const;
const JOB_STATUSES = {
  CANCELLED: 'Broken off by cancelJob, or because the content was deleted.',
  CANCELLING: 'About to be broken off.',
  COMPLETE: 'Done: the video can be played.',
  ERROR: 'Failed; the error says why.',
  IDLE: 'Waits for the upload to finish.',
  NONE: 'Nothing was submitted.',
  QUEUED: 'Waits for a worker, or for the file to be fetched.',
  TRANSCODING: 'Being processed.',
  UNKNOWN: 'In a state this version does not know.',
} as const;

/** Declares the enums of this domain. */
export function declareAssetEnums(graph: Graph) {
  const described = <Name extends string>(values: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(values).map(([name, description]) => [name, { description }])) as Record<
      Name,
      { description: string }
    >; // fromEntries widens the keys
  return {
    VideoContentType: graph.builder.enumType('VideoContentType', {
      description: 'What kind of video a file is.',
      values: described(VIDEO_CONTENT_TYPES),
    }),
    VideoFormat: graph.builder.enumType('VideoFormat', { description: 'How a video is delivered.', values: described(VIDEO_FORMATS) }),
    EncoderType: graph.builder.enumType('EncoderType', {
      description: 'What encodes pictures; more may be added.',
      values: described(ENCODER_TYPES),
    }),
    ImageFormat: graph.builder.enumType('ImageFormat', { description: 'Format of an image file.', values: described(IMAGE_FORMATS) }),
    ImagePurpose: graph.builder.enumType('ImagePurpose', {
      description: 'What an image is for. The newest of a purpose replaces the earlier one.',
      values: described(IMAGE_PURPOSES),
    }),
    IngestionState: graph.builder.enumType('IngestionState', { description: 'How far an upload is.', values: described(INGESTION_STATES) }),
    TranscodeJobStatus: graph.builder.enumType('TranscodeJobStatus', {
      description: 'How far processing is.',
      values: described(JOB_STATUSES),
    }),
  };
}

export type AssetEnums = ReturnType<typeof declareAssetEnums>;
