import type { Access } from '../../kernel/permissions.ts';
import type { Run } from '../run.ts';
import { namedStatement } from '../sql.ts';
import { plansAllowing } from '../viewer.ts';
import type { PlanningContext } from './compile.ts';
import type { CommandScope, StatementCommand } from './declarations.ts';
import type { Row } from './shape.ts';
import { type Prepared, type Read, viewerCte } from './statement-builder.ts';

/** A statement command with the names of what it tells. */
export interface CommandPlanned {
  readonly prepared: Prepared;
  /** The outcome by name. */
  outcome(row: Row): Record<string, unknown>;
}

/** Puts the command's CTEs behind `viewer` and `allowed`; column 0 is the packed viewer. */
export function planCommand(
  context: PlanningContext,
  name: string,
  access: Access,
  command: StatementCommand<never, never>,
): CommandPlanned {
  const reads: Read[] = [];
  const param = (read: Read) => `$${reads.push(read)}`;
  const viewer = viewerCte(context.viewerSource, context.credential, param);
  let now: string | undefined;
  const scope: CommandScope<never> = {
    viewer: 'viewer',
    allowed: 'allowed',
    value: (read, cast) => {
      // `input` is what prepare made in this very run.
      const placeholder = param((run: Run) => read(run.input as never, run) ?? null);
      return cast === undefined ? placeholder : `${placeholder}::${cast}`;
    },
    get now() {
      now ??= `${param((run) => run.nowIso)}::timestamptz`;
      return now;
    },
  };
  const allowed = `allowed as materialized (select u.* from viewer u where ${allowedIf(access, context, param, scope)})`;
  const ctes = Object.entries(command.ctes(scope)).map(([cte, text]) => `${cte} as (${text})`);
  const returns = Object.entries(command.returns(scope));
  const columns = ['v.packed', ...returns.map(([, sql]) => `(${sql})`)];
  const text = `with ${[viewer, allowed, ...ctes].join(', ')} select ${columns.join(', ')} from viewer v`;
  return {
    prepared: { statement: namedStatement(`Mutation.${name}`, text), reads },
    outcome: (row) => Object.fromEntries(returns.map(([key], index) => [key, row[index + 1]])),
  };
}

function allowedIf(access: Access, context: PlanningContext, param: (read: Read) => string, scope: CommandScope<never>): string {
  if (access === 'public') return 'u.account_id is not null';
  const { always, whileCurrent } = plansAllowing(access, context.credential);
  const plans = (list: readonly string[]) => `u.plan = any(${param(() => list)}::text[])`;
  if (always.length > 0) return plans(always);
  return `${plans(whileCurrent)} and u.access_until > ${scope.now}`;
}
