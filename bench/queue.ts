import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { QueueEstimates, type UploadedVideo } from './queue-estimates.ts';
import { table } from './results.ts';
import { startServer, stopServer } from './server.ts';
import { ask, type Caller, ffmpeg, put } from './upload-client.ts';

const GOAL_PLAYABLE_SECONDS = 5;
const GOAL_COMPLETE_SECONDS = 30;
const LOOK_MS = 50;
const LIMIT_MS = 300_000;

/**
 * How soon a short video is playable and complete that is sent while a long one is encoded: by the same account, as a
 * file that has to be encoded first and as one that is playable at once. Then how long jobs of several kinds take
 * beside their estimates. One process serves and works.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string', default: '60' } } });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  try {
    await migrate(postgres.url);
    const secretKey = randomBytes(32).toString('base64');
    const data = join(folder, 'data');
    const env = { DATABASE_URL: postgres.url, SECRET_KEY: secretKey, DATA_DIR: data, RATE_LIMIT_POINTS: '1000000' };
    const [account] = await makeAccounts(postgres.url, secretKey, 1);
    const server = await startServer('../server/src/main.ts', ['--role', 'all'], env);
    try {
      await measure(folder, Number(values.minutes), { url: server.url, key: account?.apiKey ?? '' });
    } finally {
      await stopServer(server.child);
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, minutes: number, caller: Caller): Promise<void> {
  const [minute, long, list] = [join(folder, 'minute.mp4'), join(folder, 'long.mp4'), join(folder, 'list.txt')];
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=330'];
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '2'];
  await ffmpeg([...source, '-t', '60', ...encode, minute]);
  await writeFile(list, `file '${minute}'\n`.repeat(minutes));
  await ffmpeg(['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', long]);
  const short = join(folder, 'short.mp4');
  await ffmpeg([...source, '-t', '10', ...encode, short]);
  const scanned = join(folder, 'short.mkv');
  await ffmpeg([...source, '-t', '10', '-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'aac', scanned]);

  const estimates = new QueueEstimates(folder, caller, upload);
  await estimates.warmUp();
  await estimates.measure('nothing else');
  const busy = await upload(caller, long);
  await until(caller, busy, ({ job }) => job.progress > 0);
  const rows: string[][] = [];
  for (const [name, file] of [
    ['H.264 in MP4', short],
    ['MPEG-4 in MKV', scanned],
  ] as const) {
    const sent = await upload(caller, file);
    await until(caller, sent, ({ content }) => content.status === 'PUBLISHED');
    const playable = (performance.now() - sent.lastByteAt) / 1000;
    await until(caller, sent, ({ job }) => job.status === 'COMPLETE');
    rows.push([name, `${playable.toFixed(1)} s`, `${((performance.now() - sent.lastByteAt) / 1000).toFixed(1)} s`]);
  }
  console.log(`10 s of 720p behind ${minutes} minutes of it, ${cpus().length} cores\n`);
  console.log(table([['after the last byte', 'playable', 'all qualities'], ...rows]));
  console.log(`\ngoals: ${GOAL_PLAYABLE_SECONDS} s, ${GOAL_COMPLETE_SECONDS} s\n`);
  await estimates.measure('behind the long video');
  estimates.print();
}

const PUBLISH = `mutation ($input: PublishVideoInput!) {
  publishVideo(input: $input) { content { id } job { id } upload { endpoint } } }`;
const STATE =
  'query ($content: DID!, $job: DID!) { content(id: $content) { status } job(id: $job) { status progress } }';

async function upload(caller: Caller, file: string): Promise<UploadedVideo> {
  const { size } = await stat(file);
  const input = { title: 'A video', filename: file.split('/').at(-1), size, publish: true };
  type Published = { publishVideo: { content: { id: string }; job: { id: string }; upload: { endpoint: string } } };
  const { content, job, upload } = (await ask<Published>(caller, PUBLISH, { input })).publishVideo;
  return { content: content.id, job: job.id, lastByteAt: await put(upload.endpoint, file, size) };
}

interface State {
  readonly content: { readonly status: string };
  readonly job: { readonly status: string; readonly progress: number };
}

async function until(caller: Caller, { content, job }: UploadedVideo, holds: (state: State) => boolean): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const state = await ask<State>(caller, STATE, { content, job });
    if (holds(state)) return;
    if (performance.now() - begun > LIMIT_MS) throw new Error(`After ${LIMIT_MS / 1000} s: ${JSON.stringify(state)}`);
    await sleep(LOOK_MS);
  }
}
