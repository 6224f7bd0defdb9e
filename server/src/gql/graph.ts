import {
  type Args,
  type ArgValues,
  type MutationOptions,
  Graph as PlannerGraph,
  type QueryKeysOptions,
  type QueryResolveOptions,
  type SubscriptionEvent,
  type SubscriptionOptions,
} from '@reelgraph/sql-planner';
import { ERROR_CATALOGUE } from '../kernel/errors.ts';
import type { UsageCharge } from '../kernel/key-budgets.ts';
import type { Policy } from '../kernel/policy.ts';
import type { ResolverContext, SourceContext } from './request-context.ts';

/** Additional declarations of a mutation. */
interface PlatformMutation<A extends Args> {
  /** The policies of `command`. */
  readonly policies?: readonly Policy<never>[];
  /** The usage that a call with a key is charged. */
  readonly charges?: (args: ArgValues<A>) => readonly UsageCharge[];
  /** Omits calls with a key from the audit log; for reports and waits. */
  readonly unrecorded?: true;
}

/** A field that is resolved by hand. */
interface ResolvedField<A extends Args> extends Omit<QueryResolveOptions<A>, 'resolve'> {
  readonly resolve: (context: ResolverContext, args: ArgValues<A>) => unknown;
}

/** A list that is resolved by hand. */
interface ResolvedKeys extends Omit<QueryKeysOptions, 'keys' | 'read'> {
  readonly keys: (context: ResolverContext) => Promise<readonly string[]>;
  readonly read: (context: ResolverContext, keys: readonly string[]) => Promise<ReadonlyMap<string, object>>;
}

/** The source of its messages is resolved by hand, too; the messages are planned reads. */
interface Followed<A extends Args> extends Omit<SubscriptionOptions<A>, 'source'> {
  readonly source: (context: SourceContext, args: ArgValues<A>) => Promise<AsyncIterable<SubscriptionEvent>>;
}

/** The schema of the platform: identifiers are DIDs, mutations declare their policies and their usage. */
export class Graph extends PlannerGraph {
  #errorCode: ErrorCodeRef | undefined;

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

  /** The enum of all codes of errors, for those in data. */
  get ErrorCode(): ErrorCodeRef {
    this.#errorCode ??= declareErrorCode(this);
    return this.#errorCode;
  }

  /** A query that is resolved by hand: it knows the viewer by its scope, not the account. */
  override queryResolve<A extends Args = Args>(name: string, options: ResolvedField<A>): void {
    super.queryResolve<A>(name, options);
  }

  /** A list of what is not in the database. */
  override queryKeys(name: string, options: ResolvedKeys): void {
    super.queryKeys(name, options);
  }

  /** A subscription, whose source knows the viewer by its scope. */
  override subscription<A extends Args = Args>(name: string, options: Followed<A>): void {
    super.subscription<A>(name, options);
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

function declareErrorCode(graph: PlannerGraph) {
  const codes = Object.entries(ERROR_CATALOGUE).map(([code, { message }]) => [code, { description: message }]);
  return graph.builder.enumType('ErrorCode', {
    description: 'Code of an error, as in extensions.code; each has a page below /docs/errors.',
    values: Object.fromEntries(codes),
  });
}

type ErrorCodeRef = ReturnType<typeof declareErrorCode>;
