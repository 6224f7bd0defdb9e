import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fromJSONSchema } from 'zod';
import { AUTHORIZE_PARAMETERS } from '../../domains/accounts/oauth/oauth.routes.ts';
import { openTestClientSurface } from '../../domains/ingest/client-surface.fixture.ts';
import type { OfferedParts } from '../../domains/ingest/uploads/transfer/direct-transfer.ts';
import { eventExamples } from '../../domains/integrations/events/event-examples.ts';
import { messageBody } from '../../domains/integrations/webhooks/webhook-message.ts';
import { startTestServer } from '../../http/testing.ts';
import { CALLBACK, connectedApplication, RawApplication } from '../../mcp/session/oauth-testing.ts';
import { openTestS3Storage } from '../../platform/storage/testing.ts';
import { platformSchema } from '../../schema.ts';
import { openApiDocument } from './document.ts';
import type { Described, Schema } from './openapi.ts';
import { openRestFixture, type RestFixture, type RestRequest } from './testing.ts';

const document = openApiDocument({ schema: platformSchema(), baseUrl: 'http://reelgraph.test', version: '1.2.3' });
const OPERATIONS = new Map<string, { readonly method: string; readonly path: string; readonly described: Described }>(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => [described.operationId, { method, path, described }] as const),
  ),
);
const TUS = { 'tus-resumable': '1.0.0' };
const BYTES = 'application/offset+octet-stream';
const OAUTH = '/api/auth/oauth2';
const JSON_BODY = { 'content-type': 'application/json' };
const NO_CONTENT = '0198c0de-7a11-7000-8000-000000000000';
const NO_UPLOAD = `/uploads/${NO_CONTENT}-none`;

/** A real request for every documented response: `operationId status`. */
type Requests = Readonly<Record<string, (fixture: RestFixture) => Promise<RestRequest> | RestRequest>>;

