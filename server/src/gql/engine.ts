import type { GraphQLError, GraphQLSchema } from 'graphql';
import { AppError } from '../kernel/errors.ts';
import { DEFAULT_LIMITS, type Limits, listPoints, requestPoints } from './cost.ts';
import { DocumentCache, type Operation } from './document-cache.ts';
import { isStopped } from './errors/error-kinds.ts';
import { codeOf, documentError, type Faults } from './errors/render-errors.ts';
import type { IdempotencyKeys } from './idempotency/idempotency-keys.ts';
import { IdempotentMutations } from './idempotency/idempotent-mutations.ts';
import { Quota } from './limits/quota.ts';
import type { UsageLimits } from './limits/usage-limits.ts';
import { OperationRunner } from './operation-runner.ts';
import { type MutationRoot, type OperationPlan, Planner } from './plan/operation.ts';
import type { EngineEnv, RequestContext, Services } from './request-context.ts';
import {
  type Attempt,
  asAnonymous,
  type CostReport,
  type GraphqlRequest,
  type GraphqlResult,
  NO_VARIABLES,
  type SubscriptionStart,
} from './requests.ts';
import { ResponseBuilder } from './response-builder.ts';
import type { SqlClient } from './sql.ts';
import { Subscriptions } from './subscriptions.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import type { Authorize, Viewer, ViewerSource } from './viewer.ts';

export interface EngineOptions {
  readonly schema: GraphQLSchema;
  readonly db: SqlClient;
  readonly clock: { now(): number };
  readonly viewerSource: ViewerSource;
  readonly authorize: Authorize;
  readonly env: EngineEnv;
  readonly services: Services;
  readonly trustedDocuments?: TrustedDocuments;
  readonly limits?: Partial<Limits>;
  readonly log: { error(context: object, message: string): void };
  /** Without it, requests with an idempotency key are refused. */
  readonly idempotencyKeys?: IdempotencyKeys;
  /** Holds keys to budgets and writes down what they do. */
  readonly usageLimits?: UsageLimits;
  /** Told of every request that proved itself, for `last used`. Must not throw. */
  readonly onViewer?: (viewer: Viewer, nowMs: number) => void;
}

export interface Engine {
  readonly schema: GraphQLSchema;
  /** Runs one operation. Never rejects: every failure is in the result. */
  execute(request: GraphqlRequest): Promise<GraphqlResult>;
  /**
   * Runs one operation whose answer may be a stream; it ends when the request's signal says that nobody listens. Neither this nor
   * the stream rejects: an error is the last message.
   */
  subscribe(request: GraphqlRequest): Promise<SubscriptionStart>;
  /** Points an account has left, for the rateLimit query. */
  quotaOf(accountId: string): { limit: number; remaining: number; restoreRate: number; resetAtMs: number };
  /** Documents and plans kept, for metrics. */
  readonly statistics: { documents: number; plans: number };
  /** Cost of a request that was refused before it came here. */
  readonly noCost: CostReport;
}

/** The whole of GraphQL as one function: finds the document's plan, runs it, builds the answer. */
export function createEngine(options: EngineOptions): Engine {
  return new PlannedEngine(options);
}

class PlannedEngine implements Engine {
  readonly schema: GraphQLSchema;
  readonly #options: EngineOptions;
  readonly #limits: Limits;
  readonly #documents: DocumentCache;
  readonly #planner: Planner;
  readonly #quota: Quota;
  readonly #runner: OperationRunner;
  readonly #answers: ResponseBuilder;
  readonly #subscriptions: Subscriptions;
  readonly #onceOnly: IdempotentMutations;

