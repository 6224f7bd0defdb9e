import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { ApolloClient, type ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { HttpLink } from '@apollo/client/link/http';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { until } from '../../../server/src/testing/until.ts';
import { sharedTestPlatform } from './platform.fixture.ts';

/** How requests of other kinds than one document in JSON are answered, by the stock links of Apollo Client. */
const platform = sharedTestPlatform();
const ME = gql`query { me { id username } }`;
const CHANNELS = gql`query { channels(first: 1) { totalCount } }`;

/** The options of a link, and the bodies that it has sent. */
function options() {
  const bodies: unknown[] = [];
  const uri = `${platform.url}/graphql`;
  const headers = { authorization: `Bearer ${platform.key}` };
  const send: typeof fetch = (input, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return fetch(input, init);
  };
  return { bodies, http: { uri, headers, fetch: send } };
}

const clientOf = (link: ApolloLink) => new ApolloClient({ link, cache: new InMemoryCache() });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function refusal(request: RequestInit) {
  const response = await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    ...request,
    headers: { authorization: `Bearer ${platform.key}`, ...request.headers },
  });
  const { errors } = (await response.json()) as {
    errors: { message: string; extensions: { code: string; suggestedFix: string } }[];
  };
  return { status: response.status, error: errors[0] ?? assert.fail('there is no error') };
}

describe('automatic persisted queries', () => {
  it('are said not to be supported, and the link sends documents from then on', async () => {
    const { bodies, http } = options();
    const client = clientOf(new PersistedQueryLink({ sha256 }).concat(new HttpLink(http)));
    const { data } = await client.query<{ me: { username: string } }>({ query: ME });
    assert.equal(data?.me.username, platform.username);
    await client.query({ query: CHANNELS });
    assert.deepEqual(
      bodies.map((body) => 'query' in (body as object)),
      [false, true, true],
    );
  });
});

describe('several operations in one request', () => {
  it('get the error that names the alternative, each of them', async () => {
    const { bodies, http } = options();
    const client = clientOf(new BatchHttpLink({ ...http, batchInterval: 5, batchMax: 2 }));
    const answers = await Promise.allSettled([client.query({ query: ME }), client.query({ query: CHANNELS })]);
    assert.deepEqual(
      answers.map((answer) => answer.status === 'rejected' && answer.reason.message),
      Array(2).fill('Several operations in one request (batching) are not supported.'),
    );
    assert.deepEqual(
      bodies.map((body) => (body as unknown[]).length),
      [2],
    );
  });

  it('get one error where there are very many', async () => {
    const body = JSON.stringify(Array(101).fill({ query: '{ me { id } }' }));
    const { status, error } = await refusal({ headers: { 'content-type': 'application/json' }, body });
    assert.deepEqual([status, error.extensions.code], [400, 'INVALID_INPUT']);
  });
});

describe('subscriptions over a WebSocket', () => {
  const FOLLOW = gql`subscription { eventsAfter(types: [PLAYLIST_CREATED]) { type cursor } }`;
  const CREATE = gql`mutation ($input: PlaylistInput!) { createPlaylist(input: $input) { id } }`;

  it('have what a mutation over the same connection did', async () => {
    const socket = createClient({
      url: `${platform.url.replace('http', 'ws')}/graphql`,
      connectionParams: { authorization: `Bearer ${platform.key}` },
    });
    const client = clientOf(new GraphQLWsLink(socket));
    const types: unknown[] = [];
    const followed = client
      .subscribe<{ eventsAfter: { type: string } }>({ query: FOLLOW })
      .subscribe(({ data }) => void types.push(data?.eventsAfter.type));
    // It follows from some moment on: one of these comes after that.
    await until(async () => {
      await client.mutate({ mutation: CREATE, variables: { input: { title: 'Waves' } } });
      return types.length > 0;
    });
    assert.deepEqual(types.slice(0, 1), ['PLAYLIST_CREATED']);
    followed.unsubscribe();
    await socket.dispose();
  });

  it('and their errors, and those of operations, reach the client', async () => {
    const socket = createClient({
      url: `${platform.url.replace('http', 'ws')}/graphql`,
      connectionParams: { authorization: `Bearer ${platform.key}` },
    });
    const client = clientOf(new GraphQLWsLink(socket));
    await assert.rejects(client.query({ query: gql`query { nothing }` }), /Cannot query field "nothing"/);
    await socket.dispose();
  });
});

describe('what GraphQL over HTTP does not have', () => {
  it('files are refused with the name of the operation that takes them', async () => {
    const body = new FormData();
    body.set('operations', JSON.stringify({ query: 'mutation ($file: Upload!) { x }', variables: { file: null } }));
    body.set('map', '{"0":["variables.file"]}');
    body.set('0', new Blob(['x']), 'a.mp4');
    const { status, error } = await refusal({ body });
    assert.equal(status, 415);
    assert.match(error.extensions.suggestedFix, /publishVideo or createContentAsset/);
  });

  for (const directive of ['defer', 'stream'])
    it(`@${directive} is refused with another way`, async () => {
      const query = `{ me { ... @${directive} { username } } }`;
      const headers = { 'content-type': 'application/json' };
      const { error } = await refusal({ headers, body: JSON.stringify({ query }) });
      assert.equal(error.message, `Unknown directive "@${directive}".`);
      assert.match(error.extensions.suggestedFix, /^Responses are sent whole/);
    });
});
