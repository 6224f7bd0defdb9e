import { readFileSync } from 'node:fs';
import { lstat, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { MAX_DEPTH, textName } from '../files/entries.ts';

/** Unit of `blocks` in stat(2) on all file systems. */
const BLOCK_BYTES = 512;
/** Longest line passed to a listener, which bounds the memory for endless lines. */
const MAX_LINE_CHARS = 8 * 1024;

/** Cuts a byte stream into lines, without their ends. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: ((line: string) => void) | undefined;
  #rest = '';

  constructor(onLine: ((line: string) => void) | undefined) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    if (this.#onLine === undefined) return;
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#onLine(line.slice(0, MAX_LINE_CHARS).trimEnd());
  }

  /** Passes on an unterminated last line. */
  end(): void {
    if (this.#onLine !== undefined && this.#rest.trim() !== '') this.#onLine(this.#rest.trimEnd());
    this.#rest = '';
  }
}

/** Keeps the last `maxBytes` of a byte stream. */
export class TextTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 4 * this.#maxBytes) {
      this.#chunks = [Buffer.concat(this.#chunks).subarray(-this.#maxBytes)];
      this.#bytes = this.#maxBytes;
    }
  }

  text(): string {
    const all = Buffer.concat(this.#chunks);
    return (all.length > this.#maxBytes ? all.subarray(-this.#maxBytes) : all).toString('utf8');
  }
}

/** Clock ticks per second of /proc/<pid>/stat: 100 on every Linux architecture Node runs on (USER_HZ). */
const TICKS_PER_SECOND = 100;

/**
 * CPU time in milliseconds of a running process, all its threads and all its descendants (proc(5), fields 14 to 17);
 * null once it is gone.
 */
export function treeCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name, field 2, may itself hold spaces and brackets: count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
    return (own * 1000) / TICKS_PER_SECOND + childrenOf(pid).reduce((sum, child) => sum + (treeCpuMs(child) ?? 0), 0);
  } catch {
    return null;
  }
}

/** Empty when the kernel does not report it. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * Identifies the process with this id, to distinguish it from later ones with the same id; null once it has ended, even
 * if not reaped.
 */
export function processIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Fields 3 and 22 of proc(5): state and start time.
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

const LEAST_REST_MS = 250;
const MOST_REST_MS = 2_000;

/**
 * Calls `round` about four times a second, less often when it takes long (a folder of many thousand segments does), so
 * that watching stays cheap, but every two seconds at least: what is watched must not grow unseen on a busy machine.
 * Returns the function that ends it.
 */
export function every(round: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const next = async () => {
    const startedAt = performance.now();
    await round();
    const rest = Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, 20 * (performance.now() - startedAt)));
    if (!ended) timer = setTimeout(() => void next(), rest);
  };
  timer = setTimeout(() => void next(), 50);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/**
 * Bytes of all regular files below `folder`; files that vanish meanwhile do not count. Links are not followed. Blocks
 * that a file has beyond its size count by half: file systems allocate ahead, up to once more what is there. Infinity
 * where a name is not UTF-8 or folders are too deep to be adopted. With more than `most`, the rest is not looked at.
 */
export async function folderBytes(folder: string, most = Number.POSITIVE_INFINITY, depth = 0): Promise<number> {
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  for (const entry of entries) {
    const name = textName(entry.name);
    if (name === null) return Number.POSITIVE_INFINITY;
    const path = join(folder, name);
    if (bytes > most) break;
    if (entry.isDirectory()) bytes += await folderBytes(path, most - bytes, depth + 1);
    else if (entry.isFile()) bytes += await lstat(path).then(bytesOf, () => 0);
  }
  return bytes;
}

function bytesOf({ size, blocks }: { readonly size: number; readonly blocks: number }): number {
  return Math.max(size, (blocks * BLOCK_BYTES) / 2);
}

/**
 * Bytes of unlinked files on the file system of `folder` that a process or its descendants have open. Files that are
 * only mapped are not counted, nor processes that the kernel does not let us inspect.
 */
export async function namelessBytes(pid: number, folder: string): Promise<number> {
  const { dev } = await stat(folder).catch(() => ({ dev: -1 }));
  const found = new Map<number, number>();
  const look = async (one: number): Promise<void> => {
    for (const descriptor of await readdir(`/proc/${one}/fd`).catch(() => [])) {
      const status = await stat(`/proc/${one}/fd/${descriptor}`).catch(() => null);
      if (status?.isFile() && status.nlink === 0 && status.dev === dev) found.set(status.ino, bytesOf(status));
    }
    for (const child of childrenOf(one)) await look(child);
  };
  await look(pid);
  return [...found.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** After a write failed for lack of space, less than the largest write is free. */
const ROOM_BYTES = 16 * 1024 ** 2;
const ROOM_FILES = 16;

/** Whether the file system of `folder` is full for a sandboxed process, in bytes or inodes. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  if (found === null) return false;
  const { bavail, bsize, files, ffree } = found;
  return bavail * bsize < ROOM_BYTES || (files > 0 && ffree < ROOM_FILES);
}
