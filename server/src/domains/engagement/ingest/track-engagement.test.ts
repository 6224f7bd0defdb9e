import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Person, publishedEpisode, uuidOf } from '../../catalog/testing.ts';
import { FIREFOX, openTestEngagement, ROBOT, type Sent, type TestEngagement } from '../testing.ts';

let fixture: TestEngagement;
before(async () => {
  fixture = await openTestEngagement();
});
after(() => fixture.catalog.close());

const stored = (session: string) =>
  fixture.catalog.rows<Record<string, unknown>>('select * from watch_events where session_id = $1 order by seq', [
    session,
  ]);

describe('playback events', () => {
  it('are stored with viewer, country and device, but without address and User-Agent', async () => {
    const video = await fixture.video();
    const session = randomUUID();
    const { tracked, results } = await fixture.track([
      fixture.event(video, session, 0, { kind: 'START', startupMs: 420 }),
      fixture.event(video, session, 1, { ranges: [{ startMs: 0, endMs: 9_000 }], positionMs: 9_000 }),
      fixture.event(video, session, 2, { kind: 'QUALITY_CHANGE', quality: '1080p60' }),
      fixture.event(video, session, 3, { kind: 'QUARTILE', quartile: 1 }),
      fixture.event(video, session, 4, { kind: 'REBUFFER', rebufferMs: 800 }),
      fixture.event(video, session, 5, { kind: 'ERROR', errorCode: 'null' }),
    ]);
    assert.equal(tracked, true);
    assert.deepEqual(
      results.map(({ error }) => error),
      [null, null, null, null, null, null],
    );
    const rows = await stored(session);
    assert.deepEqual(
      rows.map(({ kind, value_ms, detail, ranges }) => [kind, value_ms, detail, ranges]),
      [
        ['START', 420, null, []],
        ['HEARTBEAT', null, null, [0, 9_000]],
        ['QUALITY_CHANGE', null, '1080p60', []],
        ['QUARTILE', null, '1', []],
        ['REBUFFER', 800, null, []],
        ['ERROR', null, 'null', []],
      ],
    );
    const [first] = rows;
    assert.deepEqual([first?.country, first?.device, first?.os, first?.browser], ['US', 'DESKTOP', 'Linux', 'Firefox']);
    assert.ok(!JSON.stringify(rows).includes('8.8.8.8') && !JSON.stringify(rows).includes('Gecko'));
  });

  it('are idempotent', async () => {
    const video = await fixture.video();
    const session = randomUUID();
    const events = [fixture.event(video, session, 0, { kind: 'START' }), fixture.event(video, session, 1)];
    await Promise.all([fixture.track(events), fixture.track(events), fixture.track([...events].reverse())]);
    assert.equal(
      (await fixture.track(events)).results.every(({ error }) => error === null),
      true,
    );
    assert.equal((await stored(session)).length, 2);
  });

  it('are stored beside duplicates, even in one request', async () => {
    const video = await fixture.video();
    const session = randomUUID();
    // Three events.
    const [first, second, third] = [0, 1, 2].map((seq) => fixture.event(video, session, seq)) as [Sent, Sent, Sent];
    await fixture.track([first]);
    await fixture.track([first, second, third, third]);
    assert.equal((await stored(session)).length, 3);
  });

  it('are written in one batch with other requests', async () => {
    const video = await fixture.video();
    const session = randomUUID();
    await fixture.track([fixture.event(video, session, 0)]);
    const many = Array.from({ length: 50 }, (_, index) => fixture.event(video, session, index + 1));
    const { statements } = await fixture.catalog.counted(() =>
      Promise.all(many.map((event) => fixture.track([event]))),
    );
    assert.equal(statements, 1);
    assert.equal((await stored(session)).length, 51);
  });

  const at = (offsetMs: number) => ({ occurredAt: new Date(fixture.catalog.clock.now() + offsetMs).toISOString() });
  const range = (...ends: [number, number][]) => ({ ranges: ends.map(([startMs, endMs]) => ({ startMs, endMs })) });
  const refusals: [string, () => Sent, string, string][] = [
    ['of no kind', () => ({ kind: 'DANCE' }), 'INVALID_INPUT', 'kind'],
    ['of another kind of object', () => ({ contentId: fixture.owner.channel }), 'INVALID_INPUT', 'contentId'],
    [
      'of an unknown content',
      () => ({ contentId: `did:reelgraph:content/feature/${randomUUID()}` }),
      'RESOURCE_NOT_FOUND',
      'contentId',
    ],
    ['without a session', () => ({ sessionId: null }), 'FIELD_REQUIRED', 'sessionId'],
    ['with a session that is no UUID', () => ({ sessionId: 'mine' }), 'INVALID_INPUT', 'sessionId'],
    ['with a negative number', () => ({ seq: -1 }), 'INVALID_INPUT', 'seq'],
    ['at a broken position', () => ({ positionMs: 1.5 }), 'INVALID_INPUT', 'positionMs'],
    ['at a negative position', () => ({ positionMs: -1 }), 'INVALID_INPUT', 'positionMs'],
    ['beyond the end', () => ({ positionMs: 602_001 }), 'INVALID_INPUT', 'positionMs'],
    ['at no instant', () => ({ occurredAt: 'yesterday' }), 'INVALID_INPUT', 'occurredAt'],
    ['from the future', () => at(300_001), 'INVALID_INPUT', 'occurredAt'],
    ['older than a day', () => at(-86_400_001), 'INVALID_INPUT', 'occurredAt'],
    ['a heartbeat that played nothing', () => ({ ranges: [] }), 'FIELD_REQUIRED', 'ranges'],
    ['with a range that ends before it begins', () => range([5_000, 4_000]), 'INVALID_INPUT', 'ranges[0]'],
    ['with an empty range', () => range([5_000, 5_000]), 'INVALID_INPUT', 'ranges[0]'],
    ['with a range beyond the end', () => range([590_000, 602_001]), 'INVALID_INPUT', 'ranges[0].endMs'],
    ['with a negative range', () => range([-5, 5]), 'INVALID_INPUT', 'ranges[0].startMs'],
    ['with ranges that overlap', () => range([5_000, 9_000], [1_000, 5_001]), 'INVALID_INPUT', 'ranges[0]'],
    [
      'with too many ranges',
      () => range(...Array.from({ length: 51 }, (_, n): [number, number] => [n * 10, n * 10 + 5])),
      'INVALID_INPUT',
      'ranges',
    ],
    ['a fourth quartile', () => ({ kind: 'QUARTILE', quartile: 4 }), 'INVALID_INPUT', 'quartile'],
    ['a stall of unknown length', () => ({ kind: 'REBUFFER' }), 'FIELD_REQUIRED', 'rebufferMs'],
    [
      'a quality that would break out of its text',
      () => ({ kind: 'QUALITY_CHANGE', quality: '"},{"' }),
      'INVALID_INPUT',
      'quality',
    ],
    ['an error with a long story', () => ({ kind: 'ERROR', errorCode: 'x'.repeat(65) }), 'INVALID_INPUT', 'errorCode'],
  ];
  for (const [name, change, code, field] of refusals) {
    it(`are refused ${name}, while the others are accepted`, async () => {
      const video = await fixture.video();
      const session = randomUUID();
      const bad = { ...fixture.event(video, session, 1), ...change() };
      const { results } = await fixture.track([
        fixture.event(video, session, 0),
        bad,
        fixture.event(video, session, 2),
      ]);
      assert.deepEqual(
        results.map(({ error }) => error && `${error.code} ${error.field}`),
        [null, `${code} events[1].${field}`, null],
      );
      assert.ok((results[1]?.error?.suggestedFix ?? '').length > 0);
      assert.equal((await stored(session)).length, 2);
    });
  }

  it('are refused at more than ten times the playback speed', async () => {
    const video = await fixture.video(86_400_000);
    const session = randomUUID();
    const played = (seq: number, afterMs: number, ms: number) => ({
      ...fixture.event(video, session, seq),
      ...at(afterMs),
      ...range([0, ms]),
    });
    const { results } = await fixture.track([
      played(0, 0, 1_000),
      played(1, 10_000, 120_000),
      played(2, 20_000, 120_001),
    ]);
    assert.deepEqual(
      results.map(({ error }) => error?.field ?? null),
      [null, null, 'events[2].ranges'],
    );
  });

  it('must be a list of 1 to 100', async () => {
    await assert.rejects(fixture.track([]), { code: 'INVALID_INPUT', field: 'events' });
    const video = await fixture.video();
    const many = Array.from({ length: 101 }, (_, seq) => fixture.event(video, randomUUID(), seq));
    await assert.rejects(fixture.track(many), { code: 'INVALID_INPUT', field: 'events' });
  });

  it('are refused for contents that the viewer cannot see, and accepted from members', async () => {
    const stranger = await fixture.catalog.person('stranger');
    const hidden = await fixture.video();
    await fixture.catalog.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [uuidOf(hidden)]);
    const codes = async (account?: typeof stranger) =>
      (await fixture.track([fixture.event(hidden, randomUUID(), 0)], account ? { account } : {})).results.map(
        ({ error }) => error?.code ?? 'ok',
      );
    assert.deepEqual(
      [await codes(), await codes(stranger), await codes(fixture.owner)],
      [['RESOURCE_NOT_FOUND'], ['RESOURCE_NOT_FOUND'], ['ok']],
    );
  });

  it('are refused for an episode of a members-only series, also after a member watched it', async () => {
    const { serie, episode } = await publishedEpisode(fixture.catalog, fixture.owner);
    await fixture.catalog.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [uuidOf(serie)]);
    const codes = async (account?: Person) =>
      (await fixture.track([fixture.event(episode, randomUUID(), 0)], account ? { account } : {})).results.map(
        ({ error }) => error?.code ?? 'ok',
      );
    assert.deepEqual(await codes(fixture.owner), ['ok']);
    assert.deepEqual(await codes(), ['RESOURCE_NOT_FOUND']);
  });
});

