import { t } from '../../../lib/i18n.ts';
import type { ChapterLine } from './chapter-lines.ts';

/** The shortest chapter. */
export const LEAST_SECONDS = 10;

/**
 * Adds a chapter at a time, in order; null where it would be too close to another one or to the end. The first chapter
 * is at the start, so it is added too where there is none.
 */
export function addChapter(
  chapters: readonly ChapterLine[],
  atSeconds: number,
  durationSeconds: number,
): readonly ChapterLine[] | null {
  const startSeconds = Math.round(atSeconds);
  const known = chapters.length > 0 || startSeconds === 0 ? chapters : [{ startSeconds: 0, title: t`Start` }];
  const isFree = known.every((chapter) => Math.abs(chapter.startSeconds - startSeconds) >= LEAST_SECONDS);
  if (!isFree || durationSeconds - startSeconds < LEAST_SECONDS) return null;
  const number = known.length + 1;
  const added = [...known, { startSeconds, title: t`Chapter ${number}` }];
  return added.sort((a, b) => a.startSeconds - b.startSeconds);
}

/** The times that the start of a chapter can be moved to. */
export function startRange(
  chapters: readonly ChapterLine[],
  index: number,
  durationSeconds: number,
): readonly [least: number, most: number] {
  const before = chapters[index - 1]?.startSeconds ?? 0;
  const after = chapters[index + 1]?.startSeconds ?? durationSeconds;
  return [before + LEAST_SECONDS, Math.floor(after - LEAST_SECONDS)];
}

/** Moves the start of a chapter, as far as its neighbours leave room. */
export function moveChapter(
  chapters: readonly ChapterLine[],
  index: number,
  atSeconds: number,
  durationSeconds: number,
): readonly ChapterLine[] {
  const [least, most] = startRange(chapters, index, durationSeconds);
  const startSeconds = Math.round(Math.min(Math.max(atSeconds, least), Math.max(most, least)));
  return chapters.map((chapter, at) => (at === index ? { ...chapter, startSeconds } : chapter));
}
