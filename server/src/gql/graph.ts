import { type Args, type ArgValues, type MutationOptions, Graph as PlannerGraph } from '@reelgraph/sql-planner';
import type { UsageCharge } from '../kernel/key-budgets.ts';
import type { Policy } from '../kernel/policy.ts';

/** Additional declarations of a mutation. */
interface PlatformMutation<A extends Args> {
  /** The policies of `command`. */
  readonly policies?: readonly Policy<never>[];
  /** The usage that a call with a key is charged. */
  readonly charges?: (args: ArgValues<A>) => readonly UsageCharge[];
  /** Omits calls with a key from the audit log; for reports and waits. */
  readonly unrecorded?: true;
}

/** The schema of the platform: identifiers are DIDs, mutations declare their policies and their usage. */
export class Graph extends PlannerGraph {
  constructor() {
    super(
      {
        name: 'DID',
        description: 'Decentralized identifier, did:<namespace>:<type>/<id>.',
        acceptsVariablesOf: ['ID', 'String', 'IngestionID'],
      },
      [
        {
          name: 'IngestionID',
          description: 'DID of an upload.',
          acceptsVariablesOf: ['DID', 'ID', 'String'],
        },
      ],
    );
  }

  override mutation<A extends Args = Args, Input = unknown>(
    name: string,
    { policies = [], charges, unrecorded, ...options }: MutationOptions<A, Input> & PlatformMutation<A>,
  ): void {
    super.mutation(name, options, {
      // The declared arguments are what arrives.
      charges: charges as ((args: never) => readonly UsageCharge[]) | undefined,
      isRecorded: unrecorded !== true,
      policies: options.statement ? [options.statement.policy] : policies,
    });
  }
}
