import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { median, table } from './results.ts';
import { startServer, stopServer } from './server.ts';
import { ask, type Caller, ffmpeg, put } from './upload-client.ts';

const GOAL_MS = 1_500;
/** For files that have to be encoded. */
const GOAL_ENCODED_MS = 5_000;
const GOAL_RATIO = 3;
const GOAL_GROWTH_MIB = 150;
const LOOK_MS = 10;
const LIMIT_MS = 60_000;

/** A minute of 720p in formats that have to be encoded. */
const FORMATS: readonly (readonly [name: string, file: string, args: readonly string[]])[] = [
  ['HEVC', 'hevc.mp4', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-c:a', 'aac']],
  ['VP9', 'vp9.webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']],
  ['ProRes', 'prores.mov', ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le']],
  ['AVI', 'mpeg4.avi', ['-c:v', 'mpeg4', '-q:v', '4', '-bf', '2', '-c:a', 'mp3']],
  ['MPEG-2', 'mpeg2.ts', ['-c:v', 'mpeg2video', '-q:v', '4', '-bf', '2', '-c:a', 'ac3']],
  ['WMV', 'a.wmv', ['-c:v', 'wmv2', '-q:v', '4', '-c:a', 'wmav2']],
];

/** H.264 beside sound that has to be encoded: a picture that is played as it was uploaded. */
const SOUNDS: readonly (readonly [name: string, extension: string, args: readonly string[]])[] = [
  ['AAC 5.1', 'mp4', ['-c:a', 'aac', '-ac', '6']],
  ['AC-3', 'mp4', ['-c:a', 'ac3']],
  ['E-AC-3', 'mp4', ['-c:a', 'eac3']],
  ['Opus', 'mp4', ['-c:a', 'libopus']],
  ['MP3', 'mp4', ['-c:a', 'libmp3lame']],
  ['FLAC', 'mp4', ['-c:a', 'flac', '-strict', '-2']],
  ['PCM', 'mov', ['-c:a', 'pcm_s16le']],
];
/** The longest that is repeated for each of them. */
const LONGEST_SOUND_MINUTES = 60;

/**
 * Time from the last byte of an upload until a client has the first segment of the published video, for standard files
 * of several lengths in several containers, and for other formats. One process serves and works, as `npm start` does;
 * what it encodes meanwhile is deleted after each round, and the next one begins once nothing of it runs any more.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '1,10,60,360' },
      containers: { type: 'string', default: 'mp4,mkv,ts' },
      formats: { type: 'string', default: FORMATS.map(([name]) => name).join(',') },
      sounds: { type: 'string', default: SOUNDS.map(([name]) => name).join(',') },
      rounds: { type: 'string', default: '3' },
    },
  });
  const lengths = values.minutes.split(',').map(Number);
  const containers = values.containers.split(',').filter(Boolean);
  const formats = FORMATS.filter(([name]) => values.formats.split(',').includes(name));
  const sounds = SOUNDS.filter(([name]) => values.sounds.split(',').includes(name));
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  try {
    await migrate(postgres.url);
    const secretKey = randomBytes(32).toString('base64');
    const env = {
      DATABASE_URL: postgres.url,
      SECRET_KEY: secretKey,
      DATA_DIR: join(folder, 'data'),
      RATE_LIMIT_POINTS: '1000000',
    };
    const accounts = await makeAccounts(postgres.url, secretKey, Number(values.rounds));
    const server = await startServer('../server/src/main.ts', ['--role', 'all'], env);
    try {
      const rows = await measure(
        folder,
        { lengths, containers, formats, sounds },
        accounts.map(({ apiKey }) => ({ url: server.url, key: apiKey ?? '' })),
        server.child.pid ?? 0,
      );
      report(rows);
    } finally {
      await stopServer(server.child);
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Row {
  readonly name: string;
  /** Whether it is played as it is, its sound has to be encoded, or it has to be copied to MP4 or encoded before. */
  readonly played: 'itself' | 'sound' | 'copied' | 'encoded';
  readonly sizeBytes: number;
  readonly milliseconds: readonly number[];
  /** Whether the picture was as it was uploaded, in all rounds. */
  readonly isSource: boolean;
  /** Growth of the server's resident memory between the last byte and the first segment. */
  readonly growthMiB: number;
}

/** What is uploaded: minutes of standard video in each container, and a minute in each format. */
interface Files {
  readonly lengths: readonly number[];
  readonly containers: readonly string[];
  readonly formats: typeof FORMATS;
  readonly sounds: typeof SOUNDS;
}

