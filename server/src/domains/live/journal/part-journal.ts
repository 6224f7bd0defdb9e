import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../../platform/log.ts';
import type { ArrivedPart } from '../packaging/arrived-part.ts';
import { type JournaledInit, type JournalRecord, writeRecord } from './journal-records.ts';

/** With so much in it, a file is replaced by one without what is stored. */
const REWRITE_BYTES = 16 * 1024 ** 2;
/** Larger, because nothing is stored, or with more waiting for the disk, there is no journal. */
const MOST_BYTES = 128 * 1024 ** 2;
const MOST_WAITING_BYTES = 32 * 1024 ** 2;

/**
 * The parts of a broadcast whose segments are not stored, in a file. They are written as they arrive, without waiting:
 * what is written survives the process, not the machine. Where writing fails, there is no journal from then on.
 */
export class PartJournal {
  readonly #path: string;
  readonly #log: Pick<Logger, 'warn'>;
  #file: FileHandle | null = null;
  #work: Promise<void> = Promise.resolve();
  #isOff = false;
  /** Length of the file once everything is written, and what waits for that. */
  #end = 0;
  #waitingBytes = 0;
  /** Where the first part of a segment is that is not stored, by the number of the segment. */
  readonly #segments = new Map<number, number>();
  /** The newest, which segments that are not stored may begin with. */
  #inits: readonly JournaledInit[] = [];

  constructor(path: string, log: Pick<Logger, 'warn'>) {
    [this.#path, this.#log] = [path, log];
  }

  addInits(inits: readonly JournaledInit[]): void {
    this.#inits = inits;
    for (const init of inits) this.#append({ kind: 'init', ...init });
  }

  addPart(part: ArrivedPart): void {
    if (this.#isOff) return;
    if (!this.#segments.has(part.number)) this.#segments.set(part.number, this.#end);
    this.#append({ kind: 'part', ...part });
  }

  /** The segments up to this number are stored, or cannot be: their parts are not needed any more. */
  settled(number: number): void {
    for (const each of this.#segments.keys()) if (each <= number) this.#segments.delete(each);
    if (this.#end > REWRITE_BYTES && !this.#isOff) this.#rewrite();
  }

  /** Removes the file, once what waits is written. */
  async close(): Promise<void> {
    this.#isOff = true;
    this.#then(() => this.#remove());
    await this.#work;
  }

  #append(record: JournalRecord): void {
    if (this.#isOff) return;
    const pieces = writeRecord(record);
    const bytes = pieces[0].length + pieces[1].length;
    [this.#end, this.#waitingBytes] = [this.#end + bytes, this.#waitingBytes + bytes];
    this.#then(async () => {
      await write(await this.#opened(), pieces, bytes);
      this.#waitingBytes -= bytes;
    });
    if (this.#end > MOST_BYTES || this.#waitingBytes > MOST_WAITING_BYTES)
      this.#switchOff(new Error('Parts are written faster than segments are stored.'));
  }

  /** Writes a file with what is not stored, and puts it in the place of the one before. */
  #rewrite(): void {
    const inits = this.#inits.map((init) => writeRecord({ kind: 'init', ...init }));
    const initBytes = inits.flat().reduce((sum, { length }) => sum + length, 0);
    const [start, end] = [Math.min(this.#end, ...this.#segments.values()), this.#end];
    for (const [number, at] of this.#segments) this.#segments.set(number, at - start + initBytes);
    this.#end = initBytes + end - start;
    this.#then(async () => {
      const before = await this.#opened();
      const kept = Buffer.alloc(end - start);
      await before.read(kept, 0, kept.length, start);
      const path = `${this.#path}.new`;
      this.#file = await open(path, 'w+');
      await write(this.#file, [...inits.flat(), kept], initBytes + kept.length);
      await rename(path, this.#path);
      await before.close();
    });
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file) return this.#file;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    this.#file = await open(this.#path, 'w+', 0o600);
    return this.#file;
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => this.#switchOff(error));
  }

  /** Says so once; what is in the file would lack what follows. */
  #switchOff(error: unknown): void {
    if (this.#isOff) return;
    this.#isOff = true;
    this.#log.warn({ error, path: this.#path }, 'parts of a broadcast are not kept until their segments are stored');
    this.#then(() => this.#remove());
  }

  async #remove(): Promise<void> {
    await this.#file?.close().catch(() => {});
    this.#file = null;
    for (const path of [this.#path, `${this.#path}.new`]) await rm(path, { force: true });
  }
}

async function write(file: FileHandle, pieces: readonly Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  if (bytesWritten !== bytes) throw new Error(`${bytesWritten} of ${bytes} bytes were written.`);
}
