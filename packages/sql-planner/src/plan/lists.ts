import type { ErrorPort } from '../ports.ts';
import type { ArgShape, ConnectionPlan, Direction, Groups, ListOrder, ListScope } from '../schema/declarations.ts';
import { CursorCodec } from '../statements/cursor.ts';
import type { StatementBuilder } from '../statements/statement-builder.ts';
import type { StatementInput } from '../statements/statement-input.ts';
import type { FieldArguments } from './arguments.ts';
import { type Page, readCursor } from './page.ts';
import { type Position, scopeOf } from './position.ts';

/** A root field is planned by itself: its statement has one shared relation at most. */
const SHARED = 'shared';
/** The column of an entry's place in a numbered list. */
export const PLACE = 'list_place';

/** A list at one place of a document: what its SQL is made of. */
export class ListSource {
  readonly plan: ConnectionPlan;
  readonly page: Page;
  readonly codec: CursorCodec;
  readonly #args: FieldArguments;
  readonly #direction: Direction;
  readonly #within: Groups | undefined;
  readonly #table: string;
  readonly #parent: Pick<Position, 'alias' | 'owner'>;
  readonly #errors: ErrorPort;
  /**
   * Statements that have the shared relation: a list is joined again where another one below the same row has a
   * statement of its own.
   */
  readonly #sharing = new Set<StatementBuilder>();

  /** `parent` is the row that the list belongs to. */
  constructor(
    plan: ConnectionPlan,
    args: FieldArguments,
    page: Page,
    table: string,
    parent: Pick<Position, 'alias' | 'owner'>,
    errors: ErrorPort,
  ) {
    this.#errors = errors;
    this.plan = plan;
    this.page = page;
    this.#args = args;
    this.#table = table;
    this.#parent = parent;
    this.#direction = directionOf(plan.order, args);
    this.#within = typeof plan.within === 'function' ? plan.within(args) : plan.within;
    const order = this.#order('x');
    // Where arguments decide on the order, a cursor is of no use in another one.
    const list = plan.order.by.length > 1 ? `${plan.list} by ${order.join()} ${this.#direction}` : plan.list;
    this.codec = new CursorCodec(list, order.length);
  }