async function measure(
  folder: string,
  { lengths, containers, formats, sounds }: Files,
  callers: readonly Caller[],
  pid: number,
): Promise<Row[]> {
  const minute = join(folder, 'minute.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=330'];
  const encode = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '100',
    '-c:a',
    'aac',
    '-ac',
    '2',
  ];
  await ffmpeg([...source, '-t', '60', ...encode, minute]);
  const rows: Row[] = [];
  for (const container of containers) {
    for (const minutes of lengths) {
      const file = join(folder, `${minutes}.${container}`);
      await repeated(minute, minutes, file, folder);
      const played = container === 'mp4' ? 'itself' : 'copied';
      const measured = await measureFile(file, folder, callers, pid);
      rows.push({ name: `${minutes} min, ${container.toUpperCase()}`, played, ...measured });
    }
  }
  for (const [name, extension, args] of sounds) {
    for (const minutes of lengths.filter((each) => each <= LONGEST_SOUND_MINUTES)) {
      const file = join(folder, `${minutes}-sound.${extension}`);
      const tone = ['-f', 'lavfi', '-i', 'sine=frequency=330:r=48000'];
      const encode = ['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-t', `${60 * minutes}`, ...args];
      await repeated(minute, minutes, file, folder, [...tone, ...encode]);
      const measured = await measureFile(file, folder, callers, pid);
      rows.push({ name: `${name}, ${minutes} min`, played: 'sound', ...measured });
    }
  }
  for (const [name, fileName, args] of formats) {
    const file = join(folder, fileName);
    const large = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=330'];
    await ffmpeg([...large, '-t', '60', '-pix_fmt', name === 'ProRes' ? 'yuv422p10le' : 'yuv420p', ...args, file]);
    rows.push({ name: `${name}, 1 min`, played: 'encoded', ...(await measureFile(file, folder, callers, pid)) });
  }
  return rows;
}

/** Writes a file so many times in a row. */
async function repeated(
  path: string,
  times: number,
  into: string,
  folder: string,
  args: readonly string[] = ['-c', 'copy'],
): Promise<void> {
  const list = join(folder, 'list.txt');
  await writeFile(list, `file '${path}'\n`.repeat(times));
  await ffmpeg(['-f', 'concat', '-safe', '0', '-i', list, ...args, into]);
}

async function measureFile(
  file: string,
  folder: string,
  callers: readonly Caller[],
  pid: number,
): Promise<Omit<Row, 'name' | 'played'>> {
  const milliseconds: number[] = [];
  let growthMiB = 0;
  let isSource = true;
  for (const caller of callers) {
    const played = await uploadAndPlay(caller, file, folder, pid);
    milliseconds.push(played.elapsedMs);
    growthMiB = Math.max(growthMiB, played.grownMiB);
    isSource &&= played.isSource;
  }
  const sizeBytes = (await stat(file)).size;
  await rm(file);
  return { sizeBytes, milliseconds, isSource, growthMiB };
}

const PUBLISH = `mutation ($input: PublishVideoInput!) {
  publishVideo(input: $input) { content { id } upload { endpoint } } }`;
const STATE = `query ($id: DID!) {
  content(id: $id) { status assets { videos(first: 1) { edges { node { playlistUrl } } } } } }`;
const DELETE = 'mutation ($id: DID!) { deleteContent(id: $id) { __typename } }';

async function uploadAndPlay(
  caller: Caller,
  file: string,
  folder: string,
  pid: number,
): Promise<{ elapsedMs: number; isSource: boolean; grownMiB: number }> {
  const size = (await stat(file)).size;
  const input = { title: 'A video', filename: 'video.mp4', size, publish: true };
  const { publishVideo } = await ask<{ publishVideo: { content: { id: string }; upload: { endpoint: string } } }>(
    caller,
    PUBLISH,
    { input },
  );
  const { id } = publishVideo.content;
  const lastByteAt = await put(publishVideo.upload.endpoint, file, size);
  const before = await residentMiB(pid);
  let peak = before;
  let playlist: string | null = null;
  while (playlist === null) {
    const { content } = await ask<{
      content: { status: string; assets: { videos: { edges: { node: { playlistUrl: string | null } }[] } } };
    }>(caller, STATE, { id });
    peak = Math.max(peak, await residentMiB(pid));
    if (content.status === 'PUBLISHED') playlist = content.assets.videos.edges[0]?.node.playlistUrl ?? null;
    else if (performance.now() - lastByteAt > LIMIT_MS) throw new Error(`The content is ${content.status} after 60 s.`);
    else await sleep(LOOK_MS);
  }
  const { isSource, first } = await firstSegments(playlist);
  const elapsedMs = performance.now() - lastByteAt;
  peak = Math.max(peak, await residentMiB(pid));
  for (const [index, segment] of first.entries()) {
    const path = join(folder, `first-${index}.mp4`);
    await writeFile(path, segment);
    await ffmpeg(['-xerror', '-i', path, '-t', '1', '-f', 'null', '-']);
  }
  await ask(caller, DELETE, { id });
  await untilNothingRuns(pid);
  return { elapsedMs, isSource, grownMiB: peak - before };
}

