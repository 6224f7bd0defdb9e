import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { coreShare } from '../graphql/load.ts';

export const READERS = 500;
const MESSAGES_A_SECOND = 10;
/** Until all readers wait. */
const JOINING_MS = 4_000;

/** What a chat costs, and how late its readers are. */
export interface ChatMeasured {
  /** CPU of the process, of a core, beyond what it takes without the chat. */
  readonly share: number;
  /** Milliseconds from sending a message to reading it. */
  readonly p50: number;
  readonly p95: number;
  /** Messages read, and those that should have been. */
  readonly read: number;
  readonly expected: number;
}

interface Chat {
  readonly url: string;
  readonly send: (body: string) => Promise<unknown>;
}

/** Five hundred readers of a chat in which ten messages a second are written. */
export async function measureChat({ url, send }: Chat, pid: number, seconds: number): Promise<ChatMeasured> {
  const script = fileURLToPath(new URL('./readers.ts', import.meta.url));
  const total = JOINING_MS / 1_000 + seconds + 2;
  const options = ['--url', url, '--count', String(READERS), '--seconds', String(total)];
  const before = await coreShare(pid, seconds);
  const readers = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(readers.stdout);
  await sleep(JOINING_MS);
  const cpu = coreShare(pid, seconds);
  const sending: Promise<unknown>[] = [];
  const startedAt = Date.now();
  for (let n = 0; n < seconds * MESSAGES_A_SECOND; n += 1) {
    await sleep(Math.max(0, startedAt + (1_000 * n) / MESSAGES_A_SECOND - Date.now()));
    sending.push(send(String(Date.now())));
  }
  await Promise.all(sending);
  const during = await cpu;
  const delays = JSON.parse(await output) as Omit<ChatMeasured, 'share' | 'expected'>;
  return { ...delays, share: during - before, expected: READERS * sending.length };
}