  total(builder: StatementBuilder): string {
    return this.plan.total(this.#scope(builder), this.#args.scope(builder));
  }

  /**
   * Joins the page as `alias`, empty unless `visible` is true; all columns of the table are there, PostgreSQL drops
   * what nothing selects.
   */
  join(builder: StatementBuilder, alias: string, limit: number, level: number, visible?: string): void {
    builder.join(`left join lateral (${this.rows(builder, alias, limit, visible)}) ${alias} on true`, level);
    this.keepOrder(builder, alias);
  }

  /** The page as a query, for a subquery that has `alias` for it. */
  rows(builder: StatementBuilder, alias: string, limit: number, visible?: string): string {
    const { visibleIf, complete } = this.plan;
    const columns = this.#order(alias);
    const { after, before, forward } = this.page;
    const conditions = [`(${this.plan.where(alias, this.#scope(builder), this.#args.scope(builder))})`];
    if (visible) conditions.push(visible);
    if (visibleIf) conditions.push(`(${visibleIf(this.#scope(builder), this.#args.scope(builder))})`);
    if (this.#within) conditions.push(`(${this.#within.on(alias, `${alias}g.id`)})`);
    if (after) conditions.push(this.#compare(builder, alias, 'after', this.#ascending ? '>' : '<'));
    if (before) conditions.push(this.#compare(builder, alias, 'before', this.#ascending ? '<' : '>'));
    const place = this.plan.numbered ? `, ${this.#place(builder, alias)} as ${PLACE}` : '';
    const rows = `select ${alias}.*${place} from ${this.#from(builder)} ${alias} where ${conditions.join(' and ')}`;
    const order = orderBy(this.#direction, columns, !forward);
    const page = this.#within
      ? this.#merged(builder, alias, { rows, order, limit })
      : `${rows} order by ${order} limit ${limit}`;
    return complete ? complete(page) : page;
  }

  /** Whether `rows` are in the order of the list, and not from its other end. */
  get isOrdered(): boolean {
    return this.page.forward && !this.plan.complete;
  }

  /** The order of the rows must not depend on how PostgreSQL joins them. */
  keepOrder(builder: StatementBuilder, alias: string): void {
    builder.order(orderBy(this.#direction, this.#order(alias), false));
  }

  /**
   * The first of the pages of all groups. A group whose first entry is not among the first of all groups has nothing to
   * add.
   */
  #merged(
    builder: StatementBuilder,
    alias: string,
    { rows, order, limit }: { rows: string; order: string; limit: number },
  ): string {
    const group = `${alias}g`;
    const merge = (what: string, groups: string, each: number) =>
      `select ${what} from (${groups}) ${group} cross join lateral (${rows} order by ${order} ` +
      `limit ${each}) ${alias} order by ${order} limit ${limit}`;
    const groups = this.#groups(builder);
    return merge(`${alias}.*`, this.#within?.many ? merge(`${group}.id`, groups, 1) : groups, limit);
  }

  #groups(builder: StatementBuilder): string {
    return this.#within?.of(this.#scope(builder), this.#args.scope(builder)) ?? '';
  }

  /**
   * The place of an entry in the whole list, from 0: counted within the page, plus the entries in front of it. Those
   * are counted once per page; where nothing selects the place, PostgreSQL drops it all.
   */
  #place(builder: StatementBuilder, alias: string): string {
    const { after, before, forward } = this.page;
    const up = this.#ascending;
    const row = `row_number() over (order by ${orderBy(this.#direction, this.#order(alias), !forward)})`;
    if (forward)
      return after ? `${this.#count(builder, `${alias}n`, 'after', up ? '<=' : '>=')} + ${row} - 1` : `${row} - 1`;
    return `${this.#count(builder, `${alias}n`, before ? 'before' : null, up ? '<' : '>')} - ${row}`;
  }

  /** How many entries lie on one side of a cursor, or are in the list at all. */
  #count(builder: StatementBuilder, alias: string, cursor: 'after' | 'before' | null, operator: string): string {
    const where = `(${this.plan.where(alias, this.#scope(builder), this.#args.scope(builder))})`;
    const side = cursor === null ? '' : ` and ${this.#compare(builder, alias, cursor, operator)}`;
    return `(select count(*) from ${this.#from(builder)} ${alias} where ${where}${side})`;
  }

  /**
   * Whether the list has entries that a cursor keeps out of the page: those up to `after`, or those from `before` on.
   */
  beyond(builder: StatementBuilder, alias: string, argument: 'after' | 'before'): string {
    const operator = (argument === 'after') === this.#ascending ? '<=' : '>=';
    const where = this.plan.where(alias, this.#scope(builder), this.#args.scope(builder));
    const from = this.#within
      ? `(${this.#groups(builder)}) ${alias}g join ${this.#from(builder)} ${alias} on ` +
        `${this.#within.on(alias, `${alias}g.id`)}`
      : `${this.#from(builder)} ${alias}`;
    return `exists (select 1 from ${from} where (${where}) and ${this.#compare(builder, alias, argument, operator)})`;
  }

  /** Refuses cursors of other lists where nothing that is selected reads them. */
  check(builder: StatementBuilder): void {
    for (const argument of ['after', 'before'] as const) {
      if (!this.page[argument]) continue;
      const read = this.#args.reader(argument);
      const decode = this.#reader(argument);
      builder.check((input) => void decode(read(input.variables), input));
    }
  }

  /** Order values of a row as PostgreSQL writes them, for cursors. */
  cursorColumns(alias: string): string[] {
    return this.#order(alias).map((sql) => `(${sql})::text`);
  }

  #order(alias: string): readonly string[] {
    return this.plan.order.by(alias, this.#args);
  }

  /** A row comparison with the values of a cursor argument. */
  #compare(builder: StatementBuilder, alias: string, argument: 'after' | 'before', operator: string): string {
    const read = this.#args.reader(argument);
    const decode = this.#reader(argument);
    const columns = this.#order(alias);
    const placeholders = columns.map((_, index) =>
      builder.cursorParam((input) => decode(read(input.variables), input)[index]),
    );
    return `(${columns.join(', ')}) ${operator} (${placeholders.join(', ')})`;
  }

  #reader(argument: string): CursorReader {
    const decode = cursorReader(this.codec, argument, this.#errors);
    const { checkCursor } = this.plan;
    if (!checkCursor) return decode;
    return (cursor, input) => {
      const values = decode(cursor, input);
      checkCursor(values, input.env, argument);
      return values;
    };
  }

  get #ascending(): boolean {
    return this.#direction === 'asc';
  }

  #from(builder: StatementBuilder): string {
    const { from } = this.plan;
    return typeof from === 'function' ? from(this.#scope(builder), this.#args.scope(builder)) : (from ?? this.#table);
  }

  #scope(builder: StatementBuilder): ListScope {
    const rows = scopeOf(builder, this.#parent.alias, this.#parent.owner);
    return { ...rows, shared: this.plan.shared ? this.#shared(builder, this.plan.shared) : '' };
  }

  /** Puts the shared query into the statement when it is first used. */
  #shared(builder: StatementBuilder, query: NonNullable<ConnectionPlan['shared']>): string {
    if (!this.#sharing.has(builder)) {
      this.#sharing.add(builder);
      const rows = scopeOf(builder, this.#parent.alias, this.#parent.owner);
      builder.cte(SHARED, `materialized (${query(rows, this.#args.scope(builder))})`);
    }
    return SHARED;
  }
}

type CursorReader = (cursor: unknown, input: StatementInput) => string[];

/** Several placeholders read one cursor: it is decoded once per value of the argument. */
function cursorReader(codec: CursorCodec, argument: string, errors: ErrorPort): CursorReader {
  let lastCursor: unknown;
  let lastValues: string[] = [];
  return (cursor) => {
    if (cursor === lastCursor) return lastValues;
    lastValues = readCursor(codec, argument, cursor, errors);
    lastCursor = cursor;
    return lastValues;
  };
}

/** The direction of all columns of an order: newest first by default. */
export function directionOf({ direction = 'desc' }: ListOrder, args: ArgShape): Direction {
  return typeof direction === 'function' ? direction(args) : direction;
}

/** ORDER BY terms, from the other end when `reversed`. */
export function orderBy(direction: Direction, columns: readonly string[], reversed: boolean): string {
  const actual = (direction === 'asc') === reversed ? 'desc' : 'asc';
  return columns.map((column) => `${column} ${actual}`).join(', ');
}