/** Waits until the server has no program running: what is encoded of a deleted video is ended within seconds. */
async function untilNothingRuns(pid: number): Promise<void> {
  const startedAt = performance.now();
  while ((await descendants(pid)).some((name) => /^ff(?:mpeg|probe)$/.test(name))) {
    if (performance.now() - startedAt > LIMIT_MS) throw new Error('A program of a deleted video goes on after 60 s.');
    await sleep(LOOK_MS);
  }
}

/** Names of the processes that a process has started, and those of these. */
async function descendants(pid: number): Promise<string[]> {
  const children = new Map<number, { pid: number; name: string }[]>();
  for (const entry of await readdir('/proc')) {
    const line = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/.exec(line) ?? [];
    if (parent === undefined) continue;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), { pid: Number(entry), name }]);
  }
  const below = (of: number): string[] =>
    (children.get(of) ?? []).flatMap((child) => [child.name, ...below(child.pid)]);
  return below(pid);
}

/** Initialization segment and first media segment of the first variant, and of its sound. */
async function firstSegments(master: string): Promise<{ isSource: boolean; first: Buffer[] }> {
  const listed = await text(master);
  const sound = /^#EXT-X-MEDIA:TYPE=AUDIO.*URI="([^"]+)/m.exec(listed)?.[1];
  const picture = uriOf(listed, /^[^#].*$/m);
  const streams = [picture, ...(sound === undefined ? [] : [sound])];
  const first = await Promise.all(streams.map((uri) => firstSegment(new URL(uri, master))));
  return { isSource: picture.includes('copy-1/'), first };
}

async function firstSegment(stream: URL): Promise<Buffer> {
  const playlist = await text(stream);
  const parts = [uriOf(playlist, /(?<=#EXT-X-MAP:URI=")[^"]+/), uriOf(playlist, /^[^#].*$/m)];
  return Buffer.concat(await Promise.all(parts.map(async (uri) => bytes(new URL(uri, stream)))));
}

function uriOf(playlist: string, pattern: RegExp): string {
  const found = pattern.exec(playlist)?.[0];
  if (found === undefined) throw new Error(`No address in the playlist:\n${playlist}`);
  return found;
}

async function bytes(url: URL | string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return Buffer.from(await response.arrayBuffer());
}

async function text(url: URL | string): Promise<string> {
  return (await bytes(url)).toString();
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function report(rows: readonly Row[]): void {
  const lines = rows.map(({ name, sizeBytes, milliseconds, isSource, growthMiB }) => [
    `${name}, ${(sizeBytes / 1024 ** 2).toFixed(0)} MiB`,
    `${median(milliseconds).toFixed(0)} ms`,
    `${Math.min(...milliseconds).toFixed(0)} to ${Math.max(...milliseconds).toFixed(0)} ms`,
    isSource ? 'source' : 'encoded',
    `${growthMiB.toFixed(0)} MiB`,
  ]);
  console.log(table([['last byte to first segment', 'median', 'range', 'quality', 'memory'], ...lines]));
  const growth = Math.max(...rows.map(({ growthMiB }) => growthMiB));
  const mediansOf = (played: Row['played']) =>
    rows.filter((row) => row.played === played).map(({ milliseconds }) => median(milliseconds));
  const slowest = (medians: readonly number[]) => (medians.length > 0 ? `${Math.max(...medians).toFixed(0)} ms` : '-');
  const standard = mediansOf('itself');
  const ratio = (standard.at(-1) ?? 0) / (standard[0] ?? 1);
  console.log(
    `\nslowest ${slowest(standard)} (goal ${GOAL_MS}), longest against shortest ` +
      `${ratio.toFixed(2)} (goal ${GOAL_RATIO})\n` +
      `slowest with other sound ${slowest(mediansOf('sound'))} (goal ${GOAL_MS})\n` +
      `slowest to be copied ${slowest(mediansOf('copied'))}\n` +
      `slowest to be encoded ${slowest(mediansOf('encoded'))} (goal ${GOAL_ENCODED_MS})\n` +
      `memory ${growth.toFixed(0)} MiB (goal ${GOAL_GROWTH_MIB})`,
  );
}
