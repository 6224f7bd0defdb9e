import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { VideoContentType } from '../../assets/index.ts';
import { requireSize } from '../../ingest/index.ts';

/** The source of the video for publishVideo. */
export type VideoSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'upload'; readonly filename: string; readonly sizeBytes: number };

interface Given {
  readonly sourceUrl?: Maybe<string>;
  readonly filename?: Maybe<string>;
  readonly size?: Maybe<number>;
}

const BOTH_WAYS = t`Send either sourceUrl (the server fetches it), or filename and size (you upload it to the returned
  endpoint).`;

/** Exactly one of the two. Throws INVALID_INPUT when both are given, FIELD_REQUIRED when neither is. */
export function readVideoSource({ sourceUrl, filename, size }: Given): VideoSource {
  if (sourceUrl != null && (filename != null || size != null)) {
    throw new AppError('INVALID_INPUT', t`Both sourceUrl and a file to upload are given.`, {
      field: 'input.sourceUrl',
      suggestedFix: BOTH_WAYS,
    });
  }
  if (sourceUrl != null) return { kind: 'url', url: sourceUrl.trim() };
  if (filename == null && size == null) {
    throw new AppError('FIELD_REQUIRED', t`No video is given.`, { field: 'input.sourceUrl', suggestedFix: BOTH_WAYS });
  }
  if (filename == null) {
    throw new AppError('FIELD_REQUIRED', t`input.filename is missing.`, {
      field: 'input.filename',
      suggestedFix: t`Send the name of the file that will be uploaded.`,
    });
  }
  return { kind: 'upload', filename, sizeBytes: requireSize(size) };
}

/** Default layout for this kind of video. */
export const LAYOUT_OF_TYPE = {
  VR: 'VR',
  LANDSCAPE_VIDEO: 'LANDSCAPE',
  PORTRAIT_VIDEO: 'PORTRAIT',
  SHORT: 'PORTRAIT',
} as const satisfies Record<VideoContentType, string>;

/** Default kind of video for this layout. */
export const TYPE_OF_LAYOUT = {
  VR: 'VR',
  LANDSCAPE: 'LANDSCAPE_VIDEO',
  PORTRAIT: 'PORTRAIT_VIDEO',
} as const satisfies Record<string, VideoContentType>;
