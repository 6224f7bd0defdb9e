import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isUpscalerInstalled } from '../../../media/index.ts';
import { endLeftSandboxes } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { startUpmix } from '../upmix/order-upmix.ts';
import { startUpscale } from '../upscale/order-upscale.ts';
import { only, TestEnhancements, type TestVideo } from './enhancement.fixture.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';
const WORKER = fileURLToPath(new URL('./killed-enhancer.fixture.ts', import.meta.url));
/** Of four segments, which are chunks of their own where they are upscaled. */
const SECONDS = 13;
const CHUNKS = 4;

describe('an enhancement that is interrupted', { skip, timeout: 600_000 }, () => {
  let videos: TestEnhancements;
  let clip: Buffer;
  before(async () => {
    videos = await TestEnhancements.open();
    clip = await videos.clip(
      'long.mp4',
      ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=5:d=${SECONDS}`],
      ...[
        '-f',
        'lavfi',
        '-i',
        `anoisesrc=d=${SECONDS}:seed=1:a=0.1[a];anoisesrc=d=${SECONDS}:seed=2:a=0.1[b];[a][b]amerge`,
      ],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-crf', '16', '-c:a', 'aac'],
    );
  });
  after(async () => {
    await endLeftSandboxes(videos.fixture.platform.config.DATA_DIR);
    await videos.close();
  });

  const upscale = ({ contentId }: TestVideo) =>
    videos.fixture.platform.db.transaction((tx) =>
      startUpscale(videos.fixture.tools(), tx, { contentId, input: {}, again: false, field: 'id' }),
    );
  const upmix = ({ contentId }: TestVideo) =>
    videos.fixture.platform.db.transaction((tx) =>
      startUpmix(videos.fixture.tools(), tx, { contentId, layout: '7.1', again: false, field: 'id' }),
    );

  /** What is stored of a video and not to be deleted. */
  async function filesOf({ contentId }: TestVideo): Promise<string[]> {
    const purges = await videos.rows<{ key: string }>('select key_prefix as key from object_purges');
    const stored = await videos.fixture.keys(`media/${contentId}/`);
    return stored.filter((key) => !purges.some((purge) => key.startsWith(purge.key)));
  }

  /** Digests of the segments of the enhancement of a video, by their paths. */
  async function digests({ contentId, assetId }: TestVideo): Promise<string[]> {
    const text = 'select folder from enhancements where video_asset_id = $1';
    const { folder } = only(await videos.rows<{ folder: string }>(text, [assetId]));
    const prefix = `media/${contentId}/${assetId}/${folder}/`;
    const keys = (await videos.fixture.keys(prefix)).filter((key) => /\.m4s$|init\.mp4$/.test(key));
    return Promise.all(
      keys.toSorted().map(async (key) => {
        const object = (await videos.fixture.platform.store.read(key)) ?? assert.fail(key);
        const bytes = await buffer(object.stream);
        return `${key.slice(prefix.length)} ${createHash('sha256').update(bytes).digest('hex')}`;
      }),
    );
  }

  const attemptsOf = async (jobId: string) =>
    (
      await videos.rows<{ state: string }>(
        "select concat_ws(' ', state, attempts) as state from encode_chunks where job_id = $1 order by number",
        [jobId],
      )
    ).map(({ state }) => state);

  /** Starts a worker, and kills it once it has begun a step and a program of `program` runs below it. */
  async function killDuring(jobId: string, step: string, program: string | null): Promise<void> {
    const { test, config } = videos.fixture.platform;
    const worker = spawn(process.execPath, [WORKER, test.url, config.DATA_DIR, jobId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let printed = '';
      worker.stdout.on('data', (text) => {
        printed += text;
      });
      const isThere = () => printed.split('\n').includes(step) || worker.exitCode !== null;
      await until(isThere, () => `it has only come to ${printed}`, 120_000);
      if (program !== null)
        await until(
          () => descendants(worker.pid ?? 0).some((pid) => commandOf(pid).includes(program)),
          program,
          60_000,
        );
    } finally {
      worker.kill('SIGKILL');
    }
    if (worker.exitCode === null && worker.signalCode === null) await new Promise((done) => worker.once('exit', done));
    assert.equal(worker.signalCode, 'SIGKILL', 'it ended before it was killed');
    // The leases of a killed worker end after ten seconds; the test does not wait for that.
    await videos.rows("update encode_chunks set available_at = now() where state <> 'DONE'");
  }

  it('is continued where its worker was killed: chunks that are done stay, and its bytes are the same', async () => {
    const undisturbed = await videos.ready(clip);
    await videos.fixture.process(await upscale(undisturbed));
    const expected = await digests(undisturbed);
    assert.equal(expected.length, CHUNKS + 1);

    const video = await videos.ready(clip);
    const jobId = await upscale(video);
    const before = { files: await filesOf(video), master: await videos.textOf(video, 'master.m3u8') };
    await killDuring(jobId, 'plan', 'upscale-program');
    assert.deepEqual([await videos.stateOf(jobId), await attemptsOf(jobId)], ['ENHANCE TRANSCODING 0', []]);
    assert.deepEqual(await filesOf(video), before.files);
    await killDuring(jobId, 'chunk 0', 'upscale-program');
    assert.deepEqual(await attemptsOf(jobId), ['RUNNING 1', 'WAITING 0', 'WAITING 0', 'WAITING 0']);
    await killDuring(jobId, 'chunk 2', 'upscale-program');
    assert.deepEqual(await attemptsOf(jobId), ['DONE 2', 'DONE 1', 'RUNNING 1', 'WAITING 0']);
    await killDuring(jobId, 'finish', null);
    assert.deepEqual(await attemptsOf(jobId), ['DONE 2', 'DONE 1', 'DONE 2', 'DONE 1']);
    assert.equal(await videos.textOf(video, 'master.m3u8'), before.master, 'it is listed once it is complete');

    await videos.fixture.process(jobId);
    assert.equal(await videos.stateOf(jobId), 'ENHANCE COMPLETE 0');
    assert.deepEqual(await digests(video), expected);
    assert.deepEqual(await videos.problems(), []);
  });

  for (const [kind, start] of [
    ['upscaling', upscale],
    ['upmix', upmix],
  ] as const)
    for (const stage of ['measured', 'encoded', 'completed'] as const)
      it(`leaves nothing where ${kind} is cancelled while it is ${stage}, and can be ordered again`, async () => {
        const { fixture } = videos;
        const video = await videos.ready(clip);
        const before = {
          ...{ asset: await fixture.assetRow(video.assetId), content: await fixture.contentRow(video.contentId) },
          ...{ master: await videos.textOf(video, 'master.m3u8'), files: await filesOf(video) },
        };
        const jobId = await start(video);
        let cancelled = false;
        const cancel = async (): Promise<void> => {
          cancelled = true;
          await videos.rows("update transcode_jobs set status = 'CANCELLING' where id = $1", [jobId]);
        };
        let runs = 0;
        const runner: typeof fixture.runner = {
          ...fixture.runner,
          async runPiped(...args) {
            runs += 1;
            if (runs === { measured: 1, encoded: 2, completed: 0 }[stage]) await cancel();
            return fixture.runner.runPiped(...args);
          },
        };
        const { store } = fixture.platform;
        const put: typeof store.put = async (key, ...args) => {
          if (stage === 'completed' && key.endsWith('.m3u8') && !cancelled) await cancel();
          return store.put(key, ...args);
        };
        const platform = { ...fixture.platform, store: { ...store, put } };
        await fixture.process(jobId, platform, 'end', runner);

        assert.ok(cancelled, 'it did not come to that');
        assert.equal(await videos.stateOf(jobId), 'ENHANCE CANCELLED 0');
        assert.equal((await videos.enhancementOf(video))?.receipt, null);
        assert.deepEqual(
          {
            ...{ asset: await fixture.assetRow(video.assetId), content: await fixture.contentRow(video.contentId) },
            ...{ master: await videos.textOf(video, 'master.m3u8'), files: await filesOf(video) },
          },
          before,
        );
        assert.deepEqual(await videos.rows('select 1 from encode_plans where job_id = $1', [jobId]), []);
        assert.deepEqual(await videos.problems(), []);
        assert.notEqual(await start(video), jobId);
      });
});

/** Processes below another one. */
function descendants(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

/** Empty where the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
