import {
  type ExecutionRequest,
  type Executor,
  type OperationPlan,
  respond,
  type SubscriptionEvent,
  type Variables,
} from '@reelgraph/sql-planner';
import { invalidCredential } from './errors/error-kinds.ts';
import {
  type Attempt,
  type GraphqlRequest,
  NO_VARIABLES,
  type PlannedRequest,
  type SubscriptionMessage,
} from './requests.ts';
import type { ResponseBuilder } from './response-builder.ts';
import type { Credential, Viewer } from './viewer.ts';

interface SubscriptionOptions {
  readonly executor: Executor;
  readonly responses: ResponseBuilder;
  /** What is known about a credential that is not valid; else the error itself. */
  readonly explain: (request: GraphqlRequest, error: unknown) => Promise<unknown>;
  /** Starts a message, as a request of the current time. */
  readonly begin: (request: GraphqlRequest) => Attempt;
  readonly requestOf: (attempt: Attempt, variables: Variables, details: MessageDetails) => ExecutionRequest;
  /** Calls `refused` once, when the credential is no longer valid. Returns what ends that. */
  readonly watch: (credential: Credential, refused: () => void) => () => void;
}

interface MessageDetails {
  readonly item?: SubscriptionEvent['item'] | undefined;
  /** Ends the stream, besides the signal of its request. */
  readonly end?: AbortSignal | undefined;
}

/** Operations whose response is a stream. */
export class Subscriptions {
  readonly #options: SubscriptionOptions;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** Begins a stream; it ends when the request's signal is aborted. Rejects with what refuses the whole request. */
  async follow(
    attempt: Attempt,
    { plan, variables, extraPoints }: PlannedRequest,
  ): Promise<{ viewer: Viewer | null; messages: AsyncIterable<SubscriptionMessage> }> {
    const { executor, requestOf } = this.#options;
    const [root] = plan.roots;
    if (root?.kind === 'invalid') throw root.error;
    // Validation lets a subscription have exactly one root field.
    if (root?.kind !== 'subscription') throw new TypeError('A subscription has one field');
    const refused = new AbortController();
    const { viewer, events } = await executor.follow(root, requestOf(attempt, variables, { end: refused.signal }));
    attempt.payer.settle(viewer, plan.fixedCost + extraPoints);
    const message: OperationPlan = {
      ...plan,
      roots: [{ kind: 'read', key: root.key, access: root.access, read: root.read }],
    };
    return { viewer, messages: this.#messages(attempt.request, { events, refused }, message, variables) };
  }

  /**
   * Each message is executed separately: credential, permission and visibility are checked every time, and the
   * credential also while there are none.
   */
  async *#messages(
    request: GraphqlRequest,
    { events, refused }: { readonly events: AsyncIterable<SubscriptionEvent>; readonly refused: AbortController },
    plan: OperationPlan,
    variables: Variables,
  ): AsyncGenerator<SubscriptionMessage> {
    const { executor, responses, begin, requestOf, explain, watch } = this.#options;
    const { credential } = request;
    const unwatch = watch(credential, () => refused.abort());
    try {
      for await (const { cursor, item } of events) {
        const attempt = begin(request);
        const execution = await executor.execute(plan, requestOf(attempt, variables, { item }));
        if (execution.failure) throw execution.failure.error;
        const value = execution.values.get(plan.roots[0]?.key ?? '');
        if (value instanceof Error) throw value;
        if (value == null) continue;
        const actual = plan.fixedCost + execution.points;
        // Events are not caused by the listener: messages take the available points, without a debt.
        const available = attempt.payer.settle(
          execution.viewer,
          Math.min(actual, Math.max(0, attempt.payer.available())),
        );
        const result = await respond(plan, execution, request.variables ?? NO_VARIABLES);
        yield { cursor, body: responses.executed(request, result, { requested: plan.cost, actual, available }).body };
      }
      if (refused.signal.aborted) throw invalidCredential(credential.kind);
    } catch (error) {
      yield { cursor: null, body: responses.failed(begin(request), await explain(request, error)).body };
    } finally {
      unwatch();
    }
  }
}
