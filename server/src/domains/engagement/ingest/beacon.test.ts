import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { FIREFOX, openTestEngagement, type Sent, type TestEngagement } from '../testing.ts';
import { BEACON_RATE } from './beacon.routes.ts';

let fixture: TestEngagement;
let server: Awaited<ReturnType<typeof serveAssetRoutes>>;
let video: string;
before(async () => {
  fixture = await openTestEngagement();
  server = await serveAssetRoutes(fixture.catalog.domains.engagement.routes);
  video = await fixture.video();
});
after(async () => {
  await server.close();
  await fixture.catalog.close();
});

async function send(
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; language: string | null; body: Record<string, unknown> }> {
  const response = await fetch(`${server.address}/api/engagement`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': FIREFOX, ...headers },
  });
  const result = (await response.json()) as Record<string, unknown>;
  return { status: response.status, language: response.headers.get('content-language'), body: result };
}

const beacon = (...events: Sent[]) => JSON.stringify({ events });
const count = async (session: string) =>
  (await fixture.catalog.rows('select 1 from watch_events where session_id = $1', [session])).length;

describe('the beacon', () => {
  it('accepts events as browsers send them when a page closes', async () => {
    const session = randomUUID();
    const { status, body } = await send(
      beacon(fixture.event(video, session, 0), fixture.event(video, session, 1, { positionMs: -1 })),
    );
    assert.deepEqual([status, body.tracked, body.accepted, body.refused], [202, true, 1, 1]);
    assert.deepEqual(
      (body.results as { ok: boolean; error: { field: string } | null }[]).map(({ ok, error }) => [ok, error?.field]),
      [[false, 'events[1].positionMs']],
    );
    assert.equal(await count(session), 1);
  });

  it('says in the language of the viewer why events were refused', async () => {
    const german = { 'accept-language': 'de' };
    const refused = await send(beacon(fixture.event(video, randomUUID(), 0, { kind: 'DANCE' })), german);
    const [result] = refused.body.results as { error: { code: string; message: string; suggestedFix: string } }[];
    assert.deepEqual([refused.language, result?.error.code], ['de', 'INVALID_INPUT']);
    assert.match(
      `${result?.error.message} ${result?.error.suggestedFix}`,
      /^Das ist kein Ereignistyp\. Verwende einen Wert aus START, /,
    );
    const accepted = await send(beacon(fixture.event(video, randomUUID(), 0)), german);
    assert.deepEqual([accepted.status, accepted.language], [202, null]);
  });

  it('accepts JSON', async () => {
    const { status } = await send(beacon(fixture.event(video, randomUUID(), 0)), {
      'content-type': 'application/json',
    });
    assert.equal(status, 202);
  });

  it('stores nothing for browsers that ask not to be tracked', async () => {
    for (const header of ['dnt', 'sec-gpc']) {
      const session = randomUUID();
      const { status, body } = await send(beacon(fixture.event(video, session, 0)), { [header]: '1' });
      assert.deepEqual([status, body.tracked, await count(session)], [202, false, 0]);
    }
  });

  it('treats an invalid credential as anonymous', async () => {
    const session = randomUUID();
    const { status } = await send(beacon(fixture.event(video, session, 0)), {
      authorization: `Bearer rg_${'A'.repeat(43)}`,
    });
    const [row] = await fixture.catalog.rows<{ account_id: string | null }>(
      'select account_id from watch_events where session_id = $1',
      [session],
    );
    assert.deepEqual([status, row?.account_id], [202, null]);
  });

  it('refuses a token all events if one is of a channel of the account that it is not for', async () => {
    const { catalog, owner } = fixture;
    const other = await catalog.ok(
      owner,
      'mutation { createChannel(input: { name: "Other", handle: "creator-other" }) { channel { id } } }',
    );
    const create =
      'mutation ($channel: DID!) { createToken(input: { name: "Player", permissions: ["engagement:track"], ' +
      'channels: [$channel] }) { value } }';
    const { value } = (await catalog.ok(owner, create, { channel: other.createChannel.channel.id })).createToken;
    const headers = { authorization: `Bearer ${value}` };
    const strangers = await fixture.video(600_000, await catalog.person('stranger'));
    const [refused, accepted] = [randomUUID(), randomUUID()];
    const events = [fixture.event(strangers, refused, 0), fixture.event(video, refused, 1)];
    const { status, body } = await send(beacon(...events), headers);
    const [error] = body.errors as { code: string; field: string }[];
    assert.deepEqual([status, error?.code, error?.field], [403, 'UNAUTHORIZED', 'events.contentId']);
    assert.equal(await count(refused), 0);
    assert.equal((await send(beacon(fixture.event(strangers, accepted, 0)), headers)).status, 202);
    assert.equal(await count(accepted), 1);
  });

  const problems: [string, string, Record<string, string>, string | undefined][] = [
    ['of another type', beacon(), { 'content-type': 'text/html' }, undefined],
    ['that is no JSON', '{ "events": [', {}, undefined],
    ['that is no object', '[]', {}, undefined],
    ['without events', '{}', {}, 'events'],
    ['whose events are no list', '{ "events": {} }', {}, 'events'],
    ['with no event', beacon(), {}, 'events'],
    ['with 101 events', beacon(...Array.from({ length: 101 }, () => ({}))), {}, 'events'],
    ['of more than 64 KiB', `{ "events": [${' '.repeat(65_536)}] }`, {}, undefined],
  ];
  for (const [name, body, headers, field] of problems) {
    it(`refuses a body ${name}`, async () => {
      const result = await send(body, headers);
      const [error] = result.body.errors as { code: string; field?: string }[];
      assert.equal(result.status, 400);
      assert.equal(error?.field, field);
    });
  }

  it('limits the events of an address per time', async () => {
    const events = beacon(...Array.from({ length: 100 }, () => ({})));
    fixture.catalog.clock.advance(60_000);
    for (let request = 0; request < BEACON_RATE.capacity / 100; request += 1)
      assert.equal((await send(events)).status, 202);
    const { status, body } = await send(events);
    assert.deepEqual([status, (body.errors as { code: string }[])[0]?.code], [429, 'RATE_LIMIT_EXCEEDED']);
    fixture.catalog.clock.advance(1_000);
    assert.equal((await send(events)).status, 202);
  });
});
