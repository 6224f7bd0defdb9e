import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { until } from '../../../server/src/testing/until.ts';
import { type Client, type ClientOptions, createClient, type Event } from '../src/index.ts';
import { sharedTestPlatform } from './platform.fixture.ts';

const platform = sharedTestPlatform();
let client: Client;
const QUICK = { baseDelayMs: 20, maxDelayMs: 100 };
const connect = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: platform.url, key: platform.key, retry: QUICK, ...options });
before(async () => {
  client = connect();
});
afterEach(() =>
  until(
    () => platform.proxy.open === 0,
    () => `${platform.proxy.open} connections were left open`,
  ),
);

/** The end of the log before a test, after all earlier events have settled; other tests write to the same database. */
let start: string | null | undefined;
beforeEach(async () => {
  const [id] = await make(1, 'Marker');
  await until(
    async () => {
      const last = (await client.events({ last: 1 })).edges[0];
      start = last?.cursor;
      return last?.node.subject === id;
    },
    () => 'the log never settled',
  );
});

/** Creates contents in order and returns their identifiers. */
async function make(count: number, name: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await client.createContent({ input: { title: `${name} ${n}` } })).id);
  return ids;
}

/** The next `count` events. */
async function collect(events: AsyncIterable<Event>, count: number, into: Event[] = []): Promise<Event[]> {
  for await (const event of events) {
    into.push(event);
    if (into.length >= count) break;
  }
  return into;
}

const CREATED = { types: ['CONTENT_CREATED'] } as const;
/** Waits for the stream itself: events before its cursor was read would not be in it. */
const following = () =>
  until(
    () => platform.proxy.openStreams === 1,
    () => 'no connection is open',
  );

describe('following the log', () => {
  it('delivers the events after the call, in order', async () => {
    const received = collect(client.eventsAfter(CREATED), 3);
    await following();
    const ids = await make(3, 'New');
    const events = await received;
    assert.deepEqual(
      events.map(({ subject }) => subject),
      ids,
    );
    assert.deepEqual(
      new Set(events.map(({ type, channelId }) => `${type} ${channelId}`)),
      new Set([`CONTENT_CREATED ${platform.channelId}`]),
    );
  });

  it('loses and repeats no event while its connections break repeatedly', async () => {
    const pauses: number[] = [];
    const events: Event[] = [];
    const received = collect(
      client.eventsAfter(CREATED, { retry: QUICK, onDisconnect: (_, pause) => pauses.push(pause) }),
      20,
      events,
    );
    await following();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.push(...(await make(2, `Before ${n}`)));
      // Otherwise there may be no connection that breaks.
      await until(
        () => events.length === ids.length,
        () => `${events.length} of ${ids.length} events were received`,
      );
      platform.proxy.breakAll();
      ids.push(...(await make(2, `After ${n}`)));
    }
    assert.deepEqual(
      (await received).map(({ subject }) => subject),
      ids,
    );
    assert.ok(pauses.length >= 5 && pauses.every((pause) => pause <= QUICK.maxDelayMs), `${pauses}`);
  });

  it('loses no event when the first connection breaks before its first message', async () => {
    platform.proxy.take();
    platform.proxy.next({ kind: 'lost response' }); // the query for the current cursor is retried, too
    platform.proxy.next(
      { kind: 'broken response', afterBytes: 2 },
      ({ headers }) => headers.accept === 'text/event-stream',
    );
    let ids: string[] = [];
    const events = client.eventsAfter(CREATED, {
      retry: { baseDelayMs: 300 },
      onDisconnect: () => void make(1, 'Unseen').then((created) => (ids = created)),
    });
    const [first] = await collect(events, 1);
    assert.equal(first?.subject, ids[0]);
  });

  it('reconnects while a message is in transit', async () => {
    const ids = await make(4, 'Cut');
    platform.proxy.next({ kind: 'broken response', afterBytes: 500 });
    const events = await collect(client.eventsAfter(CREATED, { after: start }), 4);
    assert.deepEqual(
      events.map(({ subject }) => subject),
      ids,
    );
  });

  it('continues after a restart from the last processed event', async () => {
    const ids = await make(3, 'Restarted');
    const [first] = await collect(client.eventsAfter({ ...CREATED, cursor: start ?? null }), 1);
    assert.equal(first?.subject, ids[0]);
    const rest = await collect(connect().eventsAfter(CREATED, { after: first?.cursor }), 2);
    assert.deepEqual(
      rest.map(({ subject }) => subject),
      ids.slice(1),
    );
  });

  /** Resolves when another stream, which starts now and receives nothing, was closed as dead. */
  async function untilSilenceIsNoticed(silenceMs: number): Promise<void> {
    const stop = new AbortController();
    platform.proxy.next({ kind: 'silence' });
    const onDisconnect = () => stop.abort();
    await collect(client.eventsAfter(CREATED, { after: start, silenceMs, signal: stop.signal, onDisconnect }), 1);
  }

  it('waits for a slow reader', THOROUGH, async () => {
    const ids = await make(3, 'Slow');
    const seen: string[] = [];
    // Long enough for a busy machine to connect, which counts as silence too.
    const silenceMs = 3_000;
    const events = client.eventsAfter(CREATED, { after: start, silenceMs, onDisconnect: assert.fail });
    for await (const { subject } of events) {
      seen.push(subject);
      if (seen.length === 1) await untilSilenceIsNoticed(silenceMs);
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, ids);
  });

  it('closes a connection that receives nothing', async () => {
    const reasons: unknown[] = [];
    platform.proxy.next({ kind: 'silence' });
    const received = collect(
      client.eventsAfter(CREATED, { after: start, silenceMs: 300, onDisconnect: (error) => reasons.push(error) }),
      1,
    );
    await until(
      () => reasons.length === 1,
      () => 'nothing was noticed',
    );
    const [id] = await make(1, 'Late');
    assert.equal((await received)[0]?.subject, id);
    assert.match(String(reasons[0]), /sent nothing for 0.3 s/);
  });
});

