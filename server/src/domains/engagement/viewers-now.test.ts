import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addBroadcast } from '../../testing/seed-live.ts';
import { uuidOf } from '../catalog/testing.ts';
import { GERMAN, openTestEngagement, type TestEngagement } from './testing.ts';

const VIEWERS = 'query ($id: DID!) { content(id: $id) { ... on Stream { broadcast { viewers } } } }';

describe('viewers of a broadcast', () => {
  let fixture: TestEngagement;
  before(async () => {
    fixture = await openTestEngagement();
  });
  after(() => fixture.catalog.close());

  it('are those whose players have reported in the last seconds, while it is live', async () => {
    const { catalog, owner } = fixture;
    const stream = await addBroadcast(catalog, owner);
    const viewers = async () => (await catalog.ok(owner, VIEWERS, { id: stream })).content.broadcast.viewers;
    assert.equal(await viewers(), 0);
    const [first, second, none] = [randomUUID(), randomUUID(), randomUUID()];
    const start = (session: string) => fixture.event(stream, session, 0, { kind: 'START', startupMs: 300 });
    await fixture.track([start(first)]);
    await fixture.track([start(second)], { address: GERMAN });
    await fixture.track([start(none)], { doNotTrack: true });
    await fixture.rollUp();
    assert.equal(await viewers(), 2);
    catalog.clock.advance(20_000);
    await fixture.track([fixture.event(stream, second, 1)], { address: GERMAN });
    await fixture.rollUp();
    catalog.clock.advance(10_000);
    assert.equal(await viewers(), 1);
    catalog.clock.advance(20_000);
    assert.equal(await viewers(), 0);
    await catalog.rows(
      `update broadcasts set state = 'ENDED', ended_at = now(), reconnect_until = null where content_id = $1`,
      [uuidOf(stream)],
    );
    assert.equal(await viewers(), null);
  });
});
