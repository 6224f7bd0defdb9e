import { randomUUID } from 'node:crypto';
import { scopeOf } from '../../testing/scope-of.ts';
import { until } from '../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import type { Reporter, TrackOutcome } from './ingest/track-engagement.ts';
import { rollUpAll } from './roll-up/roll-up-events.ts';

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
export const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
/** Addresses registered in the United States and in Germany. */
export const AMERICAN = '8.8.8.8';
export const GERMAN = '141.1.1.1';

/** An event as players send it. */
export type Sent = Record<string, unknown>;

/** A channel with its viewers, on the whole API. */
export interface TestEngagement {
  readonly catalog: TestCatalog;
  readonly owner: Person;
  /** A published feature of this duration; returns its DID. */
  video(durationMs?: number, owner?: Person): Promise<string>;
  /** An event of a session at the present instant of the clock. */
  event(contentId: string, sessionId: string, seq: number, more?: Sent): Sent;
  track(events: readonly Sent[], who?: Partial<Reporter['client']> & { account?: Person }): Promise<TrackOutcome>;
  /** A playback from an address: starts and watches the first seconds. */
  visit(contentId: string, seconds: number, who?: Partial<Reporter['client']> & { account?: Person }): Promise<void>;
  /** Aggregates all pending events, like a worker. */
  rollUp(): Promise<void>;
}

export async function openTestEngagement(options: Parameters<typeof openTestCatalog>[0] = {}): Promise<TestEngagement> {
  const catalog = await openTestCatalog(options);
  const owner = await catalog.person('creator');
  const tracker = catalog.domains.engagement.services.tracker;
  const engagement: TestEngagement = {
    catalog,
    owner,
    async video(durationMs = 600_000, of = owner) {
      const did = await catalog.content(of, { status: 'PUBLISHED' });
      await catalog.rows('update contents set duration_ms = $2 where id = $1', [uuidOf(did), durationMs]);
      return did;
    },
    event: (contentId, sessionId, seq, more = {}) => ({
      ...{ kind: 'HEARTBEAT', contentId, sessionId, seq, positionMs: 0 },
      occurredAt: new Date(catalog.clock.now()).toISOString(),
      ...(more.kind === undefined || more.kind === 'HEARTBEAT' ? { ranges: [{ startMs: 0, endMs: 5_000 }] } : {}),
      ...more,
    }),
    track: (events, { account, ...client } = {}) =>
      tracker.track(
        events,
        {
          client: { address: AMERICAN, userAgent: FIREFOX, doNotTrack: false, ...client },
          accountId: account?.accountId ?? null,
          scope: scopeOf(account?.accountId),
          byKey: false,
        },
        'events',
      ),
    async visit(contentId, seconds, who) {
      const session = randomUUID();
      const ranges = [{ startMs: 0, endMs: seconds * 1000 }];
      await engagement.track(
        [
          engagement.event(contentId, session, 0, { kind: 'START', startupMs: 300 }),
          engagement.event(contentId, session, 1, {
            ...{ ranges, positionMs: seconds * 1000 },
            occurredAt: new Date(catalog.clock.now() + Math.min(seconds * 1000, 240_000)).toISOString(),
          }),
        ],
        who,
      );
    },
    async rollUp() {
      // Transactions of other test files on the same server delay it like any older transaction.
      const behind = 'select exists (select 1 from watch_events e, watch_cursor c where e.xact > c.xact) as behind';
      await until(async () => {
        await rollUpAll(catalog.platform);
        return !(await catalog.row<{ behind: boolean }>(behind)).behind;
      }, 'an older transaction is still open');
    },
  };
  return engagement;
}
