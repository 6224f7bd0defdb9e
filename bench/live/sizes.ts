import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../results.ts';
import type { Ask } from './ask.ts';

const ENCODERS = 4;
const SECONDS = 40;
/** From the last broadcast that went live to the first size that is left out. */
const GOAL_LEFT_OUT_S = 5;
/** Between two parts of the encoder's own pictures, of which there is one every half second. */
const GOAL_PARTS_S = 1.5;
const STATE = 'currentStream { broadcast { health { leftOutSizes } } outputAssets { video { hls } } }';

interface Input {
  readonly id: string;
  readonly streamKey: string;
  readonly ingest: { readonly rtmp: string };
}
interface Stream {
  readonly broadcast: { readonly health: { readonly leftOutSizes: readonly string[] } | null };
  readonly outputAssets: { readonly video: { readonly hls: string } };
}

/** Four encoders of 1280x720 at 30 pictures a second, whose pictures are encoded in three smaller sizes each. */
export async function measureSizes(api: Ask, folder: string): Promise<boolean> {
  const source = makeSource(folder);
  const inputs = await Promise.all(Array.from({ length: ENCODERS }, (_, number) => createInput(api, number)));
  const encoders = inputs.map(({ ingest, streamKey }) => {
    const to = ['-c', 'copy', '-f', 'flv', `${ingest.rtmp}/${streamKey}`];
    return spawn('ffmpeg', ['-v', 'error', '-re', '-stream_loop', '-1', '-i', source, ...to], { stdio: 'ignore' });
  });
  try {
    const streams = await Promise.all(inputs.map((input) => untilLive(api, input)));
    const liveAt = performance.now();
    const watching = streams.map(({ outputAssets }) => longestWait(outputAssets.video.hls, liveAt + 1_000 * SECONDS));
    const leftOutSeconds = await untilLeftOut(api, inputs, liveAt);
    const waits = await Promise.all(watching);
    const sizes = (await Promise.all(inputs.map((input) => read(api, input)))).map(
      (stream) => stream?.broadcast.health?.leftOutSizes.join(' ') || 'none',
    );
    const longest = Math.max(...waits);
    console.log(
      table([
        ['four encoders with smaller sizes', 'measured', 'goal'],
        ['a size left out after', `${leftOutSeconds.toFixed(1)} s`, `${GOAL_LEFT_OUT_S} s`],
        ['longest time between two parts', `${longest.toFixed(2)} s`, `${GOAL_PARTS_S} s`],
      ]),
    );
    console.log(`\nLeft out in the end: ${sizes.join('; ')}`);
    return leftOutSeconds <= GOAL_LEFT_OUT_S && longest <= GOAL_PARTS_S;
  } finally {
    for (const encoder of encoders) encoder.kill('SIGKILL');
  }
}

function makeSource(folder: string): string {
  const path = join(folder, 'large.flv');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=30:d=20,noise=alls=20:allf=t'];
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60', '-sc_threshold', '0'];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...x264, '-b:v', '4M', '-maxrate', '4M', '-bufsize', '4M', path]);
  return path;
}

async function createInput(api: Ask, number: number): Promise<Input> {
  const input = `{ name: "Bench ${number}", visibility: PUBLIC }`;
  const fields = 'liveInput { id streamKey ingest { rtmp } }';
  const data = await api<{ createLiveInput: { liveInput: Input } }>(
    `mutation { createLiveInput(input: ${input}) { ${fields} } }`,
  );
  return data.createLiveInput.liveInput;
}

async function read(api: Ask, { id }: Input): Promise<Stream | null> {
  const data = await api<{ node: { currentStream: Stream | null } }>(
    `{ node(id: "${id}") { ... on LiveInput { ${STATE} } } }`,
  );
  return data.node.currentStream;
}

async function untilLive(api: Ask, input: Input): Promise<Stream> {
  for (;;) {
    const stream = await read(api, input);
    if (stream) return stream;
    await sleep(100);
  }
}

/** Seconds until a size of one of them is left out; Infinity where that does not happen in time. */
async function untilLeftOut(api: Ask, inputs: readonly Input[], liveAt: number): Promise<number> {
  while (performance.now() < liveAt + 1_000 * SECONDS) {
    const streams = await Promise.all(inputs.map((input) => read(api, input)));
    if (streams.some((stream) => (stream?.broadcast.health?.leftOutSizes.length ?? 0) > 0))
      return (performance.now() - liveAt) / 1_000;
    await sleep(200);
  }
  return Number.POSITIVE_INFINITY;
}

/** The longest time between two parts of the encoder's own pictures, in seconds. */
async function longestWait(master: string, until: number): Promise<number> {
  const playlist = master.replace('master.m3u8', 'live/video/index.m3u8');
  const load = async (query = '') => (await fetch(playlist + query)).text();
  let text = await load();
  let [longest, before] = [0, performance.now()];
  while (performance.now() < until) {
    const [, segment = '0', part = '0'] = /PRELOAD-HINT:TYPE=PART,URI="seg-(\d+)\.(\d+)\./.exec(text) ?? [];
    text = await load(`?_HLS_msn=${Number(segment)}&_HLS_part=${Number(part)}&_HLS_skip=YES`);
    const now = performance.now();
    longest = Math.max(longest, (now - before) / 1_000);
    before = now;
  }
  return longest;
}
