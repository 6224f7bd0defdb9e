import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Engine } from '../../../gql/index.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { attempt, insertComment, linesOf, order, READ, work } from './exports.fixture.ts';

/** Three levels, with lists that have more than a page. */
const QUERY = `{ contents { edges { node { id comments { edges { node { id replies { edges { node { id }
} } } } } } } } }`;

class Killed extends Error {}

describe('exports whose worker is lost', () => {
  let api: TestCatalog;
  let anna: Person;
  const ids: string[] = [];
  let whole: unknown[];

  before(async () => {
    api = await openTestCatalog({ jobs: true });
    anna = await api.person('anna');
    for (let n = 0; n < 30; n += 1) ids.push(await api.content(anna, { title: `Video ${n}`, status: 'PUBLISHED' }));
    for (let n = 0; n < 24; n += 1) {
      const content = ids[29 - (n % 2)] ?? '';
      const parent = await insertComment(api, anna, content);
      for (let reply = 0; reply < (n === 20 ? 23 : n % 3); reply += 1)
        await insertComment(api, anna, content, { parent });
    }
    const id = await order(api, anna, QUERY);
    await work(api, id);
    whole = await linesOf(api, id);
    assert.equal(new Set(whole.map((line) => JSON.stringify(line))).size, whole.length);
    assert.ok(whole.length > 90);
  });
  after(() => api.close());

  /** Runs an export in attempts that die at a point: reads of the engine, writes of store and database are counted. */
  async function dying(id: string, pointOf: (attempt: number) => number): Promise<number> {
    for (let attempts = 1; ; attempts += 1) {
      let left = pointOf(attempts);
      const reach = () => {
        left -= 1;
        if (left === 0) throw new Killed();
      };
      const { engine, platform } = { engine: api.domains.engine, platform: api.platform };
      const dyingEngine: Engine = Object.create(engine, {
        examine: { value: engine.examine.bind(engine) },
        maxCost: { value: engine.maxCost },
        execute: {
          value: async (request: Parameters<Engine['execute']>[0]) => {
            reach();
            return engine.execute(request);
          },
        },
      });
      const store = {
        ...platform.store,
        async put(...args: Parameters<typeof platform.store.put>) {
          reach();
          const stored = await platform.store.put(...args);
          reach();
          return stored;
        },
      };
      const db: typeof platform.db = Object.create(platform.db, {
        transaction: { value: platform.db.transaction.bind(platform.db) },
        statistics: { value: platform.db.statistics },
        run: { value: platform.db.run.bind(platform.db) },
        first: {
          async value(...args: Parameters<typeof platform.db.first>) {
            const row = await platform.db.first(...args);
            // Written, and the answer is lost.
            reach();
            return row;
          },
        },
      });
      try {
        await attempt(api, id, { engine: dyingEngine, platform: { db, store }, partBytes: 200 });
        return attempts;
      } catch (error) {
        assert.ok(error instanceof Killed, String(error));
      }
    }
  }

  for (const [what, pointOf] of [
    ['at a later point each time', (attempts: number) => attempts],
    ['at changing points', (attempts: number) => 5 + ((attempts * 7) % 6)],
    ['at points far apart', (attempts: number) => 6 + attempts * 11],
  ] as const)
    it(`have every line once, killed ${what}`, async () => {
      const id = await order(api, anna, QUERY);
      const attempts = await dying(id, pointOf);
      assert.ok(attempts > 2, `${attempts} attempts`);
      assert.deepEqual(await linesOf(api, id), whole);
      const { dataExport } = await api.ok(anna, READ, { id });
      assert.deepEqual([dataExport.status, dataExport.objectCount], ['COMPLETE', whole.length]);
    });

  it('keep the lines of one worker, when two write at once', async () => {
    const id = await order(api, anna, QUERY);
    await Promise.all([1, 2, 3].map(() => attempt(api, id, { partBytes: 100 })));
    assert.deepEqual(await linesOf(api, id), whole);
  });

  it('have each object that was there all the time once, whatever changes meanwhile', async () => {
    const id = await order(api, anna, '{ contents { edges { node { id } } } }');
    const [gone, kept] = [ids.slice(0, 3), ids.slice(3)];
    let reads = 0;
    const { engine } = api.domains;
    const changing: Engine = Object.create(engine, {
      examine: { value: engine.examine.bind(engine) },
      maxCost: { value: engine.maxCost },
      execute: {
        value: async (request: Parameters<Engine['execute']>[0]) => {
          reads += 1;
          const answer = await engine.execute(request);
          await api.content(anna, { title: 'New', status: 'PUBLISHED' });
          if (reads === 1) await api.rows('delete from contents where id = any($1)', [gone.map(uuidOf)]);
          return answer;
        },
      },
    });
    await attempt(api, id, { engine: changing, partBytes: 1 });
    const found = (await linesOf(api, id)).map((line) => line.id);
    assert.deepEqual(
      found.filter((each) => kept.includes(each)),
      [...kept].reverse(),
    );
    assert.equal(new Set(found).size, found.length);
  });
});
