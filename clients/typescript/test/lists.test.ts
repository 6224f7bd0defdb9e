import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, type ContentConnection, createClient } from '../src/index.ts';
import { sharedTestPlatform } from './platform.fixture.ts';

const COUNT = 23;
const platform = sharedTestPlatform();
let client: Client;
let titles: string[] = [];
before(async () => {
  client = createClient({ url: platform.url, key: platform.key });
  for (let n = 0; n < COUNT; n += 1) await client.createContent({ input: { title: `Content ${n}` } });
  titles = Array.from({ length: COUNT }, (_, n) => `Content ${COUNT - 1 - n}`);
});

const asked = () => platform.proxy.take().length;

describe('a list', () => {
  it('is iterated by entry, over all pages', async () => {
    asked();
    const seen: string[] = [];
    for await (const content of client.channelContents.all({ id: platform.channelId }, { pageSize: 10 }))
      seen.push(content.metadata.title);
    assert.deepEqual(seen, titles);
    assert.equal(asked(), 3);
  });

  it('requests no page before it is needed, and none after the loop ends', async () => {
    asked();
    let taken = 0;
    for await (const _ of client.channelContents.all({ id: platform.channelId }, { pageSize: 5 })) {
      taken += 1;
      assert.equal(platform.proxy.seen.length, Math.ceil(taken / 5));
      if (taken === 7) break;
    }
    assert.equal(asked(), 2);
  });

  it('ends at the limit, and requests no more entries', async () => {
    asked();
    const some = await client.channelContents.all({ id: platform.channelId }, { pageSize: 10, limit: 12 }).toArray();
    assert.deepEqual(
      some.map(({ metadata }) => metadata.title),
      titles.slice(0, 12),
    );
    assert.equal(asked(), 2);
    assert.deepEqual(await client.channelContents.all({ id: platform.channelId }, { limit: 0 }).toArray(), []);
    assert.equal(asked(), 0);
  });

  it('returns edges, and pages with totalCount, and continues after a cursor', async () => {
    const list = client.channelContents.all({ id: platform.channelId }, { pageSize: 20 });
    const counts: unknown[] = [];
    for await (const page of list.pages()) counts.push([page.totalCount, page.edges.length]);
    assert.deepEqual(counts, [
      [COUNT, 20],
      [COUNT, 3],
    ]);
    const cursors: string[] = [];
    for await (const { cursor } of list.edges()) cursors.push(cursor);
    const rest = await client.channelContents.all({ id: platform.channelId }, { after: cursors[19] }).toArray();
    assert.deepEqual(
      rest.map(({ metadata }) => metadata.title),
      titles.slice(20),
    );
  });

  it('can be anywhere in a document of the caller', async () => {
    const text = `query ($handle: String, $first: Int, $after: String) {
      channel(handle: $handle) { contents(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor
        } edges { cursor node { metadata { title } } } } }
    }`;
    interface Found {
      channel: { contents: ContentConnection | null };
    }
    const list = client.paginate<ContentConnection, Found>(
      text,
      { handle: platform.username },
      ({ channel }) => channel.contents,
      {
        pageSize: 9,
      },
    );
    assert.deepEqual(
      (await list.toArray()).map(({ metadata }) => metadata.title),
      titles,
    );
  });

  it('that is null for the caller is empty', async () => {
    const stranger = createClient({ url: platform.url, key: (await platform.account()).key });
    assert.equal(await stranger.channelContents({ id: platform.channelId }), null);
    assert.deepEqual(await stranger.channelContents.all({ id: platform.channelId }).toArray(), []);
  });

  it('throws the platform’s error, and the reason of the signal', async () => {
    await assert.rejects(client.features.all({}, { pageSize: 101 }).toArray(), {
      code: 'INVALID_INPUT',
      field: 'first',
    });
    const reason = new Error('enough');
    await assert.rejects(client.features.all({}, { signal: AbortSignal.abort(reason) }).toArray(), reason);
  });
});
