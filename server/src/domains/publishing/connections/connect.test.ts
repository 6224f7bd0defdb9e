import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { FakeGoogle, refused } from '../fake-google.fixture.ts';
import { readSiteAccess } from '../services.ts';
import { READ_SCOPE, UPLOAD_SCOPE } from '../site/site-addresses.ts';

const HOUR_MS = 3_600_000;

describe('connecting YouTube', () => {
  let google: FakeGoogle;
  let api: TestCatalog;
  let edge: Awaited<ReturnType<typeof serveAssetRoutes>>;
  let anna: Person;
  let carl: Person;

  before(async () => {
    google = await FakeGoogle.start();
    api = await openTestCatalog({ google });
    edge = await serveAssetRoutes(api.domains.publishing.routes);
    [anna, carl] = [await browser('anna'), await browser('carl')];
  });
  beforeEach(async () => {
    await api.rows('delete from youtube_connections');
    google.person = 'agrees';
    google.hasChannel = true;
    google.handlers.length = 0;
    google.requests.length = 0;
  });
  after(async () => {
    await edge.close();
    await api.close();
  });

  /** An account with a session cookie, as set by the server. */
  async function browser(name: string): Promise<Person & { cookie: string }> {
    const person = await api.person(name);
    const token = name.padEnd(32, 'x');
    await api.rows(
      'insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, $2, ' +
        `now() + interval '9 days')`,
      [person.accountId, token],
    );
    const signature = createHmac('sha256', api.platform.secrets.derive('session')).update(token).digest('base64');
    return { ...person, cookie: `reelgraph.session_token=${encodeURIComponent(`${token}.${signature}`)}` };
  }
  const visit = (url: string, who: Person | null) =>
    fetch(url, { redirect: 'manual', headers: who ? { cookie: (who as Person & { cookie: string }).cookie } : {} });
  const here = (location: string | null) =>
    `${edge.address}${new URL(location ?? '').pathname}${new URL(location ?? '').search}`;
  /** Accepts or denies the consent at Google; returns the redirect address. */
  async function toGoogle(who: Person, search = ''): Promise<string> {
    const sent = await visit(`${edge.address}/api/youtube/connect${search}`, who);
    assert.equal(sent.status, 302);
    const consented = await visit(sent.headers.get('location') ?? '', null);
    return here(consented.headers.get('location'));
  }
  const outcome = async (back: string, who: Person) => (await visit(back, who)).headers.get('location');
  const connect = async (who: Person, search = '') => outcome(await toGoogle(who, search), who);
  const access = (who: Person) => readSiteAccess(api.domains.publishing.services, who.accountId);
  const stored = () =>
    api.row<{ channel_id: string; scopes: string[]; broken: boolean; sealed: Buffer }>(
      'select channel_id, scopes, broken_at is not null as broken, sealed_refresh_token as sealed ' +
        'from youtube_connections',
    );

  it('redirects to Google and back, and stores the refresh token sealed', async () => {
    assert.equal(await connect(anna), 'http://reelgraph.test/settings/account?youtube=connected');
    const { channel_id, scopes, sealed } = await stored();
    assert.deepEqual([channel_id, scopes], [google.channel.id, [READ_SCOPE]]);
    const token = api.platform.secrets.open('youtube-token', sealed);
    assert.match(token, /^1\/\//);
    assert.ok(!sealed.toString('latin1').includes(token));
    assert.equal((await access(anna)).hasUploadScope, false);
    assert.equal(await connect(anna, '?upload=true'), 'http://reelgraph.test/settings/account?youtube=connected');
    assert.deepEqual((await stored()).scopes, [READ_SCOPE, UPLOAD_SCOPE]);
    assert.equal((await access(anna)).hasUploadScope, true);
  });

  it('accepts Google’s redirect once, from the same account, within ten minutes', async () => {
    const back = await toGoogle(anna);
    assert.match((await outcome(back, carl)) ?? '', /youtube=expired$/);
    assert.match((await outcome(back, anna)) ?? '', /youtube=connected$/);
    assert.match((await outcome(back, anna)) ?? '', /youtube=expired$/);
    const late = await toGoogle(anna);
    api.clock.advance(600_001);
    assert.match((await outcome(late, anna)) ?? '', /youtube=expired$/);
    assert.match(
      (await outcome(`${edge.address}/api/youtube/callback?state=made-up&code=x`, anna)) ?? '',
      /youtube=expired$/,
    );
    assert.equal((await api.rows('select 1 from youtube_consents')).length, 0);
  });

  it('is reported by me and verifyConnection until it is revoked or disconnected', async () => {
    const ASK = `{ verifyConnection { youtubeConnected }
      me { youtube { connected channelId channelTitle channelThumbnail connectedAt hasUploadScope } } }`;
    assert.deepEqual(await api.ok(anna, ASK), { verifyConnection: { youtubeConnected: false }, me: { youtube: null } });
    await connect(anna, '?upload=true');
    const { me, verifyConnection } = await api.ok(anna, ASK);
    assert.equal(verifyConnection.youtubeConnected, true);
    const { channelThumbnail, ...rest } = me.youtube;
    assert.match(channelThumbnail, /maxresdefault/);
    assert.deepEqual(rest, {
      connected: true,
      channelId: google.channel.id,
      channelTitle: 'Anna at YouTube',
      connectedAt: new Date(api.clock.now()).toISOString(),
      hasUploadScope: true,
    });
    assert.equal((await api.ok(carl, ASK)).me.youtube, null);
    const END = 'mutation { disconnectYouTube { disconnected } }';
    assert.deepEqual(await api.ok(anna, END), { disconnectYouTube: { disconnected: true } });
    assert.equal(google.count('/revoke'), 1);
    assert.equal((await api.ok(anna, ASK)).me.youtube, null);
    assert.deepEqual(await api.ok(anna, END), { disconnectYouTube: { disconnected: false } });
    await connect(anna);
    google.handlers.push(({ url }) => (url.pathname === '/revoke' ? { status: 503 } : null));
    assert.deepEqual(await api.ok(anna, END), { disconnectYouTube: { disconnected: true } });
  });

  it('reports a failed connection', async () => {
    google.person = 'refuses';
    assert.match((await connect(anna)) ?? '', /youtube=refused$/);
    google.person = 'agrees';
    google.hasChannel = false;
    assert.match((await connect(anna)) ?? '', /youtube=no-channel$/);
    google.handlers.push(({ url }) =>
      url.pathname === '/token' ? { status: 503, body: { error: 'temporarily_unavailable' } } : null,
    );
    assert.match((await connect(anna)) ?? '', /youtube=failed$/);
    assert.deepEqual(await api.rows('select 1 from youtube_connections'), []);
  });

  it('returns the operator’s settings to the web application', async () => {
    const setup = await visit(`${edge.address}/api/youtube/setup`, anna);
    assert.deepEqual(await setup.json(), { available: true, canDownload: false });
    assert.equal((await visit(`${edge.address}/api/youtube/setup`, null)).status, 401);
  });

  it('requires a session, not a key', async () => {
    assert.equal((await visit(`${edge.address}/api/youtube/connect`, null)).status, 401);
    const byKey = await fetch(`${edge.address}/api/youtube/connect`, {
      headers: { authorization: `Bearer ${anna.key}` },
      redirect: 'manual',
    });
    assert.equal(byKey.status, 401);
    assert.equal((await visit(`${edge.address}/api/youtube/callback?state=a&code=b`, null)).status, 401);
  });

  it('reuses an access token until shortly before it expires, and replaces a refused one', async () => {
    await connect(anna);
    google.videos = [{ id: 'aaaaaaaaaaa', title: 'One' }];
    google.requests.length = 0;
    const site = api.domains.publishing.services.youtube?.site ?? assert.fail('it is set up');
    const read = async () => (await site.readVideo(await access(anna), 'aaaaaaaaaaa'))?.title;
    assert.deepEqual(await Promise.all([read(), read(), read()]), ['One', 'One', 'One']);
    assert.equal(google.count('/token'), 1);
    google.endAccessTokens();
    assert.equal(await read(), 'One');
    assert.equal(google.count('/token'), 2);
    api.clock.advance(HOUR_MS);
    assert.equal(await read(), 'One');
    assert.equal(google.count('/token'), 3);
  });

  it('detects a connection revoked at Google, until the account reconnects', async () => {
    await connect(anna);
    google.withdraw();
    const refusal = (error: unknown) =>
      error instanceof AppError && error.code === 'UNAUTHORIZED' && /revoked/.test(error.message);
    await assert.rejects(async () => (await access(anna)).token(), refusal);
    assert.equal((await stored()).broken, true);
    await assert.rejects(access(anna), refusal);
    await connect(anna);
    assert.match(await (await access(anna)).token(), /^ya29/);
  });

  for (const [status, reason, code, retry] of [
    [403, 'quotaExceeded', 'RATE_LIMIT_EXCEEDED', true],
    [403, 'rateLimitExceeded', 'RATE_LIMIT_EXCEEDED', true],
    [403, 'insufficientPermissions', 'UNAUTHORIZED', false],
    [401, 'authError', 'UNAUTHORIZED', false],
    [404, 'videoNotFound', 'RESOURCE_NOT_FOUND', false],
    [500, 'backendError', 'SERVICE_UNAVAILABLE', true],
  ] as const) {
    it(`maps ${status} ${reason} of the site to ${code}`, async () => {
      await connect(anna);
      google.handlers.push(({ url }) => (url.pathname.endsWith('/videos') ? refused(status, reason, 'No.') : null));
      const site = api.domains.publishing.services.youtube?.site ?? assert.fail('it is set up');
      await assert.rejects(
        async () => site.readVideo(await access(anna), 'aaaaaaaaaaa'),
        (error) =>
          error instanceof AppError && error.code === code && (error.retryAfterSeconds !== undefined) === retry,
      );
    });
  }

  it('refuses responses in another shape', async () => {
    await connect(anna);
    google.handlers.push(({ url }) =>
      url.pathname.endsWith('/videos') ? { status: 200, body: { items: [{ id: '../etc' }] } } : null,
    );
    const site = api.domains.publishing.services.youtube?.site ?? assert.fail('it is set up');
    await assert.rejects(async () => site.readVideo(await access(anna), 'aaaaaaaaaaa'), {
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('a server without a Google client', () => {
  it('returns an error with a suggested fix for the operator', async () => {
    const api = await openTestCatalog();
    try {
      const anna = await api.person('anna');
      for (const operation of [
        '{ youtubeVideos { totalCount } }',
        'mutation { createContentFromYouTube(videoId: "aaaaaaaaaaa") { id } }',
        'mutation { importYouTubeLibrary { hasMore } }',
      ]) {
        const { code, suggestedFix } = await api.refused(anna, operation);
        assert.equal(code, 'SERVICE_UNAVAILABLE', operation);
        assert.match(suggestedFix, /YOUTUBE_CLIENT_ID/);
      }
      const { me } = await api.ok(anna, '{ me { youtube { connected } } }');
      assert.equal(me.youtube, null);
    } finally {
      await api.close();
    }
  });
});
