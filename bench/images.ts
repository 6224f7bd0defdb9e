import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { planImage } from '../server/src/domains/assets/images/image-plan.ts';
import type { ImagePurpose } from '../server/src/domains/assets/index.ts';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import type { BareRequest, BareResponse } from './images/bare.ts';
import { median, table } from './results.ts';
import { startServer, stopServer } from './server.ts';

interface Image {
  readonly name: string;
  readonly path: string;
  readonly purpose: ImagePurpose;
  readonly width: number;
  readonly height: number;
}

interface Uploads {
  readonly pid: number;
  readonly url: string;
  readonly apiKey: string;
  readonly channel: string;
}

/** Between two uploads, because users do not send images back to back. `--pause 0` does. */
const PAUSE_MS = 500;
const LOOK_MS = 5;

/**
 * Duration of an image upload over HTTP, from its first byte to the response with the finished image, and the CPU time
 * of the API process and its descendants, which includes starting the next decoder; against bare sharp in its own
 * process, which writes the same files, in alternating rounds.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '15' }, pause: { type: 'string', default: String(PAUSE_MS) } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const bare = fork(fileURLToPath(new URL('./images/bare.ts', import.meta.url)));
  try {
    await migrate(postgres.url);
    const secretKey = randomBytes(32).toString('base64');
    const [account] = await makeAccounts(postgres.url, secretKey, 1);
    const server = await startServer('../server/src/main.ts', ['--role', 'api'], {
      DATABASE_URL: postgres.url,
      SECRET_KEY: secretKey,
      DATA_DIR: join(folder, 'data'),
    });
    try {
      const channel = `did:reelgraph:channel/${account?.channelId}`;
      const uploads = { pid: server.child.pid ?? 0, url: server.url, apiKey: account?.apiKey ?? '', channel };
      await compare(uploads, bare, await createImages(folder), {
        rounds: Number(values.rounds),
        pauseMs: Number(values.pause),
        folder,
      });
    } finally {
      await stopServer(server.child);
    }
  } finally {
    bare.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(
  uploads: Uploads,
  bare: ChildProcess,
  images: readonly Image[],
  { rounds, pauseMs, folder }: { rounds: number; pauseMs: number; folder: string },
): Promise<void> {
  const rows = [['medians, ms', 'bare', 'upload', 'ratio', 'least', 'most', 'CPU bare', 'CPU upload', 'ratio']];
  for (const image of images) {
    const reference: BareResponse[] = [];
    const ours: BareResponse[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [first, second] = [
        await renderBare(bare, image, join(folder, 'bare')),
        await upload(uploads, image, pauseMs),
      ];
      if (round === 0) continue; // warm-up
      reference.push(first);
      ours.push(second);
    }
    const of = (responses: readonly BareResponse[], what: keyof BareResponse) =>
      responses.map((response) => response[what]);
    const [bareMs, ourMs] = [median(of(reference, 'wallMs')), median(of(ours, 'wallMs'))];
    const [bareCpu, ourCpu] = [median(of(reference, 'cpuMs')), median(of(ours, 'cpuMs'))];
    rows.push([
      image.name,
      ...[bareMs, ourMs].map((ms) => ms.toFixed(0)),
      (ourMs / bareMs).toFixed(2),
      ...[Math.min(...of(ours, 'wallMs')), Math.max(...of(ours, 'wallMs'))].map((ms) => ms.toFixed(0)),
      ...[bareCpu, ourCpu].map((ms) => ms.toFixed(0)),
      (ourCpu / bareCpu).toFixed(2),
    ]);
  }
  console.log(`${rounds} uploads of each image, ${pauseMs} ms between them\n`);
  console.log(table(rows));
}

/** Images with detail of every size and some noise, like photographs. */
async function createImages(folder: string): Promise<Image[]> {
  const [width, height] = [1_000, 750];
  const pixels = Buffer.alloc(width * height * 3);
  let noise = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    noise = (noise * 48_271) % 2_147_483_647;
    pixels[at] = 128 + 90 * Math.sin((x * x + y * y * (1 + (at % 3))) / 60_000) + (noise % 24);
  }
  const make = async (
    name: string,
    purpose: ImagePurpose,
    side: number,
    format: 'jpeg' | 'png' | 'webp' | 'avif',
  ): Promise<Image> => {
    const path = join(folder, `${format}-${side}`);
    const sized = sharp(pixels, { raw: { width, height, channels: 3 } }).resize(side, (side * 3) / 4);
    await sized.toFormat(format, { quality: 85, ...(format === 'avif' ? { effort: 2 } : {}) }).toFile(path);
    return { name, path, purpose, width: side, height: (side * 3) / 4 };
  };
  await mkdir(join(folder, 'bare'));
  return [
    await make('JPEG 12 MP, thumbnail', 'THUMBNAIL', 4_000, 'jpeg'),
    await make('PNG 3 MP, thumbnail', 'THUMBNAIL', 2_000, 'png'),
    await make('WebP 3 MP, thumbnail', 'THUMBNAIL', 2_000, 'webp'),
    await make('AVIF 3 MP, thumbnail', 'THUMBNAIL', 2_000, 'avif'),
    await make('JPEG 512 x 384, avatar', 'AVATAR', 512, 'jpeg'),
  ];
}

