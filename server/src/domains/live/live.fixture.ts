import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHttpServer } from '../../http/server.ts';
import { freePort } from '../../platform/config/free-port.ts';
import { until } from '../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../catalog/testing.ts';

export const CREATE_INPUT = `mutation ($input: CreateLiveInputInput!) { createLiveInput(input: $input) { liveInput {
  id name latency recording visibility reconnectWindowMs streamKey state srt srtPassphrase
  ingest { rtmp rtmps srt whip }
  currentStream { id } } } }`;
export const END_BROADCAST = 'mutation ($id: DID!) { endBroadcast(id: $id) { stream { id broadcast { state } } } }';
const STREAM = `query ($id: DID!) { node(id: $id) { ... on Stream { id status title: metadata { title }
  broadcast { state startedAt endedAt missingMs hls dash health { bitrateBps frameRate keyframeMs lagMs } }
  outputAssets { video { hls dash } } } } }`;
const INPUT = `query ($id: DID!) { node(id: $id) { ... on LiveInput {
  state currentStream { id } lastRefusal { at reason } } } }`;

/**
 * After it has said that nothing follows, the server may be the first to close. Before that, a lost connection is said
 * of the frame that could not be written, too.
 */
const CLOSING =
  /^(?:Error closing file |\[tls @ 0x[0-9a-f]+\] (?:Error in the push function|IO error: Broken pipe)).*\n/gm;

/** A live input, as its owner sees it. */
export interface TestInput {
  readonly id: string;
  readonly streamKey: string;
  readonly srtPassphrase: string | null;
  readonly ingest: Readonly<Record<'rtmp' | 'rtmps' | 'srt' | 'whip', string | null>>;
}

/** An encoder that runs. */
export interface TestEncoder {
  readonly process: ChildProcess;
  /** What it says of errors, once it has ended. */
  readonly ended: Promise<string>;
  /** Ends it at once: its connection breaks. */
  kill(): Promise<void>;
}

export interface PublishOptions {
  readonly seconds: number;
  readonly isFast?: boolean;
  /** How many times its speed, unless it is fast; default 5. */
  readonly rate?: number;
  /** Of ffmpeg, beside those of the encoding. */
  readonly args?: readonly string[];
  /** Where to; default RTMP. */
  readonly output?: readonly string[];
}

/** The API over HTTP, at its BASE_URL, with a server for encoders. */
export interface LiveFixture {
  readonly api: TestCatalog;
  readonly address: string;
  input(owner: Person, values?: Record<string, unknown>): Promise<TestInput>;
  /** Has ffmpeg publish `seconds` of a moving picture and a tone: at five times their speed, or at once. */
  publish(input: TestInput, options: PublishOptions): TestEncoder;
  /** Runs ffmpeg, until it ends or the fixture does. */
  run(args: readonly string[]): TestEncoder;
  /** The stream with this id, as its owner sees it. */
  // biome-ignore lint/suspicious/noExplicitAny: assertions check it
  stream(owner: Person, id: string): Promise<any>;
  /** Why the last encoder of an input was refused; null where it was not. */
  refusal(owner: Person, input: TestInput): Promise<string | null>;
  /** Waits until an input has a state; the id of its stream. */
  untilState(owner: Person, input: TestInput, state: string): Promise<string | null>;
  /** The text at an address of media; fails the test unless it is there. */
  text(url: string): Promise<string>;
  close(): Promise<void>;
}

export async function openLiveFixture(settings: Record<string, string> = {}): Promise<LiveFixture> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const api = await openTestCatalog({
    jobs: true,
    env: { BASE_URL: address, PORT: `${port}`, RTMP_PORT: '0', ...settings },
  });
  const { platform, domains } = api;
  const server = createHttpServer({
    ...{ platform, version: 'test', routes: [...domains.media.routes, ...domains.live.routes] },
    ...{ engine: domains.engine, credentials: domains.accounts },
  });
  await server.listen(port, '127.0.0.1');
  await domains.live.listen();
  const encoders = new Set<TestEncoder>();
  const run = (args: readonly string[]) => {
    const encoder = runEncoder(['-loglevel', 'error', ...args]);
    encoders.add(encoder);
    return encoder;
  };
  const read = async (who: Person, query: string, id: string) => (await api.ok(who, query, { id })).node;
  return {
    api,
    address,
    async input(owner, values = {}) {
      return (await api.ok(owner, CREATE_INPUT, { input: { name: 'Camera', ...values } })).createLiveInput.liveInput;
    },
    publish(
      { ingest, streamKey },
      { seconds, isFast = false, rate = 5, args = [], output = ['-f', 'flv', `${ingest.rtmp}/${streamKey}`] },
    ) {
      const pace = isFast ? [] : ['-readrate', String(rate)];
      const picture = [...pace, '-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`];
      const sound = [...pace, '-f', 'lavfi', '-i', `sine=r=48000:d=${seconds}`];
      const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac'];
      return run([...picture, ...sound, ...codecs, '-sc_threshold', '0', ...args, ...output]);
    },
    run,
    stream: (owner, id) => read(owner, STREAM, id),
    refusal: async (owner, { id }) => (await read(owner, INPUT, id)).lastRefusal?.reason ?? null,
    async untilState(owner, { id }, state) {
      await until(async () => (await read(owner, INPUT, id)).state === state, `the input was never ${state}`);
      return (await read(owner, INPUT, id)).currentStream?.id ?? null;
    },
    async text(url) {
      const response = await fetch(url);
      assert.equal(response.status, 200, `${url}: ${response.status}`);
      return response.text();
    },
    async close() {
      for (const encoder of encoders) await encoder.kill();
      await server.close({ graceMs: 0 });
      await api.close();
    },
  };
}

function runEncoder(args: readonly string[]): TestEncoder {
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = new Promise<string>((done) => child.once('close', () => done(errors.replace(CLOSING, ''))));
  return {
    process: child,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
