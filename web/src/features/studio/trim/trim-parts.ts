/** Parts of a video that are removed, as they are edited. Pure. */

/** In milliseconds. */
export interface Part {
  readonly startMs: number;
  readonly endMs: number;
}

/** The server keeps nothing shorter. */
export const LEAST_KEPT_MS = 1_000;
/** Of a part that is removed. */
const LEAST_REMOVED_MS = 100;
/** Of a part that is added in the middle. */
const NEW_PART_MS = 5_000;

export type Edge = 'start' | 'end';

/** In order; parts that meet or overlap become one. */
export function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.startMs - b.startMs)) {
    const last = found.at(-1);
    if (last && part.startMs <= last.endMs)
      found.splice(-1, 1, { startMs: last.startMs, endMs: Math.max(last.endMs, part.endMs) });
    else found.push(part);
  }
  return found;
}

/** What is left of the video. */
export function keptParts(removed: readonly Part[], durationMs: number): Part[] {
  let at = 0;
  const kept: Part[] = [];
  for (const { startMs, endMs } of joined(removed)) {
    if (startMs > at) kept.push({ startMs: at, endMs: startMs });
    at = Math.max(at, endMs);
  }
  if (at < durationMs) kept.push({ startMs: at, endMs: durationMs });
  return kept;
}

/** Milliseconds of all parts. */
export function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** Removes everything before a moment, or after it. */
export function removeUntil(removed: readonly Part[], edge: Edge, ms: number, durationMs: number): Part[] {
  const part = edge === 'start' ? { startMs: 0, endMs: ms } : { startMs: ms, endMs: durationMs };
  return part.endMs - part.startMs < LEAST_REMOVED_MS ? [...removed] : joined([...removed, part]);
}

/** Removes some seconds from a moment on. */
export function removePart(removed: readonly Part[], ms: number, durationMs: number): Part[] {
  const endMs = Math.min(durationMs, ms + NEW_PART_MS);
  return joined([...removed, { startMs: Math.max(0, Math.min(ms, endMs - LEAST_REMOVED_MS)), endMs }]);
}

/** Moves an edge of a part; it stays between its neighbours and inside the video. */
export function movePartEdge(
  parts: readonly Part[],
  index: number,
  edge: Edge,
  toMs: number,
  durationMs: number,
): Part[] {
  return parts.map((part, at) => {
    if (at !== index) return part;
    if (edge === 'start') {
      const least = parts[index - 1]?.endMs ?? 0;
      return { ...part, startMs: within(toMs, least, part.endMs - LEAST_REMOVED_MS) };
    }
    const most = parts[index + 1]?.startMs ?? durationMs;
    return { ...part, endMs: within(toMs, part.startMs + LEAST_REMOVED_MS, most) };
  });
}

/** Moves an edge of what becomes a clip. */
export function moveClipEdge(clip: Part, edge: Edge, toMs: number, durationMs: number): Part {
  if (edge === 'start') return { ...clip, startMs: within(toMs, 0, clip.endMs - LEAST_KEPT_MS) };
  return { ...clip, endMs: within(toMs, clip.startMs + LEAST_KEPT_MS, durationMs) };
}

/** Where playback continues at a moment: after the part that is removed there; null where nothing is. */
export function skipTo(removed: readonly Part[], ms: number): number | null {
  return removed.find(({ startMs, endMs }) => ms >= startMs && ms < endMs)?.endMs ?? null;
}

/** Whole milliseconds, as the server takes them. */
export function rounded(parts: readonly Part[]): Part[] {
  return parts.map(({ startMs, endMs }) => ({ startMs: Math.round(startMs), endMs: Math.round(endMs) }));
}

function within(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(value, most)));
}