function renderBare(
  bare: ChildProcess,
  { path, purpose, width, height }: Image,
  folder: string,
): Promise<BareResponse> {
  const variants = planImage(purpose, { width, height, transparent: false });
  return new Promise((done, fail) => {
    const ended = (code: number | null) => fail(new Error(`The reference ended with ${code}.`));
    bare.once('exit', ended);
    bare.once('message', (response) => {
      bare.off('exit', ended);
      done(response as BareResponse); // bare.ts sends nothing else
    });
    const request: BareRequest = { path, folder, variants };
    bare.send(request);
  });
}

/** Opens an upload, and measures from its first byte to the response. */
async function upload(
  { pid, url, apiKey, channel }: Uploads,
  { path, purpose }: Image,
  pauseMs: number,
): Promise<BareResponse> {
  const body = await readFile(path);
  const metadata = Object.entries({ channelId: channel, filename: 'image', hint: purpose });
  const opened = await fetch(`${url}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(body.length),
      'upload-metadata': metadata.map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`).join(','),
    },
  });
  const endpoint = opened.headers.get('location');
  if (opened.status !== 201 || !endpoint)
    throw new Error(`No upload was opened: ${opened.status} ${await opened.text()}`);
  const cpu = new CpuTime(pid);
  const startedAt = performance.now();
  const response = await fetch(endpoint, { method: 'PUT', body });
  const text = await response.text();
  const wallMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`The upload was refused: ${response.status} ${text}`);
  await sleep(pauseMs);
  return { wallMs, cpuMs: cpu.stop() };
}

/**
 * CPU time of a process and its descendants. Sampled continuously, because the kernel no longer reports the CPU time of
 * a decoder that was killed.
 */
class CpuTime {
  readonly #pid: number;
  readonly #before = new Map<number, number>();
  readonly #spent = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#pid = pid;
    this.#look(this.#before);
    this.#timer = setInterval(() => this.#look(this.#spent), LOOK_MS);
  }

  /** Milliseconds since it was created. */
  stop(): number {
    clearInterval(this.#timer);
    this.#look(this.#spent);
    return [...this.#spent].reduce((sum, [pid, ms]) => sum + ms - (this.#before.get(pid) ?? 0), 0);
  }

  /** Utime and stime in ticks of 10 ms (proc(5), fields 14 and 15), then the children of all threads. */
  #look(into: Map<number, number>, pid = this.#pid): void {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      into.set(pid, (Number(fields[11]) + Number(fields[12])) * 10);
      for (const thread of readdirSync(`/proc/${pid}/task`))
        for (const child of readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean))
          this.#look(into, Number(child));
    } catch {
      // The process has ended.
    }
  }
}
