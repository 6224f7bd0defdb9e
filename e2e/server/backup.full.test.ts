import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { until } from '../../server/src/testing/until.ts';
import { makeClip } from '../support/clips.ts';
import { admin, adminBeside, type Instance, startInstance, untilStarted } from '../support/instances.ts';
import { callApi } from '../support/steps.ts';

const TEST_MS = 600_000;
const FILE_BYTES = 200_000;
const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

const CREATE =
  'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }';
const WAIT = 'mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error } }';
const CONTENT = 'query ($id: DID!) { content(id: $id) { metadata { title } outputAssets { video { hls } } } }';

interface Published {
  readonly publishVideo: { readonly content: { readonly id: string }; readonly upload: { readonly endpoint: string } };
}

/** What the platform has confirmed. */
interface Confirmed {
  readonly id: string;
  readonly title: string;
  readonly endpoint: string;
  readonly file: Buffer<ArrayBuffer>;
  readonly offset: number;
}

/** The data folder, with the database in it, is lost, and restored on another machine. */
describe('a platform whose data folder is lost', { timeout: 2 * TEST_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-drill-'));
  const backup = join(folder, 'backup');
  let env: Record<string, string>;
  let running: Instance | null = null;
  let key: string;
  const confirmed: Confirmed[] = [];

  before(async () => {
    const port = await freePort();
    env = {
      ...{ DATA_DIR: join(folder, 'data'), PORT: String(port), HOST: '127.0.0.1' },
      ...{ BASE_URL: `http://localhost:${port}`, SANDBOX: 'prefer', DEMO: 'off', RATE_LIMIT_RESTORE: '10000' },
    };
    await start();
    const flags = ['--email', 'owner@example.com', '--username', 'owner', '--password', 'a few words in a row'];
    key = admin(env, 'create-account', ...flags, '--plan', 'CREATOR_PLUS', '--api-key').apiKey ?? '';
  });
  after(async () => {
    await running?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    running = startInstance('all', env);
    await untilStarted(running);
  }
  const api = <Data>(query: string, variables: object) => callApi<Data>(env.BASE_URL ?? '', key, query, variables);
  /** At the address of this run. */
  const here = (address: string) => new URL(new URL(address).pathname, env.BASE_URL);

  async function publish(title: string, file: Buffer): Promise<{ id: string; endpoint: string }> {
    const input = { title, filename: `${title}.mp4`, size: file.length, publish: true };
    const { content, upload } = (await api<Published>(CREATE, { input })).publishVideo;
    return { id: content.id, endpoint: upload.endpoint };
  }

  async function send(endpoint: string, offset: number, bytes: Buffer<ArrayBuffer>): Promise<number> {
    const headers = { ...TUS, 'upload-offset': String(offset) };
    const response = await fetch(here(endpoint), { method: 'PATCH', headers, body: bytes });
    assert.equal(response.status, 204, await response.text());
    return Number(response.headers.get('upload-offset'));
  }

  /** Opens uploads and sends the half of each, until it is stopped. */
  function load(): () => Promise<void> {
    let isOver = false;
    const working = (async () => {
      for (let n = 1; !isOver; n += 1) {
        const file = randomBytes(FILE_BYTES);
        const title = `Video ${n}`;
        const made = await publish(title, file);
        const offset = await send(made.endpoint, 0, file.subarray(0, FILE_BYTES / 2));
        confirmed.push({ ...made, title, file, offset });
      }
    })();
    return async () => {
      isOver = true;
      await working;
    };
  }

  /** All bytes that a player gets of a video. */
  async function played(id: string): Promise<Buffer> {
    const { content } = await api<{ content: { outputAssets: { video: { hls: string } } } }>(CONTENT, { id });
    const get = async (url: URL) => {
      const response = await fetch(url);
      assert.equal(response.status, 200, url.href);
      return Buffer.from(await response.arrayBuffer());
    };
    const named = async (url: URL) =>
      (await get(url))
        .toString()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => new URL(line, url));
    const bytes: Buffer[] = [];
    for (const list of await named(here(content.outputAssets.video.hls)))
      for (const segment of await named(list)) bytes.push(await get(segment));
    return Buffer.concat(bytes);
  }

  it('has every row, byte and upload that it had confirmed before the backup', { timeout: TEST_MS }, async () => {
    const clip = readFileSync(makeClip(folder, 'clip.mp4'));
    const video = await publish('Watched', clip);
    assert.equal(await send(video.endpoint, 0, clip), clip.length);
    const { waitForProcessing } = await api<{ waitForProcessing: object }>(WAIT, {
      input: { contentId: video.id, timeoutSeconds: 120 },
    });
    assert.deepEqual(waitForProcessing, { status: 'COMPLETE', error: null });
    const watched = await played(video.id);
    assert.ok(watched.length > 10_000);

    const stop = load();
    await until(() => confirmed.length >= 5);
    const before = confirmed.slice();
    const made = (await adminBeside(env, 'backup', '--to', backup, '--include-key')) as { id: string; rows: number };
    const during = confirmed.length - before.length;
    await stop();
    assert.ok(during > 0, 'nothing was confirmed while the backup was made');
    await running?.end();
    rmSync(env.DATA_DIR ?? '', { recursive: true });

    env = { ...env, DATA_DIR: join(folder, 'elsewhere') };
    const restored = (await adminBeside(env, 'restore', '--from', backup)) as { id: string; rows: number };
    assert.deepEqual([restored.id, restored.rows], [made.id, made.rows]);
    await start();
    for (const { id, title, endpoint, file, offset } of before) {
      assert.equal(
        (await api<{ content: { metadata: { title: string } } }>(CONTENT, { id })).content.metadata.title,
        title,
      );
      const head = await fetch(here(endpoint), { method: 'HEAD', headers: TUS });
      assert.equal(head.headers.get('upload-offset'), String(offset));
      assert.equal(await send(endpoint, offset, file.subarray(offset)), file.length);
    }
    assert.ok((await played(video.id)).equals(watched));
    const report = (await adminBeside(env, 'verify-media', '--deep')) as { problems: object[]; videos: number };
    assert.deepEqual(report.problems, []);
    assert.ok(report.videos > before.length);
  });

  it('refuses to be restored over what it has, and lists and verifies its backups', async () => {
    await assert.rejects(
      adminBeside(env, 'restore', '--from', backup),
      /A platform is running with .*elsewhere: stop it/,
    );
    const { backups } = (await adminBeside(env, 'list-backups', '--from', backup)) as { backups: { id: string }[] };
    assert.equal(backups.length, 1);
    const report = (await adminBeside(env, 'verify-backup', '--from', backup)) as { problemCount: number };
    assert.equal(report.problemCount, 0);
    await running?.end();
    await assert.rejects(adminBeside(env, 'restore', '--from', backup), /objects is not empty/);
  });
});
