import type { NewObjects, SchemaChange } from './schema-change.ts';
import type { Token } from './sql-statements.ts';
import { hasWords, splitAtCommas, TokenReader } from './token-reader.ts';

/** Functions that PostgreSQL computes once for a new column, and not for each row. */
const STABLE = new Set(['now', 'current_timestamp', 'transaction_timestamp', 'statement_timestamp', 'current_date']);
/** Words before a parenthesis that are no function. */
const NO_FUNCTION = new Set(['varchar', 'char', 'numeric', 'decimal', 'timestamp', 'timestamptz', 'time', 'interval']);
/** Ends of the names that PostgreSQL gives to constraints which ON CONFLICT may need. */
const UNIQUE_NAME = /(?:_pkey|_key|_unique|_excl)$/;

/** What the actions of ALTER TABLE do; `fresh` has and gets new columns, as `table.column`. */
export function alterTable(table: string, actions: readonly Token[], fresh: NewObjects): SchemaChange[] {
  const defaults = new Set<string>();
  return splitAtCommas(actions).flatMap((tokens) => {
    const [change, column] = action(table, new TokenReader(tokens), { fresh, defaults });
    return column !== null && fresh.has(`${table}.${column}`) ? [{ ...change, hazard: null }] : [change];
  });
}

interface Context {
  readonly fresh: NewObjects;
  /** Columns that an earlier action gave a default. */
  readonly defaults: Set<string>;
}
/** The change, and the column that it is about. */
type Action = [change: SchemaChange, column: string | null];

function action(table: string, reader: TokenReader, context: Context): Action {
  const as = (hazard: SchemaChange['hazard'], what: string, column: string | null = null): Action => [
    { what, table, hazard },
    column,
  ];
  if (reader.accept('add')) return add(table, reader, context);
  if (reader.accept('drop')) return drop(table, reader);
  if (reader.accept('alter')) {
    reader.accept('column');
    return alterColumn(table, reader.name(), reader, context);
  }
  if (reader.accept('rename')) return as('breaks', `renames ${table} or a part of it`);
  if (reader.accept('validate', 'constraint')) return as(null, `checks constraint ${reader.name()} of ${table}`);
  if (reader.accept('detach', 'partition')) return as('breaks', `takes a partition from ${table}`);
  if (reader.accept('attach', 'partition')) return as('locks', `adds a partition to ${table}`);
  if (reader.accept('set', 'schema')) return as('breaks', `moves ${table} to another schema`);
  if (['logged', 'unlogged', 'tablespace', 'access'].some((word) => reader.accept('set', word)))
    return as('rewrites', `writes ${table} again`);
  if (reader.accept('set') || reader.accept('reset')) return as(null, `changes settings of ${table}`);
  if (reader.accept('disable', 'trigger') || reader.accept('enable', 'trigger'))
    return as('breaks', `switches triggers of ${table}`);
  if (reader.accept('replica', 'identity') || reader.accept('owner', 'to')) return as(null, `changes ${table}`);
  return as('breaks', `changes ${table} in a way that this check does not know`);
}

function add(table: string, reader: TokenReader, { fresh }: Context): Action {
  const isConstraint = reader.accept('constraint');
  const name = isConstraint ? reader.name() : '';
  const constraint = constraintOf(reader);
  if (isConstraint || constraint !== null) {
    const isDeferred = hasWords(reader.rest(), 'not', 'valid') || hasWords(reader.rest(), 'using', 'index');
    const what = `adds ${constraint ?? 'constraint'}${name === '' ? '' : ` ${name}`} to ${table}`;
    return [{ what, table, hazard: isDeferred ? null : 'locks' }, null];
  }
  reader.accept('column');
  reader.accept('if', 'not', 'exists');
  const column = reader.name();
  const hazard = hazardOfColumn(reader.rest());
  fresh.add(`${table}.${column}`);
  // The column is new from the next action on, and may be a hazard in this one.
  return [{ what: `adds column ${table}.${column}`, table, hazard }, null];
}

function constraintOf(reader: TokenReader): string | null {
  const kinds = [['check'], ['unique'], ['primary', 'key'], ['foreign', 'key'], ['exclude'], ['not', 'null']];
  return kinds.find((words) => reader.accept(...words))?.join(' ') ?? null;
}

function hazardOfColumn(definition: readonly Token[]): SchemaChange['hazard'] {
  const isFilled =
    hasWords(definition, 'default') || hasWords(definition, 'generated') || isSerial(definition.at(0)?.text);
  if (hasWords(definition, 'not', 'null') && !isFilled) return 'breaks';
  if (hasWords(definition, 'primary', 'key') && !isFilled) return 'breaks';
  if (isSerial(definition.at(0)?.text)) return 'rewrites';
  if (hasWords(definition, 'generated') && !hasWords(definition, 'virtual')) return 'rewrites';
  if (hasWords(definition, 'default') && callsFunction(definition)) return 'rewrites';
  const scans = ['check', 'unique', 'references', 'primary'];
  return scans.some((word) => hasWords(definition, word)) ? 'locks' : null;
}

const isSerial = (type = '') => ['serial', 'bigserial', 'smallserial'].includes(type);

/** Whether the default calls a function that may have another value for each row. */
function callsFunction(definition: readonly Token[]): boolean {
  const start = definition.findIndex(({ text }) => text === 'default');
  const end = definition.findIndex(({ kind, text }, at) => at > start && kind === 'word' && CLAUSES.has(text));
  const value = definition.slice(start + 1, end < 0 ? definition.length : end);
  return value.some(
    ({ kind, text }, at) =>
      kind === 'word' && value[at + 1]?.text === '(' && !STABLE.has(text) && !NO_FUNCTION.has(text),
  );
}

/** Words that begin what follows a default. */
const CLAUSES = new Set(['not', 'check', 'references', 'unique', 'primary', 'constraint', 'collate']);

function drop(table: string, reader: TokenReader): Action {
  if (reader.accept('constraint')) {
    reader.accept('if', 'exists');
    const name = reader.name();
    const hazard = UNIQUE_NAME.test(name) ? 'breaks' : null;
    return [{ what: `drops constraint ${name} of ${table}`, table, hazard }, null];
  }
  reader.accept('column');
  reader.accept('if', 'exists');
  const column = reader.name();
  return [{ what: `drops column ${table}.${column}`, table, hazard: 'breaks' }, column];
}

function alterColumn(table: string, column: string, reader: TokenReader, { defaults }: Context): Action {
  const as = (hazard: SchemaChange['hazard'], what: string): Action => [
    { what: `${what} column ${table}.${column}`, table, hazard },
    column,
  ];
  if (reader.accept('type') || reader.accept('set', 'data', 'type')) return as('breaks', 'changes the type of');
  if (reader.accept('set', 'default')) {
    defaults.add(column);
    return as(null, 'sets the default of');
  }
  if (reader.accept('set', 'not', 'null')) return as(defaults.has(column) ? 'locks' : 'breaks', 'refuses null in');
  if (reader.accept('drop', 'not', 'null')) return as(null, 'allows null in');
  if (reader.accept('drop', 'default')) return as('breaks', 'drops the default of');
  if (reader.accept('set', 'statistics') || reader.accept('set', 'storage') || reader.accept('set', 'compression'))
    return as(null, 'changes how PostgreSQL stores');
  if (reader.accept('set', 'expression')) return as('rewrites', 'computes again');
  return as('breaks', 'changes');
}
