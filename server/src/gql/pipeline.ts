import {
  type AroundMutation,
  DocumentCache,
  type ExecutionRequest,
  Executor,
  type Operation,
  Planner,
  respond,
  type SqlClient,
  type Variables,
} from '@reelgraph/sql-planner';
import type { GraphQLSchema } from 'graphql';
import { apiVersions } from '../kernel/api-versions.ts';
import { AppError } from '../kernel/errors.ts';
import { requireFeatureOf } from '../kernel/features.ts';
import { CredentialWatch } from './credential-watch.ts';
import { noticesOf, withNotices } from './deprecations.ts';
import type { Engine, EngineOptions, ExaminedOperation } from './engine.ts';
import { invalidCredential, isStopped } from './errors/error-kinds.ts';
import { firstError, InvalidDocument, invalidDocument } from './errors/invalid-document.ts';
import { codeOf } from './errors/render-errors.ts';
import { IdempotentMutations } from './idempotency/idempotent-mutations.ts';
import { limitUsage } from './limits/limit-usage.ts';
import { Quota } from './limits/quota.ts';
import { DEFAULT_LIMITS, type Limits, longestList, mutationPoints, requestPoints } from './limits/request-cost.ts';
import { requireTextSizes, TextTooLong } from './limits/text-sizes.ts';
import { platformPorts } from './ports.ts';
import { RequestContext } from './request-context.ts';
import {
  type Attempt,
  asAnonymous,
  type CostReport,
  credentialValue,
  type GraphqlRequest,
  type GraphqlResult,
  NO_VARIABLES,
  type PlannedRequest,
  type SubscriptionStart,
} from './requests.ts';
import { ResponseBuilder } from './response-builder.ts';
import { SchemaVersions } from './schema-versions.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Credential, CredentialKind, Viewer } from './viewer.ts';

/** GraphQL as one function. */
export function createEngine(options: EngineOptions): Engine {
  return new Pipeline(options);
}

interface ExecutionDetails {
  readonly item?: Readonly<Record<string, unknown>> | undefined;
  readonly end?: AbortSignal | undefined;
  readonly writes?: SqlClient | undefined;
  readonly isMutation?: boolean;
}

/** A request goes through credential -> document -> plan -> execute -> render; a stage that refuses it throws. */
class Pipeline implements Engine {
  readonly #options: EngineOptions;
  readonly #limits: Limits;
  readonly #schemas: SchemaVersions;
  /** Of the current version. */
  readonly #documents: DocumentCache;
  /** By schema: versions without a difference share one. */
  readonly #documentsOf = new Map<GraphQLSchema, DocumentCache>();
  readonly #planner: Planner;
  readonly #executor: Executor;
  readonly #quota: Quota;
  readonly #responses: ResponseBuilder;
  readonly #subscriptions: Subscriptions;
  readonly #idempotency: IdempotentMutations;
  readonly #credentials: CredentialWatch;

