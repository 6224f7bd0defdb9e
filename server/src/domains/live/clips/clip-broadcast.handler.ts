import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { type FilePart, inspectFile, joinFiles, type MediaFacts, type Runner } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { type CutPlatform, runCut } from '../../transcode/index.ts';
import type { ClipBroadcast } from './clip-broadcast.job.ts';
import { clipPieces } from './clip-pieces.ts';
import { copyPiece } from './copy-piece.ts';

export interface ClipTools {
  readonly platform: CutPlatform;
  readonly runner: Runner;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

/**
 * One attempt to make a clip of the segments of a broadcast, as that of a file is made. They are copied before anything
 * else, because the broadcast goes on.
 */
export function clipBroadcast(tools: ClipTools, order: ClipBroadcast, run: JobRun): Promise<void> {
  const { platform, runner } = tools;
  const { jobId, filename, hint, range, segments, prefix, spokenCaptions } = order;
  const cut = { jobId, filename, hint, edit: null, spokenCaptions };
  return runCut(platform, cut, run, async ({ folder, workDir, signal }) => {
    const copies: Omit<FilePart, 'facts'>[] = [];
    for (const piece of clipPieces(segments, range)) {
      const path = join(folder, `piece-${copies.length}.mp4`);
      const fromMs = await copyPiece(piece, { store: platform.store, prefix, path, signal });
      const last = piece.segments.at(-1);
      const untilMs = Math.min(range.endMs, last ? last.startMs + last.durationMs : range.endMs);
      copies.push({ path, range: { startMs: Math.max(0, range.startMs - fromMs), endMs: untilMs - fromMs } });
    }
    const parts: FilePart[] = [];
    for (const copy of copies) parts.push({ ...copy, facts: await factsOf(tools, copy.path, signal) });
    return joinFiles(runner, parts, { workDir, signal });
  });
}

async function factsOf({ runner, toneMapping }: ClipTools, path: string, signal: AbortSignal): Promise<MediaFacts> {
  const inspected = await inspectFile(runner, path, { toneMapping, signal });
  if (inspected.ok) return inspected.facts;
  const { code, message, suggestedFix } = inspected;
  throw new AppError(code, message, { suggestedFix });
}
