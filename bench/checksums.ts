import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { Checksum, checksumOfFile } from '../server/src/platform/storage/checksums.ts';
import { writeDurably } from '../server/src/platform/storage/disk-files.ts';
import { table } from './results.ts';

/** CPU seconds for the checksums of a GiB. */
const GOAL_S = 0.3;
const CHUNK_BYTES = 64 * 1024;
const GIB = 1024 ** 3;

/**
 * CPU time of checksums: of a stream while it is written to a file, against writing alone, and of a file.
 * `--mebibytes` is the size, `--rounds` how often each is measured; the least counts. Ends with 1 above the goal.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { mebibytes: { type: 'string', default: '512' }, rounds: { type: 'string', default: '5' } },
  });
  const bytes = Number(values.mebibytes) * 1024 ** 2;
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  try {
    const chunk = randomBytes(CHUNK_BYTES);
    const body = () =>
      Readable.from(
        (function* () {
          for (let left = bytes; left > 0; left -= CHUNK_BYTES) yield chunk;
        })(),
      );
    const file = join(folder, 'file');
    await writeFile(file, body());
    const cases: Record<string, () => Promise<unknown>> = {
      'write a stream': () => written(folder, body()),
      'write a stream, with its checksum': () => written(folder, body(), new Checksum()),
      'checksum of a file': () => checksumOfFile(file),
      'checksum alone': async () => {
        for (let left = bytes; left > 0; left -= CHUNK_BYTES) crc32(chunk);
      },
    };
    const costs = new Map<string, number>();
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const [name, work] of Object.entries(cases)) {
        const seconds = (await cpuSeconds(work)) * (GIB / bytes);
        costs.set(name, Math.min(seconds, costs.get(name) ?? Number.POSITIVE_INFINITY));
      }
    report(costs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function written(folder: string, body: AsyncIterable<unknown>, sum?: Checksum): Promise<void> {
  const path = join(folder, 'written');
  await writeDurably(path, body, sum);
  await rm(path);
}

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function report(costs: ReadonlyMap<string, number>): void {
  const rows = [...costs].map(([name, seconds]) => [name, seconds.toFixed(2)]);
  console.log(table([['CPU of one GiB', 'seconds'], ...rows]));
  const added = (costs.get('write a stream, with its checksum') ?? 0) - (costs.get('write a stream') ?? 0);
  const ofFile = costs.get('checksum of a file') ?? 0;
  console.log(
    `\nthe checksum of a stream takes ${added.toFixed(2)} s, of a file ${ofFile.toFixed(2)} s ` +
      `(goal: at most ${GOAL_S})`,
  );
  if (Math.max(added, ofFile) > GOAL_S) process.exitCode = 1;
}
