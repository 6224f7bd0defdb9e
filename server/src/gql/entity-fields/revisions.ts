import { isDeepStrictEqual } from 'node:util';
import type {
  FieldDeclaration,
  FieldFactory,
  InputBuilder,
  StatementCommand,
  TargetScope,
} from '@reelgraph/sql-planner';
import { AppError, type Conflict } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { fact, not, type Policy, type Requirement, state } from '../../kernel/policy.ts';
import type { RequestEnv } from '../request-context.ts';
import type { EntityField, EntityFields } from './entity-field.ts';

/** Input of an update, with the revision that it is based on. */
export interface RevisionInput {
  readonly ifRevision?: Maybe<number>;
}

/** The same, prepared; null: any. */
export interface BasedOn {
  readonly ifRevision: number | null;
}

/** The output field `revision`. */
export function revisionField(f: FieldFactory, sql = (row: string) => `${row}.revision`): FieldDeclaration {
  return f.column({
    type: 'Int',
    description: 'Number of its present values, which increases when one of them is edited; for ifRevision of updates.',
    sql: (s) => sql(s.t),
  });
}

/** The input field `ifRevision`. */
export function ifRevisionField(builder: InputBuilder, of = 'the object') {
  return builder.int({
    description:
      `The revision of ${of} that the changes are based on. If it has another one by now, nothing is changed and ` +
      'the error is CONFLICT, with the present values. Default: any.',
  });
}

/** What a revised command compares. */
interface Revised<Input> {
  /** Alias of the edited row in the target's SQL, which locks it. */
  readonly row: string;
  /** SQL of its revision; default: its column. */
  readonly revision?: string;
  readonly fields: EntityFields;
  /** The stored values that the input sets. */
  readonly changes: (input: Input) => Readonly<Record<string, unknown>>;
  /** SQL of present values that are stored elsewhere, by field. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

const FACTS = ['revision', 'present'];

interface RevisionFacts {
  readonly isOutdated: boolean;
  readonly revision: number;
  /** Present stored values by field, of an outdated update. */
  readonly present: Readonly<Record<string, unknown>>;
}

const IS_CURRENT: Requirement = state(not(fact('isOutdated')), (_, target) => {
  const { revision, present } = target as unknown as RevisionFacts; // `revised` selects them
  return conflict({ revision, fields: Object.entries(present).map(([field, value]) => ({ field, value })) });
});

/**
 * An update that is refused with CONFLICT when it is based on an earlier revision than the present one (ADR 0132). The
 * caller's permission is decided before.
 */
export function revised<Args, Input extends BasedOn>(
  { row, revision = `${row}.revision`, fields, changes, elsewhere = {} }: Revised<Input>,
  command: StatementCommand<Args, Input>,
): StatementCommand<Args, Input> {
  const policy = command.policy as Policy; // the facts below are among the target's
  const facts = (s: TargetScope<Input>) => {
    if (!s.isGiven(({ ifRevision }) => ifRevision ?? undefined))
      return { isOutdated: 'false', revision, present: 'null::jsonb' };
    const isOutdated = `${s.value(({ ifRevision }) => ifRevision, 'integer')} <> ${revision}`;
    return {
      isOutdated: `coalesce(${isOutdated}, false)`,
      revision,
      present: `case when ${isOutdated} then ${jsonOf({ ...columnsOf(row, fields), ...elsewhere })} end`,
    };
  };
  return {
    ...command,
    target: {
      ...command.target,
      columns: (s) => ({ ...command.target.columns(s), ...facts(s) }),
      errorColumns: [...(command.target.errorColumns ?? []), ...FACTS],
    },
    policy: { ...policy, requires: [...policy.requires, IS_CURRENT] },
    refused: (error, input, env) =>
      error instanceof AppError && error.conflict
        ? conflict(differing(error.conflict, fields, changes(input), env as RequestEnv))
        : error,
  };
}

/**
 * For commands with a transaction that has locked the row.
 * @throws AppError CONFLICT when the update is based on another revision than the present one.
 */
export function requireRevision(
  { ifRevision }: RevisionInput,
  { revision, ...present }: PresentValues,
  fields: EntityFields,
  changes: Readonly<Record<string, unknown>>,
  env: Pick<RequestEnv, 'nowIso'>,
): void {
  if (ifRevision == null || ifRevision === revision) return;
  const all = Object.entries(present).map(([field, value]) => ({ field, value }));
  throw conflict(differing({ revision, fields: all }, fields, changes, env));
}

/** INVALID_INPUT for a revision of something new. */
export function refuseRevision({ ifRevision }: RevisionInput): void {
  if (ifRevision == null) return;
  throw new AppError('INVALID_INPUT', t`What is new has no revision.`, {
    field: 'input.ifRevision',
    suggestedFix: t`Omit ifRevision; send it with updates.`,
  });
}

/** Stored values by field, with their revision. */
export type PresentValues = Readonly<Record<string, unknown>> & { readonly revision: number };

/** SQL: the {@link PresentValues} of a row, as JSON. */
export function presentValues(row: string, fields: EntityFields): string {
  return jsonOf({ revision: `${row}.revision`, ...columnsOf(row, fields) });
}

function jsonOf(values: Readonly<Record<string, string>>): string {
  return `jsonb_build_object(${Object.entries(values)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')})`;
}

/** SQL: the stored values of the fields, by name. */
function columnsOf(row: string, fields: EntityFields): Record<string, string> {
  const stored = Object.entries(fields).filter(([, { column }]) => column !== null);
  return Object.fromEntries(stored.map(([name, { column }]) => [name, `${row}.${column}`]));
}

/** The fields that were sent and have another present value, as the API shows it. */
function differing(
  { revision, fields: present }: Conflict,
  fields: EntityFields,
  changes: Readonly<Record<string, unknown>>,
  env: Pick<RequestEnv, 'nowIso'>,
): Conflict {
  const isSent = ({ field, value }: Conflict['fields'][number]) =>
    changes[field] !== undefined && !isDeepStrictEqual(changes[field], value);
  return {
    revision,
    fields: present.filter(isSent).map(({ field, value }) => ({
      field: `input.${field}`,
      value: value === null ? null : shown(fields[field], value, env),
    })),
  };
}

function shown(field: EntityField<never, unknown, never> | undefined, value: unknown, env: object): unknown {
  return field?.show ? field.show(value as never, env as never) : value; // those of the field
}

function conflict(found: Conflict): AppError {
  const { revision } = found;
  return new AppError(
    'CONFLICT',
    t`It was changed after the revision that you sent; its revision is ${revision} now.`,
    {
      field: 'input.ifRevision',
      conflict: found,
    },
  );
}
