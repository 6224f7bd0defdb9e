import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { packagePrefix } from '../../domains/assets/media-address.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../domains/catalog/testing.ts';
import { addPlayableVideo, signToken } from '../../domains/delivery/playback/playback.fixture.ts';
import { edgeRoutes } from '../../http/health/health.routes.ts';
import { createMetrics } from '../../http/metrics.ts';
import { createHttpServer } from '../../http/server.ts';
import { newId } from '../../kernel/ids.ts';
import { mcpRoutes } from '../../mcp/routes.ts';
import { Browser } from '../../mcp/session/oauth-testing.ts';
import { testRunner } from '../../media/testing.ts';
import { freePort } from '../../platform/config/free-port.ts';
import { MessageBus } from '../../platform/message-bus/message-bus.ts';
import type { Route } from '../../platform/routing.ts';
import { platformSchema } from '../../schema.ts';
import { docsRoutes } from '../routes.ts';

/** Context of a request. */
export interface RestRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The platform over HTTP, without pages; BASE_URL is its real address. */
export interface RestFixture {
  readonly baseUrl: string;
  /** Of the domains, MCP, the documentation and the edge. */
  readonly routes: readonly Route[];
  readonly key: string;
  /** Signed in as the owner of the key. */
  readonly browser: Browser;
  /** A content that accepts uploads, by its DID. */
  content(): Promise<string>;
  /** A published video's playlist, as a path. */
  playlist(): Promise<string>;
  /** A playback address of a private video with a token, as a path; `file` is below the content. */
  playback(file: string): Promise<string>;
  /** The token of a link to a private video. */
  shareLink(): Promise<string>;
  /** A new upload of this size, as a path. */
  upload(sizeBytes: number): Promise<string>;
  /** A valid playback event. */
  event(): Promise<object>;
  send(method: string, request: RestRequest): Promise<Response>;
  close(): Promise<void>;
}

export async function openRestFixture(): Promise<RestFixture> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = await openTestCatalog({ jobs: true, env: { BASE_URL: baseUrl } });
  const { platform, domains } = api;
  const { engine, accounts: credentials, media, engagement } = domains;
  const messageBus = new MessageBus({ ...platform, url: platform.test.url });
  const agents = await mcpRoutes({
    ...{ platform, engine, credentials, messageBus, runner: testRunner, version: '1.2.3' },
    subscriptions: domains.integrations.sessionSubscriptions,
  });
  const docs = docsRoutes({ schema: platformSchema(), baseUrl, version: '1.2.3' });
  const routes = [...credentials.routes, ...media.routes, ...engagement.routes, ...agents, ...docs];
  const server = createHttpServer({ platform, version: '1.2.3', routes, engine, credentials });
  await server.listen(port, '127.0.0.1');
  const person = await api.person('olivia');
  const browser = new Browser(baseUrl);
  await browser.signIn('olivia@example.com');
  const edge = edgeRoutes({
    baseUrl,
    version: '1.2.3',
    metrics: createMetrics({ version: '1.2.3', databaseStatistics: platform.db.statistics }),
    metricsAccess: 'private',
    readiness: async () => ({ status: 'ready', checks: {} }),
    isDraining: () => false,
  });
  return {
    baseUrl,
    routes: [...routes, ...edge],
    key: person.key,
    browser,
    content: () => api.content(person),
    playlist: () => makePlaylist(api, person),
    playback: (file) => makePlayback(api, person, file),
    shareLink: () => makeShareLink(api, person),
    async upload(sizeBytes) {
      const input = { title: 'A video', filename: 'a.mp4', size: sizeBytes };
      const data = await api.ok(
        person,
        'mutation($input: PublishVideoInput!) { publishVideo(input: $input) { upload { endpoint } } }',
        {
          input,
        },
      );
      return new URL(data.publishVideo.upload.endpoint).pathname;
    },
    event: async () => ({
      kind: 'START',
      contentId: await api.content(person, { status: 'PUBLISHED' }),
      sessionId: randomUUID(),
      seq: 0,
      occurredAt: new Date(api.clock.now()).toISOString(),
      positionMs: 0,
    }),
    send: (method, { path, headers = {}, body }) =>
      fetch(new URL(path, baseUrl), { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) }),
    async close() {
      await server.close({ graceMs: 0 });
      await messageBus.close();
      await api.close();
    },
  };
}

/** A processed video, without its segments. */
async function makePlaylist({ content, rows, platform }: TestCatalog, person: Person): Promise<string> {
  const contentId = uuidOf(await content(person, { status: 'PUBLISHED' }));
  const assetId = newId();
  const prefix = packagePrefix(contentId, assetId, newId(), 1);
  await rows(
    `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type,
      package_prefix)
     values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'video.mov', $4, 4, 'video/quicktime', $5)`,
    [assetId, person.channelId, contentId, `sources/${assetId}`, prefix],
  );
  await platform.store.put(`${prefix}master.m3u8`, Buffer.from('#EXTM3U\n'), {
    contentType: 'application/vnd.apple.mpegurl',
  });
  assert.match(prefix, /^media\//);
  return `/${prefix}master.m3u8`;
}

async function makeShareLink(api: TestCatalog, person: Person): Promise<string> {
  const content = await api.content(person, { status: 'PUBLISHED', visibility: 'PRIVATE' });
  await addPlayableVideo(api, person, uuidOf(content));
  const { createShareLink } = await api.ok(
    person,
    'mutation ($input: CreateShareLinkInput!) { createShareLink(input: $input) { url } }',
    { input: { content } },
  );
  return createShareLink.url.split('/share/')[1];
}

async function makePlayback(api: TestCatalog, person: Person, file: string): Promise<string> {
  const content = await api.content(person, { status: 'PUBLISHED', visibility: 'PRIVATE' });
  await addPlayableVideo(api, person, uuidOf(content));
  const { createSigningKey } = await api.ok(
    person,
    'mutation { createSigningKey(input: {}) { signingKey { id } privateKey } }',
  );
  const { signingKey, privateKey } = createSigningKey;
  const claims = { sub: content, aud: 'playback', exp: Math.floor(api.clock.now() / 1_000) + 600 };
  const token = signToken(privateKey, { alg: 'EdDSA', kid: signingKey.id }, claims);
  return `/playback/${uuidOf(content)}${file}?token=${token}`;
}
