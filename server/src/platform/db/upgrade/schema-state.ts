import type pg from 'pg';

/** The first migration of every supported database. Versions before 0.1.0 had others, such as 0001_platform.sql. */
const BASELINE = '0001_baseline_platform.sql';
/** Name of the row in platform_metadata with the version of the program that applied migrations last. */
const SCHEMA_VERSION = 'schema_version';
const NOTE_VERSION =
  'insert into platform_metadata (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value';
const GUIDE = 'docs/guides/self-hosting.md';

/** What identifies a migration. */
export interface MigrationId {
  /** Path below the folder of migrations. */
  readonly name: string;
  readonly digest: string;
  /**
   * Whether the file only replaces functions and triggers: it is applied again whenever it changed. Others are applied
   * once.
   */
  readonly isRepeatable: boolean;
}

/** What was applied to a database. */
export interface SchemaState {
  /** Name to digest of the applied migrations; empty for a new database. */
  readonly applied: ReadonlyMap<string, string>;
  /** Of the program that applied migrations last; null where none has said so. */
  readonly version: string | null;
}

/** A database that this program cannot use; nothing in it was changed. */
export class UnusableSchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableSchemaError';
  }
}

/** Reads it, and changes nothing. */
export async function readSchemaState(client: pg.ClientBase): Promise<SchemaState> {
  if (!(await hasTable(client, 'schema_migrations'))) return { applied: new Map(), version: null };
  const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from schema_migrations');
  return { applied: new Map(rows.map((row) => [row.name, row.digest])), version: await versionOf(client) };
}

/** Notes in the transaction of `client` that a program of this version applied migrations. */
export async function noteVersion(client: pg.ClientBase, version: string): Promise<void> {
  if (await hasTable(client, 'platform_metadata')) await client.query(NOTE_VERSION, [SCHEMA_VERSION, version]);
}

async function versionOf(client: pg.ClientBase): Promise<string | null> {
  if (!(await hasTable(client, 'platform_metadata'))) return null;
  const { rows } = await client.query<{ value: string }>('select value from platform_metadata where name = $1', [
    SCHEMA_VERSION,
  ]);
  return rows[0]?.value ?? null;
}

async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

/**
 * The migrations that a program of this version has to apply, in order. Pure.
 * @throws UnusableSchemaError for a database from before 0.1.0, for one with migrations that `known` does not include,
 * which a newer version has applied, and for one whose applied migrations were edited.
 */
export function pendingMigrations<M extends MigrationId>(
  { applied, version }: SchemaState,
  known: readonly M[],
  programVersion: string,
): M[] {
  if (applied.size > 0 && !applied.has(BASELINE)) throw new UnusableSchemaError(tooOld([...applied.keys()].sort()[0]));
  const unknown = unknownMigrations(applied.keys(), known);
  if (unknown.length > 0) throw new UnusableSchemaError(tooNew(unknown, version, programVersion));
  return known.filter((migration) => isPending(migration, applied));
}

/** Names of applied migrations that are not in `known`: a newer version has applied them. */
export function unknownMigrations(applied: Iterable<string>, known: readonly MigrationId[]): string[] {
  const names = new Set(known.map(({ name }) => name));
  return [...applied].filter((name) => !names.has(name)).sort();
}

function isPending({ name, digest, isRepeatable }: MigrationId, applied: ReadonlyMap<string, string>): boolean {
  const before = applied.get(name);
  if (before === digest) return false;
  if (before === undefined || isRepeatable) return true;
  throw new UnusableSchemaError(`Migration ${name} was edited after it was applied; write a new one instead.`);
}

function tooOld(first: string | undefined): string {
  return (
    `This database was created before version 0.1.0 (its first migration is ${first}) and cannot be ` +
    'upgraded. Nothing in it was changed. Start with an empty database, or run the version that created ' +
    `it. See "Databases from before 0.1.0" in ${GUIDE}.`
  );
}

function tooNew(unknown: readonly string[], version: string | null, programVersion: string): string {
  const isNamed = version !== null && version !== programVersion;
  const source = isNamed ? `of version ${version}` : 'of a newer version';
  const count = unknown.length === 1 ? 'a migration' : `${unknown.length} migrations`;
  return (
    `This database is ${source}, and this program is version ${programVersion}: the database has ${count} that it ` +
    `does not know (${unknown.join(', ')}). Nothing in it was changed. Start ` +
    `${isNamed ? `version ${version} or a newer one` : 'the newer version'}; to go back to version ` +
    `${programVersion}, restore the backup from before the upgrade. See "Downgrade" in ${GUIDE}.`
  );
}
