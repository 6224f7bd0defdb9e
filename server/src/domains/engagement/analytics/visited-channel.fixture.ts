import { openTestEngagement, type TestEngagement } from '../testing.ts';
import { lookAtRandom, watchAtRandom } from './random-visits.fixture.ts';
import { calendar } from './reference-implementation.testing.ts';

const DAY_MS = 86_400_000;
/** When the visits begin. */
export const START = Date.UTC(2026, 9, 5, 7, 31, 12, 345);

/** A channel with four videos and random visits. */
export async function openVisitedChannel(): Promise<{ fixture: TestEngagement; clips: string[] }> {
  const fixture = await openTestEngagement();
  const { catalog, owner } = fixture;
  catalog.clock.advance(START - catalog.clock.now());
  const clips = [
    await fixture.video(30_000),
    await fixture.video(600_000),
    await fixture.video(3_000_000),
    await fixture.video(0),
  ];
  await catalog.rows('update channels set created_at = $2 where id = $1', [
    owner.channelId,
    new Date(START - 3 * DAY_MS).toISOString(),
  ]);
  await watchAtRandom(fixture, clips);
  await lookAtRandom(fixture, clips);
  await fixture.rollUp();
  return { fixture, clips };
}

/** These fields of the analytics of the fixture's channel. */
export async function readAnalytics(
  fixture: TestEngagement,
  selection: string,
  variables: Record<string, unknown> = {},
  // biome-ignore lint/suspicious/noExplicitAny: responses vary with the documents
): Promise<any> {
  const types = Object.keys(variables).map((name) => `, $${name}: ${name === 'contentLrn' ? 'DID!' : 'DateTime'}`);
  const query = `query ($id: DID!${types.join('')}) { channel(id: $id) { analytics { ${selection} } } }`;
  return (await fixture.catalog.ok(fixture.owner, query, { id: fixture.owner.channel, ...variables })).channel
    .analytics;
}

/** Sets the time zone of the channel, and returns its calendar. */
export async function setTimeZone(fixture: TestEngagement, zone: string): Promise<ReturnType<typeof calendar>> {
  await fixture.catalog.rows('update channels set time_zone = $2 where id = $1', [fixture.owner.channelId, zone]);
  return calendar(zone);
}
