import type { IncomingMessage, ServerResponse } from 'node:http';
import { AddressLimiter, objectsIn, type Viewer } from '../../../gql/index.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { optsOutOfTracking, type RequestContext, type Route } from '../../../platform/routing.ts';
import { requireTokenChannels } from '../../channels/index.ts';
import { readBeacon } from './read-beacon.ts';
import { payloadOf } from './track-engagement.graphql.ts';
import { type EngagementTracker, reporterOf } from './track-engagement.ts';

const PATH = '/api/engagement';
/** Bucket capacity and refill per second of an address; offices and mobile networks share addresses. */
export const BEACON_RATE = { capacity: 3_000, refillPerSecond: 100 } as const;

export interface BeaconTools {
  readonly platform: Pick<Platform, 'clock' | 'config' | 'db'>;
  readonly tracker: EngagementTracker;
  /** The viewer whose session or key comes with the request; null without one that is valid. */
  readonly authenticate: (request: IncomingMessage) => Promise<Viewer | null>;
}

/**
 * POST /api/engagement accepts playback events without a key, as navigator.sendBeacon sends them: `{ "events": [ … ] }`
 * as text/plain or application/json, from pages of any origin. Responds with 202, the number of events and the rejected
 * ones. A token for some channels is refused all events if one is of another channel of the account, as by
 * trackEngagement.
 */
export function beaconRoutes(tools: BeaconTools): Route[] {
  const addresses = new AddressLimiter({
    name: 'engagement',
    ...BEACON_RATE,
    message: t`Too many events come from this address.`,
    suggestedFix: t`Batch events and send them every ten seconds; repeat this request after the time in Retry-After.`,
  });
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
  const left = addresses.take(context.clientAddress, Math.max(1, events.length), platform.clock.now());
  const viewer = await authenticate(request);
  if (viewer?.token?.channels)
    await requireTokenChannels(platform.db, viewer, objectsIn(platform.config.DID_NAMESPACE, events, 'events'));
  const client = {
    address: context.clientAddress,
    userAgent: request.headers['user-agent'] ?? '',
    doNotTrack: optsOutOfTracking(request),
  };
  const outcome = await tracker.track(events, reporterOf(client, viewer), 'events');
  const hasTexts = outcome.results.some(({ error }) => error !== null);
  const body = JSON.stringify(payloadOf(outcome, context, { refusedOnly: true }));
  response.writeHead(202, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(hasTexts && context.language !== 'en' ? { 'Content-Language': context.language } : {}),
    ...left,
  });
  response.end(body);
}