const REQUESTS: Requests = {
  'openUpload 201': async (fixture) => ({
    path: '/uploads',
    headers: {
      ...TUS,
      authorization: `Bearer ${fixture.key}`,
      'upload-length': '5',
      'upload-metadata': await metadata(fixture),
    },
  }),
  'openUpload 4XX': () => ({ path: '/uploads', headers: { ...TUS, 'upload-length': '5', 'upload-metadata': '' } }),
  'uploadAbilities 200': () => ({ path: '/uploads' }),
  'uploadOffset 200': async (fixture) => ({ path: await fixture.upload(5), headers: TUS }),
  'continueUpload 204': async (fixture) => ({
    path: await fixture.upload(5),
    headers: { ...TUS, 'upload-offset': '0', 'content-type': BYTES },
    body: 'abc',
  }),
  'continueUpload 4XX': async (fixture) => ({
    path: await fixture.upload(5),
    headers: { ...TUS, 'upload-offset': '3', 'content-type': BYTES },
    body: 'ab',
  }),
  'uploadOffset 4XX': () => ({ path: NO_UPLOAD, headers: TUS }),
  'putUpload 200': async (fixture) => ({ path: await fixture.upload(5), body: 'abcde' }),
  'putUpload 308': async (fixture) => ({
    path: await fixture.upload(5),
    headers: { 'content-range': 'bytes 0-2/5' },
    body: 'abc',
  }),
  'postUpload 308': async (fixture) => ({
    path: await fixture.upload(5),
    headers: { 'content-range': 'bytes 0-2/5' },
    body: 'abc',
  }),
  'putUpload 4XX': async (fixture) => ({ path: await fixture.upload(5), body: 'abc' }),
  'postUpload 200': async (fixture) => ({ path: await fixture.upload(5), body: 'abcde' }),
  'postUpload 4XX': () => ({ path: NO_UPLOAD, body: 'abcde' }),
  'cancelUpload 204': async (fixture) => ({ path: await fixture.upload(5), headers: TUS }),
  'cancelUpload 4XX': () => ({ path: NO_UPLOAD, headers: TUS }),
  'offerUploadParts 4XX': async (fixture) => ({ path: `${await fixture.upload(5)}/parts`, body: '{}' }),
  'completeUploadParts 4XX': async (fixture) => ({ path: `${await fixture.upload(5)}/complete`, body: '{}' }),
  'uploadAbilitiesOfOne 200': async (fixture) => ({ path: await fixture.upload(5) }),
  'getMedia 200': async (fixture) => ({ path: await fixture.playlist() }),
  'getMedia 206': async (fixture) => ({ path: await fixture.playlist(), headers: { range: 'bytes=0-3' } }),
  'getMedia 304': async (fixture) => {
    const path = await fixture.playlist();
    return { path, headers: { 'if-none-match': (await fixture.send('GET', { path })).headers.get('etag') ?? '' } };
  },
  'getMedia 4XX': () => ({ path: '/media/none' }),
  'headMedia 200': async (fixture) => ({ path: await fixture.playlist() }),
  'headMedia 4XX': () => ({ path: '/media/none' }),
  'getPlayback 200': async (fixture) => ({ path: await fixture.playback('') }),
  'getPlayback 4XX': () => ({ path: `/playback/${NO_CONTENT}?token=none` }),
  'playHls 302': async (fixture) => ({ path: await fixture.playback('/master.m3u8') }),
  'playHls 4XX': () => ({ path: `/playback/${NO_CONTENT}/master.m3u8` }),
  'playDash 302': async (fixture) => ({ path: await fixture.playback('/manifest.mpd') }),
  'playDash 4XX': () => ({ path: '/playback/none/manifest.mpd' }),
  'openShareLink 200': async (fixture) => ({
    path: '/api/share-links/open',
    headers: JSON_BODY,
    body: JSON.stringify({ token: await fixture.shareLink() }),
  }),
  'openShareLink 4XX': () => ({ path: '/api/share-links/open', headers: JSON_BODY, body: '{}' }),
  'reportEngagement 202': async (fixture) => {
    const event = await fixture.event();
    return { path: '/api/engagement', body: JSON.stringify({ events: [event, { ...event, seq: -1 }] }) };
  },
  'reportEngagement 4XX': () => ({ path: '/api/engagement', body: '{}' }),
  'registerApplication 201': () => ({
    path: `${OAUTH}/register`,
    headers: JSON_BODY,
    body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_post' }),
  }),
  'registerApplication 4XX': () => ({ path: `${OAUTH}/register`, headers: JSON_BODY, body: '{' }),
  'authorize 302': async ({ baseUrl }) => {
    const app = new RawApplication(baseUrl);
    await app.register();
    const { pathname, search } = app.request();
    return { path: pathname + search };
  },
  'exchangeToken 200': async ({ browser }) => {
    const { app, refresh } = await connectedApplication(browser);
    return formTo('token', { grant_type: 'refresh_token', refresh_token: refresh, client_id: app.clientId });
  },
  'exchangeToken 4XX': () =>
    formTo('token', { grant_type: 'refresh_token', refresh_token: 'rgr_none', client_id: 'none' }),
  'revokeToken 200': async ({ browser }) => {
    const { app, access } = await connectedApplication(browser);
    return formTo('revoke', { token: access, client_id: app.clientId });
  },
  'revokeToken 4XX': () => formTo('revoke', {}),
  'serverMetadata 200': () => ({ path: '/.well-known/oauth-authorization-server' }),
  'serverMetadataOfIssuer 200': () => ({ path: '/.well-known/oauth-authorization-server/api/auth' }),
  'serverMetadataBelowIssuer 200': () => ({ path: '/api/auth/.well-known/oauth-authorization-server' }),
  'health 200': () => ({ path: '/healthz' }),
  'readiness 200': () => ({ path: '/readyz' }),
  'metrics 200': () => ({ path: '/metrics' }),
  'metrics 4XX': () => ({ path: '/metrics', headers: { 'x-forwarded-for': '203.0.113.1' } }),
  'schema 200': () => ({ path: '/schema.graphql' }),
  'schemaOfVersion 200': () => ({ path: '/graphql/preview/schema.graphql' }),
  'schemaOfVersion 4XX': () => ({ path: '/graphql/2020-01/schema.graphql' }),
  'resourceMetadata 200': () => ({ path: '/.well-known/oauth-protected-resource' }),
  'resourceMetadataOfMcp 200': () => ({ path: '/.well-known/oauth-protected-resource/mcp' }),
};

function formTo(endpoint: string, form: Record<string, string>): RestRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { path: `${OAUTH}/${endpoint}`, headers, body: String(new URLSearchParams(form)) };
}

