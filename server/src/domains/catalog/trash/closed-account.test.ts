import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { settleClosedAccounts } from '../../accounts/index.ts';
import { clearDeletedChannel } from '../../channels/index.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

interface Line {
  readonly status: string;
  readonly body: string;
  readonly author: { readonly username: string } | null;
  readonly isHearted: boolean;
  readonly replies: { readonly totalCount: number; readonly edges: readonly unknown[] };
}

const DAY_MS = 86_400_000;

/** What closing an account does to what it published; sign-in and messages are tested with the domain of accounts. */
describe('a closed account', () => {
  let api: TestCatalog;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    bert = await api.person('bert');
  });
  after(() => api.close());

  const settle = async (): Promise<void> => {
    while (await settleClosedAccounts(api.platform));
  };
  const close = async ({ accountId }: Person): Promise<void> => {
    const at = new Date(api.platform.clock.now()).toISOString();
    await api.rows(
      `with closed as (update accounts set closed_at = $2, deletes_at = $2::timestamptz + interval '30 days'
         where id = $1 returning id)
       update channels h set is_hidden = true from closed c where h.account_id = c.id`,
      [accountId, at],
    );
    await settle();
  };
  const reopen = async ({ accountId }: Person): Promise<void> => {
    await api.rows(
      `with opened as (update accounts set revealing_from = closed_at, closed_at = null, deletes_at = null,
         concealed_at = null where id = $1 returning id)
       update channels h set is_hidden = false from opened c where h.account_id = c.id`,
      [accountId],
    );
    await settle();
  };
  /** What anybody sees of a person's channel. */
  const seen = async (person: Person, contents: readonly string[], playlist: string) => {
    const ids = contents.map((id) => `"${id}"`).join(' ');
    const { nodes, playlists, channels, search } = await api.ok(
      bert,
      `{ nodes(ids: [${ids} "${playlist}" "${person.channel}"]) { id } channels { totalCount edges { node { handle } } }
         playlists: node(id: "${playlist}") { id }
         search(query: "${person.username}") { totalCount } }`,
    );
    const names = channels.edges.map(({ node }: { node: { handle: string } }) => node.handle);
    assert.equal(channels.totalCount, names.length);
    return {
      nodes: nodes.map((node: { id: string } | null) => node !== null),
      listed: names.includes(person.username),
      playlist: playlists !== null,
      found: search.totalCount > 0,
    };
  };
  async function publisher(username: string) {
    const person = await api.person(username);
    const feature = await api.content(person, { status: 'PUBLISHED' });
    const serie = await api.content(person, { kind: 'SERIES', status: 'PUBLISHED' });
    const season = await api.content(person, { kind: 'SEASON', status: 'PUBLISHED', parent: serie, number: 1 });
    const episode = await api.content(person, { kind: 'EPISODE', status: 'PUBLISHED', parent: season, number: 1 });
    const trashed = await api.content(person, { status: 'PUBLISHED' });
    await api.rows(`update contents set deleted_at = now() - interval '2 days' where id = $1`, [uuidOf(trashed)]);
    const { createPlaylist } = await api.ok(
      person,
      'mutation { createPlaylist(input: { title: "Mine", visibility: PUBLIC }) { id } }',
    );
    return { person, contents: [feature, serie, season, episode, trashed], playlist: createPlaylist.id as string };
  }

  it('hides its channels with all they published, and shows them again as they were when it is reopened', async () => {
    const { person, contents, playlist } = await publisher('carla');
    const before = await seen(person, contents, playlist);
    assert.deepEqual(before, {
      nodes: [true, true, true, true, false, true, true],
      ...{ listed: true, playlist: true, found: true },
    });
    const rows = 'select id, status, visibility, deleted_at from contents where channel_id = $1 order by id';
    const contentsBefore = await api.rows(rows, [person.channelId]);
    await close(person);
    assert.deepEqual(await seen(person, contents, playlist), {
      nodes: [false, false, false, false, false, false, false],
      ...{ listed: false, playlist: false, found: false },
    });
    await reopen(person);
    assert.deepEqual(await seen(person, contents, playlist), before);
    assert.deepEqual(await api.rows(rows, [person.channelId]), contentsBefore);
  });

  it('hides its comments everywhere, keeps the place of those with replies, and shows them again', async () => {
    const [emil, fina] = [await api.person('emil'), await api.person('fina')];
    const content = await api.content(bert, { status: 'PUBLISHED' });
    const write = async (who: Person, body: string, parent?: string): Promise<string> => {
      api.platform.clock.advance(60_000);
      const text =
        'mutation ($id: DID!, $body: String!, $parent: DID) { createComment(contentId: $id, body: $body, ' +
        'parent: $parent) { id } }';
      return (await api.ok(who, text, { id: content, body, parent })).createComment.id;
    };
    const answered = await write(emil, 'With a reply');
    await write(fina, 'A reply', answered);
    const own = await write(emil, 'With own reply only');
    await write(emil, 'Own reply', own);
    const theirs = await write(fina, 'By another');
    const reply = await write(emil, 'A reply to another', theirs);
    await api.ok(bert, 'mutation ($id: DID!) { heartComment(id: $id) { comment { id } } }', { id: answered });
    const anybody = async (who: Person) => {
      const {
        content: counted,
        comments,
        inbox,
        one,
      } = await api.ok(
        who,
        `query ($id: DID!, $one: DID!, $channel: DID!) {
          content(id: $id) { commentCount }
          comments(contentId: $id) { totalCount edges { node { status body author { username } isHearted
            replies { totalCount edges { node { body author { username } } } } } } }
          one: node(id: $one) { ... on Comment { body } }
          inbox: channel(id: $channel) { comments { totalCount edges { node { body } } } }
        }`,
        { id: content, one: reply, channel: bert.channel },
      );
      return {
        count: counted.commentCount,
        threads: comments.totalCount,
        lines: comments.edges.map(({ node: { status, body, author, isHearted, replies } }: { node: Line }) =>
          [status, body, author?.username ?? null, isHearted, replies.totalCount, replies.edges.length].join(' '),
        ),
        one: one !== null,
        inbox: inbox.comments?.totalCount ?? null,
      };
    };
    const counts = `select scope, value::int from counters where key = $1 and value <> 0 order by scope`;
    const before = [await anybody(fina), await anybody(bert), await api.rows(counts, [uuidOf(content)])];
    await close(emil);
    const hidden = {
      ...{ count: 2, threads: 2, one: false },
      lines: ['PUBLISHED By another fina false 0 0', 'DELETED   false 1 1'],
    };
    assert.deepEqual(
      [await anybody(fina), await anybody(bert)],
      [
        { ...hidden, inbox: null },
        { ...hidden, inbox: 2 },
      ],
    );
    await reopen(emil);
    assert.deepEqual([await anybody(fina), await anybody(bert), await api.rows(counts, [uuidOf(content)])], before);
  });

  it('is deleted with its channels, contents, comments and likes when it is due, and nobody else is', async () => {
    const { person, contents, playlist } = await publisher('dora');
    const [feature = ''] = contents;
    const others = await api.content(bert, { status: 'PUBLISHED' });
    const comment = 'mutation ($id: DID!) { createComment(contentId: $id, body: "Nice.") { id } }';
    await api.ok(person, comment, { id: others });
    await api.ok(person, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id: others });
    await api.ok(bert, comment, { id: feature });
    await close(person);
    api.platform.clock.advance(30 * DAY_MS - 1);
    await settle();
    assert.equal((await api.rows('select 1 from accounts where id = $1', [person.accountId])).length, 1);
    api.platform.clock.advance(1);
    await settle();
    while (await clearDeletedChannel(api.platform.db));
    assert.equal((await seen(person, contents, playlist)).listed, false);
    for (const [table, column, value] of [
      ['accounts', 'id', person.accountId],
      ['channels', 'id', person.channelId],
      ['contents', 'channel_id', person.channelId],
      ['playlists', 'channel_id', person.channelId],
      ['comments', 'account_id', person.accountId],
      ['likes', 'account_id', person.accountId],
      ['comments', 'content_id', uuidOf(feature)],
    ] as const)
      assert.deepEqual(
        await api.rows(`select 1 from ${table} where ${column} = $1`, [value]),
        [],
        `${table}.${column}`,
      );
    const { content, comments } = await api.ok(
      bert,
      `{ content(id: "${others}") { likes { count } } comments(contentId: "${others}") { totalCount } }`,
    );
    assert.deepEqual([content.likes.count, comments.totalCount], [0, 0]);
    assert.equal((await api.rows('select 1 from accounts where id = $1', [bert.accountId])).length, 1);
  });
});
