import { clockTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';

/** A chapter in a text. */
export interface ChapterLine {
  readonly startSeconds: number;
  readonly title: string;
}

const LINE = /^(?:(\d+):)?(\d{1,3}):(\d{2})\s+(\S.*)$/;

/** Parses chapters from lines such as `1:05 The harbour`. Throws an Error for the first invalid line. */
export function readChapters(text: string): ChapterLine[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    const [, hours = '0', minutes = '0', seconds = '0', title = ''] = LINE.exec(line) ?? [];
    const number = index + 1;
    if (title === '') throw new Error(t`Line ${number} needs a timestamp and a title: ${line}`);
    return [{ startSeconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds), title }];
  });
}

/** Formats chapters as lines. */
export function writeChapters(chapters: readonly ChapterLine[]): string {
  return chapters.map(({ startSeconds, title }) => `${clockTime(startSeconds)} ${title}`).join('\n');
}
