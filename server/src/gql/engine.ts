import { type ExecutionResult, type GraphQLError, type GraphQLSchema, getVariableValues } from 'graphql';
import { AppError, type ErrorCode } from '../kernel/errors.ts';
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
import { OperationRunner } from './operation-runner.ts';
import { Planner } from './plan/operation.ts';
import { Quota } from './quota.ts';
import { type EngineEnv, Run, type Services } from './run.ts';
import type { SqlClient } from './sql.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
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
  /** Set when a mutation was refused because the request was a GET. */
  readonly needsPost?: boolean;
  /** Set when the request came with a session that is over: the browser may forget its cookie. */
  readonly sessionOver?: boolean;
}

export interface Engine {
  readonly schema: GraphQLSchema;
  /** Runs one operation. Never rejects: every failure is in the result. */
  execute(request: GraphqlRequest): Promise<GraphqlResult>;
  /** Points an account has left, for the rateLimit query. */
  quotaOf(accountId: string): { limit: number; remaining: number; restoreRate: number; resetAtMs: number };
  /** Documents and plans kept, for metrics. */
  readonly statistics: { documents: number; plans: number };
}

/** The whole of GraphQL as one function: finds the document's plan, runs it, builds the answer. */
export function createEngine(options: EngineOptions): Engine {
  return new PlannedEngine(options);
}

/** What is known of a request once its document was found. */
interface Found {
  readonly operation: Operation;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly trusted: boolean;
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

  get statistics(): { documents: number; plans: number } {
    return { documents: this.#documents.size, plans: this.#planner.size };
  }

  quotaOf(accountId: string): { limit: number; remaining: number; restoreRate: number; resetAtMs: number } {
    return this.#quota.of(accountId, this.#options.clock.now());
  }

  async execute(request: GraphqlRequest): Promise<GraphqlResult> {
    const nowMs = this.#options.clock.now();
    const errors = this.#errorContext(request);
    try {
      this.#quota.check(request, nowMs);
      const found = this.#find(request);
      if ('faults' in found) return await this.#invalid(found.faults, request, nowMs, errors);
      if (request.queriesOnly && found.operation.kind !== 'query') {
        return { ...(await this.#invalid([documentFault('Mutations are sent with POST.')], request, nowMs, errors)), needsPost: true };
      }
      return await this.#run(request, found, nowMs, errors);
    } catch (error) {
      if (request.credential.kind === 'session' && codeOf(error) === 'UNAUTHENTICATED')
        return this.#withoutSession(error, request, nowMs, errors);
      return this.#failed(error, request, nowMs, errors);
    }
  }

  /** A session that is over must not hide what anyone may see: the request is run as anonymous, where that is enough. */
  async #withoutSession(error: unknown, request: GraphqlRequest, nowMs: number, errors: ErrorContext): Promise<GraphqlResult> {
    const answer = await this.execute({ ...request, credential: ANONYMOUS });
    return { ...(answer.failure === 'UNAUTHENTICATED' ? this.#failed(error, request, nowMs, errors) : answer), sessionOver: true };
  }

  #find(request: GraphqlRequest): Found | { readonly faults: readonly GraphQLError[] } {
    const { credential, documentId } = request;
    const trusted = documentId === undefined ? undefined : this.#options.trustedDocuments?.get(documentId);
    if (credential.kind === 'anonymous' && trusted === undefined) throw new AppError('UNAUTHENTICATED');
    if (documentId !== undefined && trusted === undefined) return { faults: [documentFault('There is no document with this id.')] };
    const text = trusted ?? request.query;
    if (typeof text !== 'string') return { faults: [documentFault('The request has no document: send "query".')] };
    const lookup = this.#documents.find(text, request.operationName ?? undefined);
    if (lookup.kind === 'invalid') return { faults: lookup.errors };
    if (credential.kind === 'anonymous' && lookup.operation.accesses.some((access) => access !== 'public'))
      throw new AppError('UNAUTHENTICATED');
    return { operation: lookup.operation, raw: request.variables ?? {}, trusted: trusted !== undefined };
  }

  async #run(request: GraphqlRequest, { operation, raw }: Found, nowMs: number, errors: ErrorContext): Promise<GraphqlResult> {
    const coerced = coerce(this.schema, operation, raw);
    if (coerced.errors) return this.#invalid(coerced.errors, request, nowMs, errors);
    const variant = operation.variant(coerced.values);
    const plan = this.#planner.plan(operation, variant, request.credential.kind, coerced.values);
    if (plan.cost > this.#limits.maxCost) {
      const fault = documentFault(
        `The operation costs up to ${plan.cost} points; at most ${this.#limits.maxCost} are allowed. Ask for fewer entries per page.`,
      );
      return this.#invalid([fault], request, nowMs, errors, plan.cost);
    }
    const reservation = this.#quota.reserve(request, plan.cost, nowMs);
    const run = this.#newRun(request, nowMs);
    run.variables = coerced.values;
    try {
      await this.#runner.run(run, plan, request.credential);
    } catch (error) {
      // What was begun is paid for, except by requests that proved nothing.
      if (run.viewer) reservation.settle(run.viewer, plan.fixedCost + run.produced);
      else reservation.release();
      throw error;
    }
    const actual = Math.min(plan.cost, plan.fixedCost + run.produced);
    const available = reservation.settle(run.viewer, actual);
    if (run.viewer) this.#options.onViewer?.(run.viewer, nowMs);
    const [denied] = run.denied.values();
    if (denied && run.denied.size === plan.roots.length) throw denied;
    const result = await variant.execute(run, raw);
    return this.#answer(result, errors, { requested: plan.cost, actual, available, restoreRate: this.#limits.bucketRefillPerSecond });
  }

  /** A document that is not run. Who sent it must prove themselves all the same: the faults tell about the schema. */
  async #invalid(
    faults: readonly GraphQLError[],
    request: GraphqlRequest,
    nowMs: number,
    errors: ErrorContext,
    requested = 0,
  ): Promise<GraphqlResult> {
    const run = this.#newRun(request, nowMs);
    await this.#runner.authenticate(run, request.credential);
    this.#quota.reserve(request, INVALID_COST, nowMs).settle(run.viewer, INVALID_COST);
    return this.#refused(renderValidation(faults, errors), 'GRAPHQL_VALIDATION_FAILED', request, nowMs, requested);
  }

  #newRun(request: GraphqlRequest, nowMs: number): Run {
    const run = new Run(this.#options.env, this.#options.services, nowMs, request.requestId, request.signal);
    run.credential = credentialValue(request.credential);
    return run;
  }

  #answer(result: ExecutionResult, errors: ErrorContext, cost: CostReport): GraphqlResult {
    if (!result.errors || result.errors.length === 0) return { body: { data: result.data, extensions: { cost } }, failure: null };
    const rendered = result.errors.map((error) => renderExecution(error, errors));
    if (result.data === undefined) return { body: { errors: rendered, extensions: { cost } }, failure: 'GRAPHQL_VALIDATION_FAILED' };
    return { body: { data: result.data, errors: rendered, extensions: { cost } }, failure: null };
  }

