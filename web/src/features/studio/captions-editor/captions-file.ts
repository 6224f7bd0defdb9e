import { ApiError } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';

/** Maximum size of a captions file. */
const MAX_BYTES = 512 * 1024;
const NAME = /\.(srt|vtt)$/i;

/** Reads a captions file. Throws ApiError when its extension is wrong, or when it is too large or not UTF-8. */
export async function readCaptionsFile(file: File): Promise<string> {
  if (!NAME.test(file.name))
    throw invalidFile(t`${file.name} is not a captions file.`, t`Select a file that ends in .srt or .vtt.`);
  if (file.size > MAX_BYTES)
    throw invalidFile(t`The captions file is too large.`, t`Select an .srt or .vtt file of at most 512 KiB.`);
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidFile(t`The captions file is not encoded in UTF-8.`, t`Save the file as UTF-8 and select it again.`);
  }
}

/** The language in a filename such as `video.pt-BR.srt` or `video_de.vtt`, if it is one of `tags`; otherwise null. */
export function languageFromFilename(filename: string, tags: readonly string[]): string | null {
  const [, detected = ''] = /[._ -]([a-z]{2,3}(?:[-_][a-z0-9]{2,4})?)\.(?:srt|vtt)$/i.exec(filename) ?? [];
  const tag = detected.toLowerCase().replace('_', '-');
  const known = (name: string): string | undefined => tags.find((each) => each.toLowerCase() === name);
  return known(tag) ?? known(tag.split('-')[0] ?? '') ?? null;
}

/** The line number in an API error message, from 1, or null. */
export function errorLine(message: string): number | null {
  const [, line] = /^Line (\d+):/.exec(message) ?? [];
  return line === undefined ? null : Number(line);
}

/** Start and end offset of a line (from 1) in a text. */
export function lineRange(text: string, line: number): readonly [start: number, end: number] {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1);
  const start = Math.min(
    text.length,
    before.reduce((sum, each) => sum + each.length + 1, 0),
  );
  return [start, start + (lines[line - 1]?.length ?? 0)];
}

function invalidFile(message: string, suggestedFix: string): ApiError {
  return new ApiError({ message, extensions: { code: 'INVALID_INPUT', suggestedFix } });
}
