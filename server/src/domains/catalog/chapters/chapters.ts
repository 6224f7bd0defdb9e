/** Chapters of a video: what may be set, what a description says, and what is shown. Pure. */

/** Where a part of a video begins, and what it is called. */
export interface Chapter {
  readonly startMs: number;
  readonly title: string;
}

/** A chapter with its end: where the next one begins, or the video ends. */
export interface ShownChapter extends Chapter {
  /** Null for the last chapter of a video whose length is not known yet. */
  readonly endMs: number | null;
}

export const MIN_CHAPTERS = 3;
export const MAX_CHAPTERS = 100;
export const MIN_CHAPTER_MS = 10_000;
export const MAX_CHAPTER_TITLE = 100;

/** Why a list makes no chapters. */
export interface ChaptersFault {
  /** Index of the chapter to blame; null for the list. */
  readonly index: number | null;
  readonly message: string;
  readonly suggestedFix: string;
}

/** What is wrong with a list of chapters; null when nothing is. Without a length, whether they lie inside the video is not judged. */
export function judgeChapters(chapters: readonly Chapter[], durationMs: number | null): ChaptersFault | null {
  const seconds = MIN_CHAPTER_MS / 1000;
  if (chapters.length < MIN_CHAPTERS || chapters.length > MAX_CHAPTERS) {
    return {
      index: null,
      message: `There are ${chapters.length} chapters.`,
      suggestedFix: `Send ${MIN_CHAPTERS} to ${MAX_CHAPTERS} chapters, or an empty list to remove them.`,
    };
  }
  for (const [index, { startMs }] of chapters.entries()) {
    const before = chapters[index - 1];
    if (!before && startMs !== 0) {
      return { index, message: 'The first chapter does not begin at 0.', suggestedFix: 'Let the first chapter begin at 0.' };
    }
    if (before && startMs <= before.startMs) {
      return {
        index,
        message: 'This chapter begins before the one above it.',
        suggestedFix: 'Send the chapters in the order of their starts.',
      };
    }
    if (before && startMs - before.startMs < MIN_CHAPTER_MS) {
      return {
        index,
        message: `The chapter above this one is shorter than ${seconds} seconds.`,
        suggestedFix: `Let it begin at least ${seconds} seconds later, or leave one of the two out.`,
      };
    }
    if (durationMs !== null && startMs > durationMs - MIN_CHAPTER_MS) {
      return beyondTheEnd(index, durationMs);
    }
  }
  return null;
}

/** The fault of a chapter that does not begin early enough before the end of the video. */
export function beyondTheEnd(index: number, durationMs: number): ChaptersFault {
  return {
    index,
    message: `The video ends at ${durationMs / 1000} seconds: less than ${MIN_CHAPTER_MS / 1000} seconds after this chapter begins, or before.`,
    suggestedFix: `Let it begin at ${Math.max(0, durationMs - MIN_CHAPTER_MS) / 1000} seconds at the latest, or leave it out.`,
  };
}

/** `0:00 Intro`, `- [1:02:03] The end`, `(00:30) – Start`. */
const LINE = /^\s*(?:[-*•]\s+)?[([]?(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[)\]]?(?:\s*[-–—|](?!-)\s*|:?\s+)(\S.*)$/u;

/**
 * The chapters that a description lists, one to a line that begins with a time. Empty unless all its times together make chapters that could
 * have been set: a description that only mentions times has none.
 */
export function chaptersInText(text: string, durationMs: number | null): Chapter[] {
  const found = text.split('\n').flatMap((line) => readLine(line) ?? []);
  return judgeChapters(found, durationMs) === null ? found : [];
}

function readLine(line: string): Chapter | null {
  const match = LINE.exec(line);
  if (!match) return null;
  const [, hours, minutes = '', seconds = '', rest = ''] = match;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  const title = [...rest.trim()].slice(0, MAX_CHAPTER_TITLE).join('');
  return { startMs: ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000, title };
}

/** What decides the chapters of a content. */
export interface ChapterSources {
  /** As they were set; null when none were. */
  readonly set: readonly Chapter[] | null;
  readonly description: string;
  readonly durationMs: number | null;
}

/** The chapters to show: those that were set, otherwise those of the description. A shorter video that replaced another cuts the list. */
export function shownChapters({ set, description, durationMs }: ChapterSources): ShownChapter[] {
  const chapters = (set ?? chaptersInText(description, durationMs)).filter(({ startMs }) => durationMs === null || startMs < durationMs);
  return chapters.map((chapter, index) => ({ ...chapter, endMs: chapters[index + 1]?.startMs ?? durationMs }));
}
