import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../kernel/errors.ts';
import { DEFAULT_LIMITS, type Limits } from './cost.ts';
import { DocumentCache, type Operation } from './document-cache.ts';
import {
  codeOf,
  documentFault,
  type ErrorContext,
  knownError,
  type RenderedError,
  renderExecution,
  renderFailure,
  renderValidation,
} from './errors.ts';
import { fingerprintOf, type Hold, type IdempotencyKeys, readIdempotencyKey, refusalOf } from './idempotency.ts';
import { OperationRunner } from './operation-runner.ts';
import type { NewsItem } from './plan/declarations.ts';
import { type OperationPlan, Planner } from './plan/operation.ts';
import { type Payer, Quota } from './quota.ts';
import { type Client, type EngineEnv, Run, type Services } from './run.ts';
import type { SqlClient } from './sql.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import type { Variant } from './variant.ts';
import type { Credential, Judge, Viewer, ViewerSource } from './viewer.ts';

export interface EngineOptions {
  readonly schema: GraphQLSchema;
  readonly db: SqlClient;
  readonly clock: { now(): number };
  readonly viewerSource: ViewerSource;
  readonly judge: Judge;
  readonly env: EngineEnv;
  readonly services: Services;
  readonly trustedDocuments?: TrustedDocuments;
  readonly limits?: Partial<Limits>;
  readonly log: { error(context: object, message: string): void };
  /** Without it, requests with an idempotency key are refused. */
  readonly idempotencyKeys?: IdempotencyKeys;
  /** Told of every request that proved itself, for `last used`. Must not throw. */
  readonly onViewer?: (viewer: Viewer, nowMs: number) => void;
}

export interface GraphqlRequest {
  /** The document's text, or the id of a trusted document. */
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
  readonly credential: Credential;
  /** A GET request: mutations are refused. */
  readonly queriesOnly: boolean;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Whose bucket anonymous requests are taken from: the client's address. */
  readonly clientAddress?: string | undefined;
  /** Subscriptions: cursor of the last message, from a client that connects again. */
  readonly lastEventId?: string | undefined;
  /** The header Idempotency-Key: a mutation that is repeated with it is answered as the first time. */
  readonly idempotencyKey?: string | undefined;
  /** Who sent the request, for commands that count viewers. */
  readonly client?: Client | undefined;
}

export interface CostReport {
  readonly requested: number;
  readonly actual: number;
  readonly available: number;
  readonly restoreRate: number;
}

export interface GraphqlResult {
  readonly body: { data?: unknown; errors?: RenderedError[]; extensions: { cost: CostReport } };
  /** Set when the whole request failed for one reason, which then decides the HTTP status. */
  readonly failure: ErrorCode | null;
  readonly retryAfterSeconds?: number;
  /** Set when the idempotency key decides on the status. */
  readonly status?: number;
  /** Set when it is the stored answer of an earlier request. */
  readonly replayed?: boolean;
  /** Set when a mutation was refused because the request was a GET. */
  readonly needsPost?: boolean;
  /** Set when the request came with a session that is over: the browser may forget its cookie. */
  readonly sessionOver?: boolean;
}

/** One message of a subscription. */
export interface SubscriptionMessage {
  /** Where to continue after this message; null in the one with which a stream ends. */
  readonly cursor: string | null;
  readonly body: GraphqlResult['body'];
}

/** What became of a request that asked for a stream. */
export type SubscriptionStart =
  /** It is no subscription, or was refused: one answer is all there is. */
  | { readonly kind: 'answer'; readonly result: GraphqlResult }
  | { readonly kind: 'stream'; readonly accountId: string | null; readonly messages: AsyncIterable<SubscriptionMessage> };

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

/** One request on its way through the engine. */
interface Attempt {
  readonly request: GraphqlRequest;
  readonly nowMs: number;
  readonly payer: Payer;
}

class PlannedEngine implements Engine {
  readonly schema: GraphQLSchema;
  readonly #options: EngineOptions;
  readonly #limits: Limits;
  readonly #documents: DocumentCache;
  readonly #planner: Planner;
  readonly #quota: Quota;
  readonly #runner: OperationRunner;

