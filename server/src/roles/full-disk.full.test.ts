import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { errorOf, offsetOf, patchHeaders, tusUpload } from '../domains/ingest/client-surface.fixture.ts';
import { createRunner } from '../media/index.ts';
import { type OpenPlatform, openPlatform } from '../open-platform.ts';
import { readConfig } from '../platform/config/config.ts';
import { freePort } from '../platform/config/free-port.ts';
import { sql } from '../platform/db/statement.ts';
import { createLogger } from '../platform/log.ts';
import { mountSmallDisk, unmountSmallDisk } from '../testing/small-disk.ts';
import { type Domains, wireDomains } from '../wiring.ts';
import { type RunningApi, startApi } from './api.ts';

const MIB = 1024 ** 2;
const DISK_MIB = 400;
const RESERVE_MIB = 64;
const PASSWORD = 'a long enough pass phrase 7';

const folder = await mkdtemp(join(tmpdir(), 'reelgraph-full-'));
const isMounted = mountSmallDisk(folder, DISK_MIB);
if (!isMounted) await rm(folder, { recursive: true });
const skip = isMounted ? false : 'only root may mount a file system';

describe('a platform with its PostgreSQL on a disk that fills up', { skip, timeout: 120_000 }, () => {
  const filler = join(folder, 'filler');
  const lines: { msg: string; level: string; error?: { type: string } }[] = [];
  let baseUrl: string;
  let platform: OpenPlatform;
  let domains: Domains;
  let api: RunningApi;
  let content: string;

  before(async () => {
    const port = await freePort();
    baseUrl = `http://localhost:${port}`;
    const env = {
      DATA_DIR: folder,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      STORAGE_RESERVE: `${RESERVE_MIB}MiB`,
      DEMO: 'off',
    };
    const log = createLogger({ level: 'info', destination: { write: (text) => void lines.push(JSON.parse(text)) } });
    platform = await openPlatform(readConfig(env), log, { worker: false, signal: new AbortController().signal });
    const runner = await createRunner();
    domains = await wireDomains(platform, 'test', runner);
    await platform.jobs.start();
    await domains.accounts.openSignIn();
    const { accounts, media, engine } = domains;
    const routes = [...accounts.routes, ...media.routes];
    api = await startApi({ platform, runner, version: 'test', engine, credentials: accounts, routes });
    assert.equal((await auth('sign-up', { username: 'ada', name: 'Ada' })).status, 200);
    await platform.db.run(
      sql('test_plan', "update subscriptions set plan = 'CREATOR_PLUS', access_until = 'infinity'"),
      [],
    );
    content = (await graphql('mutation { createContent(input: { title: "A video", contentType: FEATURE }) { id } }'))
      .data.createContent.id;
  });
  after(async () => {
    await api.stop();
    const { accounts, media, catalog, engagement, discovery, integrations, publishing, ai, idempotency } = domains;
    for (const domain of [ai, publishing, integrations, discovery, engagement, catalog, media, idempotency])
      await domain.close();
    await accounts.stop();
    await platform.jobs.stop({ graceMs: 1_000 });
    await platform.close();
    unmountSmallDisk(folder);
    await rm(folder, { recursive: true, force: true });
  });

  let cookie = '';
  async function auth(what: 'sign-up' | 'sign-in', more: object = {}): Promise<Response> {
    const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD, ...more });
    const headers = { 'content-type': 'application/json', origin: baseUrl };
    const result = await fetch(`${baseUrl}/api/auth/${what}/email`, { method: 'POST', headers, body });
    cookie =
      result.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ') || cookie;
    return result;
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents; assertions look at them
  async function graphql(query: string, variables: object = {}): Promise<{ status: number; data: any; errors: any }> {
    const headers = { 'content-type': 'application/json', origin: baseUrl, cookie };
    const result = await fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return { status: result.status, ...((await result.json()) as { data: unknown; errors: unknown }) };
  }
  const ASSET =
    'mutation ($id: DID!, $size: BigInt!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: $size, ' +
    'video: { hint: NONE } }) { endpoint } }';
  const open = async (size: number): Promise<string> =>
    (await graphql(ASSET, { id: content, size })).data.createContentAsset.endpoint;
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  /** Fills the disk like another program, except for `left` bytes. */
  const fillUpTo = async (left: number) => writeFile(filler, Buffer.alloc((await freeBytes()) - left), { flag: 'a' });

  it('refuses uploads, cleans up failed ones, keeps sign-in and reading working, and continues uploads when there is space again', async () => {
    const bytes = randomBytes(40 * MIB);
    const [whole, pieces] = [await open(bytes.length), await open(bytes.length)];
    assert.equal(
      (await fetch(pieces, { method: 'PATCH', headers: patchHeaders(0), body: bytes.subarray(0, 5) })).status,
      204,
    );

    await fillUpTo((RESERVE_MIB + 8) * MIB);
    const before = await freeBytes();
    for (const [address, request] of [
      [whole, { method: 'PUT', body: bytes }],
      [pieces, { method: 'PATCH', headers: patchHeaders(5), body: bytes.subarray(5) }],
    ] as const) {
      const result = await fetch(address, request);
      assert.equal(result.headers.get('retry-after'), '300');
      const error = await errorOf(result);
      assert.deepEqual([error.status, error.code], [503, 'SERVICE_UNAVAILABLE']);
      assert.match(error.suggestedFix, /bytes that were acknowledged are kept/);
      // PostgreSQL writes concurrently; the 40 MiB would be visible.
      assert.ok((await freeBytes()) > before - 8 * MIB, 'what was written is gone at once');
    }
    assert.equal(await offsetOf(whole), 0);
    assert.equal(await offsetOf(pieces), 5);

    await fillUpTo((RESERVE_MIB / 2) * MIB);
    const opened = await graphql(ASSET, { id: content, size: 1 });
    assert.deepEqual(
      [opened.errors[0].extensions.code, opened.errors[0].extensions.field],
      ['SERVICE_UNAVAILABLE', 'input.size'],
    );
    for (let index = 0; index < 20; index += 1)
      assert.equal((await fetch(whole, { method: 'PUT', body: bytes })).status, 503);
    const failures = lines.filter(({ msg }) => msg === 'request failed');
    assert.deepEqual(
      failures.map(({ level }) => level),
      ['warn'],
      'twenty-two failures take one line',
    );

    const sessions = async () =>
      (await platform.db.first<{ n: number }>(sql('test_sessions', 'select count(*) as n from sessions'), []))?.n;
    const had = await sessions();
    assert.equal((await auth('sign-in')).status, 200);
    assert.equal(await sessions(), (had ?? 0) + 1);
    const read = await graphql('{ me { username credits { storage { usedBytes } } } }');
    assert.deepEqual(read.data.me, { username: 'ada', credits: { storage: { usedBytes: 2 * bytes.length } } });
    const ready = await fetch(`${baseUrl}/readyz`);
    const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean; note?: string }> };
    assert.equal(ready.status, 200, JSON.stringify(checks));
    assert.match(checks.storageSpace?.note ?? '', /STORAGE_RESERVE/);
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    assert.match(metrics, new RegExp(`^reelgraph_storage_reserve_bytes ${RESERVE_MIB * MIB}$`, 'm'));
    assert.match(metrics, /^reelgraph_storage_free_bytes \d+$/m);

    let refusals = 0;
    const going = tusUpload(pieces, bytes, {
      chunkSize: Number.POSITIVE_INFINITY,
      retryDelays: Array.from({ length: 100 }, () => 50),
      onAfterResponse: (_request: unknown, response: { getStatus(): number }) => {
        if (response.getStatus() !== 503) return;
        refusals += 1;
        if (refusals === 3) void rm(filler);
      },
    });
    await going;
    assert.ok(refusals >= 3, `the client was refused ${refusals} times before there was room`);
    assert.equal((await fetch(whole, { method: 'PUT', body: bytes })).status, 200);
    const states = await platform.db.run(
      sql('test_states', 'select state, received_bytes as received from ingestions'),
      [],
    );
    assert.deepEqual(states, Array(2).fill({ state: 'FINISHED', received: bytes.length }));
  });
});
