import {
  composeCommand,
  type RequestEnv,
  refusalOf,
  type StatementCommand,
  type ViewerScope,
  viewerRow,
} from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';
import { SCOPED } from '../../channels/index.ts';

/** What the statement returned of the command's target. */
type Facts = Readonly<Record<string, unknown>>;

/** A single-statement command that is run several times in one transaction, for a viewer that has the permission. */
export type RepeatedCommand<Args> = (tx: Executor, viewer: ViewerScope, args: Args, env: RequestEnv) => Promise<Facts>;

/**
 * Runs the statement of a mutation on one object for a bulk mutation. Each run throws the command's errors; a refused
 * run changes nothing, so the others in the transaction remain.
 */
export function repeatedly<Args, Input>(label: string, command: StatementCommand<Args, Input>): RepeatedCommand<Args> {
  if (command.parse) throw new TypeError(`${label} reads long texts, which bulk mutations do not take`);
  const { statement, reads } = compile(label, command);
  return async (tx, viewer, args, env) => {
    const input = command.prepare(args, env);
    const row = await tx.first<Facts>(statement, [viewer, ...reads.map((read) => read(input, env) ?? null)]);
    const refused = refusalOf(command, row ?? {}, { input, env });
    if (refused) throw refused;
    return row ?? {};
  };
}

type Read<Input> = (input: Input, env: RequestEnv) => unknown;

function compile<Args, Input>(
  label: string,
  command: StatementCommand<Args, Input>,
): { statement: Statement; reads: Read<Input>[] } {
  const reads: Read<Input>[] = [];
  const value = (read: Read<Input>, cast?: string) =>
    `$${reads.push(read) + 1}${cast === undefined ? '' : `::${cast}`}`;
  const composed = composeCommand(command, {
    value,
    isGiven: () => true, // one text for all inputs
    now: value((_, env) => env.nowIso, 'timestamptz'),
    credential: SCOPED.credential,
  });
  const ctes = composed.ctes.map(([name, text]) => `${name} as (${text})`);
  const returns = composed.returns.map(([name, text]) => `${text} as "${name}"`);
  const text = `with allowed as (select v.*, a.primary_channel_id as channel_id, a.username
    from ${viewerRow('$1')} join accounts a on a.id = v.account_id),
    ${ctes.join(', ')} select ${returns.join(', ')} from (select) one left join target on true`;
  return { statement: sql(label, text), reads };
}
