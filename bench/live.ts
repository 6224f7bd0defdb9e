import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { encoderSettings } from '../e2e/support/live/encoder-settings.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { coreShare } from './graphql/load.ts';
import { measureArriving } from './live/arriving.ts';
import type { Ask } from './live/ask.ts';
import { type ChatMeasured, measureChat, READERS } from './live/chat.ts';
import { measureGlass } from './live/glass.ts';
import { measurePairs } from './live/pairs.ts';
import { measureSizes } from './live/sizes.ts';
import { table } from './results.ts';
import { startServer, stopServer } from './server.ts';

/** Of a core. */
const GOALS = { ingest: 0.03, viewers: 0.4 } as const;
/** From the end of a broadcast to its recording. */
const GOAL_RECORDED_S = 10;
/** From sending a message to the last of 95 % of the readers of the chat. */
const GOAL_CHAT_MS = 500;
const SOURCE_SECONDS = 20;
/** What starts with the process is over by then. */
const SETTLE_MS = 10_000;
const INPUT = 'id streamKey ingest { rtmp }';
const STATE = 'state currentStream { id chat { url } outputAssets { video { hls } } }';

/**
 * CPU of the process that receives a broadcast of 3 Mbit/s (640x360, 30 pictures a second, a keyframe every two
 * seconds), alone and with viewers who load parts, beyond that of the idle process; how late the readers of its chat
 * are; and how long after its end it is recorded. Encoder and viewers are processes of their own. With `--sizes`,
 * instead: four encoders whose pictures are encoded in smaller sizes. With `--glass`, instead: how long pictures take
 * from the encoder to the screen of Chromium. With `--all`, instead: each sender with each player. With `--arriving`,
 * instead: how much of an upload has arrived when its owner sees it. Fails when a goal is missed.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      viewers: { type: 'string', default: '500' },
      sizes: { type: 'boolean' },
      glass: { type: 'boolean' },
      all: { type: 'boolean' },
      arriving: { type: 'boolean' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  try {
    await migrate(postgres.url);
    const secretKey = randomBytes(32).toString('base64');
    const [account] = await makeAccounts(postgres.url, secretKey, 1);
    const server = await startServer('../server/src/main.ts', [], {
      ...{ DATABASE_URL: postgres.url, SECRET_KEY: secretKey, DATA_DIR: join(folder, 'data'), RTMP_PORT: '0' },
      ...{ SANDBOX: 'prefer', DEMO: 'off', LOG_LEVEL: 'info', LIVE_SIZES: values.sizes ? 'on' : 'off' },
      ...(values.all ? await encoderSettings(folder) : {}),
    });
    try {
      const api: Ask = (query) => ask(server.url, account?.apiKey ?? '', query);
      if (values.sizes) {
        if (!(await measureSizes(api, folder))) process.exitCode = 1;
        return;
      }
      if (values.glass) {
        if (!(await measureGlass(api, server.url, Number(values.seconds)))) process.exitCode = 1;
        return;
      }
      if (values.all) {
        const owner = { baseUrl: server.url, key: account?.apiKey ?? '' };
        if (!(await measurePairs(owner, folder, Number(values.seconds)))) process.exitCode = 1;
        return;
      }
      if (values.arriving) {
        if (!(await measureArriving(server.url, folder))) process.exitCode = 1;
        return;
      }
      const source = makeSource(folder);
      const measured = await measure(api, server.child.pid ?? 0, source, Number(values.seconds), values.viewers);
      if (!report(measured, values.viewers)) process.exitCode = 1;
    } finally {
      await stopServer(server.child);
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask<Data>(url: string, key: string, query: string): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  // Of the shape of the query.
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** What an encoder sends: noise takes as many bits as it is given. */
function makeSource(folder: string): string {
  const path = join(folder, 'source.flv');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=30:d=${SOURCE_SECONDS},noise=alls=60:allf=t`];
  const sound = ['-f', 'lavfi', '-i', `sine=r=48000:d=${SOURCE_SECONDS}`];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60', '-sc_threshold', '0'];
  const rate = ['-b:v', '3M', '-maxrate', '3M', '-bufsize', '3M', '-c:a', 'aac', '-b:a', '128k'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...picture, ...sound, ...x264, ...rate, path]);
  return path;
}

interface Measured {
  /** Of a core. */
  readonly ingest: number;
  readonly viewers: number;
  /** Parts that the viewers had, and should have had. */
  readonly parts: number;
  readonly expected: number;
  readonly chat: ChatMeasured;
  readonly recordedSeconds: number;
}

async function measure(api: Ask, pid: number, source: string, seconds: number, viewers: string): Promise<Measured> {
  type Created = { createLiveInput: { liveInput: { id: string; streamKey: string; ingest: { rtmp: string } } } };
  const created = await api<Created>(
    `mutation { createLiveInput(input: { name: "Bench", visibility: PUBLIC }) { liveInput { ${INPUT} } } }`,
  );
  const input = created.createLiveInput.liveInput;
  await sleep(SETTLE_MS);
  const idle = await coreShare(pid, seconds);
  const address = `${input.ingest.rtmp}/${input.streamKey}`;
  const encoder = spawn(
    'ffmpeg',
    ['-loglevel', 'error', '-re', '-stream_loop', '-1', '-i', source, '-c', 'copy', '-f', 'flv', address],
    { stdio: 'ignore' },
  );
  try {
    const { id, master, chatUrl } = await untilLive(api, input.id);
    const ingest = (await coreShare(pid, seconds)) - idle;
    const script = fileURLToPath(new URL('./live/viewers.ts', import.meta.url));
    const options = ['--master', master, '--count', viewers, '--seconds', String(seconds + 6)];
    const audience = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    let parts = '';
    audience.stdout.on('data', (text) => {
      parts += text;
    });
    const left = new Promise((done) => audience.once('close', done));
    await sleep(5_000);
    const watched = (await coreShare(pid, seconds)) - idle;
    await left;
    const send = (body: string) =>
      api(`mutation { createChatMessage(input: { stream: "${id}", body: "${body}" }) { chatMessage { id } } }`);
    const chat = await measureChat({ url: chatUrl, send }, pid, seconds);
    const recordedSeconds = await end(api, id);
    return {
      ...{ ingest, viewers: watched - ingest, parts: Number(parts), chat, recordedSeconds },
      expected: 2 * Number(viewers) * 2 * seconds,
    };
  } finally {
    encoder.kill('SIGKILL');
  }
}

async function untilLive(api: Ask, input: string): Promise<{ id: string; master: string; chatUrl: string }> {
  type Stream = { id: string; chat: { url: string }; outputAssets: { video: { hls: string } } };
  type Data = { node: { currentStream: Stream | null } };
  for (;;) {
    const { node } = await api<Data>(`{ node(id: "${input}") { ... on LiveInput { ${STATE} } } }`);
    const stream = node.currentStream;
    if (stream) return { id: stream.id, master: stream.outputAssets.video.hls, chatUrl: stream.chat.url };
    await sleep(200);
  }
}

/** Ends the broadcast; the seconds until it is recorded. */
async function end(api: Ask, id: string): Promise<number> {
  const startedAt = performance.now();
  await api(`mutation { endBroadcast(id: "${id}") { stream { id } } }`);
  for (;;) {
    const { stream } = await api<{ stream: { broadcast: { state: string } } }>(
      `{ stream(id: "${id}") { broadcast { state } } }`,
    );
    if (stream.broadcast.state === 'RECORDED') return (performance.now() - startedAt) / 1_000;
    await sleep(50);
  }
}

/** Prints the results; returns whether all goals are reached. */
function report({ ingest, viewers, parts, expected, chat, recordedSeconds }: Measured, count: string): boolean {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log(
    table([
      ['the process that receives', 'of a core', 'goal'],
      ['3 Mbit/s from an encoder', percent(ingest), percent(GOALS.ingest)],
      [`${count} viewers with parts`, percent(viewers), percent(GOALS.viewers)],
      [`${READERS} readers of a chat`, percent(chat.share), ''],
    ]),
  );
  console.log(`\n${parts} parts of ${expected} and more in the time measured`);
  console.log(`${chat.read} messages of the chat read of ${chat.expected}: p50 ${chat.p50} ms, p95 ${chat.p95} ms`);
  console.log(`Recorded ${recordedSeconds.toFixed(1)} s after its end (goal ${GOAL_RECORDED_S})`);
  const missed = [
    ...(ingest > GOALS.ingest ? ['ingest'] : []),
    ...(viewers > GOALS.viewers ? ['viewers'] : []),
    ...(parts < expected ? ['parts: viewers fall behind'] : []),
    ...(chat.read < chat.expected ? ['chat: messages are missing'] : []),
    ...(chat.p95 > GOAL_CHAT_MS ? ['chat: readers are late'] : []),
    ...(recordedSeconds > GOAL_RECORDED_S ? ['recording'] : []),
  ];
  for (const goal of missed) console.log(`Missed: ${goal}`);
  return missed.length === 0;
}