  constructor(options: EngineOptions) {
    this.schema = options.schema;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#documents = new DocumentCache(options.schema, this.#limits);
    this.#planner = new Planner(options.viewerSource);
    this.#quota = new Quota(this.#limits);
    this.#runner = new OperationRunner(options, this.#limits.timeoutMs);
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
      if ('faults' in found) return await this.#invalid(attempt, found.faults);
      if (found.kind === 'subscription') {
        return await this.#invalid(attempt, [documentFault('Subscriptions are answered as a stream of events.', 'subscription')]);
      }
      if (request.queriesOnly && found.kind !== 'query') {
        return { ...(await this.#invalid(attempt, [documentFault('Mutations are sent with POST.', 'mutationOverGet')])), needsPost: true };
      }
      if (request.idempotencyKey !== undefined && found.kind === 'mutation')
        return await this.#once(attempt, found, request.idempotencyKey);
      return await this.#run(attempt, found);
    } catch (error) {
      if (request.credential.kind === 'session' && codeOf(error) === 'UNAUTHENTICATED') return this.#withoutSession(attempt, error);
      return this.#failed(attempt, error);
    }
  }

  async subscribe(request: GraphqlRequest): Promise<SubscriptionStart> {
    const nowMs = this.#options.clock.now();
    const attempt: Attempt = { request, nowMs, payer: this.#quota.payer(request, nowMs) };
    try {
      attempt.payer.require(1);
      const found = this.#find(request);
      if ('faults' in found || found.kind !== 'subscription') return { kind: 'answer', result: await this.execute(request) };
      return await this.#follow(attempt, found);
    } catch (error) {
      return { kind: 'answer', result: this.#failed(attempt, error) };
    }
  }

  async #follow(attempt: Attempt, operation: Operation): Promise<SubscriptionStart> {
    const { request, payer, nowMs } = attempt;
    const refused = async (faults: readonly GraphQLError[], cost = 0): Promise<SubscriptionStart> => ({
      kind: 'answer',
      result: await this.#invalid(attempt, faults, cost),
    });
    const { values, errors } = operation.coerce(request.variables ?? NO_VARIABLES);
    if (errors) return refused(errors);
    const variant = operation.variant(values);
    const plan = this.#planner.plan(operation, variant, request.credential.kind, values);
    if (plan.cost > this.#limits.maxCost) return refused([this.#tooDear(plan.cost)], plan.cost);
    payer.require(plan.cost);
    const [root] = plan.roots;
    if (root?.kind === 'faulty') throw root.error;
    // Validation lets a subscription have exactly one root field.
    if (root?.kind !== 'subscription') return refused([documentFault('A subscription has one field.')]);
    const run = this.#newRun(attempt);
    run.variables = values;
    run.lastEventId = request.lastEventId ?? null;
    const news = await this.#runner.follow(run, root, request.credential);
    payer.settle(run.viewer, plan.fixedCost);
    if (run.viewer) this.#options.onViewer?.(run.viewer, nowMs);
    const one: OperationPlan = { ...plan, roots: [{ kind: 'read', key: root.key, access: root.access, read: root.read }] };
    return { kind: 'stream', accountId: run.viewer?.accountId ?? null, messages: this.#messages(request, news, variant, one, values) };
  }

  /** Each message is a run of its own: the credential, the permission and what is visible are looked at every time. */
  async *#messages(
    request: GraphqlRequest,
    news: AsyncIterable<NewsItem>,
    variant: Variant,
    plan: OperationPlan,
    values: Run['variables'],
  ): AsyncGenerator<SubscriptionMessage> {
    const begin = (): Attempt => {
      const nowMs = this.#options.clock.now();
      return { request, nowMs, payer: this.#quota.payer(request, nowMs) };
    };
    try {
      for await (const { cursor, item } of news) {
        const attempt = begin();
        const run = this.#newRun(attempt);
        run.variables = values;
        run.item = item;
        await this.#runner.run(run, plan, request.credential);
        const value = run.roots[plan.roots[0]?.key ?? ''];
        if (value instanceof Error) throw value;
        if (value == null) continue;
        const actual = plan.fixedCost + run.produced;
        // What happens is not the listener's doing: messages take what is left, and leave no debt.
        const available = attempt.payer.settle(run.viewer, Math.min(actual, Math.max(0, attempt.payer.available())));
        const executed = await variant.execute(run, request.variables ?? NO_VARIABLES);
        const cost = { requested: plan.cost, actual, available, restoreRate: this.#limits.bucketRefillPerSecond };
        yield { cursor, body: this.#answer(request, executed, cost).body };
      }
    } catch (error) {
      yield { cursor: null, body: this.#failed(begin(), error).body };
    }
  }

  /** A session that is over must not hide what anyone may see: the request is run as anonymous, where that is enough. */
  async #withoutSession(attempt: Attempt, error: unknown): Promise<GraphqlResult> {
    const answer = await this.execute(asAnonymous(attempt.request));
    return { ...(answer.failure === 'UNAUTHENTICATED' ? this.#failed(attempt, error) : answer), sessionOver: true };
  }

  #find({ credential, documentId, query, operationName }: GraphqlRequest): Operation | { readonly faults: readonly GraphQLError[] } {
    const trusted = documentId === undefined ? undefined : this.#options.trustedDocuments?.get(documentId);
    if (credential.kind === 'anonymous' && trusted === undefined) throw new AppError('UNAUTHENTICATED');
    if (documentId !== undefined && trusted === undefined)
      return { faults: [documentFault('There is no document with this id.', 'documentId')] };
    const text = trusted ?? query;
    if (typeof text !== 'string') return { faults: [documentFault('The request has no document.', 'query')] };
    const lookup = this.#documents.find(text, operationName ?? undefined);
    if (lookup.kind === 'invalid') return { faults: lookup.errors };
    const isOpen = () => lookup.operation.accesses.every((access) => access === 'public');
    if (credential.kind === 'anonymous' && !isOpen()) throw new AppError('UNAUTHENTICATED');
    return lookup.operation;
  }

  /** Carries a mutation out once for all requests of the account with this key. */
  async #once(attempt: Attempt, operation: Operation, header: string): Promise<GraphqlResult> {
    const { request, payer } = attempt;
    const keys = this.#options.idempotencyKeys;
    const key = attemptTo(() => readIdempotencyKey(header));
    if (key instanceof Error || !keys) return { ...this.#failed(attempt, key), status: 400 };
    const run = this.#newRun(attempt);
    await this.#runner.authenticate(run, request.credential);
    if (!run.viewer)
      throw new AppError('UNAUTHENTICATED', 'Idempotency keys belong to accounts.', {
        suggestedFix: 'Leave the header Idempotency-Key out.',
      });
    const claim = await keys.claim(run.viewer.accountId, key, fingerprintOf(request), request.signal);
    if (claim.kind === 'held') return this.#held(attempt, operation, claim.hold);
    payer.settle(run.viewer, REPLAY_COST);
    // What #held stored.
    if (claim.kind === 'answered') return { ...(JSON.parse(claim.answer) as GraphqlResult), replayed: true };
    return { ...this.#failed(attempt, refusalOf(claim.kind)), status: KEY_STATUS[claim.kind] };
  }

  /** Runs the first request with a key and stores its answer, unless nothing was done and a repetition may fare better. */
  async #held(attempt: Attempt, operation: Operation, hold: Hold): Promise<GraphqlResult> {
    const result = await hold.during(() => this.#run(attempt, operation, hold.db)).catch((error: unknown) => this.#failed(attempt, error));
    try {
      if (hold.committed || isFinal(result)) await hold.answered(JSON.stringify(result));
      else await hold.release();
    } catch (err) {
      // The lease runs out; a repetition is then told what is known.
      this.#options.log.error({ err, requestId: attempt.request.requestId }, 'the answer under an idempotency key was not stored');
    }
    return result;
  }

  async #run(attempt: Attempt, operation: Operation, db: SqlClient | null = null): Promise<GraphqlResult> {
    const { request, payer, nowMs } = attempt;
    const raw = request.variables ?? NO_VARIABLES;
    const { values, errors } = operation.coerce(raw);
    if (errors) return this.#invalid(attempt, errors);
    const variant = operation.variant(values);
    const plan = this.#planner.plan(operation, variant, request.credential.kind, values);
    if (plan.cost > this.#limits.maxCost) return this.#invalid(attempt, [this.#tooDear(plan.cost)], plan.cost);
    payer.hold(plan.cost);
    const run = this.#newRun(attempt);
    run.variables = values;
    run.db = db;
    try {
      await this.#runner.run(run, plan, request.credential);
    } catch (error) {
      // What was begun is paid for, except by requests that proved nothing.
      if (run.viewer) payer.settle(run.viewer, plan.fixedCost + run.produced);
      else payer.release();
      throw error;
    }
    const actual = Math.min(plan.cost, plan.fixedCost + run.produced);
    const available = payer.settle(run.viewer, actual);
    if (run.viewer) this.#options.onViewer?.(run.viewer, nowMs);
    if (run.denied?.size === plan.roots.length) throw run.denied.values().next().value;
    const executed = variant.execute(run, raw);
    const result = executed instanceof Promise ? await executed : executed;
    return this.#answer(request, result, { requested: plan.cost, actual, available, restoreRate: this.#limits.bucketRefillPerSecond });
  }

  #tooDear(cost: number): GraphQLError {
    return documentFault(`The operation costs up to ${cost} points; at most ${this.#limits.maxCost} are allowed.`, 'cost');
  }

  /** A document that is not run. Who sent it must prove themselves all the same: the faults tell about the schema. */
  async #invalid(attempt: Attempt, faults: readonly GraphQLError[], requested = 0): Promise<GraphqlResult> {
    const run = this.#newRun(attempt);
    await this.#runner.authenticate(run, attempt.request.credential);
    attempt.payer.settle(run.viewer, INVALID_COST);
    return this.#refused(attempt, renderValidation(faults, this.#errorContext(attempt.request)), 'GRAPHQL_VALIDATION_FAILED', requested);
  }

  #newRun({ request, nowMs }: Attempt): Run {
    const run = new Run(this.#options.env, this.#options.services, nowMs, request);
    run.credential = credentialValue(request.credential);
    return run;
  }

  #answer(request: GraphqlRequest, result: ExecutionResult, cost: CostReport): GraphqlResult {
    if (!result.errors || result.errors.length === 0) return { body: { data: result.data, extensions: { cost } }, failure: null };
    const context = this.#errorContext(request);
    const errors = result.errors.map((error) => renderExecution(error, context));
    if (result.data === undefined) return { body: { errors, extensions: { cost } }, failure: 'INTERNAL_SERVER_ERROR' };
    return { body: { data: result.data, errors, extensions: { cost } }, failure: null };
  }

  #refused({ payer }: Attempt, errors: RenderedError[], failure: ErrorCode, requested = 0): GraphqlResult {
    const cost = { requested, actual: 0, available: payer.available(), restoreRate: this.#limits.bucketRefillPerSecond };
    return { body: { errors, extensions: { cost } }, failure };
  }

  #failed(attempt: Attempt, error: unknown): GraphqlResult {
    const refused = this.#refused(attempt, [renderFailure(error, this.#errorContext(attempt.request))], codeOf(error));
    const retryAfterSeconds = knownError(error)?.retryAfterSeconds;
    return retryAfterSeconds === undefined ? refused : { ...refused, retryAfterSeconds };
  }

  #errorContext({ requestId }: GraphqlRequest): ErrorContext {
    const { env, log } = this.#options;
    return { baseUrl: env.baseUrl, requestId, report: (err) => log.error({ err, requestId }, 'GraphQL operation failed') };
  }
}

/** Points for the stored answer of a mutation. */
const REPLAY_COST = 1;
/** Statuses of what the specification of the header (draft-ietf-httpapi-idempotency-key-header, section 2.7) describes. */
const KEY_STATUS = { running: 503, lost: 409, different: 422 } as const;

/** Whether the operation ran and none of its failures is one that passes. */
function isFinal({ failure, body }: GraphqlResult): boolean {
  // Every rendered error has a code of the catalogue.
  return (
    failure === null && !(body.errors ?? []).some(({ extensions }) => ERROR_CATALOGUE[extensions?.['code'] as ErrorCode]?.retryable ?? true)
  );
}

function attemptTo<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Points for a document that is not run. */
const INVALID_COST = 1;

const ANONYMOUS: Credential = { kind: 'anonymous' };

/** Requests may be made of accessors, which spreading would leave out. */
function asAnonymous({
  query,
  documentId,
  variables,
  operationName,
  queriesOnly,
  requestId,
  signal,
  clientAddress,
}: GraphqlRequest): GraphqlRequest {
  return { query, documentId, variables, operationName, queriesOnly, requestId, signal, clientAddress, credential: ANONYMOUS };
}

const NO_VARIABLES = Object.freeze({});

function credentialValue(credential: Credential): Buffer | string | null {
  if (credential.kind === 'key') return credential.lookupHash;
  return credential.kind === 'session' ? credential.token : null;
}
