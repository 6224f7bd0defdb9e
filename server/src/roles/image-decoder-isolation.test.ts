import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { type CreatedAccount, createAccount } from '../domains/accounts/index.ts';
import { newId } from '../kernel/ids.ts';
import { openClips, QUICK_H264, testVideo } from '../media/clips.fixture.ts';
import { createRunner } from '../media/index.ts';
import { systemClock } from '../platform/clock.ts';
import { freePort } from '../platform/config/free-port.ts';
import { secretsFrom } from '../platform/config/secret-key.ts';
import { sql } from '../platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const PHOTO = new URL('../../../../shared/media/sample_still_photo.heic', import.meta.url);

/** API and worker in one process, with user files: it must never load an image decoder. */
describe('the process that receives images', { timeout: 180_000 }, () => {
  let test: TestDatabase;
  let folder: string;
  let server: ChildProcess;
  let address: string;
  let account: CreatedAccount;
  before(async () => {
    [test, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'reelgraph-apart-'))]);
    const secretKey = randomBytes(32);
    account = await createAccount(
      { db: test.db, clock: systemClock, secrets: secretsFrom(secretKey) },
      {
        ...{ email: 'ada@example.com', username: 'ada', name: 'Ada', password: randomBytes(15).toString('hex') },
        ...{ subscription: { plan: 'CREATOR_PLUS', state: 'ACTIVE' }, apiKey: true },
      },
    );
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    server = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...{
          PATH: process.env.PATH,
          DATABASE_URL: test.url,
          DATA_DIR: join(folder, 'data'),
          SECRET_KEY: secretKey.toString('base64'),
        },
        ...{
          HOST: '127.0.0.1',
          PORT: String(port),
          BASE_URL: address,
          DEMO: 'off',
          LOG_LEVEL: 'error',
          SANDBOX: 'prefer',
        },
      },
    });
    await until(async () => (await fetch(`${address}/readyz`).catch(() => null))?.ok === true);
  });
  after(async () => {
    const gone = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await gone;
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the status and the error code, if any. */
  async function upload(bytes: Buffer, metadata: Record<string, string>): Promise<string> {
    const opened = await fetch(`${address}/uploads`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        'tus-resumable': '1.0.0',
        'upload-length': String(bytes.length),
        'upload-metadata': Object.entries({ filename: 'file', ...metadata })
          .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
          .join(','),
      },
    });
    assert.equal(opened.status, 201, await opened.clone().text());
    const response = await fetch(opened.headers.get('location') ?? '', { method: 'PUT', body: new Uint8Array(bytes) });
    const { errors } = (await response.json()) as {
      errors?: { extensions?: { code: string }; code?: string; message: string }[];
    };
    return errors ? `${response.status} ${errors[0]?.message}` : String(response.status);
  }
  const channel = () => ({ channelId: `did:reelgraph:channel/${account.channelId}`, hint: 'OTHER' });
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#c81e1e' }, limitInputPixels: false });

  it('has not loaded libvips after AVIF, WebP, HEIC and a decompression bomb', THOROUGH, async () => {
    assert.equal(await upload(await plain(64, 48).avif().toBuffer(), channel()), '200');
    assert.equal(await upload(await plain(64, 48).webp().toBuffer(), channel()), '200');
    const heic = existsSync(PHOTO)
      ? await readFile(PHOTO)
      : Buffer.from('0000001c66747970686569630000000068656963', 'hex');
    const outcome = await upload(heic, channel());
    assert.match(
      outcome,
      /^200$|^422 This server cannot read HEIC photos\.$|^422 The image is damaged or incomplete\.$/,
    );
    const bomb = await plain(9_000, 9_000).png({ compressionLevel: 9, palette: true }).toBuffer();
    assert.match(await upload(bomb, channel()), /^422 The image is too large/);
    assert.equal(
      (await test.db.run(sql('images', 'select id from image_assets'), [])).length,
      outcome === '200' ? 3 : 2,
    );
    await assertApart();
  });

  it('has not loaded it after a poster either', THOROUGH, async () => {
    const runner = await createRunner();
    const clips = await openClips(runner);
    const clip = await readFile(await clips.make('clip.mp4', [...testVideo('320x240', 24, 1), ...QUICK_H264]));
    await clips.remove();
    const contentId = newId<'content'>();
    await test.db.run(
      sql('content', `insert into contents (id, channel_id, kind, title) values ($1, $2, 'FEATURE', 'A video')`),
      [contentId, account.channelId],
    );
    const content = `did:reelgraph:content/feature/${contentId}`;
    assert.equal(await upload(clip, { contentId: content, hint: 'LANDSCAPE_VIDEO' }), '200');
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.apiKey}` },
      body: JSON.stringify({
        query: 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { __typename } }',
        variables: { id: content },
      }),
    });
    assert.deepEqual(((await response.json()) as { errors?: unknown }).errors, undefined);
    const posters = sql('posters', `select id from image_assets where content_id = $1 and purpose = 'POSTER'`);
    await until(async () => (await test.db.run(posters, [contentId])).length === 1);
    await assertApart();
  });

  async function assertApart(): Promise<void> {
    const libraries = /libvips|sharp/;
    assert.match(await readFile('/proc/self/maps', 'utf8'), libraries, 'this test has loaded it, so the check works');
    assert.doesNotMatch(await readFile(`/proc/${server.pid}/maps`, 'utf8'), libraries);
  }
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600 && !(await holds()); tries += 1) await sleep(100);
  assert.ok(await holds());
}
