import { ApiError } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';

/** The code of the error of a file that is refused before it is sent: trying again is of no use. */
export const NOT_A_VIDEO = 'NOT_A_VIDEO';

/** Whatever a system calls them: `.ts` is also a translation of Qt, `text/…`. */
const VIDEO_NAMES = /\.(mp4|m4v|mov|mkv|webm|avi|flv|wmv|mpe?g|ts|mts|m2ts|3gp|ogv|ogg|mxf|gif|webp|apng)$/i;
const OTHER_NAMES =
  /\.(txt|md|csv|json|xml|html?|srt|vtt|pdf|docx?|xlsx?|pptx?|zip|rar|7z|exe|jpe?g|png|svg|heic|heif|avif|bmp|tiff?)$/i;
const OTHER_TYPES = /^(text\/|image\/|application\/(pdf|zip|json)$)/;

/** The error for a file that is obviously neither a video nor sound, by its name and type; null for all others. */
export function refusedFile({ name, type }: Pick<File, 'name' | 'type'>): ApiError | null {
  if (VIDEO_NAMES.test(name) || !(OTHER_NAMES.test(name) || OTHER_TYPES.test(type))) return null;
  return new ApiError({
    message: t`${name} is not a video.`,
    extensions: { code: NOT_A_VIDEO, suggestedFix: t`Select a video file, such as MP4, MOV, MKV or WebM.` },
  });
}
