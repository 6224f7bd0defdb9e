import type { TimeRange } from '../../../media/index.ts';
import type { ClipSegment } from './clip-broadcast.job.ts';

/** Segments that follow each other in one encoding: they can be one file. */
export interface ClipPiece {
  readonly init: number;
  readonly hasSound: boolean;
  /** Of the range. */
  readonly segments: readonly ClipSegment[];
  /** Before it: decoding may have to begin there. */
  readonly before: readonly ClipSegment[];
}

/** The pieces of a range of segments, in their order. Pure. */
export function clipPieces(segments: readonly ClipSegment[], { startMs, endMs }: TimeRange): ClipPiece[] {
  const runs: ClipSegment[][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && follows(last, segment)) run.push(segment);
    else runs.push([segment]);
  }
  return runs.flatMap((run) => {
    const isBefore = (segment: ClipSegment) => segment.startMs + segment.durationMs <= startMs;
    const within = run.filter((segment) => !isBefore(segment) && segment.startMs < endMs);
    const [first] = within;
    if (!first) return [];
    return [{ init: first.init, hasSound: first.hasSound, segments: within, before: run.filter(isBefore) }];
  });
}

function follows(before: ClipSegment, segment: ClipSegment): boolean {
  return (
    segment.number === before.number + 1 &&
    segment.init === before.init &&
    segment.hasSound === before.hasSound &&
    !segment.isDiscontinuity
  );
}
