import type { ExecutionResult, GraphQLError } from 'graphql';
import type { ErrorCode } from '../kernel/errors.ts';
import { type Limits, requestPoints } from './cost.ts';
import {
  codeOf,
  documentError,
  type ErrorContext,
  type Faults,
  knownError,
  type RenderedError,
  renderExecution,
  renderFailure,
  renderValidation,
} from './errors/render-errors.ts';
import type { OperationRunner } from './operation-runner.ts';
import { type EngineEnv, RequestContext, type Services } from './request-context.ts';
import { type Attempt, type CostReport, credentialValue, type GraphqlRequest, type GraphqlResult } from './requests.ts';

/** Points for a document that is not run. */
const INVALID_COST = 1;
const NOTHING = { requested: 0, actual: 0 };

interface AnswersOptions {
  readonly env: EngineEnv;
  readonly services: Services;
  readonly log: { error(context: object, message: string): void };
}

/** How a request begins and every way it can end, whatever kind of operation it asks for. */
export class ResponseBuilder {
  readonly #options: AnswersOptions;
  readonly #limits: Limits;
  readonly #runner: OperationRunner;

  constructor(options: AnswersOptions, limits: Limits, runner: OperationRunner) {
    this.#options = options;
    this.#limits = limits;
    this.#runner = runner;
  }

  /** The state with which a request is run. */
  begin({ request, nowMs }: Attempt): RequestContext {
    const run = new RequestContext(this.#options.env, this.#options.services, nowMs, request);
    run.credential = credentialValue(request.credential);
    return run;
  }

  /** What the operation answered. */
  answer(request: GraphqlRequest, result: ExecutionResult, cost: CostReport): GraphqlResult {
    if (!result.errors || result.errors.length === 0) return { body: { data: result.data, extensions: { cost } }, failure: null };
    const context = this.#errorContext(request);
    const errors = result.errors.map((error) => renderExecution(error, context));
    if (result.data === undefined) return { body: { errors, extensions: { cost } }, failure: 'INTERNAL_SERVER_ERROR' };
    return { body: { data: result.data, errors, extensions: { cost } }, failure: null };
  }

  /** Why nothing was answered. */
  failed(attempt: Attempt, error: unknown): GraphqlResult {
    const refused = this.#refused(attempt, [renderFailure(error, this.#errorContext(attempt.request))], codeOf(error));
    const retryAfterSeconds = knownError(error)?.retryAfterSeconds;
    return retryAfterSeconds === undefined ? refused : { ...refused, retryAfterSeconds };
  }

  /** The error for an operation that exceeds the maximum cost. */
  costTooHigh(cost: number): GraphQLError {
    return documentError(`The operation costs up to ${cost} points; at most ${this.#limits.maxCost} are allowed.`, 'cost');
  }

  /** A document that is not run. Who sent it must prove themselves all the same: the faults tell about the schema. */
  async invalid(attempt: Attempt, { errors, suggesting }: Faults, requested = 0): Promise<GraphqlResult> {
    const run = this.begin(attempt);
    await this.#runner.authenticate(run, attempt.request.credential);
    const actual = INVALID_COST + requestPoints(attempt.request);
    attempt.payer.settle(run.viewer, actual);
    const told = (run.viewer && suggesting?.()) || errors;
    return this.#refused(attempt, renderValidation(told, this.#errorContext(attempt.request)), 'GRAPHQL_VALIDATION_FAILED', {
      requested,
      actual,
    });
  }

  #refused({ payer }: Attempt, errors: RenderedError[], failure: ErrorCode, { requested, actual } = NOTHING): GraphqlResult {
    const cost = { requested, actual, available: payer.available(), restoreRate: this.#limits.bucketRefillPerSecond };
    return { body: { errors, extensions: { cost } }, failure };
  }

  #errorContext({ requestId }: GraphqlRequest): ErrorContext {
    const { env, log } = this.#options;
    return { baseUrl: env.baseUrl, requestId, report: (err) => log.error({ err, requestId }, 'GraphQL operation failed') };
  }
}
