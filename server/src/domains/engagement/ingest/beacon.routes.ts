import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiter, type Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { optsOutOfTracking, type RequestContext, type Route } from '../../../platform/routing.ts';
import { readBeacon } from './read-beacon.ts';
import { payloadOf } from './track-engagement.graphql.ts';
import { type EngagementTracker, reporterOf } from './track-engagement.ts';

const PATH = '/api/engagement';
/** Bucket capacity and refill per second of an address; offices and mobile networks share addresses. */
export const BEACON_RATE = { capacity: 3_000, refillPerSecond: 100 } as const;

export interface BeaconTools {
  readonly platform: Pick<Platform, 'clock'>;
  readonly tracker: EngagementTracker;
  /** The viewer whose session or key comes with the request; null without one that is valid. */
  readonly authenticate: (request: IncomingMessage) => Promise<Viewer | null>;
}

/**
 * POST /api/engagement accepts playback events without a key, as navigator.sendBeacon sends them: `{ "events": [ … ] }`
 * as text/plain or application/json, from pages of any origin. Responds with 202, the number of events and the rejected
 * ones.
 */
export function beaconRoutes(tools: BeaconTools): Route[] {
  const addresses = addressLimiter();
  return [
    {
      method: 'POST',
      path: PATH,
      handle: (request, response, context) => handleBeacon(tools, addresses, request, response, context),
    },
  ];
}

async function handleBeacon(
  { platform, tracker, authenticate }: BeaconTools,
  addresses: AddressLimiter,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const events = await readBeacon(request);
  addresses.take(context.clientAddress, Math.max(1, events.length), platform.clock.now());
  const viewer = await authenticate(request);
  const client = {
    address: context.clientAddress,
    userAgent: request.headers['user-agent'] ?? '',
    doNotTrack: optsOutOfTracking(request),
  };
  const outcome = await tracker.track(events, reporterOf(client, viewer), 'events');
  const body = JSON.stringify(payloadOf(outcome, { refusedOnly: true }));
  response.writeHead(202, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

interface AddressLimiter {
  /** Throws RATE_LIMIT_EXCEEDED when the bucket of the address is too low. */
  take(address: string, events: number, nowMs: number): void;
}

/**
 * Buckets are keyed by a hash of the address with a secret that exists only in this process: addresses are not stored.
 */
function addressLimiter(): AddressLimiter {
  const salt = createSecretKey(randomBytes(32));
  const limiter = new RateLimiter(BEACON_RATE);
  return {
    take(address, events, nowMs) {
      const key = createHmac('sha256', salt).update(address).digest('base64url');
      if (limiter.available(key, nowMs) < events) {
        throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many events come from this address.', {
          retryAfterSeconds: limiter.secondsUntil(key, events, nowMs),
          suggestedFix:
            'Batch events and send them every ten seconds; repeat this request after the time in Retry-After.',
        });
      }
      limiter.take(key, events, nowMs);
    },
  };
}
