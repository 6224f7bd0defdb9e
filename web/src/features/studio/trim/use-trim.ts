import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import {
  type Edge,
  keptParts,
  LEAST_KEPT_MS,
  moveClipEdge,
  movePartEdge,
  type Part,
  removePart,
  removeUntil,
} from './trim-parts.ts';

/** How a video is being trimmed, and what changes it. */
export type Trim = ReturnType<typeof useTrim>;

/** The parts to remove from a video, or the one part that becomes a clip. */
export function useTrim(durationMs: number) {
  const [removed, setRemoved] = useState<readonly Part[]>([]);
  const [clip, setClip] = useState<Part | null>(null);
  const kept = keptParts(removed, durationMs);
  return {
    removed,
    clip,
    kept,
    /** What will not be in the result. */
    outside: clip === null ? removed : keptParts([clip], durationMs),
    isDirty: removed.length > 0,
    /** Why it cannot be saved. */
    problem: problemOf(kept),
    removeUntil: (edge: Edge, atMs: number) => setRemoved(removeUntil(removed, edge, atMs, durationMs)),
    removePart: (atMs: number) => setRemoved(removePart(removed, atMs, durationMs)),
    keepPart: (index: number) => setRemoved(removed.filter((_, at) => at !== index)),
    keepAll: () => setRemoved([]),
    startClip: (atMs: number) => {
      const startMs = Math.min(atMs, Math.max(0, durationMs - LEAST_KEPT_MS));
      setClip({ startMs: Math.round(startMs), endMs: Math.min(durationMs, Math.round(startMs) + 30_000) });
    },
    endClip: () => setClip(null),
    moveEdge: (index: number, edge: Edge, toMs: number) =>
      clip === null
        ? setRemoved(movePartEdge(removed, index, edge, toMs, durationMs))
        : setClip(moveClipEdge(clip, edge, toMs, durationMs)),
  };
}

function problemOf(kept: readonly Part[]): string | null {
  if (kept.length === 0) return t`Nothing would be left of the video.`;
  const isShort = kept.some(({ startMs, endMs }) => endMs - startMs < LEAST_KEPT_MS);
  return isShort ? t`Each part that is kept must be a second or longer.` : null;
}
