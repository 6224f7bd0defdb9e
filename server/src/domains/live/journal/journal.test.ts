import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { until } from '../../../testing/until.ts';
import type { ArrivedPart } from '../packaging/arrived-part.ts';
import { type JournalRecord, readRecords, writeRecord } from './journal-records.ts';
import { LiveJournals } from './live-journals.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const MIB = 1024 ** 2;

function part(number: number, bytes: Buffer | string = 'bytes'): ArrivedPart {
  return {
    ...{ number, init: 0, isDiscontinuity: false, arrivedAtMs: NOON + 2_000 * number },
    ...{ track: 'video', timescale: 90_000, bytes: Buffer.from(bytes) },
  };
}

describe('records of a journal', () => {
  const records: JournalRecord[] = [
    { kind: 'init', init: 0, track: 'audio', bytes: Buffer.from('init') },
    { kind: 'part', ...part(0, '') },
    { kind: 'part', ...part(1, 'more bytes') },
  ];
  const written = records.map((record) => Buffer.concat(writeRecord(record)));
  const file = Buffer.concat(written);

  it('are read as they were written', () => {
    assert.deepEqual(readRecords(file), records);
    assert.deepEqual(readRecords(Buffer.alloc(0)), []);
  });

  it('are read up to the one whose writing was interrupted, wherever that was', () => {
    const whole = (bytes: number) => {
      let count = 0;
      for (let end = 0; count < written.length; count += 1) {
        end += written[count]?.length ?? 0;
        if (end > bytes) return count;
      }
      return count;
    };
    for (let bytes = 0; bytes <= file.length; bytes += 1)
      assert.deepEqual(readRecords(file.subarray(0, bytes)), records.slice(0, whole(bytes)));
  });

  it('are read up to one that was changed', () => {
    for (let at = 0; at < file.length; at += 1) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      const read = readRecords(changed);
      assert.ok(read.length < records.length, `byte ${at}`);
      assert.deepEqual(read, records.slice(0, read.length));
    }
  });
});

describe('journals of broadcasts', () => {
  const root = mkdtempSync(join(tmpdir(), 'reelgraph-journals-'));
  let dataDir: string;
  let warnings: string[];
  const journals = () =>
    new LiveJournals(dataDir, { warn: (_: unknown, message?: string) => void warnings.push(message ?? '') });
  const files = () => (existsSync(join(dataDir, 'live')) ? readdirSync(join(dataDir, 'live')).sort() : []);
  beforeEach(() => {
    dataDir = mkdtempSync(join(root, 'data-'));
    warnings = [];
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** What the next process finds, once `count` records are written; as it was killed, nothing was closed. */
  async function left(id: string, count: number): Promise<JournalRecord[]> {
    const path = join(dataDir, 'live', `${id}.parts`);
    const written = () => {
      try {
        return readRecords(readFileSync(path)).length;
      } catch {
        return -1;
      }
    };
    await until(
      () => written() === count,
      () => `${written()} records are written`,
    );
    const found: JournalRecord[] = [];
    await journals().recover(id, async (records) => void found.push(...records));
    return found;
  }

  it('have what was not stored for the next process, once', async () => {
    const id = newId();
    const journal = journals().open(id);
    journal.addInits([{ init: 0, track: 'video', bytes: Buffer.from('init') }]);
    journal.addPart(part(0));
    journal.addPart(part(1));
    assert.deepEqual(await left(id, 3), [
      { kind: 'init', init: 0, track: 'video', bytes: Buffer.from('init') },
      ...[part(0), part(1)].map((each) => ({ kind: 'part', ...each })),
    ]);
    assert.deepEqual(files(), []);
    await journal.close();
  });

  it('stay small: what is stored is left out', async () => {
    const id = newId();
    const journal = journals().open(id);
    const init = { init: 0, track: 'video' as const, bytes: Buffer.from('init') };
    journal.addInits([init]);
    const large = Buffer.alloc(MIB, 'x');
    for (let number = 0; number < 20; number += 1) {
      journal.addPart(part(number, large));
      if (number > 1) journal.settled(number - 2);
    }
    journal.settled(18);
    journal.addPart(part(19, 'the last one'));
    const numbers = (records: readonly JournalRecord[]) =>
      records.flatMap((record) => (record.kind === 'part' ? [record.number] : []));
    const path = join(dataDir, 'live', `${id}.parts`);
    const last = () => (existsSync(path) ? readRecords(readFileSync(path)).at(-1)?.bytes.toString() : null);
    await until(() => last() === 'the last one');
    assert.ok(statSync(path).size < 8 * MIB, `${statSync(path).size} bytes`);
    const records = readRecords(readFileSync(path));
    assert.deepEqual(records[0], { kind: 'init', ...init });
    assert.deepEqual(numbers(records).slice(-2), [19, 19]);
    await journal.close();
    assert.deepEqual(files(), []);
  });

  it('are not recovered while they are written, and gone when they are closed', async () => {
    const id = newId();
    const all = journals();
    all.open(id).addPart(part(0));
    await all.recover(id, () => assert.fail('it is being written'));
    await all.close(id);
    assert.deepEqual(files(), []);
    await all.close(newId());
  });

  it('are given up where the folder cannot be written, and nothing else happens', async () => {
    writeFileSync(join(dataDir, 'live'), 'not a folder');
    const id = newId();
    const all = journals();
    const journal = all.open(id);
    for (let number = 0; number < 3; number += 1) journal.addPart(part(number));
    journal.settled(1);
    await until(() => warnings.length > 0, 'nobody is told');
    journal.addPart(part(3));
    await all.close(id);
    assert.deepEqual(warnings, ['parts of a broadcast are not kept until their segments are stored']);
    await all.recover(id, () => assert.fail('there is nothing'));
    await all.removeStale(async () => new Set());
  });

  it('of broadcasts that are over are removed', async () => {
    const [open, over] = [newId(), newId()];
    mkdirSync(join(dataDir, 'live'));
    for (const name of [`${open}.parts`, `${over}.parts`, `${over}.parts.new`, 'other.parts'])
      writeFileSync(join(dataDir, 'live', name), '');
    let asked: readonly string[] = [];
    await journals().removeStale(async (ids) => {
      asked = ids;
      return new Set([open]);
    });
    assert.deepEqual([...asked].sort(), [open, over].sort());
    assert.deepEqual(files(), [`${open}.parts`]);
  });

  it('that cannot be used stay for another attempt', async () => {
    const id = newId();
    const journal = journals().open(id);
    journal.addPart(part(0));
    await until(() => files().length === 1);
    await journals().recover(id, () => Promise.reject(new Error('The database does not answer.')));
    assert.deepEqual(warnings, ['parts that a process has left of a broadcast are not recorded']);
    assert.deepEqual(files(), [`${id}.parts`]);
    await journal.close();
  });
});
