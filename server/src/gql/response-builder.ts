import { firstFieldIn } from '@reelgraph/sql-planner';
import type { ExecutionResult } from 'graphql';
import type { ErrorCode } from '../kernel/errors.ts';
import type { InvalidDocument } from './errors/invalid-document.ts';
import {
  codeOf,
  type ErrorContext,
  knownError,
  type RenderedError,
  renderExecution,
  renderFailure,
  renderValidation,
} from './errors/render-errors.ts';
import type { Attempt, CostReport, GraphqlRequest, GraphqlResult } from './requests.ts';

interface ResponseOptions {
  readonly baseUrl: string;
  readonly restoreRate: number;
  /** The text of the document of a request. */
  readonly textOf: (request: GraphqlRequest) => string | undefined;
  readonly log: { error(context: object, message: string): void };
}

/** Builds the responses of all kinds of operations. */
export class ResponseBuilder {
  readonly #options: ResponseOptions;

  constructor(options: ResponseOptions) {
    this.#options = options;
  }

  /** The response of an operation that was executed. */
  executed(request: GraphqlRequest, result: ExecutionResult, points: Omit<CostReport, 'restoreRate'>): GraphqlResult {
    const cost = { ...points, restoreRate: this.#options.restoreRate };
    if (!result.errors || result.errors.length === 0)
      return { body: { data: result.data, extensions: { cost } }, failure: null };
    const context = this.#errorContext(request);
    const errors = result.errors.map((error) => renderExecution(error, context));
    if (result.data === undefined) return { body: { errors, extensions: { cost } }, failure: 'INTERNAL_SERVER_ERROR' };
    return { body: { data: result.data, errors, extensions: { cost } }, failure: null };
  }

  /** Why the whole request failed. */
  failed(attempt: Attempt, error: unknown): GraphqlResult {
    const { request } = attempt;
    const rendered = renderFailure(error, this.#errorContext(request), this.#firstField(request));
    const refused = this.#refused(attempt, [rendered], codeOf(error));
    const retryAfterSeconds = knownError(error)?.retryAfterSeconds;
    return retryAfterSeconds === undefined ? refused : { ...refused, retryAfterSeconds };
  }

  /** Why a document was not executed; with suggestions for senders that may see the schema. */
  invalid(attempt: Attempt, { errors, cost, needsPost }: InvalidDocument, isTrusted: boolean): GraphqlResult {
    const shown = (isTrusted && errors.suggesting?.()) || errors.errors;
    const { request } = attempt;
    const rendered = renderValidation(shown, this.#errorContext(request), this.#firstField(request));
    const refused = this.#refused(attempt, rendered, 'GRAPHQL_VALIDATION_FAILED', cost);
    return needsPost ? { ...refused, needsPost } : refused;
  }

  #refused(
    { payer }: Attempt,
    errors: RenderedError[],
    failure: ErrorCode,
    requested = payer.requested,
  ): GraphqlResult {
    const cost = {
      requested,
      actual: payer.charged,
      available: payer.available(),
      restoreRate: this.#options.restoreRate,
    };
    return { body: { errors, extensions: { cost } }, failure };
  }

  /** The path of errors about no field in particular. */
  #firstField(request: GraphqlRequest): readonly string[] {
    return firstFieldIn(this.#options.textOf(request) ?? '') ?? [];
  }

  #errorContext({ requestId, reader }: GraphqlRequest): ErrorContext {
    const { baseUrl, log } = this.#options;
    const language = reader?.language ?? 'en';
    return { baseUrl, requestId, language, report: (err) => log.error({ err, requestId }, 'GraphQL operation failed') };
  }
}
