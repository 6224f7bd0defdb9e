/** Arithmetic of the seek bar. Pure; seconds throughout. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Browser time ranges as spans, clipped to the duration. */
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

/** A chapter of a video. */
export interface Chapter {
  readonly startSeconds: number;
  readonly title: string;
}

/** The chapters of a content, which have milliseconds. */
export function chaptersOf({
  chapters,
}: {
  readonly chapters: readonly { readonly startMs: number; readonly title: string }[];
}): Chapter[] {
  return chapters.map(({ startMs, title }) => ({ startSeconds: startMs / 1_000, title }));
}

/** The chapter at a position; null before the first. Chapters are sorted. */
export function chapterAt<Any extends Chapter>(chapters: readonly Any[], seconds: number): Any | null {
  return chapters.findLast(({ startSeconds }) => startSeconds <= seconds) ?? null;
}

/** A segment of the seek bar: a chapter, or the part before the first. */
export interface Segment extends Span {
  readonly title: string | null;
}

/** Segments of the seek bar that cover the whole duration; a single one without chapters. */
export function segmentsOf(chapters: readonly Chapter[], duration: number): readonly Segment[] {
  const within = chapters.filter(({ startSeconds }) => startSeconds < duration);
  const [first] = within;
  const before: readonly Segment[] =
    !first || first.startSeconds > 0 ? [{ start: 0, end: first?.startSeconds ?? duration, title: null }] : [];
  const named = within.map(({ startSeconds, title }, index) => ({
    start: startSeconds,
    end: within[index + 1]?.startSeconds ?? duration,
    title,
  }));
  return [...before, ...named];
}

/**
 * Start of the next (`by` 1) or previous (-1) segment; more than two seconds into a segment, the previous start is its
 * own.
 */
export function segmentStep(segments: readonly Segment[], seconds: number, by: 1 | -1): number {
  const starts = segments.map(({ start }) => start);
  return by > 0
    ? (starts.find((start) => start > seconds + 0.1) ?? seconds)
    : (starts.findLast((start) => start < seconds - 2) ?? 0);
}

/** The overlap of another span with a segment, as fractions of the segment from 0 to 1; null without overlap. */
export function overlapWithin(span: Span, other: Span): Span | null {
  const length = span.end - span.start;
  const [start, end] = [Math.max(span.start, other.start), Math.min(span.end, other.end)];
  return end > start && length > 0 ? { start: (start - span.start) / length, end: (end - span.start) / length } : null;
}
