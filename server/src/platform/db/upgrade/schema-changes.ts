import type { Hazard, NewObjects, SchemaChange } from './schema-change.ts';
import { type SqlStatement, splitStatements } from './sql-statements.ts';
import { alterTable } from './table-actions.ts';
import { TokenReader } from './token-reader.ts';

/** What a statement of a migration does. */
export interface StatementChanges {
  readonly statement: SqlStatement;
  readonly changes: readonly SchemaChange[];
}

/**
 * What the statements of a migration do, in order. `fresh` gets the tables and columns that it creates: changes of them
 * are no hazard.
 */
export function changesOf(text: string, fresh: NewObjects = new Set()): StatementChanges[] {
  return splitStatements(text).map((statement) => {
    const changes = changesOfStatement(statement, fresh).map((change) =>
      change.table !== null && fresh.has(change.table) ? { ...change, hazard: null } : change,
    );
    return { statement, changes };
  });
}

const safe = (what: string, table: string | null = null): SchemaChange[] => [{ what, table, hazard: null }];
const hazardous = (hazard: Hazard, what: string, table: string | null = null): SchemaChange[] => [
  { what, table, hazard },
];

/** Objects that are created and dropped; longer names first. */
const KINDS = [
  ['materialized', 'view'],
  ['event', 'trigger'],
  ['foreign', 'table'],
  ...['table', 'index', 'view', 'type', 'domain', 'sequence', 'schema', 'extension', 'function', 'procedure'].map(
    (kind) => [kind],
  ),
  ...['aggregate', 'trigger', 'operator', 'cast', 'collation', 'statistics', 'policy', 'rule'].map((kind) => [kind]),
];

function changesOfStatement({ tokens }: SqlStatement, fresh: NewObjects): SchemaChange[] {
  const reader = new TokenReader(tokens);
  if (reader.accept('create')) return create(reader, fresh);
  if (reader.accept('drop')) return drop(reader);
  if (reader.accept('alter')) return alter(reader, fresh);
  if (reader.accept('insert', 'into')) {
    const table = reader.name();
    return safe(`adds rows to ${table}`, table);
  }
  if (reader.accept('update')) {
    reader.accept('only');
    const table = reader.name();
    return safe(`changes rows of ${table}`, table);
  }
  if (reader.accept('delete', 'from')) {
    const table = reader.name();
    return safe(`deletes rows of ${table}`, table);
  }
  return other(reader);
}

function other(reader: TokenReader): SchemaChange[] {
  if (reader.accept('truncate')) {
    reader.accept('table');
    const table = reader.name();
    return hazardous('breaks', `deletes all rows of ${table}`, table);
  }
  if (reader.accept('comment', 'on')) return safe('describes an object');
  if (reader.accept('select')) return safe('calls a function');
  if (reader.accept('with')) return safe('reads and changes rows');
  if (reader.accept('set')) return safe('changes a setting of the session');
  if (reader.accept('grant')) return safe('grants a privilege');
  if (reader.accept('revoke')) return hazardous('breaks', 'revokes a privilege');
  if (reader.accept('do')) return hazardous('breaks', 'runs a DO block, whose effects cannot be seen here');
  return hazardous('breaks', `runs ${reader.next()?.text.toUpperCase() ?? 'nothing'}, which this check does not know`);
}

function create(reader: TokenReader, fresh: NewObjects): SchemaChange[] {
  reader.accept('or', 'replace');
  const isUnique = reader.accept('unique');
  for (const word of ['unlogged', 'temporary', 'temp', 'constraint', 'recursive']) reader.accept(word);
  const kind = readKind(reader);
  if (kind === 'index') return createIndex(reader, isUnique);
  reader.accept('if', 'not', 'exists');
  const name = reader.name();
  if (kind === 'table') fresh.add(name);
  if (kind === 'rule') return hazardous('breaks', `creates rule ${name}`);
  return kind === null
    ? hazardous('breaks', 'creates something that this check does not know')
    : safe(`creates ${kind} ${name}`, kind === 'table' ? name : null);
}

function createIndex(reader: TokenReader, isUnique: boolean): SchemaChange[] {
  reader.accept('concurrently');
  reader.accept('if', 'not', 'exists');
  const name = reader.accept('on') ? null : reader.name();
  if (name !== null) reader.accept('on');
  reader.accept('only');
  const table = reader.name();
  return hazardous('locks', `builds ${isUnique ? 'unique ' : ''}index ${name ?? 'without a name'} on ${table}`, table);
}

function drop(reader: TokenReader): SchemaChange[] {
  const kind = readKind(reader);
  reader.accept('concurrently');
  reader.accept('if', 'exists');
  const name = reader.name();
  const table = reader.accept('on') ? reader.name() : kind === 'table' ? name : null;
  return hazardous('breaks', `drops ${kind ?? 'something'} ${name}`, table);
}

function alter(reader: TokenReader, fresh: NewObjects): SchemaChange[] {
  const kind = readKind(reader);
  reader.accept('if', 'exists');
  reader.accept('only');
  const name = reader.name();
  if (kind === 'table') return alterTable(name, reader.rest(), fresh);
  if (kind === 'type' && reader.accept('add', 'value')) return safe(`adds a value to type ${name}`);
  if (kind === 'sequence' && !reader.accept('rename')) return safe(`changes sequence ${name}`);
  if (kind === 'index' && reader.accept('set')) return safe(`changes index ${name}`);
  return hazardous('breaks', `changes ${kind ?? 'something'} ${name}`);
}

function readKind(reader: TokenReader): string | null {
  return KINDS.find((words) => reader.accept(...words))?.join(' ') ?? null;
}
