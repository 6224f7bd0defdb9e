import type { Graph } from '../../gql/index.ts';
import type { PackagedExtras } from '../../media/index.ts';
import type { ImageVariantFormat } from './images/image-plan.ts';
import {
  IMAGE_PRESENTATIONS,
  type ImagePresentation,
  type ImagePurpose,
  VIDEO_PRESENTATIONS,
  type VideoContentType,
  type VideoPresentation,
} from './media-hints.ts';

const VIDEO_CONTENT_TYPES: Readonly<Record<VideoContentType, string>> = {
  VR: 'Equirectangular 360-degree video.',
  LANDSCAPE_VIDEO: 'Wider than tall.',
  PORTRAIT_VIDEO: 'Taller than wide.',
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
  JPEG: 'JPEG, supported everywhere.',
  PNG: 'PNG, lossless.',
  WEBP: 'WebP.',
  AVIF: 'AVIF, the smallest.',
};
const IMAGE_PURPOSES: Readonly<Record<ImagePurpose, string>> = {
  THUMBNAIL: 'Small image in lists.',
  POSTER: 'Shown before playback begins.',
  BANNER: 'Across the top of a channel.',
  AVATAR: 'Avatar of a channel.',
  SOCIAL_SHARE: 'Preview of a shared link.',
  BACKGROUND: 'Background of a page.',
  EQUIRECTANGULAR: '360-degree panorama.',
  EQUIRECTANGULAR_STILL: 'Still of a 360-degree video.',
  OTHER: 'Anything else; images of this purpose do not replace each other.',
};
const INGESTION_STATES = {
  OPEN: 'Waiting for data.',
  FINISHED: 'The file is complete.',
  FAILED: 'The file could not be used.',
  EXPIRED: 'Expired without activity.',
} as const;
const UPMIX_LAYOUTS = {
  SURROUND_5_1: '5.1: left, right, centre, low frequencies, and two surrounds.',
  SURROUND_7_1: '7.1: the same with two more surrounds, at the sides and in the back; 5.1 in Dolby Digital Plus.',
} as const;
const JOB_STATUSES = {
  CANCELLED: 'Cancelled by cancelJob, or because the content was deleted.',
  CANCELLING: 'Being cancelled.',
  COMPLETE: 'Done: the video is playable.',
  ERROR: 'Failed; see the error.',
  IDLE: 'Waiting for the upload to finish.',
  NONE: 'Nothing has been submitted.',
  QUEUED: 'Waiting for a worker, or for the file to be fetched.',
  TRANSCODING: 'Being processed.',
  UNKNOWN: 'A state that this version does not know.',
} as const;

/** Each with the purpose that an image gets. */
function imageHints(): Readonly<Record<ImagePresentation, string>> {
  const entries = Object.entries(IMAGE_PRESENTATIONS).map(([name, purpose]) => [
    name,
    name === purpose ? IMAGE_PURPOSES[purpose] : `Stored as ${purpose}.`,
  ]);
  return Object.fromEntries(entries) as Record<ImagePresentation, string>; // fromEntries widens the keys
}

/** Declares the enums of this domain. */
export function declareAssetEnums(graph: Graph) {
  const described = <Name extends string>(values: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(values).map(([name, description]) => [name, { description }])) as Record<
      Name,
      { description: string }
    >; // fromEntries widens the keys
  return {
    VideoContentType: graph.builder.enumType('VideoContentType', {
      description: 'Kind of video of a file.',
      values: described(VIDEO_CONTENT_TYPES),
    }),
    VideoPresentationHint: graph.builder.enumType('VideoPresentationHint', {
      description: 'How a video is projected or framed.',
      values: described<VideoPresentation>(VIDEO_PRESENTATIONS),
    }),
    ImagePresentationHint: graph.builder.enumType('ImagePresentationHint', {
      description: 'What an image is for, or how it is projected. Each has an ImagePurpose, which is stored.',
      values: described<ImagePresentation>(imageHints()),
    }),
    VideoFormat: graph.builder.enumType('VideoFormat', {
      description: 'How a video is streamed.',
      values: described(VIDEO_FORMATS),
    }),
    EncoderType: graph.builder.enumType('EncoderType', {
      description: 'Video codec; more may be added.',
      values: described(ENCODER_TYPES),
    }),
    ImageFormat: graph.builder.enumType('ImageFormat', {
      description: 'Format of an image file.',
      values: described(IMAGE_FORMATS),
    }),
    ImagePurpose: graph.builder.enumType('ImagePurpose', {
      description: 'Purpose of an image. The newest image of a purpose replaces the earlier one.',
      values: described(IMAGE_PURPOSES),
    }),
    IngestionState: graph.builder.enumType('IngestionState', {
      description: 'State of an upload.',
      values: described(INGESTION_STATES),
    }),
    UpmixLayout: graph.builder.enumType('UpmixLayout', {
      description: 'The channels of an upmix.',
      values: described(UPMIX_LAYOUTS),
    }),
    TranscodeJobStatus: graph.builder.enumType('TranscodeJobStatus', {
      description: 'State of processing.',
      values: described(JOB_STATUSES),
    }),
  };
}

export type AssetEnums = ReturnType<typeof declareAssetEnums>;
