import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { createRunner } from '../../../media/index.ts';
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { FakeGoogle } from '../fake-google.fixture.ts';
import { connectYouTube } from '../testing.ts';
import { videoDownloader } from './download-video.ts';

const URL_OF_VIDEO = 'https://www.youtube.com/watch?v=aaaaaaaaaaa';
const PUBLISH = `mutation ($input: ImportYouTubeAndPublishInput!) { importYouTubeAndPublish(input: $input) {
  alreadyImported published job { id status } content { id status metadata { contentLayout } } } }`;

describe('files of imported videos', () => {
  let folder: string;
  let program: string;
  let google: FakeGoogle;
  let api: TestCatalog;
  let anna: Person;
  let fetch: GuardedFetch;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-downloader-'));
    // The program runs as another user.
    await chmod(folder, 0o755);
    program = join(folder, 'yt-dlp');
    google = await FakeGoogle.start();
    api = await openTestCatalog({ jobs: true, google, env: { YOUTUBE_DOWNLOADER: program } });
    anna = await api.person('anna');
    await connectYouTube(api, google, anna);
    google.videos = [{ id: 'aaaaaaaaaaa', title: 'A video' }];
    const runner = await createRunner();
    fetch = videoDownloader({ program, runner, dataDir: api.platform.config.DATA_DIR, log: api.platform.log });
    await behaves('printf "%s\\n" "$@" > video.mp4');
    await api.domains.publishing.startWork();
    await api.domains.publishing.startMediaWork({ runner });
  });
  beforeEach(() => behaves('printf "%s\\n" "$@" > video.mp4'));
  after(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Script of the fake yt-dlp, run in its working directory. */
  async function behaves(script: string): Promise<void> {
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const limits = { maxBytes: 10_000, timeoutMs: 20_000 };
  const leftovers = () => readdir(join(api.platform.config.DATA_DIR, 'tmp')).catch(() => []);
  const refused = (code: string, pattern: RegExp) => (error: unknown) =>
    error instanceof AppError && error.code === code && pattern.test(error.message);

  it('come from a program with explicit options and without its own settings', async () => {
    const body = await fetch(URL_OF_VIDEO, limits);
    const args = (await buffer(body.stream)).toString().trim().split('\n');
    assert.equal(body.sizeBytes, Buffer.byteLength(`${args.join('\n')}\n`));
    for (const option of ['--ignore-config', '--no-config-locations', '--no-exec', '--no-playlist', '--no-cache-dir']) {
      assert.ok(args.includes(option), option);
    }
    assert.equal(args[args.indexOf('--max-filesize') + 1], '10000');
    assert.deepEqual(args.slice(-2), ['--', URL_OF_VIDEO]);
    for (let tries = 0; tries < 50 && (await leftovers()).length > 0; tries += 1) await sleep(10);
    assert.deepEqual(await leftovers(), []);
  });

  it('are downloaded for video addresses only', async () => {
    for (const url of ['https://www.youtube.com/watch?v=--exec', 'https://www.youtube.com/playlist?list=PL1']) {
      await assert.rejects(fetch(url, limits), refused('INVALID_INPUT', /not the address/));
    }
  });

  it('are refused when too large, however the program reports it', async () => {
    await behaves('exit 0');
    await assert.rejects(fetch(URL_OF_VIDEO, limits), refused('INVALID_INPUT', /larger than 10000 bytes/));
    await behaves('head -c 15000 /dev/zero > video.mp4');
    await assert.rejects(fetch(URL_OF_VIDEO, limits), refused('INVALID_INPUT', /larger than 10000 bytes/));
    await behaves('head -c 1000000 /dev/zero > video.mp4');
    await assert.rejects(fetch(URL_OF_VIDEO, limits), refused('INVALID_INPUT', /larger than 10000 bytes/));
    assert.deepEqual(await leftovers(), []);
  });

  it('are retried when the program fails, and not when it times out', async () => {
    await behaves('echo "ERROR: unable to download" >&2; exit 1');
    await assert.rejects(fetch(URL_OF_VIDEO, limits), refused('SERVICE_UNAVAILABLE', /could not be fetched/));
    await behaves('sleep 30');
    await assert.rejects(
      fetch(URL_OF_VIDEO, { ...limits, timeoutMs: 200 }),
      refused('INVALID_INPUT', /exceeded the limits/),
    );
    const stop = new AbortController();
    const fetching = fetch(URL_OF_VIDEO, { ...limits, signal: stop.signal });
    stop.abort();
    await assert.rejects(fetching, /was cancelled/);
  });

  it('are processed like those of sourceUrl, with requested publication', async () => {
    const input = { videoId: 'aaaaaaaaaaa', layout: 'PORTRAIT' };
    const { content, job, published } = (await api.ok(anna, PUBLISH, { input })).importYouTubeAndPublish;
    assert.deepEqual([content.status, content.metadata.contentLayout, published], ['PROCESSING', 'PORTRAIT', false]);
    const arrived = () =>
      api.rows<{ id: string; hint: string; filename: string; source_key: string }>('select * from video_assets');
    for (let tries = 0; tries < 400 && (await arrived()).length === 0; tries += 1) await sleep(25);
    const [asset] = await arrived();
    assert.deepEqual([asset?.id, asset?.hint, asset?.filename], [uuidOf(job.id), 'PORTRAIT_VIDEO', 'video.mp4']);
    const stored = await readFile(join(api.platform.config.DATA_DIR, 'objects', asset?.source_key ?? ''), 'utf8');
    assert.match(stored, /watch\?v=aaaaaaaaaaa\n$/);
    const jobs = `select name from pgboss.job where name in ('make-playable', 'process-video') order by name`;
    assert.deepEqual(await api.rows(jobs), [{ name: 'make-playable' }, { name: 'process-video' }]);
    const { publish_when_ready } = await api.row<{ publish_when_ready: boolean }>(
      'select publish_when_ready from contents',
    );
    assert.equal(publish_when_ready, true);
    const again = (await api.ok(anna, PUBLISH, { input })).importYouTubeAndPublish;
    assert.deepEqual([again.alreadyImported, again.content.id, again.job.id], [true, content.id, job.id]);
  });
});