  constructor(options: EngineOptions) {
    const { schema, db, env, log, viewerSource, authorize, clock } = options;
    const ports = platformPorts({ namespace: env.namespace, viewerSource, authorize });
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#schemas = new SchemaVersions(schema, options.versions ?? apiVersions);
    this.#documents = this.#documentsIn(this.#schemas.current);
    this.#planner = new Planner(ports);
    this.#executor = new Executor({ db, ports, timeoutMs: this.#limits.timeoutMs });
    this.#quota = new Quota(this.#limits);
    this.#responses = new ResponseBuilder({
      baseUrl: env.baseUrl,
      restoreRate: this.#limits.bucketRefillPerSecond,
      textOf: ({ documentId, query }) => this.#trusted(documentId) ?? query,
      log,
    });
    this.#credentials = new CredentialWatch({ db, viewerSource, clock, log });
    this.#subscriptions = new Subscriptions({
      executor: this.#executor,
      responses: this.#responses,
      explain: (request, error) => this.#explain(request, error),
      begin: (request) => this.#begin(request, clock.now()),
      requestOf: (attempt, variables, details) => this.#executionRequest(attempt, variables, details),
      watch: (credential, refused) => this.#credentials.watch(credential, refused),
    });
    const identify = (attempt: Attempt) => this.#identify(attempt);
    this.#idempotency = new IdempotentMutations({
      keys: options.idempotencyKeys,
      responses: this.#responses,
      identify,
      log,
    });
  }

  get noCost(): CostReport {
    const { bucketCapacity, bucketRefillPerSecond } = this.#limits;
    return { requested: 0, actual: 0, available: bucketCapacity, restoreRate: bucketRefillPerSecond };
  }

  get schema(): GraphQLSchema {
    return this.#schemas.current;
  }

  get statistics(): { documents: number; plans: number } {
    const documents = [...this.#documentsOf.values()].reduce((sum, { size }) => sum + size, 0);
    return { documents, plans: this.#planner.size };
  }

  quotaOf(accountId: string): { limit: number; remaining: number; restoreRate: number; resetAtMs: number } {
    return this.#quota.of(accountId, this.#options.clock.now());
  }

  get maxCost(): number {
    return this.#limits.maxCost;
  }

  examine(query: string, given: Variables, credential: CredentialKind): ExaminedOperation {
    const lookup = this.#documents.find(query, undefined);
    if (lookup.kind === 'invalid') throw firstError(lookup.errors, 'input.query');
    const { operation } = lookup;
    const { values: variables, errors } = operation.coerce(given);
    if (errors) throw firstError(errors, 'input.variables');
    return { operation, variables, cost: this.#planner.plan(operation, credential, variables).cost };
  }

  async execute(request: GraphqlRequest): Promise<GraphqlResult> {
    const attempt = this.#begin(request, this.#options.clock.now());
    try {
      attempt.payer.require(1);
      const operation = this.#find(request);
      requireAnswerable(operation, request);
      const result = { ...(await this.#run(attempt, operation)), operation: operation.name };
      const noticed = withNotices(result, operation);
      return operation.secret ? { ...noticed, revealing: true } : noticed;
    } catch (error) {
      return this.#fail(attempt, error);
    }
  }

  async #run(attempt: Attempt, operation: Operation): Promise<GraphqlResult> {
    const { idempotencyKey } = attempt.request;
    if (idempotencyKey === undefined || operation.kind !== 'mutation') return this.#answer(attempt, operation);
    return this.#idempotency.run(attempt, idempotencyKey, async (writes) => {
      try {
        return await this.#answer(attempt, operation, writes);
      } catch (error) {
        return this.#fail(attempt, error);
      }
    });
  }

  async subscribe(request: GraphqlRequest): Promise<SubscriptionStart> {
    const attempt = this.#begin(request, this.#options.clock.now());
    try {
      attempt.payer.require(1);
      const operation = this.#find(request);
      if (operation.kind !== 'subscription') return { kind: 'answer', result: await this.execute(request) };
      const planned = this.#plan(attempt, operation);
      attempt.payer.require(planned.cost);
      const stream = await this.#subscriptions.follow(attempt, planned);
      this.#proved(stream.viewer, attempt);
      const { viewer, messages } = stream;
      const accountId = viewer?.accountId ?? null;
      return { kind: 'stream', operation: operation.name, accountId, messages, deprecations: noticesOf(operation) };
    } catch (error) {
      return { kind: 'answer', result: await this.#fail(attempt, error) };
    }
  }

  async requireAccount(credential: Credential): Promise<string> {
    const accountId = await this.#credentials.accountOf(credential);
    if (accountId === null) throw await this.#explain({ credential }, invalidCredential(credential.kind));
    return accountId;
  }

  watch(credential: Credential, refused: () => void): () => void {
    return this.#credentials.watch(credential, refused);
  }

  #begin(request: GraphqlRequest, nowMs: number): Attempt {
    return { request, nowMs, payer: this.#quota.payer(request, nowMs) };
  }

  /**
   * Document: the text, or the trusted document of the id, parsed and validated; anonymous requests have trusted ones
   * only.
   */
  #find({ credential, documentId, query, operationName, version }: GraphqlRequest): Operation {
    const trusted = this.#trusted(documentId);
    if (credential.kind === 'anonymous' && trusted === undefined) throw new AppError('UNAUTHENTICATED');
    if (documentId !== undefined && trusted === undefined)
      throw invalidDocument('There is no document with this id.', 'documentId');
    const text = trusted ?? query;
    if (typeof text !== 'string') throw invalidDocument('The request has no document.', 'query');
    const documents = version === undefined ? this.#documents : this.#documentsIn(this.#schemas.of(version));
    const lookup = documents.find(text, operationName ?? undefined);
    if (lookup.kind === 'invalid') throw new InvalidDocument(lookup.errors);
    const isOpen = () => lookup.operation.accesses.every((access) => access === 'public');
    if (credential.kind === 'anonymous' && !isOpen()) throw new AppError('UNAUTHENTICATED');
    return lookup.operation;
  }

  #trusted(documentId: string | undefined): string | undefined {
    return documentId === undefined ? undefined : this.#options.trustedDocuments?.get(documentId);
  }

  #documentsIn(schema: GraphQLSchema): DocumentCache {
    const documents = this.#documentsOf.get(schema) ?? new DocumentCache(schema, this.#limits);
    this.#documentsOf.set(schema, documents);
    return documents;
  }

  #answer(attempt: Attempt, operation: Operation, writes?: SqlClient): Promise<GraphqlResult> {
    return this.#execute(attempt, this.#plan(attempt, operation), writes);
  }

  /** Plan: variables coerced, statements found, cost known and allowed. */
  #plan({ request }: Attempt, operation: Operation): PlannedRequest {
    const { values: variables, errors } = operation.coerce(request.variables ?? NO_VARIABLES);
    if (errors) throw new InvalidDocument(errors);
    requireTextSizes(operation, variables, request.query ?? '');
    const plan = this.#planner.plan(operation, request.credential.kind, variables);
    const listPoints = mutationPoints(plan, variables);
    const extraPoints = requestPoints(request) + listPoints;
    const cost = plan.cost + extraPoints;
    const { maxCost } = this.#limits;
    if (cost > maxCost) {
      const message = `The operation costs up to ${cost} points; at most ${maxCost} are allowed.`;
      if (cost - listPoints > maxCost) throw invalidDocument(message, 'cost', { cost });
      throw invalidDocument(message, 'lists', { cost, field: longestList(plan, variables)?.path });
    }
    return { plan, variables, extraPoints, cost };
  }

  /** Execute and render: started work is charged, except for unauthenticated requests. */
  async #execute(
    attempt: Attempt,
    { plan, variables, extraPoints, cost }: PlannedRequest,
    writes?: SqlClient,
  ): Promise<GraphqlResult> {
    const { request, payer } = attempt;
    payer.hold(cost);
    const execution = await this.#executor.execute(
      plan,
      this.#executionRequest(attempt, variables, { writes, isMutation: plan.operation.kind === 'mutation' }),
    );
    const { viewer, failure, denied, values } = execution;
    // The full cost when the database worked until the timeout.
    const stopped = [failure?.error, ...values.values()].some(isStopped);
    const actual = stopped ? cost : Math.min(cost, plan.fixedCost + execution.points + extraPoints);
    if (failure) {
      if (viewer || stopped) payer.settle(viewer, actual);
      else payer.release();
      throw failure.error;
    }
    const available = payer.settle(viewer, actual);
    this.#proved(viewer, attempt);
    const [refused] = denied.values();
    if (refused && denied.size === plan.roots.length) throw refused;
    const responded = respond(plan, execution, request.variables ?? NO_VARIABLES);
    const result = responded instanceof Promise ? await responded : responded;
    return this.#responses.executed(request, result, { requested: cost, actual, available });
  }

  #executionRequest(
    attempt: Attempt,
    variables: Variables,
    { item, end, writes, isMutation = false }: ExecutionDetails = {},
  ): ExecutionRequest {
    const { env, services, authorize } = this.#options;
    const { request, nowMs } = attempt;
    const { credential } = request;
    const context = new RequestContext({ env, services, authorize, nowMs, request, item });
    return {
      env: end ? context.until(end) : context,
      credential: { kind: credential.kind, value: credentialValue(credential) },
      now: context.nowIso,
      variables,
      writes,
      aroundMutation: isMutation ? this.#aroundMutation(attempt) : undefined,
    };
  }

  /** Refuses mutations of features that are switched off, and those beyond the usage limits. */
  #aroundMutation({ request, nowMs }: Attempt): AroundMutation | undefined {
    const { env, usageLimits, requireChannels, switchedOff } = this.#options;
    const limited =
      usageLimits && limitUsage({ usageLimits, requireChannels, namespace: env.namespace, nowMs }, request);
    const off = switchedOff?.() ?? [];
    if (off.length === 0) return limited;
    return (call) => {
      requireFeatureOf(call.name, off);
      return limited ? limited(call) : call.perform(true);
    };
  }

  #identify(attempt: Attempt): Promise<Viewer | null> {
    return this.#executor.identify(this.#executionRequest(attempt, NO_VARIABLES));
  }

  #proved(viewer: Viewer | null, { nowMs }: Attempt): void {
    if (viewer) this.#options.onViewer?.(viewer, nowMs);
  }

  /** Render, when a stage refused the request. */
  async #fail(attempt: Attempt, error: unknown): Promise<GraphqlResult> {
    const { request } = attempt;
    try {
      if (error instanceof InvalidDocument) return await this.#refuseDocument(attempt, error);
      if (error instanceof TextTooLong) await this.#chargeRefusal(attempt);
    } catch (other) {
      return this.#fail(attempt, other);
    }
    const explained = await this.#explain(request, error);
    const failed = this.#responses.failed(attempt, explained);
    if (request.credential.kind !== 'session' || codeOf(error) !== 'UNAUTHENTICATED') return failed;
    // An expired session must not hide public data: the request is sent anonymously if that is enough.
    const answer = await this.execute(asAnonymous(request));
    // A session that says why it is refused is kept, and so goes on saying it.
    return { ...(answer.failure === 'UNAUTHENTICATED' ? failed : answer), sessionOver: explained === error };
  }

  /** What is known about a credential that is not valid; else the error itself. */
  async #explain({ credential }: Pick<GraphqlRequest, 'credential'>, error: unknown): Promise<unknown> {
    if (credential.kind === 'anonymous' || codeOf(error) !== 'UNAUTHENTICATED') return error;
    try {
      return (await this.#options.explainRefusal?.(credential)) ?? error;
    } catch (other) {
      return other;
    }
  }

  /** Senders of refused documents must authenticate, too: the errors describe the schema. */
  async #refuseDocument(attempt: Attempt, invalid: InvalidDocument): Promise<GraphqlResult> {
    return this.#responses.invalid(attempt, invalid, (await this.#chargeRefusal(attempt)) !== null);
  }

  /** Charges for reading a request that is not executed. */
  async #chargeRefusal(attempt: Attempt): Promise<Viewer | null> {
    const viewer = await this.#identify(attempt);
    attempt.payer.settle(viewer, INVALID_COST + requestPoints(attempt.request));
    return viewer;
  }
}

/** Points for a document that is not executed. */
const INVALID_COST = 1;

/** Throws when the request does not support this kind of operation. */
function requireAnswerable({ kind }: Operation, { queriesOnly }: GraphqlRequest): void {
  if (kind === 'subscription')
    throw invalidDocument('Subscriptions are answered as a stream of events.', 'subscription');
  if (queriesOnly && kind !== 'query')
    throw invalidDocument('Mutations are sent with POST.', 'mutationOverGet', { needsPost: true });
}
