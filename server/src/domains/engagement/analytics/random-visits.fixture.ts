import { randomUUID } from 'node:crypto';
import { seededRandom } from '../../../kernel/random.testing.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { AMERICAN, FIREFOX, GERMAN, IPHONE, type Sent, type TestEngagement } from '../testing.ts';

const DAY_MS = 86_400_000;

/** Playbacks over 38 days, some of signed-in viewers, with follows and comments between them. */
export async function watchAtRandom(fixture: TestEngagement, videos: readonly string[]): Promise<void> {
  const { catalog, owner } = fixture;
  const next = seededRandom(20_261_101);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T; // never out of range
  const accounts = [await catalog.person('ada'), await catalog.person('bob')];
  for (let visit = 0; visit < 160; visit += 1) {
    // Some viewers return immediately, some hours later: 38 days in total.
    catalog.clock.advance(Math.floor(next() < 0.5 ? next() * 2_700_000 : next() * 0.9 * DAY_MS));
    const account: Person | undefined = next() < 0.4 ? pick(accounts) : undefined;
    await fixture.track(session(fixture, pick(videos), videos[0], next), {
      ...{ address: pick([AMERICAN, GERMAN, '127.0.0.1']), userAgent: pick([FIREFOX, IPHONE]) },
      ...(account ? { account } : {}),
    });
    const at = new Date(catalog.clock.now()).toISOString();
    if (next() < 0.4) {
      await catalog.rows(
        'insert into follow_changes (channel_id, account_id, delta, created_at) values ($1, $2, $3, $4)',
        [...[owner.channelId, pick(accounts).accountId, next() < 0.7 ? 1 : -1, at]],
      );
    }
    if (next() < 0.3) {
      await catalog.rows(
        'insert into comments (id, content_id, channel_id, account_id, body, created_at) ' +
          `values (gen_random_uuid(), $1, $2, $3, 'Nice', $4)`,
        [uuidOf(pick(videos)), owner.channelId, pick(accounts).accountId, at],
      );
    }
    if (visit % 40 === 0) await fixture.rollUp();
  }
}

/** Visits of pages with cards in the last nine hours, reported in any order and partly twice. */
export async function lookAtRandom(fixture: TestEngagement, videos: readonly string[]): Promise<void> {
  const next = seededRandom(7);
  for (let visit = 0; visit < 40; visit += 1) {
    const id = randomUUID();
    const at = fixture.catalog.clock.now() - Math.floor(next() * 32_400_000);
    const occurredAt = () => new Date(at + Math.floor(next() * 1_800_000) - 1_800_000).toISOString();
    const card = (kind: string) => (video: string, seq: number) =>
      fixture.event(video, id, seq, { kind, occurredAt: occurredAt() });
    const shown = [...videos, ...videos].filter(() => next() < 0.5).map(card('IMPRESSION'));
    const followed = videos.filter(() => next() < 0.25).map((video, index) => card('CLICK')(video, 100 + index));
    const sent = next() < 0.5 ? [...shown, ...followed] : [...followed, ...shown];
    if (sent.length > 0) await fixture.track(sent, { address: pickedAddress(visit) });
  }
}

// Never out of range.
const pickedAddress = (visit: number) => [AMERICAN, GERMAN, '192.0.2.7', '192.0.2.8'][visit % 4] as string;

/** The events of one playback; the `short` video has 30 s. */
function session(fixture: TestEngagement, video: string, short: string | undefined, next: () => number): Sent[] {
  const id = randomUUID();
  const now = fixture.catalog.clock.now();
  const lengthMs = video === short ? 30_000 : 600_000;
  const sent: Sent[] =
    next() < 0.9
      ? [
          fixture.event(video, id, 0, {
            kind: 'START',
            ...(next() < 0.8 ? { startupMs: Math.floor(next() * 900) } : {}),
          }),
        ]
      : [];
  for (let seq = 1; seq < 1 + next() * 6; seq += 1) {
    const startMs = Math.floor(next() * (lengthMs - 11_000));
    const occurredAt = new Date(now + seq * 10_000).toISOString();
    const ranges = [{ startMs, endMs: startMs + 1 + Math.floor(next() * 10_000) }];
    sent.push(fixture.event(video, id, seq, { ranges, occurredAt, positionMs: startMs }));
    if (next() < 0.2)
      sent.push(
        fixture.event(video, id, seq + 100, { kind: 'REBUFFER', rebufferMs: Math.floor(next() * 2_000), occurredAt }),
      );
    if (next() < 0.1)
      sent.push(fixture.event(video, id, seq + 200, { kind: 'ERROR', errorCode: 'network', occurredAt }));
    if (next() < 0.1) sent.push(fixture.event(video, id, seq + 300, { kind: 'COMPLETE', occurredAt }));
  }
  return sent;
}
