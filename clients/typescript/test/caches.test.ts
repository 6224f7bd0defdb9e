import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openTestCatalog, type TestCatalog } from '../../../server/src/domains/catalog/testing.ts';
import { publish } from '../../../server/src/domains/discovery/testing.ts';
import { platformSchema } from '../../../server/src/schema.ts';
import { openApollo } from './caches/apollo.fixture.ts';
import { openRelay } from './caches/relay.fixture.ts';
import { openUrql } from './caches/urql.fixture.ts';
import { type Application, Requests, type Send, type View } from './caches/views.fixture.ts';

// Runs alone: it changes the environment.

type Open = (send: Send) => Application | Promise<Application>;

/** Requests of each step; urql reads a list of comments again, where others add the new one to it. */
const CLIENTS: Readonly<Record<string, { readonly open: Open; readonly comment: number }>> = {
  'Apollo Client': { open: openApollo, comment: 1 },
  Relay: { open: (send) => openRelay(platformSchema(), send), comment: 1 },
  urql: { open: (send) => openUrql(platformSchema(), send), comment: 2 },
};

const titles = (view: View) =>
  // biome-ignore lint/suspicious/noExplicitAny: what the document selects
  view.shown().channel.features.edges.map(({ node }: any) => node.metadata.title);
const likes = (list: View, detail: View) => [
  list.shown().channel.features.edges[0].node.likes.count,
  detail.shown().content.likes.isLiked,
];
const comments = (detail: View) =>
  // biome-ignore lint/suspicious/noExplicitAny: what the document selects
  detail.shown().content.comments.edges.map(({ node }: any) => node.body);

/** What the client says on the console about its use, which it does in development. */
function complaintsOf(t: TestContext): unknown[] {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'development';
  t.after(() => {
    process.env.NODE_ENV = NODE_ENV;
  });
  const complaints: unknown[] = [];
  for (const method of ['error', 'warn'] as const)
    t.mock.method(console, method, (...texts: unknown[]) => complaints.push(texts.join(' ')));
  return complaints;
}

/** Views that are open together share what the cache has, and request nothing again. */
describe('stock clients with the set-up of the package', () => {
  let catalog: TestCatalog;
  before(async () => {
    catalog = await openTestCatalog({ jobs: true });
  });
  after(() => catalog.close());

  for (const [name, { open, ...expected }] of Object.entries(CLIENTS))
    it(`${name}: two views with different selections, a rename, a like, a comment, a page`, async (t) => {
      const complaints = complaintsOf(t);
      const anna = await catalog.person(`anna-${name.split(' ')[0]?.toLowerCase()}`);
      const publishAt = (title: string, day: number) =>
        publish(catalog, anna, title, { published_at: `2026-01-0${day}T00:00:00Z`, summary: `Summary of ${title}` });
      await publishAt('First', 1);
      await publishAt('Second', 2);
      const id = await publishAt('Third', 3);
      const requests = new Requests(async (query, variables) => {
        const { data, errors } = await catalog.run(anna, query, { ...variables });
        return errors.length > 0 ? { data, errors } : { data };
      });
      const application = await open(requests.send);
      const { channel } = anna;

      const list = await application.open('list', { channel, first: 2 });
      const detail = await application.open('detail', { id });
      assert.equal(await requests.taken(), 2, 'one request for each view');
      assert.deepEqual([titles(list), likes(list, detail), comments(detail)], [['Third', 'Second'], [0, false], []]);
      assert.equal(detail.shown().content.metadata.summary, 'Summary of Third');

      await application.mutate('rename', { id, title: 'Renamed' });
      assert.equal(await requests.taken(), 1);
      assert.deepEqual(titles(list), ['Renamed', 'Second']);
      assert.equal(detail.shown().content.metadata.summary, 'Summary of Third');

      await application.mutate('like', { id });
      assert.equal(await requests.taken(), 1);
      assert.deepEqual(likes(list, detail), [1, true]);

      await application.comment(id, 'Well done');
      assert.equal(await requests.taken(), expected.comment);
      assert.deepEqual(comments(detail), ['Well done']);
      assert.deepEqual(titles(list), ['Renamed', 'Second']);

      await application.nextPage(list, list.shown().channel.features.pageInfo.endCursor);
      assert.equal(await requests.taken(), 1);
      assert.deepEqual(titles(list), ['Renamed', 'Second', 'First']);
      assert.equal(list.shown().channel.features.pageInfo.hasNextPage, false);
      assert.deepEqual([likes(list, detail), comments(detail)], [[1, true], ['Well done']]);

      const cards = await application.open('cards', { channel, first: 3 });
      const player = await application.open('player', { id });
      assert.equal(await requests.taken(), 2, 'a longer list and other fields');
      assert.equal(cards.shown().channel.features.edges[2].node.metadata.summary, 'Summary of First');
      assert.equal(player.shown().content.metadata.title, 'Renamed');
      assert.deepEqual(titles(list), ['Renamed', 'Second', 'First'], 'the list lost nothing');
      assert.deepEqual(comments(detail), ['Well done'], 'nor did the content');
      assert.deepEqual(complaints, []);
    });

  for (const [name, { open }] of Object.entries(CLIENTS))
    it(`${name}: objects with the same id, and results of two searches`, async (t) => {
      const complaints = complaintsOf(t);
      const word = name.split(' ')[0]?.toLowerCase();
      const bert = await catalog.person(`bert-${word}`);
      const id = await publish(catalog, bert, `Quiet river of ${word}`);
      await catalog.ok(bert, 'mutation ($id: DID!) { createComment(contentId: $id, body: "Mine") { id } }', { id });
      const other = await catalog.person(`carla-${word}`);
      await catalog.ok(other, 'mutation ($id: DID!) { createComment(contentId: $id, body: "Hers") { id } }', { id });
      const requests = new Requests(async (query, variables) => {
        const { data, errors } = await catalog.run(bert, query, { ...variables });
        return errors.length > 0 ? { data, errors } : { data };
      });
      const application = await open(requests.send);
      const account = await application.open('account', { channel: bert.channel });
      const searches = [
        await application.open('search', { query: `quiet ${word}` }),
        await application.open('search', { query: `river ${word}` }),
      ];
      assert.equal(await requests.taken(), 3);
      const { me, node } = account.shown();
      assert.deepEqual(
        [me.id, me.comments.totalCount, node.__typename, node.comments.totalCount],
        [bert.channel, 1, 'Channel', 2],
      );
      assert.deepEqual(
        searches.map((view) =>
          view
            .shown()
            .search.edges[0].node.highlights.title // biome-ignore lint/suspicious/noExplicitAny: as selected
            .flatMap((part: any) => (part.matched ? [part.text] : [])),
        ),
        [
          ['Quiet', word],
          ['river', word],
        ],
      );
      assert.deepEqual(complaints, []);
    });
});
