import { availableParallelism } from 'node:os';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { type RunError, type RunLimits, sandboxRefusal } from '../../../media/index.ts';
import type { Logger } from '../../../platform/log.ts';

export const MOST_RESULT_BYTES = 16 * 1024 ** 2;
/** Of the largest model with its buffers. */
const MEMORY_BYTES = 8 * 1024 ** 3;
const MOST_THREADS = 4;

/** Limits that the largest model does not reach on an ordinary CPU. Pure. */
export function whisperLimits(durationMs: number): RunLimits {
  const cpuSeconds = 300 + Math.ceil(durationMs / 1000) * 60;
  return { cpuSeconds, memoryBytes: MEMORY_BYTES, outputBytes: MOST_RESULT_BYTES, wallMs: 1_000 * cpuSeconds };
}

export function whisperThreads(): number {
  return Math.min(MOST_THREADS, availableParallelism());
}

/** What a failed run of whisper.cpp is for the job. `check` says in the log what the operator can check. */
export function runFailure(error: RunError, log: Pick<Logger, 'error'>, check: string): Error {
  const facts = { error, stderr: error.stderrTail };
  switch (error.reason) {
    case 'aborted':
      return error;
    case 'sandbox':
      return sandboxRefusal();
    case 'busy':
    case 'disk-full':
    case 'signal':
      return new AppError('SERVICE_UNAVAILABLE', t`This server has no room for speech recognition at the moment.`, {
        cause: error,
      });
    case 'timeout':
    case 'cpu-limit':
      log.error(facts, 'whisper.cpp took longer than its limit');
      return recognitionFailed(t`The speech recognition of this server took too long.`, error);
    default:
      log.error(facts, `whisper.cpp failed: ${check}`);
      return recognitionFailed(t`The speech recognition of this server failed.`, error);
  }
}

/** The error of a job that will not succeed later either. */
export function recognitionFailed(message: Text, cause: unknown): AppError {
  return new AppError('TRANSCODE_FAILED', message, {
    suggestedFix: t`Ask the operator of this server, whose log has the reason.`,
    cause,
  });
}
