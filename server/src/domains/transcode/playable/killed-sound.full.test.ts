import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../../kernel/random.testing.ts';
import { endLeftSandboxes, readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { until } from '../../../testing/until.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { encodeClaimedSound } from './copied-sound.ts';
import { makePlayable } from './make-playable.handler.ts';
import { claimSound, wantSound } from './sound-segments.store.ts';

const WORKER = fileURLToPath(new URL('../encoding/killed-worker.fixture.ts', import.meta.url));
const RUN = { signal: new AbortController().signal, attempt: 1 };
const ROUNDS = 3;
/** In a round. What ends three processes in a row is set apart for a minute (ADR 0130). */
const KILLS = 2;
const LIMIT_MS = 60_000;
const SEGMENTS = [1, 2, 3, 4];
const INPUTS = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=5:d=20', '-f', 'lavfi', '-i', 'sine=d=20:r=48000'];
const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'ac3'];

let fixture: TestProcessing;
before(async () => {
  fixture = await openTestProcessing({ work: false, instant: true });
});
const workers: ChildProcess[] = [];
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await endLeftSandboxes(fixture.platform.config.DATA_DIR);
  await fixture.close();
});

const rows = <Row extends object>(text: string) => fixture.platform.db.run<Row>(sql('test', text), []);

function startWorker(): ChildProcess {
  const { test, config } = fixture.platform;
  const worker = spawn(process.execPath, [WORKER, test.url, config.DATA_DIR], { stdio: 'ignore' });
  workers.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
  // Leases end after ten seconds; the test does not wait for that.
  await rows(`update sound_segments set available_at = now() where state = 'RUNNING'`);
}

/** Viewers repeat their requests. The test does not wait for the pauses after interruptions. */
async function untilStates(otherwise: string, holds: (states: readonly string[]) => boolean): Promise<void> {
  await until(
    async () => {
      await rows(`update sound_segments set wanted_at = now(),
        available_at = case when state = 'WAITING' then now() else available_at end`);
      return holds((await rows<{ state: string }>('select state from sound_segments')).map(({ state }) => state));
    },
    otherwise,
    LIMIT_MS,
  );
}

it('sound whose workers are killed while they encode it is that of undisturbed ones', async () => {
  const { platform, runner } = fixture;
  const { db, store } = platform;
  const video = await fixture.upload(await readClip(runner, 'long-ac3.mp4', [...INPUTS, ...CODECS]));
  await fixture.submit(video.contentId);
  await makePlayable({ platform, runner }, video.assetId, RUN);
  const prefix = `media/${video.contentId}/${video.assetId}/copy-1-on-demand/audio/`;
  const bytesOf = (number: number) => store.withLocalFile(`${prefix}seg-0000${number}.m4s`, (path) => readFile(path));
  const want = () => Promise.all(SEGMENTS.map((number) => wantSound(db, video.assetId, number)));

  await want();
  for (let next = await claimSound(db); next; next = await claimSound(db))
    await encodeClaimedSound({ platform, runner }, next, RUN.signal);
  const undisturbed = await Promise.all(SEGMENTS.map(bytesOf));

  const random = seededRandom(20_261_128);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const number of SEGMENTS) await store.delete(`${prefix}seg-0000${number}.m4s`);
    await want();
    for (let kills = 0; kills < KILLS; kills += 1) {
      const worker = startWorker();
      await untilStates('no segment is being encoded', (states) => states.some((state) => state !== 'WAITING'));
      await pause(400 * random());
      await kill(worker);
    }
    const worker = startWorker();
    await untilStates('a segment is lost', (states) => states.every((state) => state === 'DONE'));
    await kill(worker);
    assert.deepEqual(await Promise.all(SEGMENTS.map(bytesOf)), undisturbed);
    assert.deepEqual(await rows('select distinct failures from sound_segments'), [{ failures: 0 }]);
  }
});
