import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../platform/log.ts';
import { type JournalRecord, readRecords } from './journal-records.ts';
import { PartJournal } from './part-journal.ts';

const SUFFIX = '.parts';

/** The journals of broadcasts in a folder of this machine, a file for each. */
export class LiveJournals {
  readonly #folder: string;
  readonly #log: Pick<Logger, 'warn'>;
  /** Of broadcasts that this process receives, whose files are being written. */
  readonly #open = new Map<string, PartJournal>();
  readonly #using = new Map<string, Promise<void>>();

  constructor(dataDir: string, log: Pick<Logger, 'warn'>) {
    [this.#folder, this.#log] = [join(dataDir, 'live'), log];
  }

  /** The journal of a broadcast that this process receives. Its file is made with the first part. */
  open(broadcastId: string): PartJournal {
    const known = this.#open.get(broadcastId);
    if (known) return known;
    const journal = new PartJournal(this.#pathOf(broadcastId), this.#log);
    this.#open.set(broadcastId, journal);
    return journal;
  }

  /** Closes the journal of a broadcast, of which everything is stored, and removes it. */
  async close(broadcastId: string): Promise<void> {
    const journal = this.#open.get(broadcastId);
    this.#open.delete(broadcastId);
    await journal?.close();
  }

  /**
   * Gives the records that a process has left to `use`, and removes them afterwards. Where there are none, or this
   * process writes them, nothing happens; where `use` is running for the broadcast, it is waited for.
   */
  async recover(broadcastId: string, use: (records: readonly JournalRecord[]) => Promise<void>): Promise<void> {
    if (this.#open.has(broadcastId)) return;
    let using = this.#using.get(broadcastId);
    if (!using) {
      using = this.#recover(broadcastId, use).finally(() => this.#using.delete(broadcastId));
      this.#using.set(broadcastId, using);
    }
    await using;
  }

  /** Removes what is left of broadcasts that `isNeeded` does not name among those that have a file. */
  async removeStale(needed: (broadcastIds: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
    if (names.length === 0) return;
    const kept = await needed(ids.filter((id) => UUID.test(id)));
    for (const name of names)
      if (!kept.has(name.slice(0, -SUFFIX.length))) await rm(join(this.#folder, name), { force: true });
  }

  async #recover(broadcastId: string, use: (records: readonly JournalRecord[]) => Promise<void>): Promise<void> {
    const path = this.#pathOf(broadcastId);
    try {
      const file = await readFile(path).catch(() => null);
      if (file === null) return;
      await use(readRecords(file));
      await rm(path, { force: true });
    } catch (error) {
      this.#log.warn({ error, broadcastId }, 'parts that a process has left of a broadcast are not recorded');
    }
  }

  #pathOf(broadcastId: string): string {
    return join(this.#folder, broadcastId + SUFFIX);
  }
}

const UUID = /^[0-9a-f-]{36}$/;
