import type { AppError } from './errors.ts';

/**
 * Who may do something, as a condition over named facts about the target as the caller sees it. One declaration yields
 * both the SQL that lets a statement write (`permits`) and the error of a refusal (`decide`), so that the two cannot
 * differ.
 */

/** A fact's value, of a type that SQL and JavaScript share. */
type Scalar = string | number | boolean | null;

/** A row of facts: the columns of a target. */
export type Facts = Readonly<Record<string, unknown>>;

/** A condition over the columns of a target. An empty `and` is always true. */
export type Condition<Column extends string = string> =
  | { readonly kind: 'fact'; readonly column: Column }
  | { readonly kind: 'one-of'; readonly column: Column; readonly values: readonly Scalar[] }
  | { readonly kind: 'not'; readonly of: Condition<Column> }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition<Column>[] };

/** The column, a boolean, is true. Null counts as false. */
export function fact<Column extends string>(column: Column): Condition<Column> {
  return { kind: 'fact', column };
}

/** The column has one of these values; null is a value here. */
export function oneOf<Column extends string>(column: Column, values: readonly Scalar[]): Condition<Column> {
  return { kind: 'one-of', column, values };
}

export function not<Column extends string>(of: Condition<Column>): Condition<Column> {
  return { kind: 'not', of };
}

export function and<Column extends string>(...of: readonly Condition<Column>[]): Condition<Column> {
  return { kind: 'and', of };
}

export function or<Column extends string>(...of: readonly Condition<Column>[]): Condition<Column> {
  return { kind: 'or', of };
}

/** One requirement of a policy. `permission`: who may; `state`: which state the target must have. */
export interface Requirement<Row = Facts> {
  readonly about: 'permission' | 'state';
  readonly that: Condition<Extract<keyof Row, string>>;
  /** The error when it is not met; `field` is the argument that names the target. */
  readonly otherwise: (field: string, target: Row) => AppError;
}

/** Who may act on a target. Requirements are checked in order; the first that is not met gives the error. */
export interface Policy<Row = Facts> {
  /** The error when there is no target. */
  readonly missing: (field: string) => AppError;
  readonly requires: readonly Requirement<Row>[];
}

/** A requirement about the caller. */
export function permission<Row>(
  that: Condition<Extract<keyof Row, string>>,
  otherwise: Requirement<Row>['otherwise'],
): Requirement<Row> {
  return { about: 'permission', that, otherwise };
}

/** A requirement about the target, for every caller. */
export function state<Row>(
  that: Condition<Extract<keyof Row, string>>,
  otherwise: Requirement<Row>['otherwise'],
): Requirement<Row> {
  return { about: 'state', that, otherwise };
}

/** The policy's error for this target; null when it allows. `target` is null when there is none. */
export function decide<Row extends object>(policy: Policy<Row>, target: Row | null, field: string): AppError | null {
  if (target === null) return policy.missing(field);
  const failed = policy.requires.find(({ that }) => !holds(that, target as Facts));
  return failed ? failed.otherwise(field, target) : null;
}

/** Throws the policy's error; afterwards the target is known to exist. */
export function authorize<Row extends object>(
  policy: Policy<Row>,
  target: Row | null,
  field: string,
): asserts target is Row {
  const refused = decide(policy, target, field);
  if (refused) throw refused;
}

/** Whether the condition holds for a row. */
export function holds(condition: Condition, row: Facts): boolean {
  switch (condition.kind) {
    case 'fact':
      return row[condition.column] === true;
    case 'one-of':
      return condition.values.includes((row[condition.column] ?? null) as Scalar);
    case 'not':
      return !holds(condition.of, row);
    case 'and':
      return condition.of.every((each) => holds(each, row));
    case 'or':
      return condition.of.some((each) => holds(each, row));
  }
}

/** SQL: whether a row with the policy's columns is allowed; the twin of {@link decide}. */
export function permits(policy: Policy<never>): string {
  return policy.requires.length === 0 ? 'true' : policy.requires.map(({ that }) => conditionSql(that)).join(' and ');
}

function conditionSql(condition: Condition): string {
  switch (condition.kind) {
    case 'fact':
      return `coalesce(${quoted(condition.column)}, false)`;
    case 'one-of':
      return oneOfSql(condition.column, condition.values);
    case 'not':
      return `not ${conditionSql(condition.of)}`;
    case 'and':
      return condition.of.length === 0 ? 'true' : `(${condition.of.map(conditionSql).join(' and ')})`;
    case 'or':
      return condition.of.length === 0 ? 'false' : `(${condition.of.map(conditionSql).join(' or ')})`;
  }
}

function oneOfSql(column: string, values: readonly Scalar[]): string {
  const listed = values.filter((value) => value !== null).map(literal);
  const among = listed.length === 0 ? 'false' : `coalesce(${quoted(column)} in (${listed.join(', ')}), false)`;
  return values.includes(null) ? `(${quoted(column)} is null or ${among})` : among;
}

function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** The name of a column in SQL: facts keep the spelling they have in JavaScript. */
export function quoted(column: string): string {
  return `"${column}"`;
}

/** The distinct columns that a policy uses. */
export function columnsOf(policy: Policy<never>): string[] {
  return [...new Set(policy.requires.flatMap(({ that }) => columnsIn(that)))];
}

function columnsIn(condition: Condition): string[] {
  if (condition.kind === 'fact' || condition.kind === 'one-of') return [condition.column];
  return condition.kind === 'not' ? columnsIn(condition.of) : condition.of.flatMap(columnsIn);
}
