import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { codeOfGuide } from '../../../docs/testing.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { openPlaybackFixture, type PlaybackFixture, signToken } from './playback.fixture.ts';
import { PLAYBACK_RATE } from './playback.routes.ts';

const CREATE = `mutation ($input: CreateSigningKeyInput!) {
  createSigningKey(input: $input) { signingKey { id algorithm } privateKey }
}`;
const DELETE = 'mutation ($id: DID!) { deleteSigningKey(id: $id) { id } }';

describe('playback with tokens of a site', () => {
  let fixture: PlaybackFixture;
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let key: { id: string; privateKey: string; alg: string };
  let video: string;
  before(async () => {
    fixture = await openPlaybackFixture();
    api = fixture.api;
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  beforeEach(async () => {
    // Buckets of addresses refill with the clock.
    api.clock.advance(60_000);
    await api.rows('delete from signing_keys');
    key = await createKey(anna);
    video = await fixture.video(anna);
  });
  after(() => fixture.close());

  async function createKey(owner: Person, algorithm = 'EDDSA'): Promise<typeof key> {
    const { signingKey, privateKey } = (await api.ok(owner, CREATE, { input: { algorithm } })).createSigningKey;
    return { id: signingKey.id, privateKey, alg: algorithm === 'EDDSA' ? 'EdDSA' : 'RS256' };
  }
  const nowSeconds = () => Math.floor(api.clock.now() / 1_000);
  const tokenOf = (claims: object = {}, header: object = {}, by = key) =>
    signToken(
      by.privateKey,
      { alg: by.alg, kid: by.id, ...header },
      { sub: video, aud: 'playback', exp: nowSeconds() + 3_600, ...claims },
    );
  const addressOf = (token: string, file = '/master.m3u8', content = video) =>
    `${fixture.address}/playback/${uuidOf(content)}${file}?token=${token}`;
  /** The status, code and field of a refusal, with its message. */
  async function refusal(address: string, headers: Record<string, string> = {}): Promise<string[]> {
    const response = await fetch(address, { headers });
    const { errors } = (await response.json()) as { errors: { message: string; code: string; field?: string }[] };
    const [error] = errors;
    return [`${response.status} ${error?.code} ${error?.field ?? ''}`.trim(), error?.message ?? ''];
  }
  const NOT_FOUND = ['404 RESOURCE_NOT_FOUND', 'The channel of this key has published no such video.'];
  const NO_KEY = [
    '401 UNAUTHENTICATED token',
    'The key that signed the playback token does not exist, or was deleted.',
  ];

  it('accepts the token of the program in the guide', async () => {
    const [program = ''] = await codeOfGuide('playback-tokens', 'js');
    const env = { PATH: process.env.PATH, SIGNING_KEY: key.privateKey, SIGNING_KEY_ID: key.id };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, '--', video], { env });
    assert.equal((await fetch(addressOf(stdout.trim()))).status, 200);
  });

  for (const algorithm of ['EDDSA', 'RS256']) {
    it(`plays a private video to its last segment with a token of ${algorithm}`, async () => {
      const token = tokenOf({}, {}, await createKey(anna, algorithm));
      const master = await fetch(addressOf(token));
      assert.equal(master.status, 200);
      assert.match(await master.text(), /^v720\/index\.m3u8$/m);
      const media = await fetch(new URL('v720/index.m3u8', master.url));
      assert.match(await media.text(), /^seg-00001\.m4s$/m);
      const segment = await fetch(new URL('seg-00001.m4s', media.url));
      assert.deepEqual([segment.status, await segment.text()], [200, 'a segment']);
      assert.equal(await (await fetch(addressOf(token, '/manifest.mpd'))).text(), '<MPD/>');
    });
  }

  it('describes the video with the addresses of its files, which end with the token', async () => {
    const exp = nowSeconds() + 600;
    const response = await fetch(addressOf(tokenOf({ exp }), ''));
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const { title, hls, dash, poster, storyboard, expiresAt, ...rest } = (await response.json()) as {
      title: string;
      hls: string;
      dash: string;
      poster: string;
      storyboard: { urlFormat: string; count: number; vtt: string };
      expiresAt: string;
    };
    assert.deepEqual(rest, { width: 1280, height: 720, durationMs: 4_000, chat: null });
    assert.equal(typeof title, 'string');
    assert.equal(expiresAt, new Date(exp * 1_000).toISOString());
    assert.equal(storyboard.count, 3);
    const files = [hls, dash, poster, storyboard.urlFormat.replace('%05d', '00001'), storyboard.vtt];
    const statuses = () => Promise.all(files.map(async (file) => (await fetch(file)).status));
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200]);
    api.clock.advance(600_000);
    assert.deepEqual(await statuses(), [401, 401, 401, 401, 401]);
  });

  it('gives two viewers the same address when their tokens expire together', async () => {
    const exp = nowSeconds() + 3_600;
    const [first, second] = await Promise.all(
      [tokenOf({ exp, viewer: 1 }), tokenOf({ exp, viewer: 2 })].map(
        async (token) => (await fetch(addressOf(token))).url,
      ),
    );
    assert.equal(first, second);
  });

  it('gives the plain address of a video that anyone may play', async () => {
    const open = await fixture.video(anna, { visibility: 'PUBLIC', status: 'PUBLISHED' });
    const response = await fetch(addressOf(tokenOf({ sub: open }), '', open));
    const { hls, expiresAt } = (await response.json()) as { hls: string; expiresAt: string | null };
    assert.match(hls, new RegExp(`/media/${uuidOf(open)}/`));
    assert.equal(expiresAt, null);
  });

  it('needs a well-formed token', async () => {
    const fields = async (token: string) => (await refusal(addressOf(token)))[0];
    assert.equal(await fields(''), '400 FIELD_REQUIRED token');
    for (const token of ['x', 'a.b.c', 'eyJhbGciOiJFZERTQSJ9.e30.AAAA', 'x'.repeat(5_000)])
      assert.equal(await fields(token), '401 UNAUTHENTICATED token', token.slice(0, 40));
    assert.equal(
      (await refusal(addressOf(tokenOf(), '', 'did:reelgraph:content/feature/nothing')))[0],
      '404 RESOURCE_NOT_FOUND',
    );
  });

  it('refuses tokens of keys that do not exist, of other keys and of other algorithms', async () => {
    const did = key.id.replace(uuidOf(key.id), newId());
    assert.deepEqual(await refusal(addressOf(tokenOf({}, { kid: did }))), NO_KEY);
    assert.deepEqual(await refusal(addressOf(tokenOf({}, { kid: uuidOf(key.id) }))), NO_KEY);
    assert.deepEqual(await refusal(addressOf(tokenOf({}, { kid: anna.channel }))), NO_KEY);
    const stranger = {
      ...key,
      privateKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    assert.deepEqual(await refusal(addressOf(tokenOf({}, {}, stranger))), [
      '401 UNAUTHENTICATED token',
      'The signature of the playback token is not valid.',
    ]);
    const other = await createKey(anna, 'RS256');
    assert.deepEqual(await refusal(addressOf(tokenOf({}, { alg: 'RS256', kid: key.id }, other))), [
      '401 UNAUTHENTICATED token',
      'The "alg" of the playback token is not EdDSA, the algorithm of its key.',
    ]);
    const unsigned = tokenOf({}, { alg: 'none' }).replace(/[^.]+$/, '');
    assert.equal((await refusal(addressOf(unsigned)))[0], '401 UNAUTHENTICATED token');
  });

  it('refuses tokens that have expired, are not valid yet, last too long or are for something else', async () => {
    const now = nowSeconds();
    const outcomes: [claims: object, outcome: string, message: string][] = [
      [{ exp: now - 1 }, '401 TOKEN_EXPIRED token', 'This playback token has expired.'],
      [{ nbf: now + 120 }, '401 UNAUTHENTICATED token', 'The playback token is not valid yet ("nbf").'],
      [
        { exp: now + 25 * 3_600 },
        '401 UNAUTHENTICATED token',
        'The playback token expires more than 24 hours from now.',
      ],
      [{ exp: undefined }, '401 UNAUTHENTICATED token', 'The claim "exp" is missing or not valid.'],
      [{ exp: 'tomorrow' }, '401 UNAUTHENTICATED token', 'The claim "exp" is missing or not valid.'],
      [{ aud: undefined }, '401 UNAUTHENTICATED token', 'The claim "aud" is missing or not valid.'],
      [{ aud: 'uploads' }, '401 UNAUTHENTICATED token', 'The claim "aud" is missing or not valid.'],
      [{ sub: undefined }, '401 UNAUTHENTICATED token', 'The claim "sub" is missing or not valid.'],
      [{ sub: uuidOf(video) }, '403 UNAUTHORIZED token', 'This playback token is for another content.'],
      [{ sub: anna.channel }, '403 UNAUTHORIZED token', 'This playback token is for another content.'],
      [{ ref: 5 }, '401 UNAUTHENTICATED token', 'The claim "ref" is not a list of hosts.'],
    ];
    for (const [claims, outcome, message] of outcomes)
      assert.deepEqual(await refusal(addressOf(tokenOf(claims))), [outcome, message], JSON.stringify(claims));
    assert.equal((await fetch(addressOf(tokenOf({ nbf: now + 20, exp: now + 24 * 3_600 })))).status, 200);
  });

  it('does not disclose whether a content exists', async () => {
    const missing = video.replace(uuidOf(video), newId());
    const foreign = await fixture.video(bert);
    const trashed = await fixture.video(anna);
    const draft = await fixture.video(anna, { visibility: 'PRIVATE', status: 'READY' });
    const unplayable = await api.content(anna, { visibility: 'PRIVATE', status: 'PUBLISHED' });
    await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(trashed)]);
    for (const content of [missing, foreign, trashed, draft, unplayable])
      assert.deepEqual(await refusal(addressOf(tokenOf({ sub: content }), '/master.m3u8', content)), NOT_FOUND);
    // Without a valid token, the answer is the same for every address.
    for (const content of [missing, foreign, video])
      assert.deepEqual(await refusal(addressOf(tokenOf({}, { kid: 'none' }), '/master.m3u8', content)), NO_KEY);
  });

  it('works on the allowed sites only, when the token names some', async () => {
    const address = addressOf(tokenOf({ ref: ['shop.test', '*.shop.test'] }));
    for (const headers of [{ origin: 'https://shop.test' }, { referer: 'https://www.shop.test/videos' }])
      assert.equal((await fetch(address, { headers })).status, 200);
    const elsewhere = ['403 UNAUTHORIZED token', 'This playback token does not allow playback on this site.'];
    assert.deepEqual(await refusal(address, { origin: 'https://evil.test' }), elsewhere);
    assert.deepEqual(await refusal(address), elsewhere);
    assert.deepEqual(await refusal(`${address}&site=https://shop.test`, { origin: 'https://evil.test' }), elsewhere);
    const embed = { referer: `${fixture.address}/embed/1` };
    assert.equal((await fetch(`${address}&site=https://shop.test`, { headers: embed })).status, 200);
    assert.deepEqual(await refusal(`${address}&site=https://evil.test`, embed), elsewhere);
  });

  it('ends at once for new players when the key is deleted, and within a minute for others', async () => {
    const address = addressOf(tokenOf());
    const playing = (await fetch(address)).url;
    const other = await createKey(anna);
    await api.ok(anna, DELETE, { id: key.id });
    assert.deepEqual(await refusal(address), NO_KEY);
    api.clock.advance(60_001);
    assert.equal((await refusal(playing))[0], '404 RESOURCE_NOT_FOUND');
    assert.equal((await fetch(addressOf(tokenOf({}, {}, other)))).status, 200);
  });

  it('ends within a minute when the content is unpublished', async () => {
    const playing = (await fetch(addressOf(tokenOf()))).url;
    await api.rows(`update contents set status = 'READY', published_at = null where id = $1`, [uuidOf(video)]);
    api.clock.advance(60_001);
    assert.equal((await refusal(playing))[0], '404 RESOURCE_NOT_FOUND');
  });

  it('gives addresses that cannot be extended or moved to another video or key', async () => {
    const playing = (await fetch(addressOf(tokenOf()))).url;
    const forged = ['403 UNAUTHORIZED', 'The signature of this address is not valid.'];
    const other = await fixture.video(anna);
    const target = (await fetch(addressOf(tokenOf({ sub: other }), '/master.m3u8', other))).url;
    assert.deepEqual(await refusal(playing.replace(/\/s\/(\d+)/, (_, expires) => `/s/${Number(expires) + 1}`)), forged);
    assert.deepEqual(await refusal(playing.replace(uuidOf(key.id), newId())), forged);
    assert.deepEqual(await refusal(playing.replace(`${uuidOf(key.id)}-`, '')), forged);
    const ticket = /\/s\/[^/]+\//;
    assert.deepEqual(await refusal(target.replace(ticket, ticket.exec(playing)?.[0] ?? '')), forged);
  });

  it('notes when a key was last used, once a minute', async () => {
    const lastUsed = async () =>
      (
        await api.row<{ at: string | null }>('select last_used_at as at from signing_keys where id = $1', [
          uuidOf(key.id),
        ])
      ).at;
    const usedNow = async () => Date.parse((await lastUsed()) ?? '') === api.clock.now();
    assert.equal(await lastUsed(), null);
    await refusal(addressOf(tokenOf({ aud: 'uploads' })));
    assert.equal(await lastUsed(), null);
    await fetch(addressOf(tokenOf()));
    assert.ok(await usedNow());
    api.clock.advance(59_000);
    await fetch(addressOf(tokenOf()));
    assert.ok(!(await usedNow()));
    api.clock.advance(1_000);
    await fetch(addressOf(tokenOf()));
    assert.ok(await usedNow());
  });

  it('is open to pages of every origin, and limited per address', async () => {
    const headers = { origin: 'https://shop.test' };
    const allowed = await fetch(addressOf(tokenOf(), ''), { headers });
    assert.equal(allowed.headers.get('access-control-allow-origin'), '*');
    let [status, retryAfter]: [number, string | null] = [200, null];
    for (let request = 0; request <= PLAYBACK_RATE.capacity && status !== 429; request += 1) {
      const response = await fetch(addressOf('x'), { headers });
      await response.arrayBuffer();
      [status, retryAfter] = [response.status, response.headers.get('retry-after')];
    }
    assert.deepEqual([status, retryAfter], [429, '1']);
    api.clock.advance(1_000);
    assert.equal((await fetch(addressOf(tokenOf()), { headers })).status, 200);
  });
});
