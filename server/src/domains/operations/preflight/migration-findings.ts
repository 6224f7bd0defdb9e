import type { Migration } from '../../../platform/db/migrations.ts';
import type { NewObjects, SchemaChange } from '../../../platform/db/upgrade/schema-change.ts';
import { changesOf } from '../../../platform/db/upgrade/schema-changes.ts';
import { unusedSince } from '../../../platform/db/upgrade/second-step.ts';
import { type Finding, ok, warning } from '../doctor/finding.ts';
import type { TableSize } from './upgrade-facts.store.ts';

/** Tables from here on take PostgreSQL seconds to read or write. */
const LARGE_ROWS = 100_000;
const LARGE_BYTES = 100 * 1024 ** 2;

/** A change, with the releases from which on nothing needs what it takes away. */
type Planned = SchemaChange & { readonly unusedSince: readonly string[] };

/** A migration that would be applied, and what it does. */
export interface PlannedMigration {
  readonly name: string;
  /** The first line of the file that is a comment; empty without one. */
  readonly title: string;
  readonly changes: readonly Planned[];
}

/** Of migrations in their order, without those that only replace functions. Pure. */
export function planMigrations(pending: readonly Migration[]): PlannedMigration[] {
  const fresh: NewObjects = new Set();
  return pending
    .filter(({ isRepeatable }) => !isRepeatable)
    .map(({ name, text }) => ({
      name,
      title: /^--\s*(.*)/.exec(text)?.[1] ?? '',
      changes: changesOf(text, fresh).flatMap(({ statement, changes }) =>
        changes.map((change) => ({ ...change, unusedSince: unusedSince(statement.comments) })),
      ),
    }));
}

/** What each migration does to a database of this version with tables of these sizes. Pure. */
export function migrationFindings(
  planned: readonly PlannedMigration[],
  { version, sizes }: { readonly version: string | null; readonly sizes: readonly TableSize[] },
): Finding[] {
  return planned.map(({ name, title, changes }) => {
    const breaking = changes.filter(
      ({ hazard, unusedSince: since }) => hazard === 'breaks' && !isUnused(since, version),
    );
    const slow = changes.filter(({ hazard, table }) => hazard !== null && hazard !== 'breaks' && isLarge(table, sizes));
    const about = title === '' ? '' : `${title.replace(/\.$/, '')}. `;
    const found = `${name}: ${about}${listOf(changes)}${sizesOf(slow, sizes)}`;
    if (breaking.length > 0) return warning(found, breakingAdvice(breaking));
    return slow.length > 0 ? warning(found, slowAdvice(slow)) : ok(found);
  });
}

function isUnused(since: readonly string[], version: string | null): boolean {
  return version !== null && since.some((release) => release.localeCompare(version, 'en', { numeric: true }) <= 0);
}

function isLarge(table: string | null, sizes: readonly TableSize[]): boolean {
  const size = sizes.find(({ name }) => name === table);
  return size !== undefined && (size.rows >= LARGE_ROWS || size.totalBytes >= LARGE_BYTES);
}

/** Each kind of change once, with its number. */
function listOf(changes: readonly SchemaChange[]): string {
  const texts = new Map<string, number>();
  for (const { what } of changes) {
    if (what === 'describes an object') continue;
    texts.set(what, (texts.get(what) ?? 0) + 1);
  }
  const list = [...texts].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`)).join(', ');
  return list === '' ? 'It changes nothing.' : `It ${list}.`;
}

function sizesOf(slow: readonly SchemaChange[], sizes: readonly TableSize[]): string {
  const names = new Set(slow.map(({ table }) => table));
  return sizes
    .filter(({ name }) => names.has(name))
    .map(({ name, rows, totalBytes }) => ` ${name} has about ${count(rows)} rows in ${bytesText(totalBytes)}.`)
    .join('');
}

function breakingAdvice(breaking: readonly Planned[]): string {
  const what = breaking.map((change) => change.what).join(', ');
  const releases = [...new Set(breaking.flatMap(({ unusedSince: since }) => since))];
  const first = releases.length > 0 ? `Upgrade to ${releases.at(-1)} first, or stop` : 'Stop';
  return `${first} all programs of earlier versions before the start: they may fail where it ${what}.`;
}

function slowAdvice(slow: readonly SchemaChange[]): string {
  const tables = [...new Set(slow.map(({ table }) => table))].join(', ');
  return `What writes to ${tables} waits meanwhile: upgrade when few people use the server.`;
}

/** Bytes that PostgreSQL may write for the changes, beside what is there. Pure. */
export function bytesToWrite(planned: readonly PlannedMigration[], sizes: readonly TableSize[]): number {
  const changes = planned.flatMap((migration) => migration.changes);
  const sum = sizes.map(({ name, rowBytes, totalBytes }) => {
    const hazards = changes.filter(({ table }) => table === name).map(({ hazard }) => hazard);
    if (hazards.includes('rewrites')) return totalBytes;
    return hazards.filter((hazard) => hazard === 'locks').length * rowBytes;
  });
  return sum.reduce((total, bytes) => total + bytes, 0);
}

/** Of a table that is read by people: 1,234. */
const count = (rows: number) => Math.round(rows).toLocaleString('en');

/** Such as 1.5 GiB. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
