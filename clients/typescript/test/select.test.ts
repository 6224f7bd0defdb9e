import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { commentAdded, contents, createContent, me } from '../src/generated/methods.gen.ts';
import { createCoreClient, ReelgraphError, upload } from '../src/index.ts';
import { mutation, page, query, subscription } from '../src/select/index.ts';
import { sharedTestPlatform } from './platform.fixture.ts';

const platform = sharedTestPlatform();
afterEach(() => platform.proxy.reset());

const connect = () => createCoreClient({ url: platform.url, key: platform.key });
const create = async (title: string): Promise<string> => {
  const { createContent } = await connect().request(mutation({ createContent: [{ input: { title } }, { id: true }] }));
  return createContent.id;
};

describe('a selection', () => {
  it('returns exactly the chosen fields, under their names', async () => {
    const id = await create('Chosen');
    const data = await connect().request(
      query({
        content: [{ id }, { __typename: true, metadata: { title: true }, on: { Feature: { status: true } } }],
        'mine: me': { username: true },
      }),
    );
    assert.deepEqual(data, {
      content: { __typename: 'Feature', metadata: { title: 'Chosen' }, status: 'DRAFT' },
      mine: { username: platform.username },
    });
  });

  it('is the same text for other values, which travel as variables', async () => {
    const ids = [await create('One'), await create('Two')];
    platform.proxy.take();
    const texts = ids.map((id) => `${query({ content: [{ id }, { id: true }] })}`);
    const found = await Promise.all(ids.map((id) => connect().request(query({ content: [{ id }, { id: true }] }))));
    assert.deepEqual(
      found.map(({ content }) => content?.id),
      ids,
    );
    assert.equal(new Set(texts).size, 1);
  });

  it('is paged through', async () => {
    const titles = ['A', 'B', 'C', 'D', 'E'];
    const { createPlaylist } = await connect().request(
      mutation({ createPlaylist: [{ input: { title: 'Pages' } }, { id: true }] }),
    );
    const contentIds: string[] = [];
    for (const title of titles) contentIds.push(await create(title));
    await connect().request(
      mutation({ addPlaylistItems: [{ id: createPlaylist.id, input: { contentIds } }, { playlist: { id: true } }] }),
    );
    const node = { content: { metadata: { title: true } } } as const;
    const edges = { cursor: true, node } as const;
    const items = query({
      playlist: [
        { id: createPlaylist.id },
        { items: [page, { pageInfo: { hasNextPage: true, endCursor: true }, edges }] },
      ],
    });
    platform.proxy.take();
    const found = await connect()
      .paginate(items, {}, ({ playlist }) => playlist?.items, { pageSize: 2 })
      .toArray();
    assert.deepEqual(
      found.map(({ content }) => content?.metadata.title),
      titles,
    );
    assert.equal(platform.proxy.take().length, 3);
  });

  it('is followed', async () => {
    const id = await create('Followed');
    const messages = connect().subscribe(subscription({ contentUpdated: [{ id }, { metadata: { title: true } }] }));
    const { value } = await messages.next();
    assert.deepEqual(value?.data, { contentUpdated: { metadata: { title: 'Followed' } } });
    await messages.return?.();
  });

  it('is refused by the platform where the types were bypassed', async () => {
    const unknown = query({ me: { nothing: true } } as never);
    await assert.rejects(connect().request(unknown), { code: 'GRAPHQL_VALIDATION_FAILED' });
    const { errors } = await connect().answer(query({ content: [{ id: 'did:none' }, { id: true }] }));
    assert.equal(errors.length, 1);
  });
});

describe('a client with some operations', () => {
  it('has their methods and no others', async () => {
    const client = createCoreClient({ url: platform.url, key: platform.key }, { me, contents, createContent });
    assert.equal((await client.me()).username, platform.username);
    assert.equal((await client.createContent({ input: { title: 'One' } })).metadata.title, 'One');
    assert.ok(Array.isArray(await client.contents.all({}, { limit: 1 }).toArray()));
    assert.deepEqual(Object.keys(client).sort(), [
      'answer',
      'contents',
      'createContent',
      'me',
      'paginate',
      'request',
      'subscribe',
    ]);
  });

  it('follows what happens after it began, as the other client does', async () => {
    const client = createCoreClient({ url: platform.url, key: platform.key }, { commentAdded });
    const contentId = await create('Commented');
    const stop = new AbortController();
    const comments = client.commentAdded({ contentId }, { signal: stop.signal });
    const first = comments.next();
    await platform.proxy.came('POST', 1);
    stop.abort();
    assert.equal((await first).done, true);
  });

  it('uploads by a function that takes it, and not with a copy', async () => {
    const client = createCoreClient({ url: platform.url, key: platform.key });
    const { contentId, processing } = await upload(client, new Blob(['not a video']), { title: 'Sent', wait: false });
    assert.match(contentId, /^did:/);
    assert.equal(processing, null);
    await assert.rejects(upload({ ...client }, new Blob(['x']), { title: 'Copy', wait: false }), {
      name: 'TypeError',
      message: /itself and not a copy/,
    });
    await assert.rejects(upload(client, new Blob(['x']), { title: '', wait: false }), ReelgraphError);
  });
});