  constructor(options: EngineOptions) {
    this.schema = options.schema;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#documents = new DocumentCache(options.schema, this.#limits);
    this.#planner = new Planner(options.viewerSource);
    this.#quota = new Quota(this.#limits);
    this.#runner = new OperationRunner(options, this.#limits.timeoutMs);
    this.#answers = new ResponseBuilder(options, this.#limits, this.#runner);
    const parts = { limits: this.#limits, planner: this.#planner, quota: this.#quota, runner: this.#runner, answers: this.#answers };
    this.#subscriptions = new Subscriptions({ ...parts, clock: options.clock, onViewer: options.onViewer });
    this.#onceOnly = new IdempotentMutations({ ...parts, keys: options.idempotencyKeys, log: options.log });
  }

  get noCost(): CostReport {
    const { bucketCapacity, bucketRefillPerSecond } = this.#limits;
    return { requested: 0, actual: 0, available: bucketCapacity, restoreRate: bucketRefillPerSecond };
  }

  get statistics(): { documents: number; plans: number } {
    return { documents: this.#documents.size, plans: this.#planner.size };
  }

  quotaOf(accountId: string): { limit: number; remaining: number; restoreRate: number; resetAtMs: number } {
    return this.#quota.of(accountId, this.#options.clock.now());
  }

  async execute(request: GraphqlRequest): Promise<GraphqlResult> {
    const nowMs = this.#options.clock.now();
    const attempt: Attempt = { request, nowMs, payer: this.#quota.payer(request, nowMs) };
    try {
      attempt.payer.require(1);
      const found = this.#find(request);
      if ('faults' in found) return await this.#answers.invalid(attempt, found.faults);
      if (found.kind === 'subscription') {
        return await this.#answers.invalid(
          attempt,
          faulty(documentError('Subscriptions are answered as a stream of events.', 'subscription')),
        );
      }
      if (request.queriesOnly && found.kind !== 'query') {
        return {
          ...(await this.#answers.invalid(attempt, faulty(documentError('Mutations are sent with POST.', 'mutationOverGet')))),
          needsPost: true,
        };
      }
      if (request.idempotencyKey !== undefined && found.kind === 'mutation')
        return await this.#onceOnly.run(attempt, request.idempotencyKey, (db) => this.#run(attempt, found, db));
      return await this.#run(attempt, found);
    } catch (error) {
      if (request.credential.kind === 'session' && codeOf(error) === 'UNAUTHENTICATED') return this.#withoutSession(attempt, error);
      return this.#answers.failed(attempt, error);
    }
  }

  async subscribe(request: GraphqlRequest): Promise<SubscriptionStart> {
    const nowMs = this.#options.clock.now();
    const attempt: Attempt = { request, nowMs, payer: this.#quota.payer(request, nowMs) };
    try {
      attempt.payer.require(1);
      const found = this.#find(request);
      if ('faults' in found || found.kind !== 'subscription') return { kind: 'answer', result: await this.execute(request) };
      return await this.#subscriptions.follow(attempt, found);
    } catch (error) {
      return { kind: 'answer', result: this.#answers.failed(attempt, error) };
    }
  }

  /** A session that is over must not hide what anyone may see: the request is run as anonymous, where that is enough. */
  async #withoutSession(attempt: Attempt, error: unknown): Promise<GraphqlResult> {
    const answer = await this.execute(asAnonymous(attempt.request));
    return { ...(answer.failure === 'UNAUTHENTICATED' ? this.#answers.failed(attempt, error) : answer), sessionOver: true };
  }

  #find({ credential, documentId, query, operationName }: GraphqlRequest): Operation | { readonly faults: Faults } {
    const trusted = documentId === undefined ? undefined : this.#options.trustedDocuments?.get(documentId);
    if (credential.kind === 'anonymous' && trusted === undefined) throw new AppError('UNAUTHENTICATED');
    if (documentId !== undefined && trusted === undefined)
      return { faults: faulty(documentError('There is no document with this id.', 'documentId')) };
    const text = trusted ?? query;
    if (typeof text !== 'string') return { faults: faulty(documentError('The request has no document.', 'query')) };
    const lookup = this.#documents.find(text, operationName ?? undefined);
    if (lookup.kind === 'invalid') return { faults: lookup.faults };
    const isOpen = () => lookup.operation.accesses.every((access) => access === 'public');
    if (credential.kind === 'anonymous' && !isOpen()) throw new AppError('UNAUTHENTICATED');
    return lookup.operation;
  }

  async #run(attempt: Attempt, operation: Operation, db: SqlClient | null = null): Promise<GraphqlResult> {
    const { request, payer, nowMs } = attempt;
    const raw = request.variables ?? NO_VARIABLES;
    const { values, faults } = operation.coerce(raw);
    if (faults) return this.#answers.invalid(attempt, faults);
    const variant = operation.variant(values);
    const plan = this.#planner.plan(operation, variant, request.credential.kind, values);
    const besides = requestPoints(request) + mutationPoints(plan, values);
    const cost = plan.cost + besides;
    if (cost > this.#limits.maxCost) return this.#answers.invalid(attempt, faulty(this.#answers.costTooHigh(cost)), cost);
    payer.hold(cost);
    const run = this.#answers.begin(attempt);
    run.variables = values;
    run.db = db;
    const used = () => Math.min(cost, plan.fixedCost + run.produced + besides);
    try {
      await this.#runner.run(run, plan, request.credential);
    } catch (error) {
      // What was begun is paid for, except by requests that proved nothing: all of it where the database worked until it was stopped.
      if (isStopped(error)) payer.settle(run.viewer, cost);
      else if (run.viewer) payer.settle(run.viewer, used());
      else payer.release();
      throw error;
    }
    const actual = used();
    const available = payer.settle(run.viewer, actual);
    if (run.viewer) this.#options.onViewer?.(run.viewer, nowMs);
    if (run.denied?.size === plan.roots.length) throw run.denied.values().next().value;
    const executed = variant.execute(run, raw);
    const result = executed instanceof Promise ? await executed : executed;
    return this.#answers.answer(request, result, {
      requested: cost,
      actual,
      available,
      restoreRate: this.#limits.bucketRefillPerSecond,
    });
  }
}

/** Arguments that cannot be read are charged nothing: the command refuses them. */
function entriesOf(root: MutationRoot, values: RequestContext['variables']): number {
  try {
    return listPoints(root.args(values));
  } catch {
    return 0;
  }
}

/** What mutations are charged for the length of their lists. */
function mutationPoints({ roots }: OperationPlan, values: RequestContext['variables']): number {
  let points = 0;
  for (const root of roots) if (root.kind === 'mutation') points += entriesOf(root, values);
  return points;
}

function faulty(error: GraphQLError): Faults {
  return { errors: [error] };
}