/** Upload-Metadata of tus: names and base64. */
async function metadata(fixture: RestFixture): Promise<string> {
  const pairs = { contentId: await fixture.content(), filename: 'a.mp4', hint: 'LANDSCAPE_VIDEO' };
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Sign-in, sessions, and the consent for applications. */
function isForOwnPages(path: string): boolean {
  return (
    path.startsWith('/api/auth/') && !/\/(?:authorize|token|revoke|register|oauth-authorization-server)$/.test(path)
  );
}

/** From other servers: this one is ready, and has no S3. */
const ELSEWHERE = ['readiness 503', 'offerUploadParts 200', 'completeUploadParts 200'];

describe('the OpenAPI description', () => {
  let fixture: RestFixture;
  before(async () => {
    fixture = await openRestFixture();
  });
  after(() => fixture?.close());

  it('has every route of the platform, except those of its pages, the documentation and MCP', () => {
    const served = fixture.routes.filter(({ path }) => !/^\/(?:docs|llms|mcp$)/.test(path) && !isForOwnPages(path));
    const described = new Set([...OPERATIONS.values()].map(({ method, path }) => `${method.toUpperCase()} ${path}`));
    const names = served.map(
      ({ method, path }) => `${method} ${path.replace('/*', '/{path}').replace(/:(\w+)/g, '{$1}')}`,
    );
    assert.deepEqual([...new Set(names)].sort(), [...described].sort());
  });

  it('lists the parameters of the authorization endpoint', () => {
    const { described } = OPERATIONS.get('authorize') ?? assert.fail('it is described');
    assert.deepEqual(
      described.parameters?.map(({ name }) => name),
      AUTHORIZE_PARAMETERS,
    );
  });

  it('has a real request for each documented response', () => {
    const described = [...OPERATIONS].flatMap(([id, each]) =>
      Object.keys(each.described.responses).map((status) => `${id} ${status}`),
    );
    assert.deepEqual([...Object.keys(REQUESTS), ...ELSEWHERE].sort(), described.sort());
  });

  for (const [name, request] of Object.entries(REQUESTS)) {
    it(`matches the response: ${name}`, async () => {
      const [id = '', status = ''] = name.split(' ');
      const { method } = OPERATIONS.get(id) ?? assert.fail(`${id} is not described`);
      await holds(id, status, await fixture.send(method.toUpperCase(), await request(fixture)));
    });
  }

  it('matches the response: readiness 503', async () => {
    const broken = await startTestServer();
    await holds('readiness', '503', await broken.fetch('/readyz'));
    await broken.close();
  });

  it('matches the responses to an upload straight to S3', async () => {
    const s3 = await openTestS3Storage();
    const surface = await openTestClientSurface(s3);
    const { endpoint } = await surface.open(await surface.owner(), { sizeBytes: 5 });
    const offer = await fetch(`${endpoint}/parts`, { method: 'POST', body: '{}' });
    const { parts } = (await offer.clone().json()) as OfferedParts;
    await holds('offerUploadParts', '200', offer);
    const stored = await fetch(parts[0]?.url ?? '', { method: 'PUT', body: 'abcde' });
    const body = JSON.stringify({ etags: [stored.headers.get('etag')] });
    await holds('completeUploadParts', '200', await fetch(`${endpoint}/complete`, { method: 'POST', body }));
    await surface.close();
    await s3.close();
  });

  it('matches webhook messages of each event type', () => {
    for (const [type, { subject, payload }] of Object.entries(eventExamples())) {
      const body = messageBody({
        id: '1',
        type,
        occurredAt: new Date(0).toISOString(),
        data: { id: 'e', channel: 'c', subject, payload },
      });
      const content = document.webhooks[type]?.post?.requestBody?.content ?? assert.fail(`${type} is not described`);
      assert.ok(fromJSONSchema(content['application/json']?.schema ?? {}).safeParse(JSON.parse(body)).success, body);
    }
  });

  it('keeps the recommended rules of Redocly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const problems = await lint(file);
    await rm(folder, { recursive: true });
    assert.deepEqual(problems, []);
  });
});

const REDOCLY = fileURLToPath(new URL('../../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
/** Redirects have no 2xx, probes and metadata no 4xx; the license of a server is no part of its interface. */
const WITHOUT = ['operation-2xx-response', 'operation-4xx-response', 'info-license'];

/** Problems that Redocly finds, as `rule place`, sorted. */
async function lint(file: string): Promise<string[]> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [
    'lint',
    '--extends=recommended',
    '--format=json',
    ...WITHOUT.map((rule) => `--skip-rule=${rule}`),
    file,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [REDOCLY, ...args], { env }).catch((failed) => failed);
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; location: [{ pointer: string }] }[] };
  return problems.map(({ ruleId, location: [{ pointer }] }) => `${ruleId} ${pointer}`).sort();
}

/** Checks the documented status, headers and schema. */
async function holds(id: string, status: string, response: Response): Promise<void> {
  const text = await response.text();
  assert.match(String(response.status), new RegExp(`^${status.replaceAll('X', '\\d')}$`), text);
  const described = OPERATIONS.get(id)?.described.responses[status] ?? assert.fail(`${id} ${status} is not described`);
  for (const name of Object.keys(described.headers ?? {}))
    assert.ok(response.headers.has(name), `${name}: ${JSON.stringify([...response.headers])}`);
  const { content } = described;
  if (!content) return assert.equal(text, '');
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const schema = content[type]?.schema ?? content['*/*']?.schema ?? assert.fail(`${type} is not described`);
  if (type !== 'application/json') return;
  const resolved: Schema = '$ref' in schema ? (document.components.schemas.Failure ?? {}) : schema;
  const outcome = fromJSONSchema(resolved).safeParse(JSON.parse(text));
  assert.ok(outcome.success, `${outcome.error?.message}\n${text}`);
}
