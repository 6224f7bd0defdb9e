import type { MutationRoot, OperationPlan, SubscriptionRoot } from '../plan/planner.ts';
import type { CredentialKind, Viewer } from '../register.ts';
import type { SubscriptionEvent } from '../schema/declarations.ts';
import { type Prepared, StatementBuilder, VIEWER } from '../statements/statement-builder.ts';
import type { Execution, ExecutionRequest } from './execution.ts';
import { PlannedMutation } from './mutation.ts';
import { ExecutionStep, type ExecutorOptions } from './step.ts';

/** Executes plans: all reads of a request in one round trip, mutations one after another. */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #viewerOnly = new Map<CredentialKind, Prepared>();

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /** Never rejects: why the whole request fails is in the result, errors of one root field are its value. */
  async execute(plan: OperationPlan, request: ExecutionRequest): Promise<Execution> {
    const step = this.#begin(request);
    try {
      if (plan.operation.kind === 'mutation') await this.#mutate(step, plan);
      else await step.read(plan.roots);
      step.end();
    } catch (error) {
      step.failure = { error };
    }
    return step;
  }

  /** Finds out who sends a request that is not executed. Rejects with the error of a credential that is not valid. */
  async identify(request: ExecutionRequest): Promise<Viewer | null> {
    const step = this.#begin(request);
    await step.identify();
    return step.viewer;
  }

  /**
   * Starts to follow what a subscription names; its messages are then executed one by one. Rejects where there is
   * nothing to follow.
   */
  async follow(
    root: SubscriptionRoot,
    request: ExecutionRequest,
  ): Promise<{ viewer: Viewer | null; events: AsyncIterable<SubscriptionEvent> }> {
    const step = this.#begin(request);
    await step.identify();
    step.require(root.key, root.access);
    // The time limit is for the start: what is followed lives as long as someone listens.
    const events = await root.plan.source(step.context(null), root.args(request.variables));
    return { viewer: step.viewer, events };
  }

  /**
   * Mutations run one after another (GraphQL section 6.2.2). After a fatal error the others are not tried: they have
   * the same one.
   */
  async #mutate(step: ExecutionStep, { roots }: OperationPlan): Promise<void> {
    let fatal: Error | null = null;
    for (const root of roots) {
      if (root.kind === 'invalid') step.values.set(root.key, root.error);
      if (root.kind !== 'mutation') continue;
      if (fatal) step.values.set(root.key, fatal);
      else await step.settle(root.key, () => this.#mutateOne(step, root));
      const value = step.values.get(root.key);
      if (value instanceof Error && step.ports.errors.isFatal(value)) fatal = value;
    }
    if (!fatal) await step.identify();
  }

  #mutateOne(step: ExecutionStep, root: MutationRoot): Promise<unknown> {
    const call = new PlannedMutation(step, root);
    const { aroundMutation } = step.request;
    return aroundMutation ? aroundMutation(call) : call.perform(true);
  }

  #begin(request: ExecutionRequest): ExecutionStep {
    return new ExecutionStep(this.#options, request, this.#viewerStatement(request.credential.kind));
  }

  #viewerStatement(kind: CredentialKind): Prepared {
    let prepared = this.#viewerOnly.get(kind);
    if (!prepared) {
      const builder = new StatementBuilder(this.#options.ports.viewer, kind);
      builder.column(`${VIEWER}.packed`);
      prepared = builder.build('viewer');
      this.#viewerOnly.set(kind, prepared);
    }
    return prepared;
  }
}
