import { type Text, t } from '../../../kernel/languages/message.ts';
/** Chapters of a video: validation, parsing of descriptions, and display. Pure. */

/** Start and title of a chapter. */
export interface Chapter {
  readonly startMs: number;
  readonly title: string;
}

/** A chapter with its end: the start of the next one, or the end of the video. */
export interface ShownChapter extends Chapter {
  /** Null for the last chapter of a video whose length is not known yet. */
  readonly endMs: number | null;
}

export const MIN_CHAPTERS = 3;
export const MAX_CHAPTERS = 100;
export const MIN_CHAPTER_MS = 10_000;
export const MAX_CHAPTER_TITLE = 100;

/** Why a list of chapters is invalid. */
export interface ChaptersError {
  /** Index of the invalid chapter; null for the whole list. */
  readonly index: number | null;
  readonly message: Text;
  readonly suggestedFix: Text;
}

/**
 * The first error of a list of chapters; null when it is valid. Without a duration, whether they lie inside the video
 * is not checked.
 */
export function checkChapters(chapters: readonly Chapter[], durationMs: number | null): ChaptersError | null {
  const seconds = MIN_CHAPTER_MS / 1000;
  if (chapters.length < MIN_CHAPTERS || chapters.length > MAX_CHAPTERS) {
    return {
      index: null,
      message: t`There are ${chapters.length} chapters.`,
      suggestedFix: t`Send ${MIN_CHAPTERS} to ${MAX_CHAPTERS} chapters, or an empty list to remove them.`,
    };
  }
  for (const [index, { startMs }] of chapters.entries()) {
    const before = chapters[index - 1];
    if (!before && startMs !== 0) {
      return {
        index,
        message: t`The first chapter does not start at 0.`,
        suggestedFix: t`Start the first chapter at 0.`,
      };
    }
    if (before && startMs <= before.startMs) {
      return {
        index,
        message: t`This chapter starts before the previous one.`,
        suggestedFix: t`Send the chapters in the order of their starts.`,
      };
    }
    if (before && startMs - before.startMs < MIN_CHAPTER_MS) {
      return {
        index,
        message: t`The previous chapter is shorter than ${seconds} seconds.`,
        suggestedFix: t`Start this one at least ${seconds} seconds later, or remove one of the two.`,
      };
    }
    if (durationMs !== null && startMs > durationMs - MIN_CHAPTER_MS) {
      return beyondTheEnd(index, durationMs);
    }
  }
  return null;
}

/** The error for a chapter that does not start early enough before the end of the video. */
export function beyondTheEnd(index: number, durationMs: number): ChaptersError {
  return {
    index,
    message: t`The video ends at ${durationMs / 1000} seconds, less than ${MIN_CHAPTER_MS / 1000} seconds after the
      start of this chapter.`,
    suggestedFix: t`Start it at ${Math.max(0, durationMs - MIN_CHAPTER_MS) / 1000} seconds at the latest, or remove
      it.`,
  };
}

/** `0:00 Intro`, `- [1:02:03] The end`, `(00:30) – Start`. */
const LINE = /^\s*(?:[-*•]\s+)?[([]?(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[)\]]?(?:\s*[-–—|](?!-)\s*|:?\s+)(\S.*)$/u;

/**
 * The chapters listed in a description, one per line that starts with a time. Empty unless all its times form a valid
 * list: a description that only mentions times has none.
 */
export function chaptersInText(text: string, durationMs: number | null): Chapter[] {
  const found = text.split('\n').flatMap((line) => readLine(line) ?? []);
  return checkChapters(found, durationMs) === null ? found : [];
}

function readLine(line: string): Chapter | null {
  const match = LINE.exec(line);
  if (!match) return null;
  const [, hours, minutes = '', seconds = '', rest = ''] = match;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  const title = [...rest.trim()].slice(0, MAX_CHAPTER_TITLE).join('');
  return { startMs: ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000, title };
}

/** The facts that determine the chapters of a content. */
export interface ChapterSources {
  /** The chapters that were set; null when none were. */
  readonly set: readonly Chapter[] | null;
  readonly description: string;
  readonly durationMs: number | null;
}

/**
 * The chapters to show: those that were set, otherwise those of the description. The list is cut to the duration of the
 * video.
 */
export function shownChapters({ set, description, durationMs }: ChapterSources): ShownChapter[] {
  const chapters = (set ?? chaptersInText(description, durationMs)).filter(
    ({ startMs }) => durationMs === null || startMs < durationMs,
  );
  return chapters.map((chapter, index) => ({ ...chapter, endMs: chapters[index + 1]?.startMs ?? durationMs }));
}
