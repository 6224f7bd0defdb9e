import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { openPlaybackFixture, type PlaybackFixture } from './playback.fixture.ts';
import type { SharedPlayback } from './share-link-access.ts';

const CREATE = `mutation ($input: CreateShareLinkInput!) {
  createShareLink(input: $input) { url shareLink { id } }
}`;
const DELETE = 'mutation ($id: DID!) { deleteShareLink(id: $id) { id } }';
const LINK = `query ($id: DID!) {
  content(id: $id) { shareLinks { edges { node { usesCount isUsable lastUsedAt } } } }
}`;
const PASSWORD = 'blue-harbour';
const HOUR_MS = 3_600_000;

describe('links to private contents', () => {
  let fixture: PlaybackFixture;
  let api: TestCatalog;
  let anna: Person;
  let video: string;
  before(async () => {
    fixture = await openPlaybackFixture();
    api = fixture.api;
    anna = await api.person('anna');
  });
  beforeEach(async () => {
    // Buckets of addresses refill with the clock.
    api.clock.advance(120_000);
    await api.rows('delete from attempt_counters');
    video = await fixture.video(anna);
  });
  after(() => fixture.close());

  async function link(input: object = {}): Promise<{ id: string; token: string }> {
    const { url, shareLink } = (await api.ok(anna, CREATE, { input: { content: video, ...input } })).createShareLink;
    return { id: shareLink.id, token: url.split('/share/')[1] };
  }
  const post = (body: unknown) =>
    fetch(`${fixture.address}/api/share-links/open`, { method: 'POST', body: JSON.stringify(body) });
  async function open(body: object): Promise<SharedPlayback> {
    const response = await post(body);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as SharedPlayback;
  }
  /** The status, code and field of a refusal. */
  async function refusal(body: unknown): Promise<string> {
    const response = await post(body);
    const { errors } = (await response.json()) as { errors: { code: string; field?: string }[] };
    return `${response.status} ${errors[0]?.code} ${errors[0]?.field ?? ''}`.trim();
  }
  const stored = () => api.rows('select * from share_links order by id');
  const uses = async () => (await api.ok(anna, LINK, { id: video })).content.shareLinks.edges[0].node;
  const statusOf = async (address: string) => {
    const response = await fetch(address);
    await response.arrayBuffer();
    return response.status;
  };

  it('play a private video with all of its files, without an account', async () => {
    const { token, id } = await link();
    const { pass, hls, dash, poster, storyboard, expiresAt, title, ...rest } = await open({ token });
    assert.deepEqual(rest, {
      ...{ width: 1280, height: 720, durationMs: 4_000, chat: null, content: video, summary: '' },
      channel: { title: 'anna', handle: anna.username },
    });
    const files = [hls, dash, poster, storyboard?.vtt, new URL('v720/seg-00001.m4s', hls).href];
    const statuses = () => Promise.all(files.map((file) => statusOf(file ?? assert.fail())));
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200]);
    assert.equal(expiresAt, new Date(Math.floor(api.clock.now() / 1_000 + 12 * 3_600) * 1_000).toISOString());
    assert.deepEqual(await uses(), {
      ...{ usesCount: 1, isUsable: true },
      lastUsedAt: new Date(api.clock.now()).toISOString(),
    });
    const events = await api.rows(
      `select type, payload from events where subject_id = $1 and type like 'content.link%' order by id`,
      [uuidOf(video)],
    );
    assert.deepEqual(events, [
      { type: 'content.link_created', payload: { shareLinkId: uuidOf(id) } },
      { type: 'content.link_opened', payload: { shareLinkId: uuidOf(id) } },
    ]);
  });

  it('play what is not published, as creators keep it private', async () => {
    await api.rows(`update contents set status = 'READY', published_at = null where id = $1`, [uuidOf(video)]);
    const { hls } = await open({ token: (await link()).token });
    assert.equal(await statusOf(hls), 200);
  });

  it('do not open the page of the content for others', async () => {
    await open({ token: (await link()).token });
    const stranger = await api.person('stranger');
    assert.equal((await api.refused(stranger, LINK, { id: video })).code, 'RESOURCE_NOT_FOUND');
  });

  it('stop once they are deleted: new openings at once, addresses within a minute', async () => {
    const { token, id } = await link();
    const { hls, poster, pass } = await open({ token });
    assert.equal(await statusOf(hls), 200);
    await api.ok(anna, DELETE, { id });
    assert.equal(await refusal({ token }), '404 RESOURCE_NOT_FOUND');
    assert.equal(await refusal({ token, pass }), '404 RESOURCE_NOT_FOUND');
    api.clock.advance(60_000);
    assert.deepEqual([await statusOf(hls), await statusOf(poster ?? '')], [404, 404]);
  });

  it('expire, together with the addresses that they gave', async () => {
    const expiresAt = new Date(api.clock.now() + HOUR_MS).toISOString();
    const { token } = await link({ expiresAt });
    const { hls, pass } = await open({ token });
    api.clock.advance(HOUR_MS - 1_000);
    assert.equal(await statusOf(hls), 200);
    api.clock.advance(1_000);
    assert.equal(await statusOf(hls), 401);
    const before = await stored();
    assert.equal(await refusal({ token }), '401 TOKEN_EXPIRED');
    assert.equal(await refusal({ token, pass }), '401 TOKEN_EXPIRED');
    assert.deepEqual(await stored(), before);
    assert.equal((await uses()).isUsable, false);
  });

  it('ask for their password, and are not used up by a wrong one', async () => {
    const { token } = await link({ password: PASSWORD });
    const [{ password_hash: hash }] = (await api.rows('select password_hash from share_links where content_id = $1', [
      uuidOf(video),
    ])) as [{ password_hash: string }];
    assert.ok(hash.length > 60 && !hash.includes(PASSWORD));
    const before = await stored();
    assert.equal(await refusal({ token }), '400 FIELD_REQUIRED password');
    assert.equal(await refusal({ token, password: 'another-one' }), '400 INVALID_INPUT password');
    assert.deepEqual(await stored(), before);
    const { hls, pass } = await open({ token, password: PASSWORD });
    assert.equal(await statusOf(hls), 200);
    assert.equal(await statusOf((await open({ token, pass })).hls), 200);
    assert.equal((await uses()).usesCount, 1);
  });

  it('limit how often a password is guessed, as sign-in does', async () => {
    const { token } = await link({ password: PASSWORD });
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await refusal({ token, password: `guess-${n}` }));
    assert.deepEqual(answers, [
      ...Array.from({ length: 5 }, () => '400 INVALID_INPUT password'),
      '429 RATE_LIMIT_EXCEEDED',
    ]);
    assert.equal(await refusal({ token, password: PASSWORD }), '429 RATE_LIMIT_EXCEEDED');
    api.clock.advance(30_000);
    await open({ token, password: PASSWORD });
  });

  it('open as often as they may, for a viewer who comes back once within twelve hours', async () => {
    const { token } = await link({ maxUses: 2 });
    const { pass } = await open({ token });
    await open({ token, pass });
    await open({ token });
    const before = await stored();
    assert.equal(await refusal({ token }), '403 UNAUTHORIZED');
    assert.deepEqual(await stored(), before);
    assert.deepEqual([(await uses()).usesCount, (await uses()).isUsable], [2, false]);
    await open({ token, pass });
    api.clock.advance(12 * HOUR_MS);
    assert.equal(await refusal({ token, pass }), '403 UNAUTHORIZED');
  });

  it('are used once by one of two openings at the same time', async () => {
    const { token } = await link({ maxUses: 1 });
    const statuses = (await Promise.all([post({ token }), post({ token })])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 403]);
  });

  it('take the pass of this link only', async () => {
    const one = await link({ password: PASSWORD });
    const other = await link();
    const { pass } = await open({ token: other.token });
    assert.equal(await refusal({ token: one.token, pass }), '400 FIELD_REQUIRED password');
    const forged = (await open({ token: one.token, password: PASSWORD })).pass.replace(/.$/, 'x');
    assert.equal(await refusal({ token: one.token, pass: forged }), '400 FIELD_REQUIRED password');
  });

  for (const [name, change] of [
    ['taken down', `update contents set taken_down_at = now(), takedown_reason = 'Other' where id = $1`],
    ['in the trash', 'update contents set deleted_at = now() where id = $1'],
  ] as const) {
    it(`play nothing of a content that is ${name}, and are not used up`, async () => {
      const { token } = await link();
      const { hls } = await open({ token });
      await api.rows(change, [uuidOf(video)]);
      const before = await stored();
      assert.equal(await refusal({ token }), '404 RESOURCE_NOT_FOUND');
      assert.deepEqual(await stored(), before);
      api.clock.advance(60_000);
      assert.equal(await statusOf(hls), 404);
    });
  }

  it('need a well-formed request', async () => {
    assert.equal(await refusal({}), '400 FIELD_REQUIRED token');
    assert.equal(await refusal([]), '400 INVALID_INPUT');
    assert.equal(await refusal({ token: 7 }), '400 INVALID_INPUT token');
    assert.equal(await refusal({ token: 'x'.repeat(2_000) }), '400 INVALID_INPUT token');
    assert.equal(await refusal({ token: 'x' }), '404 RESOURCE_NOT_FOUND');
  });
});
