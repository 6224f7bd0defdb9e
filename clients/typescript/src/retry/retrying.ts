import { NetworkError, ReelgraphError } from '../errors.ts';
import { pauseMs, type RetryOptions } from './backoff.ts';
import { sleep } from './timing.ts';

export interface RetryPlan {
  readonly retry: RetryOptions;
  /** Time (ms since 1970) after which nothing is retried. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Retries transient failures until success, a permanent failure, or the last attempt; then throws the last failure. */
export async function retrying<T>(plan: RetryPlan, attempt: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      plan.signal?.throwIfAborted();
      if (!mayPass(error) || failures >= plan.retry.maxAttempts) throw error;
      const pause = pauseMs(failures, plan.retry, error.retryAfterMs);
      if (Date.now() + pause > plan.deadlineMs) throw error;
      await sleep(pause, plan.signal);
    }
  }
}

/** Whether a failure is transient. */
export function mayPass(error: unknown): error is ReelgraphError | NetworkError {
  return (error instanceof ReelgraphError || error instanceof NetworkError) && error.retryable;
}
