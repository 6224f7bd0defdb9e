import { AppError } from '../../../kernel/errors.ts';
import type { Value } from '../../../kernel/languages/format-message.ts';
import { type Message, phrase, type Text, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { PLAN_CODES, PLANS, type PlanLimits } from '../../../kernel/plans.ts';
import { isInvisible, readText, withoutDirection } from '../../../kernel/text.ts';
import type { UploadedMedia } from '../../assets/index.ts';

/** Maximum size of an image file on all plans: it is processed in memory. */
export const MAX_IMAGE_BYTES = 25 * 1024 * 1024;
/** The most bytes of a file whose size is not known at first: 8,192 parts of 8 MiB in S3, which takes 10,000. */
export const MAX_DEFERRED_BYTES = 64 * 1024 ** 3;
/** Maximum size of a file on the largest plan. */
export const MAX_UPLOAD_BYTES = Math.max(...PLAN_CODES.map((code) => PLANS[code].maxUploadBytes));
const MAX_FILENAME_LENGTH = 255;
const MAX_ALT_LENGTH = 300;

/** The original name of a file, without folders. Throws FIELD_REQUIRED or INVALID_INPUT. */
export function readFilename(value: string, field: string): string {
  const name = readText(value, { field, maxLength: MAX_FILENAME_LENGTH, required: true });
  if (/[/\\]/.test(name) || name === '.' || name === '..') {
    throw new AppError('INVALID_INPUT', t`${field} is a path, not a file name.`, {
      field,
      suggestedFix: t`Send the name of the file without folders, such as holiday.mp4.`,
    });
  }
  return name;
}

/** Of the name of a file. */
export const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;

/**
 * The name of a file that a stock client sends as it is on disk, made valid: without folders and
 * characters that cannot be shown, cut before its extension where it is too long. Null where nothing is left. Pure.
 */
export function sanitizeFilename(value: string): string | null {
  const line = withoutDirection(value.toWellFormed()).replace(/\p{Cc}/gu, '');
  const name = line.split(/[/\\]/).at(-1)?.normalize('NFC').trim() ?? '';
  if (name === '.' || name === '..' || isInvisible(name)) return null;
  const [extension = ''] = EXTENSION.exec(name) ?? [];
  const most = MAX_FILENAME_LENGTH - extension.length;
  const stem = firstCharacters(name.slice(0, name.length - extension.length), most);
  return stem.trimEnd() + extension;
}

/** As many whole characters, as readers see them, as have at most so many code points. */
function firstCharacters(text: string, most: number): string {
  const characters = new Intl.Segmenter().segment(text.slice(0, 4 * most));
  let [kept, length] = ['', 0];
  for (const { segment } of characters) {
    length += [...segment].length;
    if (length > most) break;
    kept += segment;
  }
  return kept || [...text].slice(0, most).join('');
}

/** The alternative text of an image. */
export function readAlt(value: string | undefined, field: string): string {
  return readText(value ?? '', { field, maxLength: MAX_ALT_LENGTH });
}

/** The size that an input must have. Throws FIELD_REQUIRED. */
export function requireSize(sizeBytes: Maybe<number>): number {
  if (sizeBytes != null) return sizeBytes;
  throw new AppError('FIELD_REQUIRED', t`input.size is missing.`, {
    field: 'input.size',
    suggestedFix: t`Send the exact size of the file in bytes.`,
  });
}

/** The most bytes that a file may have, and why. */
interface SizeLimit {
  readonly bytes: number;
  readonly whose: Message;
  readonly suggestedFix: Text;
}

/** Of a known size, or of one that is not known when the upload is opened (`deferred`). Pure. */
export function uploadLimit(media: Pick<UploadedMedia, 'kind'>, limits: PlanLimits, deferred = false): SizeLimit {
  if (media.kind === 'IMAGE')
    return {
      ...{ bytes: MAX_IMAGE_BYTES, whose: phrase`for images` },
      suggestedFix: t`Send a smaller or more strongly compressed image.`,
    };
  if (deferred && limits.maxUploadBytes > MAX_DEFERRED_BYTES)
    return {
      ...{ bytes: MAX_DEFERRED_BYTES, whose: phrase`for files whose size is not known at first` },
      suggestedFix: t`Open the upload with the size of the file, or send a smaller file.`,
    };
  return {
    ...{ bytes: limits.maxUploadBytes, whose: phrase`of the ${limits.name} plan` },
    suggestedFix: t`Send a smaller file, or choose a plan with a higher limit.`,
  };
}

/** The size in bytes. Throws INVALID_INPUT with the limit when it exceeds that. */
export function readUploadSize(sizeBytes: number, limit: SizeLimit, field: string): number {
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 1) {
    throw new AppError('INVALID_INPUT', t`${field} must be the exact size of the file in bytes, at least 1.`, {
      field,
      suggestedFix: t`Send the size of the file as the file system reports it; empty files cannot be uploaded.`,
    });
  }
  if (sizeBytes > limit.bytes) throw fileTooLarge(sizeBytes, limit, field);
  return sizeBytes;
}

/** The error for a file of `size` bytes. */
export function fileTooLarge(size: Value, { bytes, whose, suggestedFix }: SizeLimit, field: string): AppError {
  return new AppError(
    'INVALID_INPUT',
    t`The file has ${size} bytes; the limit ${whose} is ${bytes} bytes (${inUnits(bytes)}).`,
    { field, suggestedFix, httpStatus: 413 },
  );
}

/** The media type a client declares; shown, never trusted. */
export function readFiletype(value: string | undefined): string {
  return value !== undefined && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(value)
    ? value.toLowerCase()
    : 'application/octet-stream';
}

function inUnits(bytes: number): string {
  const [size, unit] = bytes >= 1024 ** 3 ? [1024 ** 3, 'GiB'] : [1024 ** 2, 'MiB'];
  return `${Math.round((bytes / size) * 100) / 100} ${unit}`;
}
