import { ERROR_CODES, type ErrorCode } from './generated/error-codes.gen.ts';

/** What an update met that was based on an earlier revision. */
export interface Conflict {
  /** The present one. */
  readonly revision: number;
  /** What was sent and has another value by now, with that value. */
  readonly fields: readonly { readonly field: string; readonly value: unknown }[];
}

/** One error of the platform. Every code has a page, at `documentation`. */
export interface ErrorDetail {
  readonly message: string;
  readonly code: ErrorCode | (string & {});
  /** Category: `ValidationError`, `RateLimitError`, … */
  readonly errorType: string;
  /** The argument it concerns, such as `input.title`. */
  readonly field: string | undefined;
  readonly suggestedFix: string;
  /** Address of the page that explains the code. */
  readonly documentation: string;
  /** Whether the same request may succeed later, as the platform says; by the code if it does not say. */
  readonly retryable: boolean;
  /** Path of the missing value in the data. */
  readonly path: readonly (string | number)[] | undefined;
  /** With CONFLICT. */
  readonly conflict?: Conflict;
}

/** Context of the errors of a response. */
export interface Refusal {
  readonly errors: readonly ErrorDetail[];
  /** HTTP status. */
  readonly status: number;
  readonly requestId: string | null;
  /** Partial data; null without any. */
  readonly data: unknown;
  /** How long to wait before a retry, if the platform says so. */
  readonly retryAfterMs: number | null;
  /** Whether some mutations of the request were executed, which to repeat it would execute again. */
  readonly isPartlyDone?: boolean;
}

/**
 * The platform answered with errors: for everything, or for a part; then `data` holds the rest. Its fields are those of
 * the first error.
 */
export class ReelgraphError extends Error {
  override readonly name = 'ReelgraphError';
  readonly code: ErrorDetail['code'];
  readonly errorType: string;
  readonly field: string | undefined;
  readonly suggestedFix: string;
  readonly documentation: string;
  readonly path: ErrorDetail['path'];
  /** With CONFLICT: the present revision, and the present values of what was sent. */
  readonly conflict: Conflict | undefined;
  readonly errors: readonly ErrorDetail[];
  readonly status: number;
  /** Quote it when reporting a problem: it is in the server's log. */
  readonly requestId: string | null;
  readonly data: unknown;
  /**
   * Whether the same request may succeed later: false as soon as one error is permanent, and where another mutation of
   * the request was executed (`data`).
   */
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
    this.conflict = first?.conflict;
    this.errors = refusal.errors;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.data = refusal.data;
    this.retryable =
      !refusal.isPartlyDone && refusal.errors.length > 0 && refusal.errors.every(({ retryable }) => retryable);
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/**
 * `unreachable`: no connection, or it broke. `timeout`: no response in time. `no-answer`: something else responded,
 * such as a proxy.
 */
export type NetworkFailure = 'unreachable' | 'timeout' | 'no-answer';

/** No response from the platform. A mutation may or may not have been executed; retry it with its idempotency key. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: NetworkFailure;
  /** HTTP status of the other responder; null without a response. */
  readonly status: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(
    reason: NetworkFailure,
    message: string,
    options: { cause?: unknown; status?: number; retryAfterMs?: number | null } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.status = options.status ?? null;
    this.retryable = this.status === null || this.status === 408 || this.status === 429 || this.status >= 500;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/**
 * Errors of a GraphQL response, with their fields in `extensions`, or of any other endpoint, with the fields beside the
 * message.
 */
export function readErrors(found: unknown): ErrorDetail[] {
  return Array.isArray(found) ? found.map((one: unknown) => readError(one)) : [];
}

function readError(found: unknown): ErrorDetail {
  const error = asRecord(found);
  const members = { ...error, ...asRecord(error.extensions) };
  const text = (name: string, otherwise = '') => (typeof members[name] === 'string' ? members[name] : otherwise);
  const code = text('code', 'INTERNAL_SERVER_ERROR');
  return {
    message: text('message', 'The platform rejected the request.'),
    code,
    errorType: text('errorType', 'InternalError'),
    field: typeof members.field === 'string' ? members.field : undefined,
    suggestedFix: text('suggestedFix'),
    documentation: text('documentation'),
    retryable: typeof members.retryable === 'boolean' ? members.retryable : isUsuallyTransient(code),
    path: Array.isArray(members.path) ? members.path : undefined,
    ...(members.conflict === undefined ? {} : { conflict: readConflict(asRecord(members.conflict)) }),
  };
}

function readConflict({ revision, fields }: Readonly<Record<string, unknown>>): Conflict {
  const read = (found: unknown) => {
    const { field, value } = asRecord(found);
    return { field: String(field), value };
  };
  return { revision: Number(revision), fields: Array.isArray(fields) ? fields.map(read) : [] };
}

/** The fields of an object; none for anything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Callers check each member.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Platforms before this client's version do not say whether an error may pass. */
function isUsuallyTransient(code: string): boolean {
  const codes: Readonly<Record<string, boolean>> = ERROR_CODES;
  return codes[code] === true;
}
