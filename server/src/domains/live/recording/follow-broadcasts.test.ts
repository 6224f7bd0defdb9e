import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { addBroadcast } from '../../../testing/seed-live.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { followBroadcasts } from './follow-broadcasts.ts';

describe('broadcasts that processes have left', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    anna = await api.person('anna');
  });
  after(() => api.close());

  it('are completed though many others cannot be, which are tried again', async () => {
    const streams: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      const stream = uuidOf(await addBroadcast(api, anna));
      streams.push(stream);
      await api.rows(
        `update broadcasts set state = 'ENDED', reconnect_until = null,
           ended_at = '2026-01-01T00:00:00Z'::timestamptz + $2 * interval '1 second' where content_id = $1`,
        [stream, n],
      );
    }
    const last = streams.at(-1) ?? '';
    const { store } = api.platform;
    let isBroken = true;
    const failing: ObjectStore = Object.create(store, {
      list: {
        value: (prefix: string) => {
          if (isBroken && !prefix.includes(last)) throw new Error('The object store does not answer.');
          return store.list(prefix);
        },
      },
    });
    const recorded = async () =>
      (
        await api.rows<{ id: string }>(`select content_id as id from broadcasts where state = 'RECORDED' order by 1`)
      ).map(({ id }) => id);
    const { journals } = api.domains.live.services;
    const following = followBroadcasts({ ...api.platform, journals, store: failing });
    following.start();
    try {
      await until(async () => (await recorded()).includes(last), 'the last one is never completed');
      assert.deepEqual(await recorded(), [last]);
      isBroken = false;
      api.clock.advance(600_000);
      await until(async () => (await recorded()).length === streams.length, 'the others are never completed');
    } finally {
      await following.stop();
    }
  });
});
