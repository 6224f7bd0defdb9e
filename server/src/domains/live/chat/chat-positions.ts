/** A part of the recording that is kept, of its file before it was trimmed. */
export interface KeptRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Where a moment of the recording is once only some ranges of it are kept; null where it is cut out. */
export function playedPosition(positionMs: number | null, kept: readonly KeptRange[] | null): number | null {
  if (positionMs === null || kept === null) return positionMs;
  let before = 0;
  for (const { startMs, endMs } of kept) {
    if (positionMs >= startMs && positionMs < endMs) return Math.round(before + positionMs - startMs);
    before += endMs - startMs;
  }
  return null;
}

/** The ranges of the recording that are played from `fromMs` to `toMs`. */
export function recordedRanges(fromMs: number, toMs: number, kept: readonly KeptRange[] | null): KeptRange[] {
  if (kept === null) return [{ startMs: fromMs, endMs: toMs }];
  const ranges: KeptRange[] = [];
  let before = 0;
  for (const { startMs, endMs } of kept) {
    const first = Math.max(fromMs, before);
    const last = Math.min(toMs, before + endMs - startMs);
    if (first < last) ranges.push({ startMs: startMs + first - before, endMs: startMs + last - before });
    before += endMs - startMs;
  }
  return ranges;
}
