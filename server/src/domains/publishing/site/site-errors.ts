import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ExchangeResponse } from '../../../platform/fetch/guarded-exchange.ts';

/** The shape of errors (Data API, "Errors"): the first reason is more specific than the status. */
const Refusal = z.object({
  error: z.object({
    errors: z.array(z.object({ reason: z.string().max(100) })).default([]),
    message: z.string().default(''),
  }),
});

const QUOTA_REASONS: ReadonlySet<string> = new Set(['quotaExceeded', 'dailyLimitExceeded', 'uploadLimitExceeded']);
const RATE_REASONS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'servingLimitExceeded',
]);
const MISSING_REASONS: ReadonlySet<string> = new Set([
  'videoNotFound',
  'playlistNotFound',
  'channelNotFound',
  'notFound',
]);
const RATE_RETRY_SECONDS = 60;
const ERROR_RETRY_SECONDS = 30;

/** The reason of an error; null without one. */
export function reasonOf(response: ExchangeResponse): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(response.text);
  } catch {
    return null;
  }
  const refusal = Refusal.safeParse(parsed);
  return refusal.success ? (refusal.data.error.errors[0]?.reason ?? null) : null;
}

/** Maps an error response to an AppError. The response text is for the log only. */
export function siteError(response: ExchangeResponse, nowMs: number): AppError {
  const reason = reasonOf(response);
  const cause = new Error(`YouTube answered ${response.status} ${reason ?? ''}: ${response.text.slice(0, 500)}`);
  if (reason !== null && QUOTA_REASONS.has(reason)) {
    return new AppError(
      'RATE_LIMIT_EXCEEDED',
      t`YouTube answers no more requests of this server today: the quota of its project is used up.`,
      {
        suggestedFix: t`Try again after midnight Pacific time, when the quota resets; the operator can request a larger
          one from Google.`,
        retryAfterSeconds: secondsUntilQuota(nowMs),
        cause,
      },
    );
  }
  if ((reason !== null && RATE_REASONS.has(reason)) || response.status === 429) {
    return new AppError('RATE_LIMIT_EXCEEDED', t`YouTube received too many requests.`, {
      suggestedFix: t`Wait a minute, then repeat the request.`,
      retryAfterSeconds: RATE_RETRY_SECONDS,
      cause,
    });
  }
  if (response.status === 404 || (reason !== null && MISSING_REASONS.has(reason))) {
    return new AppError('RESOURCE_NOT_FOUND', t`YouTube has no such video.`, {
      suggestedFix: t`Take the identifier from youtubeVideos.`,
      cause,
    });
  }
  if (response.status === 401 || response.status === 403) {
    return new AppError('UNAUTHORIZED', t`YouTube does not allow this to the connected account.`, {
      suggestedFix: t`Connect YouTube again on the settings page, and agree to everything that is to be used.`,
      cause,
    });
  }
  return new AppError('SERVICE_UNAVAILABLE', t`YouTube could not answer.`, {
    suggestedFix: t`Repeat the request in half a minute.`,
    retryAfterSeconds: ERROR_RETRY_SECONDS,
    cause,
  });
}

/** The quota resets at midnight Pacific time (Data API, "Quota usage"). */
export function secondsUntilQuota(nowMs: number): number {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/Los_Angeles',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const [hours = 0, minutes = 0, seconds = 0] = time.format(nowMs).split(':').map(Number);
  return 86_400 - (hours * 3_600 + minutes * 60 + seconds);
}
