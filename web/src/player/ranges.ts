/** Arithmetic of the seek bar. Pure; seconds throughout. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Browser time ranges as spans within the duration. */
export function spansOf(ranges: TimeRanges, duration: number): Span[] {
  return Array.from({ length: ranges.length }, (_, index) => ({
    start: ranges.start(index),
    end: Math.min(ranges.end(index), duration),
  })).filter(({ start, end }) => end > start);
}

/** Position of a pointer on a bar as a fraction from 0 to 1. */
export function fractionAt(x: number, bar: { readonly left: number; readonly width: number }): number {
  return bar.width > 0 ? Math.min(1, Math.max(0, (x - bar.left) / bar.width)) : 0;
}

export interface Storyboard {
  /** Address with `%d` (optionally `%05d`) or `{index}` where the number of the picture stands, counted from one. */
  readonly urlFormat: string;
  readonly count: number;
}

/** The storyboard picture nearest to a time, null without one. */
export function storyboardUrl(board: Storyboard | null, time: number, duration: number): string | null {
  if (!board || board.count < 1 || duration <= 0) return null;
  const index = 1 + Math.min(board.count - 1, Math.max(0, Math.floor((time / duration) * board.count)));
  return board.urlFormat.replace(/%0?(\d*)d|\{index\}/, (_, width: string | undefined) =>
    String(index).padStart(Number(width ?? 0) || 0, '0'),
  );
}

/** A part of a video with a name. */
export interface Chapter {
  readonly startSeconds: number;
  readonly title: string;
}

/** The chapter at a position; null before the first. Chapters are in their order. */
export function chapterAt<Any extends Chapter>(chapters: readonly Any[], seconds: number): Any | null {
  return chapters.findLast(({ startSeconds }) => startSeconds <= seconds) ?? null;
}

/** Where the seek bar is cut, in percent of its width: the beginning of every chapter but that of the video. */
export function chapterMarks(chapters: readonly Chapter[], duration: number): readonly number[] {
  if (duration <= 0) return [];
  return chapters.map(({ startSeconds }) => (startSeconds / duration) * 100).filter((percent) => percent > 0 && percent < 100);
}
