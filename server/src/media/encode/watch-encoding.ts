import type { RunLimits, RunOptions } from '@reelgraph/sandbox';
import { t } from '../../kernel/languages/message.ts';
import { spoken } from '../inspect/accept-media.ts';
import { isAnimation } from '../inspect/animation-times.ts';
import { toNumber } from '../inspect/fraction.ts';
import { isDurationPlausible } from '../inspect/plausible-duration.ts';
import { UnexpectedMediaError } from './encode-errors.ts';
import { chunkLimits } from './encode-limits.ts';
import type { EncodeChunk, EncodePlan } from './encode-plan.ts';
import { parseProgress } from './encoder-args.ts';
import { changeWatch } from './watch/change-watch.ts';
import { damageWatch } from './watch/damage-watch.ts';

export interface WatchOptions {
  /** Default `chunkLimits`. */
  readonly limits?: RunLimits;
  /** Maximum size of what is encoded; default: that of the limits. */
  readonly maxBytes?: number;
  /** Called with rising values from 0 to 1, about once a second. */
  readonly onProgress?: (fraction: number) => void;
  /** Called once where decoding finds damaged parts. */
  readonly onDamage?: () => void;
  readonly signal?: AbortSignal;
  /** Whether it yields the CPU to other runs. */
  readonly background?: boolean;
}

/** How ffmpeg runs that encodes a chunk. */
type Watch = Required<Pick<RunOptions, 'limits' | 'signal' | 'onStdoutLine' | 'onStderrLine' | 'background'>>;

/**
 * Reports the progress of encoding and the damage that is found, and ends it where the file is longer than it says, or
 * its pictures or its sound change in mid-stream.
 */
export async function watchEncoding<T>(
  plan: EncodePlan,
  chunk: EncodeChunk,
  { limits, maxBytes, onProgress, onDamage, signal, background = false }: WatchOptions,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  const own = limits ?? chunkLimits(plan, chunk);
  const unexpected = new AbortController();
  const stop = (error: UnexpectedMediaError) => unexpected.abort(error);
  const watches = [
    ...(onDamage ? [damageWatch(onDamage)] : []),
    ...(isAnimation(plan.facts.demuxer) ? [] : [changeWatch(plan.facts, (what) => stop(changing(what)))]),
  ];
  try {
    const done = await work({
      limits: { ...own, outputBytes: Math.min(own.outputBytes, maxBytes ?? Number.POSITIVE_INFINITY) },
      signal: signal ? AbortSignal.any([signal, unexpected.signal]) : unexpected.signal,
      // Charges and reservations are for the declared duration: no more is encoded.
      onStdoutLine: progressWatch(plan, chunk, () => stop(longerThanDeclared(plan.facts.durationMs ?? 0)), onProgress),
      onStderrLine(line) {
        for (const watch of watches) watch(line);
      },
      background,
    });
    // A short run ends before it is stopped.
    unexpected.signal.throwIfAborted();
    return done;
  } catch (error) {
    throw unexpected.signal.aborted && !signal?.aborted ? unexpected.signal.reason : error;
  }
}

/** Cutting has the rest. */
const ENCODE_SHARE = 0.98;

function progressWatch(
  { facts: { durationMs }, timeline }: EncodePlan,
  chunk: EncodeChunk,
  onTooLong: () => void,
  onProgress: WatchOptions['onProgress'],
): (line: string) => void {
  const msOf = (frame: number) => (1000 * frame) / toNumber(timeline.baseRate);
  const startMs = chunk.kind === 'video' ? msOf(chunk.startFrame) : 0;
  const endMs = chunk.kind === 'video' && chunk.endFrame !== null ? msOf(chunk.endFrame) : durationMs;
  let reported = 0;
  return (line) => {
    const doneMs = parseProgress(line);
    if (doneMs === null || durationMs === null || endMs === null || endMs <= startMs) return;
    const position = startMs + doneMs;
    if (position > durationMs && !isDurationPlausible(position / 1000, durationMs)) onTooLong();
    const fraction = Math.min(ENCODE_SHARE, (ENCODE_SHARE * doneMs) / (endMs - startMs));
    if (fraction <= reported) return;
    reported = fraction;
    onProgress?.(fraction);
  };
}

/** `what` is for the log. */
function changing(what: string): UnexpectedMediaError {
  return new UnexpectedMediaError(t`The size or the format of the picture or of the sound changes in mid-stream.`, {
    cause: new Error(what),
  });
}

function longerThanDeclared(declaredMs: number): UnexpectedMediaError {
  return new UnexpectedMediaError(t`The file declares a duration of ${spoken(declaredMs)}, but it is longer.`, {
    suggestedFix: t`Export it again, for example as MP4 with H.264 and AAC, and upload that file.`,
  });
}
