import {
  type CommandScope,
  composeCommand as compose,
  refusalOf as refusal,
  type StatementCommand,
} from '@reelgraph/sql-planner';
import { POLICIES } from './ports.ts';

/** The SQL of a mutation's command, for those who send it in a transaction of their own. */
export function composeCommand<Input>(
  command: StatementCommand<never, Input>,
  input: Pick<CommandScope<Input>, 'value' | 'now'>,
) {
  return compose(command, input, POLICIES);
}

/** The error that a command's policy makes of what its statement returned; null where it was executed. */
export function refusalOf<Input>(
  command: StatementCommand<never, Input>,
  returned: Readonly<Record<string, unknown>>,
): Error | null {
  return refusal(command, returned, POLICIES);
}
