/** A cue while it is edited. */
export interface EditedCue {
  /** Unique in the editor; kept through edits. */
  readonly id: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Lines of text; bold, italic and underlined parts as `<b>`, `<i>`, `<u>`. */
  readonly text: string;
}

/** The shortest cue. */
export const LEAST_MS = 100;
/** The length of a new cue. */
const NEW_MS = 2_000;

export const byTime = (a: EditedCue, b: EditedCue): number => a.startMs - b.startMs || a.endMs - b.endMs;

/** An id that no cue has. */
export const freeId = (cues: readonly EditedCue[]): number => 1 + Math.max(0, ...cues.map(({ id }) => id));

/** The cue that is shown at a time; the later one of two. */
export function cueAt(cues: readonly EditedCue[], ms: number): EditedCue | null {
  return cues.findLast(({ startMs, endMs }) => startMs <= ms && ms < endMs) ?? null;
}

/** Replaces a cue, and keeps the order by time. */
export function changeCue(
  cues: readonly EditedCue[],
  id: number,
  change: Partial<Omit<EditedCue, 'id'>>,
): readonly EditedCue[] {
  return cues.map((cue) => (cue.id === id ? { ...cue, ...change } : cue)).sort(byTime);
}

/** Moves a cue by some milliseconds, within the video. */
export function moveCue(
  cues: readonly EditedCue[],
  id: number,
  byMs: number,
  durationMs: number,
): readonly EditedCue[] {
  const cue = cues.find((each) => each.id === id);
  if (!cue) return cues;
  const length = cue.endMs - cue.startMs;
  const startMs = Math.round(Math.min(Math.max(0, cue.startMs + byMs), Math.max(0, durationMs - length)));
  return changeCue(cues, id, { startMs, endMs: startMs + length });
}

/** Moves the start or the end of a cue; it keeps its least length. */
export function moveEdge(
  cues: readonly EditedCue[],
  id: number,
  edge: 'start' | 'end',
  toMs: number,
  durationMs: number,
): readonly EditedCue[] {
  const cue = cues.find((each) => each.id === id);
  if (!cue) return cues;
  const at = Math.round(toMs);
  if (edge === 'start') return changeCue(cues, id, { startMs: Math.max(0, Math.min(at, cue.endMs - LEAST_MS)) });
  return changeCue(cues, id, { endMs: Math.min(durationMs, Math.max(at, cue.startMs + LEAST_MS)) });
}

/** Adds an empty cue at a time, as long as the next one leaves room; null where there is none. */
export function addCue(
  cues: readonly EditedCue[],
  atMs: number,
  durationMs: number,
): { readonly cues: readonly EditedCue[]; readonly id: number } | null {
  const startMs = Math.round(atMs);
  const next = cues.find((cue) => cue.startMs > startMs)?.startMs ?? durationMs;
  const endMs = Math.round(Math.min(startMs + NEW_MS, next));
  if (endMs - startMs < LEAST_MS || cueAt(cues, startMs)) return null;
  const id = freeId(cues);
  return { cues: [...cues, { id, startMs, endMs, text: '' }].sort(byTime), id };
}

/**
 * Splits a cue at a time within it; the text at `offset`, or else at the space nearest to the same part of it. Null
 * where a part would be too short.
 */
export function splitCue(
  cues: readonly EditedCue[],
  id: number,
  atMs: number,
  offset?: number,
): { readonly cues: readonly EditedCue[]; readonly id: number } | null {
  const cue = cues.find((each) => each.id === id);
  const at = Math.round(atMs);
  if (!cue || at - cue.startMs < LEAST_MS || cue.endMs - at < LEAST_MS) return null;
  const part = (at - cue.startMs) / (cue.endMs - cue.startMs);
  const cut = offset ?? nearestSpace(cue.text, Math.round(cue.text.length * part));
  const added = { id: freeId(cues), startMs: at, endMs: cue.endMs, text: cue.text.slice(cut).trim() };
  const kept = { ...cue, endMs: at, text: cue.text.slice(0, cut).trim() };
  return { cues: [...cues.filter((each) => each !== cue), kept, added].sort(byTime), id: added.id };
}

function nearestSpace(text: string, at: number): number {
  const spaces = [...text.matchAll(/\s+/g)].map(({ index }) => index);
  return spaces.reduce((best, space) => (Math.abs(space - at) < Math.abs(best - at) ? space : best), spaces[0] ?? at);
}

/** Joins a cue with the next one; null for the last. */
export function mergeCue(cues: readonly EditedCue[], id: number): readonly EditedCue[] | null {
  const index = cues.findIndex((cue) => cue.id === id);
  const [cue, next] = [cues[index], cues[index + 1]];
  if (!cue || !next) return null;
  const text = [cue.text, next.text].filter((each) => each.trim() !== '').join('\n');
  const merged = { ...cue, endMs: Math.max(cue.endMs, next.endMs), text };
  return cues.filter((each) => each !== next).map((each) => (each === cue ? merged : each));
}

export function removeCue(cues: readonly EditedCue[], id: number): readonly EditedCue[] {
  return cues.filter((cue) => cue.id !== id);
}
