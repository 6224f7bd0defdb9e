import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { GraphQLSchema } from 'graphql';
import { openTestCatalog, type Person, type TestCatalog } from './domains/catalog/testing.ts';
import { platformSchema } from './schema.ts';
import { openApollo } from './testing/clients/apollo.ts';
import type { CachingClient, Card, Send } from './testing/clients/documents.ts';
import { openRelay } from './testing/clients/relay.ts';
import { openUrql } from './testing/clients/urql.ts';
import { createSeedData, type SeedData } from './testing/seed-data.ts';

const CLIENTS: Readonly<Record<string, (schema: GraphQLSchema, send: Send) => CachingClient | Promise<CachingClient>>> =
  {
    'Apollo Client': openApollo,
    Relay: openRelay,
    urql: openUrql,
  };

/** Clients keep one record of a content, whichever list or mutation it came from. */
describe('clients with a normalized cache', () => {
  let catalog: TestCatalog;
  let anna: Person;
  let seed: SeedData;
  before(async () => {
    catalog = await openTestCatalog({ jobs: true });
    anna = await catalog.person('anna');
    seed = await createSeedData(catalog, anna);
  });
  after(() => catalog.close());

  /** Sends what a client sends, as the owner of the channel. */
  const send: Send = async (query, variables) => {
    const { data, errors } = await catalog.run(anna, query, variables);
    return errors.length > 0 ? { data, errors } : { data };
  };
  const published = async () => {
    const id = await seed.processed();
    await catalog.ok(anna, 'mutation ($id: DID!) { publishContent(id: $id) { id } }', { id });
    return id;
  };
  /** The content in both lists of the page. */
  const cardsOf = (client: CachingClient, id: string): Card[] => {
    const { features, channel } = client.shown(anna.channel);
    return [features, channel?.contents].map(
      (list) => list?.edges.find(({ node }) => node.id === id)?.node ?? assert.fail('it is listed'),
    );
  };
  const rename = (id: string, title: string) =>
    catalog.ok(
      anna,
      'mutation ($id: DID!, $title: String!) { updateContent(id: $id, input: { title: $title }) { id } }',
      {
        id,
        title,
      },
    );

  for (const [name, open] of Object.entries(CLIENTS)) {
    it(`${name} shows in its lists what mutations change`, async () => {
      const id = await published();
      let sent = 0;
      const client = await open(platformSchema(), (query, variables) => {
        sent += 1;
        return send(query, variables);
      });
      await client.load(anna.channel);
      const shows = (read: (card: Card) => unknown, expected: unknown) =>
        assert.deepEqual(cardsOf(client, id).map(read), [expected, expected]);
      const likes = ({ likes: { count, isLiked } }: Card) => [count, isLiked];
      shows(likes, [0, false]);

      await client.mutate('like', { id });
      shows(likes, [1, true]);
      await client.mutate('unlike', { id });
      shows(likes, [0, false]);
      await client.mutate('rename', { id, title: `Renamed by ${name}` });
      shows(({ metadata }) => metadata.title, `Renamed by ${name}`);
      await client.mutate('unpublish', { id });
      shows(({ status, publishedAt }) => [status, publishedAt], ['READY', null]);
      await client.mutate('publish', { id });
      shows(({ status, publishedAt }) => [status, publishedAt === null], ['PUBLISHED', false]);
      assert.equal(sent, 6, 'the lists were read once');
    });
  }

  it('Relay reads a fragment again by the id of its object', async () => {
    const id = await published();
    const client = await openRelay(platformSchema(), send);
    await client.load(anna.channel);
    await rename(id, 'Renamed elsewhere');
    await client.refetch(id);
    assert.deepEqual(
      cardsOf(client, id).map(({ metadata }) => metadata.title),
      ['Renamed elsewhere', 'Renamed elsewhere'],
    );
  });
});
