import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

/** Interruptions of one piece of work, the last one included. */
export interface Interruptions {
  /** Name of its kind and its id, as the log has them. */
  readonly work: string;
  readonly count: number;
  /** Since the first one. */
  readonly sinceMs: number;
  /** Processes in a row that died while they worked on it. */
  readonly deaths: number;
  /** Whether other work or another process survived one of the last three of these deaths, or went on without it. */
  readonly othersSurvived: boolean;
  /** Whether the last process that died worked on nothing else. */
  readonly wasAlone: boolean;
}

/** What happens to interrupted work: `apart`: it is tried once more, alone. */
export type InterruptionDecision =
  | { readonly kind: 'again'; readonly afterSeconds: number }
  | { readonly kind: 'apart' }
  | { readonly kind: 'give-up'; readonly reason: AppError };

/** How long interrupted work goes on. */
export const INTERRUPTED_MS = 86_400_000;
/** A process that dies so many times in a row with the same work may die of it. */
export const SUSPICIOUS_DEATHS = 3;
const LONGEST_DELAY_SECONDS = 300;

/**
 * Decides what happens to work that was interrupted: its process died or lost it, which is no failure of the work. It
 * goes on at once after the first interruption, and after a pause that doubles, at most five minutes, after later ones,
 * for a day. Work that seems to be what its processes die of is set apart and tried once more, alone. Pure.
 */
export function decideAfterInterruption(past: Interruptions): InterruptionDecision {
  const { work, count, sinceMs, deaths, othersSurvived, wasAlone } = past;
  if (wasAlone) return { kind: 'give-up', reason: endsItsProcess(work, deaths) };
  if (sinceMs >= INTERRUPTED_MS) return { kind: 'give-up', reason: interruptedForADay(count) };
  if (deaths >= SUSPICIOUS_DEATHS && othersSurvived) return { kind: 'apart' };
  return { kind: 'again', afterSeconds: count < 2 ? 0 : Math.min(LONGEST_DELAY_SECONDS, 2 ** (count - 1)) };
}

function endsItsProcess(work: string, deaths: number): AppError {
  const message = t`The server's process ended ${deaths} times while it worked on this, the last time when it worked on
    nothing else. Other work is not affected.`;
  return new AppError('INTERNAL_SERVER_ERROR', message, {
    suggestedFix: t`Convert the file with another program and upload it again. The operator of the server finds more in
      the logs of the workers, which name it ${work}.`,
  });
}

/** The reason given for work that was interrupted for a whole day. */
export function interruptedForADay(count: number): AppError {
  return new AppError('INTERNAL_SERVER_ERROR', t`The server was interrupted ${count} times while it worked on this.`, {
    suggestedFix: t`It was tried for a day. Submit it again when the server runs without interruptions.`,
  });
}
