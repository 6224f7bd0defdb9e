import {
  composeCommand as compose,
  refusalOf as refusal,
  type StatementCommand,
  type TargetScope,
} from '@reelgraph/sql-planner';
import { POLICIES } from './ports.ts';
import type { RequestEnv } from './request-context.ts';

/** The SQL of a mutation's command, for callers with their own transaction. */
export function composeCommand<Input>(
  command: StatementCommand<never, Input>,
  input: Pick<TargetScope<Input>, 'value' | 'isGiven' | 'now' | 'credential'>,
) {
  return compose(command, input, POLICIES);
}

/** The error of a command's policy for the row that its statement returned; null when it was executed. */
export function refusalOf<Input>(
  command: StatementCommand<never, Input>,
  returned: Readonly<Record<string, unknown>>,
  given: { readonly input: Input; readonly env: RequestEnv },
): Error | null {
  return refusal(command, returned, POLICIES, given);
}
