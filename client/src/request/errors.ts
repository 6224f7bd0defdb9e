import { ERROR_CODES, type ErrorCode } from '../generated/error-codes.gen.ts';

/** One error as the platform words it. Every code has a page, at `documentation`. */
export interface ErrorDetail {
  readonly message: string;
  readonly code: ErrorCode | (string & {});
  /** Kind of failure: `ValidationError`, `RateLimitError`, … */
  readonly errorType: string;
  /** The argument it is about, as the caller spells it: `input.title`. */
  readonly field: string | undefined;
  readonly suggestedFix: string;
  /** Address of the page that explains the code. */
  readonly documentation: string;
  /** Where in the data the value is missing. */
  readonly path: readonly (string | number)[] | undefined;
}

/** What is known about a refusal beside its errors. */
export interface Refusal {
  readonly errors: readonly ErrorDetail[];
  /** HTTP status. */
  readonly status: number;
  readonly requestId: string | null;
  /** What was answered all the same; null when nothing was. */
  readonly data: unknown;
  /** How long to wait before a repetition, as the platform says. */
  readonly retryAfterMs: number | null;
}

/** The platform answered, and refused: all of it, or a part, then `data` holds the rest. The first error speaks for all. */
export class ReelgraphError extends Error {
  override readonly name = 'ReelgraphError';
  readonly code: ErrorDetail['code'];
  readonly errorType: string;
  readonly field: string | undefined;
  readonly suggestedFix: string;
  readonly documentation: string;
  readonly path: ErrorDetail['path'];
  readonly errors: readonly ErrorDetail[];
  readonly status: number;
  /** To be quoted to the operator; the server's log knows it. */
  readonly requestId: string | null;
  readonly data: unknown;
  /** Whether the same request, unchanged, may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(refusal: Refusal) {
    const [first] = refusal.errors;
    super(first?.message ?? `The platform answered with status ${refusal.status}.`);
    this.code = first?.code ?? 'INTERNAL_SERVER_ERROR';
    this.errorType = first?.errorType ?? 'InternalError';
    this.field = first?.field;
    this.suggestedFix = first?.suggestedFix ?? '';
    this.documentation = first?.documentation ?? '';
    this.path = first?.path;
    this.errors = refusal.errors;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.data = refusal.data;
    this.retryable = refusal.errors.length > 0 && refusal.errors.every(({ code }) => mayPass(code));
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/** `unreachable`: no connection, or it broke. `timeout`: no answer in time. `no-answer`: something answered that is not the platform, a proxy perhaps. */
export type NetworkFailure = 'unreachable' | 'timeout' | 'no-answer';

/** The platform gave no answer. Whether a mutation was carried out is not known, unless it is repeated with its idempotency key. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: NetworkFailure;
  /** HTTP status of what answered instead; null without any answer. */
  readonly status: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(reason: NetworkFailure, message: string, options: { cause?: unknown; status?: number; retryAfterMs?: number | null } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.status = options.status ?? null;
    this.retryable = this.status === null || this.status === 408 || this.status === 429 || this.status >= 500;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Errors of a GraphQL answer, with their members in `extensions`, or of any other endpoint, with the members beside the message. */
export function readErrors(found: unknown): ErrorDetail[] {
  return Array.isArray(found) ? found.map((one: unknown) => readError(one)) : [];
}

function readError(found: unknown): ErrorDetail {
  const error = asRecord(found);
  const members = { ...error, ...asRecord(error.extensions) };
  const text = (name: string, otherwise = '') => (typeof members[name] === 'string' ? members[name] : otherwise);
  return {
    message: text('message', 'The platform refused the request.'),
    code: text('code', 'INTERNAL_SERVER_ERROR'),
    errorType: text('errorType', 'InternalError'),
    field: typeof members.field === 'string' ? members.field : undefined,
    suggestedFix: text('suggestedFix'),
    documentation: text('documentation'),
    path: Array.isArray(members.path) ? members.path : undefined,
  };
}

/** An object's members; none of anything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // members are looked at one by one
}

function mayPass(code: string): boolean {
  const codes: Readonly<Record<string, boolean>> = ERROR_CODES;
  return codes[code] === true;
}
