/**
 * The readers of the chat of `npm run bench:live`, in a process of their own: each waits for what is new, as the web
 * application does. The messages are the times when they were sent. Prints how many were read, and the delays in
 * milliseconds.
 */
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { url: { type: 'string' }, count: { type: 'string' }, seconds: { type: 'string' } },
});
const url = values.url ?? '';
const count = Number(values.count);
const agent = new Agent({ keepAlive: true, maxSockets: count });
const delays: number[] = [];
let isOver = false;

interface Update {
  readonly version: number;
  readonly messages: readonly { readonly body: string }[];
}

function load(query: string): Promise<Update> {
  return new Promise((resolve, reject) => {
    get(url + query, { agent }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body) as Update), reject);
    }).on('error', reject);
  });
}

async function read(): Promise<void> {
  let { version } = await load('');
  while (!isOver) {
    const update = await load(`?after=${version}`);
    version = update.version;
    for (const { body } of update.messages) delays.push(Date.now() - Number(body));
  }
}

const reading = Array.from({ length: count }, async (_, index) => {
  await sleep((index * 2_000) / count);
  await read();
});
void Promise.all(reading).catch((error) => {
  console.error(error);
  process.exit(1);
});
await sleep(1_000 * Number(values.seconds));
isOver = true;
const sorted = delays.toSorted((a, b) => a - b);
const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
process.stdout.write(JSON.stringify({ read: sorted.length, p50: at(0.5), p95: at(0.95) }));
process.exit();
