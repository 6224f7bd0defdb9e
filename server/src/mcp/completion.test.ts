import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { type AgentFixture, openAgentFixture } from './testing.ts';

let fixture: AgentFixture;
before(async () => {
  fixture = await openAgentFixture();
});
after(() => fixture?.close());

const prompt = (name: string) => ({ type: 'ref/prompt', name }) as const;
const template = (uri: string) => ({ type: 'ref/resource', uri }) as const;
const CONTENT = template('did:reelgraph:content/{kind}/{id}');
const idOf = (did: string) => did.slice(did.lastIndexOf('/') + 1);

for (const era of ['modern', 'legacy'] as const) {
  describe(`completion with the ${era} protocol`, () => {
    let client: Client;
    before(async () => {
      client = await fixture.connect({ era });
    });
    const valuesOf = async (
      ref: Parameters<Client['complete']>[0]['ref'],
      name: string,
      value: string,
      known: Record<string, string> = {},
    ) => (await client.complete({ ref, argument: { name, value }, context: { arguments: known } })).completion.values;

    it('offers the periods of analytics, without the one that needs dates', async () => {
      assert.deepEqual(await valuesOf(prompt('review_a_channel'), 'range', 'last'), [
        'LAST_7D',
        'LAST_28D',
        'LAST_30D',
        'LAST_90D',
      ]);
      assert.deepEqual(await valuesOf(prompt('review_a_channel'), 'range', 'custom'), []);
    });

    it('offers own channels by name, handle or id, and no others', async () => {
      const { channel } = fixture.owner;
      await fixture.api.person(`olga${era}`);
      for (const typed of ['', 'oli', 'OLIVIA', 'did:reelgraph:'])
        assert.deepEqual(await valuesOf(prompt('review_a_channel'), 'channel', typed), [channel], typed);
      assert.deepEqual(await valuesOf(prompt('review_a_channel'), 'channel', 'olga'), []);
      assert.deepEqual(await valuesOf(template('did:reelgraph:channel/{id}'), 'id', 'oli'), [idOf(channel)]);
    });

    it('offers own contents by the start of the title, drafts too, of the kind that was chosen', async () => {
      const title = `Harbour ${era}`;
      const draft = await fixture.things.content({ title: `${title} draft` });
      const short = await fixture.things.content({ title: `${title} short`, kind: 'SHORT', status: 'PUBLISHED' });
      await fixture.things.content({ title: `The ${title}`, status: 'PUBLISHED' });
      assert.deepEqual(
        new Set(await valuesOf(CONTENT, 'id', title.toLowerCase())),
        new Set([idOf(draft), idOf(short)]),
      );
      assert.deepEqual(await valuesOf(CONTENT, 'id', title, { kind: 'short' }), [idOf(short)]);
      assert.deepEqual(await valuesOf(CONTENT, 'id', idOf(draft), { kind: 'feature' }), [idOf(draft)]);
    });

    it('offers kinds and categories', async () => {
      assert.deepEqual(await valuesOf(CONTENT, 'kind', 's'), ['short', 'serie', 'season', 'stream']);
      const categories = await valuesOf(prompt('publish_a_video'), 'category', 'mu');
      assert.ok(categories.length > 0 && categories.every((name) => /^mu/i.test(name)), String(categories));
    });

    it('has nothing for free text, and refuses arguments that there are not', async () => {
      assert.deepEqual(await valuesOf(prompt('plan_a_series'), 'idea', 'tides'), []);
      assert.deepEqual(await valuesOf(CONTENT, 'id', 'x'.repeat(201)), []);
      await assert.rejects(valuesOf(prompt('plan_a_series'), 'colour', ''), /has no argument colour/);
      await assert.rejects(valuesOf(prompt('launch'), 'x', ''), /launch has no argument x/);
      await assert.rejects(valuesOf(template('file:///{path}'), 'path', ''), /has no argument path/);
    });
  });
}

it('has at most 100 values, and says that there are more', async () => {
  const writer = await fixture.api.person('wanda');
  const { createSeedData } = await import('../testing/seed-data.ts');
  const things = createSeedData(fixture.api, writer);
  for (let n = 0; n < 101; n += 1) await things.content({ title: `Series ${n}`, status: 'PUBLISHED' });
  const client = await fixture.connect({ key: writer.key });
  const { completion } = await client.complete({ ref: CONTENT, argument: { name: 'id', value: 'series' } });
  assert.deepEqual([completion.values.length, completion.hasMore], [100, true]);
});

it('offers an account nothing that belongs to others', async () => {
  const id = await fixture.things.content({ title: 'Lighthouse' });
  const { key } = await fixture.api.person('otto');
  const ask = async (client: Client) =>
    (await client.complete({ ref: CONTENT, argument: { name: 'id', value: 'light' } })).completion.values;
  assert.deepEqual(await ask(await fixture.connect()), [idOf(id)]);
  assert.deepEqual(await ask(await fixture.connect({ key })), []);
});
