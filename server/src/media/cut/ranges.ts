/** Parts of a video that are kept, and what becomes of times in it. Pure. */

/** From `startMs` up to, not including, `endMs`. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Milliseconds of all ranges. */
export function lengthOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** Ranges with where each begins in the video that they make up. */
function placed(ranges: readonly TimeRange[]): (TimeRange & { readonly atMs: number })[] {
  let atMs = 0;
  return ranges.map((range) => {
    const here = { ...range, atMs };
    atMs += range.endMs - range.startMs;
    return here;
  });
}

/**
 * The ranges of a video of which `outer` ranges were kept first and `inner` ranges of the result then; ranges that meet
 * become one.
 */
export function composeRanges(outer: readonly TimeRange[], inner: readonly TimeRange[]): TimeRange[] {
  const found = inner.flatMap(({ startMs, endMs }) =>
    placed(outer).flatMap((kept) => {
      const from = Math.max(startMs, kept.atMs) - kept.atMs + kept.startMs;
      const to = Math.min(endMs - kept.atMs + kept.startMs, kept.endMs);
      return to > from ? [{ startMs: from, endMs: to }] : [];
    }),
  );
  const joined: TimeRange[] = [];
  for (const range of found) {
    const last = joined.at(-1);
    if (last?.endMs === range.startMs) joined.splice(-1, 1, { startMs: last.startMs, endMs: range.endMs });
    else joined.push(range);
  }
  return joined;
}

/** Shorter remains of a cue are not shown: nobody can read them. */
const LEAST_CUE_MS = 100;

/** Cues of a video of which only `ranges` are kept: cut at the edges; one around a removed part stays one. */
export function keepCues<Cue extends TimeRange>(ranges: readonly TimeRange[], cues: readonly Cue[]): Cue[] {
  const parts = placed(ranges);
  const kept = cues.flatMap((cue) => {
    const pieces = parts.flatMap(({ startMs, endMs, atMs }) => {
      const from = Math.max(cue.startMs, startMs);
      const to = Math.min(cue.endMs, endMs);
      return to > from ? [{ startMs: from - startMs + atMs, endMs: to - startMs + atMs }] : [];
    });
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (!first || !last || last.endMs - first.startMs < LEAST_CUE_MS) return [];
    return [{ ...cue, startMs: first.startMs, endMs: last.endMs }];
  });
  return kept.sort((a, b) => a.startMs - b.startMs);
}

/** The same cues in the video that the ranges were kept of. */
export function restoreCues<Cue extends TimeRange>(ranges: readonly TimeRange[], cues: readonly Cue[]): Cue[] {
  return cues.map((cue) => ({
    ...cue,
    startMs: restoreTime(ranges, cue.startMs, 'start'),
    endMs: restoreTime(ranges, cue.endMs, 'end'),
  }));
}

/**
 * A moment in the video that the ranges were kept of. Where two ranges meet, a `start` is in the later one, an `end` in
 * the earlier one. Moments after the end are at the end of the last range.
 */
export function restoreTime(ranges: readonly TimeRange[], ms: number, edge: 'start' | 'end'): number {
  for (const { startMs, endMs, atMs } of placed(ranges)) {
    const lengthMs = endMs - startMs;
    if (ms < atMs + lengthMs || (edge === 'end' && ms === atMs + lengthMs)) return startMs + ms - atMs;
  }
  return ranges.at(-1)?.endMs ?? ms;
}

/** What YouTube and players ask of chapters. */
export interface ChapterRules {
  readonly leastMs: number;
  readonly leastCount: number;
}

interface Chapter {
  readonly startMs: number;
  readonly title: string;
}

/**
 * Chapters of a video of which only `ranges` are kept: those that are removed go; those that become too short are
 * merged with the one before, or the first with the next. Empty where too few are left.
 */
export function keepChapters(
  ranges: readonly TimeRange[],
  chapters: readonly Chapter[],
  { leastMs, leastCount }: ChapterRules,
): Chapter[] {
  const left = chapters.flatMap(({ startMs, title }, index) => {
    const endMs = chapters[index + 1]?.startMs ?? Number.MAX_SAFE_INTEGER;
    const lengthMs = lengthOf(
      ranges.flatMap((range) => {
        const [from, to] = [Math.max(startMs, range.startMs), Math.min(endMs, range.endMs)];
        return to > from ? [{ startMs: from, endMs: to }] : [];
      }),
    );
    return lengthMs > 0 ? [{ title, lengthMs }] : [];
  });
  const merged: { title: string; lengthMs: number }[] = [];
  for (const { title, lengthMs } of left) {
    const last = merged.at(-1);
    if (last && merged.length === 1 && last.lengthMs < leastMs)
      merged.splice(0, 1, { title, lengthMs: last.lengthMs + lengthMs });
    else if (last && lengthMs < leastMs) last.lengthMs += lengthMs;
    else merged.push({ title, lengthMs });
  }
  if (merged.length < leastCount) return [];
  let startMs = 0;
  return merged.map(({ title, lengthMs }) => {
    const chapter = { startMs, title };
    startMs += lengthMs;
    return chapter;
  });
}

/** The same chapters in the video that the ranges were kept of. The first one begins at 0. */
export function restoreChapters(ranges: readonly TimeRange[], chapters: readonly Chapter[]): Chapter[] {
  return chapters.map(({ startMs, title }, index) => ({
    startMs: index === 0 ? 0 : restoreTime(ranges, startMs, 'start'),
    title,
  }));
}