  #refused(errors: RenderedError[], failure: ErrorCode, request: GraphqlRequest, nowMs: number, requested = 0): GraphqlResult {
    const available = this.#quota.availableTo(request, nowMs);
    return {
      body: { errors, extensions: { cost: { requested, actual: 0, available, restoreRate: this.#limits.bucketRefillPerSecond } } },
      failure,
    };
  }

  #failed(error: unknown, request: GraphqlRequest, nowMs: number, errors: ErrorContext): GraphqlResult {
    const refused = this.#refused([renderFailure(error, errors)], codeOf(error), request, nowMs);
    const retryAfterSeconds = knownError(error)?.retryAfterSeconds;
    return retryAfterSeconds === undefined ? refused : { ...refused, retryAfterSeconds };
  }

  #errorContext(request: GraphqlRequest): ErrorContext {
    const { env, log } = this.#options;
    return {
      baseUrl: env.baseUrl,
      requestId: request.requestId,
      report: (error) => log.error({ err: error, requestId: request.requestId }, 'GraphQL operation failed'),
    };
  }
}

/** Points for a document that is not run. */
const INVALID_COST = 1;

const ANONYMOUS: Credential = { kind: 'anonymous' };
const NO_VARIABLES = Object.freeze({});

function coerce(
  schema: GraphQLSchema,
  operation: Operation,
  raw: Readonly<Record<string, unknown>>,
): { values: Readonly<Record<string, unknown>>; errors?: readonly GraphQLError[] } {
  const definitions = operation.node.variableDefinitions;
  if (!definitions || definitions.length === 0) return { values: NO_VARIABLES };
  const { coerced, errors } = getVariableValues(schema, definitions, raw, { maxErrors: 20 });
  return coerced ? { values: coerced } : { values: NO_VARIABLES, errors };
}

function credentialValue(credential: Credential): Buffer | string | null {
  if (credential.kind === 'key') return credential.lookupHash;
  return credential.kind === 'session' ? credential.token : null;
}