describe('the end of a stream', () => {
  it('is no error when the signal is aborted', async () => {
    const stop = new AbortController();
    const received = collect(client.eventsAfter(CREATED, { signal: stop.signal }), 1);
    await following();
    stop.abort();
    assert.deepEqual(await received, []);
  });

  it('is no error when the signal is aborted before the first connection', async () => {
    const stop = new AbortController();
    const received = collect(client.eventsAfter(CREATED, { signal: stop.signal }), 1);
    stop.abort();
    assert.deepEqual(await received, []);
    assert.deepEqual(await collect(client.eventsAfter(CREATED, { signal: AbortSignal.abort() }), 1), []);
  });

  it('is the platform’s error', async () => {
    await assert.rejects(collect(connect({ key: 'rg_wrong' }).eventsAfter(CREATED), 1), {
      name: 'ReelgraphError',
      code: 'UNAUTHENTICATED',
    });
    await assert.rejects(collect(client.eventsAfter({ types: [] }), 1), {
      code: 'FIELD_REQUIRED',
      field: 'types',
    });
  });

  it('is an error after the maximum number of failed connections', async () => {
    for (let n = 0; n < 2; n += 1) platform.proxy.next({ kind: 'lost request' });
    const events = client.eventsAfter(CREATED, { after: 'anything', retry: { ...QUICK, maxAttempts: 2 } });
    await assert.rejects(collect(events, 1), { name: 'NetworkError', reason: 'unreachable' });
  });
});

describe('following one object', () => {
  it('delivers the current state first, then each change', async () => {
    const [id = ''] = await make(1, 'Followed');
    const titles: string[] = [];
    for await (const content of client.contentUpdated({ id })) {
      titles.push(content.metadata.title);
      if (titles.length === 2) break;
      await client.updateContent({ id, input: { title: 'Changed' } });
    }
    assert.deepEqual(titles, ['Followed 0', 'Changed']);
  });

  it('accepts subscriptions of the caller, with the cursor of each message', async () => {
    const [id = ''] = await make(1, 'Mine');
    const text = 'subscription ($id: DID!) { contentUpdated(id: $id) { status } }';
    for await (const { data, cursor } of client.subscribe<{ contentUpdated: { status: string } }>(text, { id })) {
      assert.equal(data.contentUpdated.status, 'DRAFT');
      assert.ok(cursor);
      break;
    }
  });
});
