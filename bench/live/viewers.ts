/**
 * The viewers of `npm run bench:live`, in a process of their own. Each follows both tracks of a live stream as players
 * do: it waits for the playlist with the next part, then requests that part. Prints how many parts they had.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Connection } from '../delivery/load.ts';

/** Of segments of two seconds, which begin with each keyframe, in parts of half a second. */
const PARTS = 4;

const { values } = parseArgs({
  options: { master: { type: 'string' }, count: { type: 'string' }, seconds: { type: 'string' } },
});
const master = new URL(values.master ?? '');
const folder = master.pathname.replace('master.m3u8', 'live/');
let parts = 0;
let isOver = false;

async function follow(track: string): Promise<void> {
  const connection = new Connection(master.hostname, Number(master.port), { paths: [], status: 200, bytes: null });
  let [segment, part] = await position(track);
  while (!isOver) {
    await connection.get(`${folder}${track}/index.m3u8?_HLS_msn=${segment}&_HLS_part=${part}`, master.hostname);
    const name = `seg-${`${segment}`.padStart(5, '0')}.${part}.m4s`;
    await connection.get(`${folder}${track}/${name}`, master.hostname);
    parts += 1;
    [segment, part] = part + 1 < PARTS ? [segment, part + 1] : [segment + 1, 0];
  }
  connection.close();
}

/** Of the segment that begins next. */
async function position(track: string): Promise<[number, number]> {
  const text = await (await fetch(new URL(`${folder}${track}/index.m3u8`, master))).text();
  const last = [...text.matchAll(/^seg-(\d+)\.m4s$/gm)].at(-1)?.[1];
  return [Number(last) + 2, 0];
}

const following = Array.from({ length: Number(values.count) }, async (_, index) => {
  await sleep((index * 2_000) / Number(values.count));
  await Promise.all([follow('video'), follow('audio')]);
});
await sleep(1_000 * Number(values.seconds));
process.stdout.write(`${parts}\n`);
isOver = true;
await Promise.race([Promise.all(following), sleep(5_000)]);
process.exit();
