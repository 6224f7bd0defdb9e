import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { EVENTS_CHANNEL } from '../../../platform/events/event-log.store.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { settleLog } from '../testing.ts';
import { SubscriptionBroker } from './subscription-broker.ts';

const COMMENTS =
  'subscription ($id: DID!, $after: String) { commentAdded(contentId: $id, after: $after) { id body status } }';
const JOB = 'subscription ($id: DID!) { jobUpdated(id: $id) { id status } }';
const WRITE =
  'mutation ($contentId: DID!, $body: String!) { createComment(contentId: $contentId, body: $body) { id } }';
const review = (name: 'approveComments' | 'holdComments') =>
  `mutation ($ids: [DID!]!) { ${name}(ids: $ids) { results { ok } } }`;

/** A stream from the listener's view. */
interface Heard {
  /** The next message; fails the test when the stream ends or is silent for ten seconds. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents; assertions look at them
  next(): Promise<{ cursor: string | null; data: any; code: unknown }>;
  end(): Promise<void>;
}

describe('subscriptions to objects', () => {
  let api: TestCatalog;
  let owner: Person;
  let reader: Person;
  let video: string;
  const streams: Heard[] = [];

  before(async () => {
    api = await openTestCatalog({ env: { EVENT_LOG_DAYS: '7' } });
    [owner, reader] = [await api.person('owner'), await api.person('reader')];
    video = await api.content(owner, { status: 'PUBLISHED' });
    await settleLog(api);
  });
  after(async () => {
    await Promise.all(streams.map((stream) => stream.end()));
    await api.close();
  });

  async function listen(who: Person, query: string, variables: Record<string, unknown>): Promise<Heard> {
    const stop = new AbortController();
    const { credential } = who;
    const request = { query, variables, credential, queriesOnly: false, requestId: 'test', signal: stop.signal };
    const started = await api.domains.engine.subscribe(request);
    assert.ok(started.kind === 'stream', JSON.stringify(started));
    const messages = started.messages[Symbol.asyncIterator]();
    let pending = messages.next(); // begins to listen
    const stream: Heard = {
      async next() {
        const late = AbortSignal.timeout(10_000);
        late.addEventListener('abort', () => stop.abort());
        const { value, done } = await pending;
        assert.ok(!done, 'the stream is silent or has ended');
        pending = messages.next();
        const { data, errors } = JSON.parse(JSON.stringify(value.body));
        return { cursor: value.cursor, data, code: errors?.[0]?.extensions.code };
      },
      async end() {
        stop.abort();
        await pending;
      },
    };
    streams.push(stream);
    return stream;
  }
  /** Resolves when the broker serves this many streams. */
  const streamsOpened = async (count: number) => {
    while (api.domains.integrations.services.broker.size < count) await new Promise((done) => setTimeout(done, 10));
  };
  const write = async (who: Person, body: string) => {
    api.clock.advance(60_000);
    return (await api.ok(who, WRITE, { contentId: video, body })).createComment.id as string;
  };

  it('comments: each public one, and a held one once approved, for readers and moderators', async () => {
    const [stranger, moderator] = [
      await listen(reader, COMMENTS, { id: video }),
      await listen(owner, COMMENTS, { id: video }),
    ];
    await streamsOpened(2);
    await api.ok(
      owner,
      'mutation ($id: DID!) { updateCommentSettings(id: $id, input: { mode: HOLD_ALL }) { content { id } } }',
      { id: video },
    );
    const held = await write(reader, 'Held');
    const own = await write(owner, 'By the owner');
    await api.ok(
      owner,
      'mutation ($id: DID!) { updateComment(id: $id, input: { body: "Edited" }) { comment { id } } }',
      { id: own },
    );
    await api.ok(owner, review('approveComments'), { ids: [held] });
    for (const stream of [stranger, moderator]) {
      const first = await stream.next();
      assert.equal(first.data.commentAdded.id, own);
      assert.deepEqual((await stream.next()).data.commentAdded, { id: held, body: 'Held', status: 'PUBLISHED' });
      const resumed = await listen(reader, COMMENTS, { id: video, after: first.cursor });
      assert.equal((await resumed.next()).data.commentAdded.id, held);
    }
    await api.ok(owner, review('holdComments'), { ids: [held] });
    const last = await write(owner, 'The last');
    assert.equal((await stranger.next()).data.commentAdded.id, last, 'removing one sends no message');
  });

  it('comments: only on visible contents', async () => {
    const hidden = await api.content(owner);
    const request = {
      credential: reader.credential,
      queriesOnly: false,
      requestId: 'test',
      signal: new AbortController().signal,
    };
    const refused = await api.domains.engine.subscribe({ ...request, query: COMMENTS, variables: { id: hidden } });
    assert.ok(refused.kind === 'answer');
    assert.deepEqual(
      [refused.result.failure, refused.result.body.errors?.[0]?.extensions?.['field']],
      ['RESOURCE_NOT_FOUND', 'contentId'],
    );
  });

  it('jobs: the current state immediately, then each change, for members of the channel', async () => {
    const id = newId();
    const content = uuidOf(await api.content(owner, { status: 'PROCESSING' }));
    await api.rows(`insert into transcode_jobs (id, channel_id, content_id, status) values ($1, $2, $3, 'QUEUED')`, [
      id,
      owner.channelId,
      content,
    ]);
    const job = `did:reelgraph:job/${id}`;
    const stream = await listen(owner, JOB, { id: job });
    assert.deepEqual((await stream.next()).data.jobUpdated, { id: job, status: 'QUEUED' });
    await api.ok(owner, 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }', { id: job });
    assert.equal((await stream.next()).data.jobUpdated.status, 'CANCELLED');
    await assert.rejects(listen(reader, JOB, { id: job }), /RESOURCE_NOT_FOUND/);
  });

  it('are resumed from cursors within the retention of the log only', async () => {
    const EVENTS = 'query ($after: String) { events(first: 1, after: $after) { pageInfo { endCursor } } }';
    const { endCursor } = (await api.ok(owner, EVENTS)).events.pageInfo;
    await api.rows(`update subscriptions set access_until = 'infinity'`);
    api.clock.advance(6 * 86_400_000);
    assert.ok((await api.ok(owner, EVENTS, { after: endCursor })).events);
    api.clock.advance(2 * 86_400_000);
    const late = await api.refused(owner, EVENTS, { after: endCursor });
    assert.deepEqual([late.code, late.field], ['INVALID_INPUT', 'after']);
    assert.match(late.message, /older than 7 days/);
    await assert.rejects(listen(reader, COMMENTS, { id: video, after: endCursor }), /older than 7 days/);
  });
});

describe('the broker', () => {
  it('stops when listeners leave before it has started', async () => {
    const api = await openTestCatalog();
    try {
      const broker = new SubscriptionBroker({ url: api.platform.test.url, db: api.platform.db, log: api.platform.log });
      const audience = { viewer: null, channelIds: new Set<string>() };
      const listening = broker.listen(audience, () => true);
      await broker.close();
      (await listening).close();
      assert.equal(broker.size, 0);
      const connections = 'select 1 from pg_stat_activity where datname = current_database() and application_name = $1';
      await until(async () => (await api.rows(connections, [EVENTS_CHANNEL])).length === 0, 'the connection ends');
    } finally {
      await api.close();
    }
  });
});
