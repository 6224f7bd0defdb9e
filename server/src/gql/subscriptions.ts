import { type Limits, requestPoints } from './cost.ts';
import type { Operation } from './document-cache.ts';
import { documentError, type Faults } from './errors/render-errors.ts';
import type { Quota } from './limits/quota.ts';
import type { OperationRunner } from './operation-runner.ts';
import type { SubscriptionEvent } from './plan/declarations.ts';
import type { OperationPlan, Planner } from './plan/operation.ts';
import type { RequestContext } from './request-context.ts';
import { type Attempt, type GraphqlRequest, NO_VARIABLES, type SubscriptionMessage, type SubscriptionStart } from './requests.ts';
import type { ResponseBuilder } from './response-builder.ts';
import type { Variant } from './variant.ts';
import type { Viewer } from './viewer.ts';

interface SubscriptionParts {
  readonly clock: { now(): number };
  readonly limits: Limits;
  readonly planner: Planner;
  readonly quota: Quota;
  readonly runner: OperationRunner;
  readonly answers: ResponseBuilder;
  readonly onViewer: ((viewer: Viewer, nowMs: number) => void) | undefined;
}

/** Operations whose answer is a stream. */
export class Subscriptions {
  readonly #parts: SubscriptionParts;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** Begins a stream; it ends when the request's signal says that nobody listens. Throws what refuses the whole request. */
  async follow(attempt: Attempt, operation: Operation): Promise<SubscriptionStart> {
    const { request, payer, nowMs } = attempt;
    const { planner, limits, answers, runner, onViewer } = this.#parts;
    const refused = async (faults: Faults, cost = 0): Promise<SubscriptionStart> => ({
      kind: 'answer',
      result: await answers.invalid(attempt, faults, cost),
    });
    const { values, faults } = operation.coerce(request.variables ?? NO_VARIABLES);
    if (faults) return refused(faults);
    const variant = operation.variant(values);
    const plan = planner.plan(operation, variant, request.credential.kind, values);
    const cost = plan.cost + requestPoints(request);
    if (cost > limits.maxCost) return refused({ errors: [answers.costTooHigh(cost)] }, cost);
    payer.require(cost);
    const [root] = plan.roots;
    if (root?.kind === 'faulty') throw root.error;
    // Validation lets a subscription have exactly one root field.
    if (root?.kind !== 'subscription') return refused({ errors: [documentError('A subscription has one field.')] });
    const run = answers.begin(attempt);
    run.variables = values;
    run.lastEventId = request.lastEventId ?? null;
    const news = await runner.follow(run, root, request.credential);
    payer.settle(run.viewer, plan.fixedCost + requestPoints(request));
    if (run.viewer) onViewer?.(run.viewer, nowMs);
    const one: OperationPlan = { ...plan, roots: [{ kind: 'read', key: root.key, access: root.access, read: root.read }] };
    return { kind: 'stream', accountId: run.viewer?.accountId ?? null, messages: this.#messages(request, news, variant, one, values) };
  }

  /** Each message is a run of its own: the credential, the permission and what is visible are looked at every time. */
  async *#messages(
    request: GraphqlRequest,
    news: AsyncIterable<SubscriptionEvent>,
    variant: Variant,
    plan: OperationPlan,
    values: RequestContext['variables'],
  ): AsyncGenerator<SubscriptionMessage> {
    const { clock, quota, limits, answers, runner } = this.#parts;
    const begin = (): Attempt => {
      const nowMs = clock.now();
      return { request, nowMs, payer: quota.payer(request, nowMs) };
    };
    try {
      for await (const { cursor, item } of news) {
        const attempt = begin();
        const run = answers.begin(attempt);
        run.variables = values;
        run.item = item;
        await runner.run(run, plan, request.credential);
        const value = run.roots[plan.roots[0]?.key ?? ''];
        if (value instanceof Error) throw value;
        if (value == null) continue;
        const actual = plan.fixedCost + run.produced;
        // What happens is not the listener's doing: messages take what is left, and leave no debt.
        const available = attempt.payer.settle(run.viewer, Math.min(actual, Math.max(0, attempt.payer.available())));
        const executed = await variant.execute(run, request.variables ?? NO_VARIABLES);
        const cost = { requested: plan.cost, actual, available, restoreRate: limits.bucketRefillPerSecond };
        yield { cursor, body: answers.answer(request, executed, cost).body };
      }
    } catch (error) {
      yield { cursor: null, body: answers.failed(begin(), error).body };
    }
  }
}
