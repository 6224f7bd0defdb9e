import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../../kernel/random.testing.ts';
import { chunkCostsMs, type EncodeChunk, inspectFile, planEncode } from '../../../media/index.ts';
import { endLeftSandboxes } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { until } from '../../../testing/until.ts';
import { claimTranscodeJob } from '../jobs/transcode-jobs.store.ts';
import { insertEncodePlan } from '../plans/encode-plans.store.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

const WORKER = fileURLToPath(new URL('./killed-worker.fixture.ts', import.meta.url));
const KILLS = 50;
/** Attempts after which a chunk is left to complete: one that ten workers were lost with fails. */
const ENDANGERED_ATTEMPTS = 7;
const SEGMENTS = 12;
/** Of 4 s at 25 frames per second. */
const SEGMENT_FRAMES = 100;

let fixture: TestProcessing;
before(async () => {
  fixture = await openTestProcessing({ work: false });
});
after(async () => {
  await endLeftSandboxes(fixture.platform.config.DATA_DIR);
  await fixture.close();
});

async function makeSource(): Promise<Buffer> {
  const folder = join(fixture.platform.config.DATA_DIR, 'long');
  await fixture.runner.prepareWorkDir(folder);
  const seconds = 4 * SEGMENTS;
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=640x360:r=25:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=d=${seconds}`,
  ];
  const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac'];
  const limits = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };
  await fixture.runner.run('ffmpeg', [...inputs, ...codecs, 'long.mp4'], { cwd: folder, limits });
  return readFile(join(folder, 'long.mp4'));
}

/** A job whose chunks are segments: many small ones, so that kills hit all of them. */
async function planned(source: Buffer) {
  const video = await fixture.upload(source);
  const jobId = await fixture.submit(video.contentId);
  await claimTranscodeJob(fixture.platform.db, jobId, 'TRANSCODING', new Date().toISOString());
  const inspection = await fixture.platform.store.withLocalFile(video.sourceKey, (path) =>
    inspectFile(fixture.runner, path),
  );
  assert.ok(inspection.ok);
  const whole = planEncode(inspection.facts);
  const pictures = Array.from({ length: SEGMENTS }, (_, number): EncodeChunk => {
    const endFrame = number === SEGMENTS - 1 ? null : SEGMENT_FRAMES * (number + 1);
    return { kind: 'video', number, firstSegment: number, startFrame: SEGMENT_FRAMES * number, endFrame };
  });
  const plan = { ...whole, chunks: [...pictures, ...whole.chunks.filter(({ kind }) => kind === 'audio')] };
  const stored = {
    jobId,
    attempt: 1,
    plan,
    mimeType: 'video/mp4',
    remuxedKey: null,
    sourceTag: '1 etag',
    costsMs: chunkCostsMs(plan),
    finishCostMs: 500,
    maxBytes: 1e9,
  };
  assert.ok(await insertEncodePlan(fixture.platform.db, stored));
  return { ...video, jobId };
}

/** The leases of killed workers end after ten seconds; the test does not wait for that. */
async function endLeases(): Promise<void> {
  const statement = sql('end_leases', `update encode_chunks set available_at = now() where state <> 'DONE'`);
  await fixture.platform.db.run(statement, []);
}

/** Digests of all segments and initialization segments of a finished video, by their paths. */
async function digests(video: { jobId: string; contentId: string; assetId: string }): Promise<string[]> {
  // PostgreSQL may execute the last statement of a killed worker, which extends its lease, after its end.
  await until(async () => {
    await endLeases();
    await fixture.process(video.jobId);
    return (await fixture.jobRow(video.jobId)).status !== 'TRANSCODING';
  }, 'the video is not finished');
  const row = await fixture.jobRow(video.jobId);
  assert.equal(row.status, 'COMPLETE', row.error_code ?? '');
  const prefix = (await fixture.assetRow(video.assetId)).package_prefix ?? assert.fail('no package');
  const keys = (await fixture.keys(prefix)).filter((key) => /\.m4s$|init\.mp4$/.test(key));
  return Promise.all(
    keys.toSorted().map(async (key) => {
      const object = (await fixture.platform.store.read(key)) ?? assert.fail(key);
      const digest = createHash('sha256')
        .update(await buffer(object.stream))
        .digest('hex');
      return `${key.slice(prefix.length)} ${digest}`;
    }),
  );
}

const left = async (jobId: string) =>
  (
    await fixture.platform.db.first<{ left: number }>(
      sql('chunks_left', `select count(*)::int as left from encode_chunks where job_id = $1 and state <> 'DONE'`),
      [jobId],
    )
  )?.left ?? 0;

const endangered = async (jobId: string) =>
  (
    await fixture.platform.db.first<{ count: number }>(
      sql(
        'chunks_endangered',
        `select count(*)::int as count from encode_chunks where job_id = $1 and state <> 'DONE' and attempts >= $2`,
      ),
      [jobId, ENDANGERED_ATTEMPTS],
    )
  )?.count ?? 0;

/** Processes below another one. */
function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}

/** Waits for the first chunk of a worker, or its end. */
async function untilEncoding(worker: ChildProcess): Promise<void> {
  for await (const _ of worker.stdout ?? []) return;
}

async function gone(worker: ChildProcess): Promise<void> {
  if (worker.exitCode === null && worker.signalCode === null) await new Promise((done) => worker.once('exit', done));
}

it('a video whose workers and encoders are killed fifty times has the bytes of an undisturbed one', async (t) => {
  const source = await makeSource();
  const undisturbed = await digests(await planned(source));
  assert.equal(undisturbed.length, 4 * (SEGMENTS + 1));
  const random = seededRandom(20_261_123);
  let [kills, videos] = [0, 0];
  while (kills < KILLS) {
    const video = await planned(source);
    while (kills < KILLS && (await left(video.jobId)) > 0) {
      const worker = spawn(process.execPath, [WORKER, fixture.platform.test.url, fixture.platform.config.DATA_DIR], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await untilEncoding(worker);
      await pause(1_500 * random());
      // On a slow machine a chunk takes longer than that.
      await until(async () => (await endangered(video.jobId)) === 0, 'a chunk is not encoded');
      const encoder = descendants(worker.pid ?? 0).at(-1);
      if (random() < 0.3 && encoder) {
        process.kill(encoder, 'SIGKILL');
        await pause(500 * random());
      }
      worker.kill('SIGKILL');
      kills += 1;
      await gone(worker);
      await endLeases();
    }
    assert.deepEqual(await digests(video), undisturbed);
    videos += 1;
  }
  t.diagnostic(`${kills} kills while ${videos} videos were encoded`);
});