describe('privacy', () => {
  it('discards events of viewers who opt out of tracking, and of robots', async () => {
    const video = await fixture.video();
    const shy = await fixture.catalog.person('shy');
    await fixture.catalog.rows(
      `insert into account_settings (account_id, do_not_track) values ($1, true)
       on conflict (account_id) do update set do_not_track = true`,
      [shy.accountId],
    );
    for (const who of [{ doNotTrack: true }, { account: shy }, { userAgent: ROBOT }]) {
      const session = randomUUID();
      const { tracked, results } = await fixture.track([fixture.event(video, session, 0)], who);
      assert.deepEqual([tracked, results[0]?.error], [false, null]);
      assert.deepEqual(await stored(session), []);
    }
  });

  it('stores the account only when it keeps a history', async () => {
    const video = await fixture.video();
    const forgetful = await fixture.catalog.person('forgetful');
    await fixture.catalog.rows(
      `insert into account_settings (account_id, keep_history) values ($1, false)
       on conflict (account_id) do update set keep_history = false`,
      [forgetful.accountId],
    );
    const remembering = await fixture.catalog.person('remembering');
    const kept = async (account: typeof forgetful) => {
      const session = randomUUID();
      await fixture.track([fixture.event(video, session, 0)], { account });
      return (await stored(session))[0]?.account_id;
    };
    assert.deepEqual([await kept(forgetful), await kept(remembering)], [null, remembering.accountId]);
  });

  it('distinguishes anonymous viewers for a day, and not afterwards', async () => {
    const video = await fixture.video();
    const viewer = async (address: string, userAgent = FIREFOX) => {
      const session = randomUUID();
      await fixture.track([fixture.event(video, session, 0)], { address, userAgent });
      return (await stored(session))[0]?.viewer;
    };
    const first = await viewer('192.0.2.1');
    assert.equal(await viewer('192.0.2.1'), first);
    assert.notEqual(await viewer('192.0.2.2'), first);
    assert.notEqual(await viewer('192.0.2.1', `${FIREFOX} Other`), first);
    fixture.catalog.clock.advance(86_400_000);
    assert.notEqual(await viewer('192.0.2.1'), first);
  });
});
