import { type Args, type ArgValues, type MutationOptions, Graph as PlannerGraph } from '@reelgraph/sql-planner';
import type { KeySpending } from '../kernel/key-budgets.ts';
import type { Policy } from '../kernel/policy.ts';

/** What a mutation of the platform may declare besides. */
interface PlatformMutation<A extends Args> {
  /** The policies that `command` decides by. */
  readonly policies?: readonly Policy<never>[];
  /** What a call with a key takes from the account's usage limits. */
  readonly spends?: (args: ArgValues<A>) => readonly KeySpending[];
  /** Reports and waits: what keys do with it is not written to the audit log. */
  readonly unrecorded?: true;
}

/**
 * The schema of the platform: identifiers are DIDs, mutations declare their policies and what they take from usage
 * limits.
 */
export class Graph extends PlannerGraph {
  constructor() {
    super({ name: 'DID', description: 'Decentralized identifier, did:<namespace>:<type>/<id>.' });
  }

  override mutation<A extends Args = Args, Input = unknown>(
    name: string,
    { policies = [], spends, unrecorded, ...options }: MutationOptions<A, Input> & PlatformMutation<A>,
  ): void {
    super.mutation(name, options, {
      // The declared arguments are what arrives.
      spends: spends as ((args: never) => readonly KeySpending[]) | undefined,
      isRecorded: unrecorded !== true,
      policies: options.statement ? [options.statement.policy] : policies,
    });
  }
}
