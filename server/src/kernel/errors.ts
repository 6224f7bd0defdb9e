import { localized } from './languages/catalogs.ts';
import type { Language } from './languages/languages.ts';
import { type Text, t } from './languages/message.ts';
/**
 * The error catalogue: a constant table from which codes, types, HTTP statuses, rendered responses and the pages under
 * /docs/errors/ are derived. Spec: "Errors"; codes: API vocabulary, "Error codes".
 */

export type ErrorType =
  | 'AuthenticationError'
  | 'AuthorizationError'
  | 'ValidationError'
  | 'RateLimitError'
  | 'QuotaError'
  | 'NotFoundError'
  | 'ConflictError'
  | 'ProcessingError'
  | 'UploadError'
  | 'InternalError'
  | 'AvailabilityError';

export interface ErrorEntry {
  readonly errorType: ErrorType;
  /** Status when the whole request fails with this code, on every HTTP endpoint. */
  readonly httpStatus: number;
  readonly message: string;
  readonly suggestedFix: string;
  /** Whether the same request may usually succeed later; an occurrence may differ (`AppErrorOptions.retryable`). */
  readonly retryable: boolean;
  /** What happened, for the generated page: two or three sentences. */
  readonly explanation: string;
  readonly related: readonly string[];
}

export const ERROR_CATALOGUE = {
  UNAUTHENTICATED: {
    errorType: 'AuthenticationError',
    httpStatus: 401,
    message: t`A valid API key is required.`,
    suggestedFix: t`Send the header "Authorization: Bearer <API_KEY>" with the current key from Developer Settings.`,
    retryable: false,
    explanation:
      'The request carried no credential, or one that is malformed, unknown or replaced. An account has one ' +
      'current key: regenerating it in Developer Settings makes the previous one stop working at once. Keys are ' +
      'accepted in the Authorization header only, never in the address. With the field "token": a playback token ' +
      'is malformed, its signature is not valid, its key was deleted, or one of its claims is not accepted.',
    related: ['UNAUTHORIZED', 'TOKEN_EXPIRED'],
  },
  UNAUTHORIZED: {
    errorType: 'AuthorizationError',
    httpStatus: 403,
    message: t`This account does not have permission to do that.`,
    suggestedFix: t`Check verifyConnection.permissions and the state of the subscription in Developer Settings.`,
    retryable: false,
    explanation:
      'The credential is genuine, but the account lacks the permission: its subscription or trial has lapsed, ' +
      'its plan does not grant the permission, or the object belongs to someone else.',
    related: ['UNAUTHENTICATED', 'RESOURCE_NOT_FOUND'],
  },
  ACCOUNT_SUSPENDED: {
    errorType: 'AuthorizationError',
    httpStatus: 403,
    message: t`This account is suspended.`,
    suggestedFix: t`Contact the operator of this server if you think that this is a mistake.`,
    retryable: false,
    explanation:
      'An operator of this server has suspended the account: nobody can sign in to it, and its API key, tokens, ' +
      'sessions and connected applications are refused. The message gives the reason, and the fix whom to contact, ' +
      'which is also in the mail about the suspension. Credentials work again once it has ended; sessions do not.',
    related: ['UNAUTHENTICATED', 'UNAUTHORIZED'],
  },
  TOKEN_EXPIRED: {
    errorType: 'AuthenticationError',
    httpStatus: 401,
    message: t`This token has expired.`,
    suggestedFix: t`Request a new upload endpoint, playback address or session and repeat the request with it.`,
    retryable: false,
    explanation:
      'Upload endpoints, signed playback addresses, playback tokens and sessions are valid ' +
      'for a limited time. The one that was sent is genuine but has expired.',
    related: ['UNAUTHENTICATED'],
  },
  GRAPHQL_VALIDATION_FAILED: {
    errorType: 'ValidationError',
    httpStatus: 400,
    message: t`The GraphQL document is not valid.`,
    suggestedFix: t`Compare the operation with the schema (introspection is open to every key) and correct it.`,
    retryable: false,
    explanation:
      'The document does not parse, selects something the schema does not have, supplies variables of the wrong ' +
      'type, or exceeds the depth, alias or cost limits. Nothing was executed.',
    related: ['INVALID_INPUT', 'RATE_LIMIT_EXCEEDED'],
  },
  INVALID_INPUT: {
    errorType: 'ValidationError',
    httpStatus: 400,
    message: t`An argument has a value that is not accepted.`,
    suggestedFix: t`Correct the argument named in "field".`,
    retryable: false,
    explanation:
      'A value has the right type but is out of range, malformed, or not possible ' +
      'in the present state of the object. The field names the argument.',
    related: ['FIELD_REQUIRED', 'GRAPHQL_VALIDATION_FAILED'],
  },
  FIELD_REQUIRED: {
    errorType: 'ValidationError',
    httpStatus: 400,
    message: t`A required value is missing.`,
    suggestedFix: t`Supply the argument named in "field".`,
    retryable: false,
    explanation: 'The operation needs a value that was absent, null or blank. The field names the argument.',
    related: ['INVALID_INPUT'],
  },
  RATE_LIMIT_EXCEEDED: {
    errorType: 'RateLimitError',
    httpStatus: 429,
    message: t`The rate limit of this account is used up for now.`,
    suggestedFix: t`Wait for the time in the Retry-After header, then repeat the request; ask for fewer items per
      page.`,
    retryable: true,
    explanation:
      'Every operation costs points, taken from a bucket that refills continuously. extensions.cost in every ' +
      'response reports what was charged, what is left and how fast it refills.',
    related: ['GRAPHQL_VALIDATION_FAILED'],
  },
  QUOTA_EXCEEDED: {
    errorType: 'QuotaError',
    httpStatus: 403,
    message: t`There are as many of these as this account may have.`,
    suggestedFix: t`Finish or delete some of them, then repeat the request.`,
    retryable: false,
    explanation:
      'A quota limits how many of something there may be at a time, such as open uploads. In contrast to a rate ' +
      'limit, waiting does not help: the request works once there are fewer of them.',
    related: ['RATE_LIMIT_EXCEEDED', 'INVALID_INPUT'],
  },
  RESOURCE_NOT_FOUND: {
    errorType: 'NotFoundError',
    httpStatus: 404,
    message: t`The object does not exist, or is not visible to this account.`,
    suggestedFix: t`Check the identifier and its kind; identifiers have the form did:<namespace>:<type>/<id>.`,
    retryable: false,
    explanation:
      'No object with this identifier exists, it was deleted, or this account may not see it. The response is ' +
      'the same in all three cases so that private objects are not disclosed.',
    related: ['UNAUTHORIZED', 'INVALID_INPUT'],
  },
  RESOURCE_ALREADY_EXISTS: {
    errorType: 'ConflictError',
    httpStatus: 409,
    message: t`An object with this name or content already exists.`,
    suggestedFix: t`Use the existing object, or choose another value for the argument named in "field".`,
    retryable: false,
    explanation: 'The operation would create a second object where only one may exist.',
    related: ['INVALID_INPUT', 'CONFLICT'],
  },
  CONFLICT: {
    errorType: 'ConflictError',
    httpStatus: 409,
    message: t`The object was changed after it was read.`,
    suggestedFix: t`Read the object again, repeat your changes on its present values, and send its revision.`,
    retryable: false,
    explanation:
      'The update names the revision that its changes are based on (ifRevision), and the object has another one ' +
      'by now: somebody else has changed it. Nothing was changed. extensions.conflict has the present revision, ' +
      'and the present value of each field that you sent and that has another one.',
    related: ['INVALID_INPUT', 'RESOURCE_ALREADY_EXISTS'],
  },
  TRANSCODE_FAILED: {
    errorType: 'ProcessingError',
    httpStatus: 422,
    message: t`This file could not be processed.`,
    suggestedFix: t`Play the file locally to check it, export it again (for example as MP4 with H.264 and AAC) and
      upload it once more.`,
    retryable: false,
    explanation:
      'The uploaded file is not audio or video, is damaged, or uses ' +
      'a format that cannot be decoded. The message names it.',
    related: ['UPLOAD_FAILED'],
  },
  PROCESSING_FAULT: {
    errorType: 'ProcessingError',
    httpStatus: 500,
    message: t`This server made streams of the file that are not what they should be, so they were discarded.`,
    suggestedFix: t`Report the id in the message to the operator; after an update of the server, process the video
      again.`,
    retryable: false,
    explanation:
      'The file can be decoded, but what this server made of it did not pass its own verification, also after the ' +
      'file was decoded whole, measured and encoded once more. The message has an id under which the log says what ' +
      'was found. The uploaded file is kept: after an update of the server, process it again.',
    related: ['TRANSCODE_FAILED', 'INTERNAL_SERVER_ERROR'],
  },
  UPLOAD_FAILED: {
    errorType: 'UploadError',
    httpStatus: 422,
    message: t`The upload could not be accepted.`,
    suggestedFix: t`Send exactly the number of bytes that was declared, within the size limit of the plan, and resume
      from the offset the server reports.`,
    retryable: false,
    explanation:
      'The bytes that arrived do not match what was declared, exceed the limit of the plan, or could not ' +
      'be stored. Acknowledged bytes are kept until the upload expires.',
    related: ['TRANSCODE_FAILED', 'INVALID_INPUT'],
  },
  INTERNAL_SERVER_ERROR: {
    errorType: 'InternalError',
    httpStatus: 500,
    message: t`An internal error occurred.`,
    suggestedFix: t`Repeat the request once; if it fails again, report the request id to the operator.`,
    retryable: true,
    explanation: 'The server met an unexpected error. Details are only in the server log, under the request id.',
    related: ['SERVICE_UNAVAILABLE'],
  },
  SERVICE_UNAVAILABLE: {
    errorType: 'AvailabilityError',
    httpStatus: 503,
    message: t`The service is temporarily unavailable.`,
    suggestedFix: t`Repeat the request after the time in the Retry-After header.`,
    retryable: true,
    explanation:
      'A dependency (database, object store, disk space) is not available, or the operation timed out. With ' +
      '"retryable": false the operator has to act first: the feature is not set up on this server, or set up wrongly.',
    related: ['INTERNAL_SERVER_ERROR', 'RATE_LIMIT_EXCEEDED'],
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** What an update that is based on an earlier revision met. */
export interface Conflict {
  /** The present one. */
  readonly revision: number;
  /** What was sent and is different, with the present values as the API shows them. */
  readonly fields: readonly { readonly field: string; readonly value: unknown }[];
}

export interface AppErrorOptions {
  /** The argument that caused the error, as the caller spells it: `input.title`, `first`. */
  readonly field?: string;
  /** Replaces the catalogue's general advice with a specific one. */
  readonly suggestedFix?: Text;
  /** For the log; never rendered. */
  readonly cause?: unknown;
  /** Seconds, rendered as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** False where repeating the request is futile though its code usually passes: a feature that is not set up. */
  readonly retryable?: boolean;
  /** Where the protocol prescribes another HTTP status than the catalogue: 416 for a range that cannot be satisfied. */
  readonly httpStatus?: number;
  /** Headers that the protocol prescribes with the error, by their names in lower case: Content-Range with 416. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With CONFLICT. */
  readonly conflict?: Conflict;
}

/**
 * The only error that code throws on purpose; `http` renders it, in the language of the request. Its message and its
 * fix are English, for the log. Any other error is masked as INTERNAL_SERVER_ERROR.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly suggestedFix: string;
  readonly retryAfterSeconds: number | undefined;
  /** Whether the caller's same request may succeed later. Jobs go by the catalogue: they outlive repairs. */
  readonly retryable: boolean;
  /** HTTP status of the response. */
  readonly httpStatus: number;
  /** Further headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly conflict: Conflict | undefined;
  readonly #text: Text;
  readonly #fix: Text;

  constructor(code: ErrorCode, message?: Text, options: AppErrorOptions = {}) {
    const text = message ?? ERROR_CATALOGUE[code].message;
    super(String(text), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.field = options.field;
    this.#text = text;
    this.#fix = options.suggestedFix ?? ERROR_CATALOGUE[code].suggestedFix;
    this.suggestedFix = String(this.#fix);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.retryable = options.retryable ?? ERROR_CATALOGUE[code].retryable;
    this.httpStatus = options.httpStatus ?? ERROR_CATALOGUE[code].httpStatus;
    this.headers = options.headers ?? {};
    this.conflict = options.conflict;
  }

  /** The message as a text that has other languages. */
  get text(): Text {
    return this.#text;
  }

  /** The suggested fix as a text that has other languages. */
  get fix(): Text {
    return this.#fix;
  }
}

const STORAGE_FULL_RETRY_SECONDS = 300;

/**
 * The storage is full: SERVICE_UNAVAILABLE until space is freed or added. Jobs that fail with it wait for space without
 * limit, and the log counts repetitions instead of writing each.
 */
export class StorageFullError extends AppError {
  constructor(
    message: Text = t`The storage is full: nothing can be stored at the moment.`,
    options: AppErrorOptions = {},
  ) {
    super('SERVICE_UNAVAILABLE', message, {
      suggestedFix: t`Try again later; bytes that were acknowledged are kept. The operator must free or add storage.`,
      retryAfterSeconds: STORAGE_FULL_RETRY_SECONDS,
      ...options,
    });
    this.name = 'StorageFullError';
  }
}

/** The machine-readable part of a rendered error (spec: "extensions fields"), and whether it may pass (ADR 0100). */
export interface ErrorExtensions {
  code: ErrorCode;
  errorType: ErrorType;
  field?: string;
  suggestedFix: string;
  documentation: string;
  retryable: boolean;
  conflict?: Conflict;
}

/** Extensions of `error` in a language, with the documentation address under `baseUrl` (no trailing slash). */
export function errorExtensions(error: AppError, baseUrl: string, language: Language): ErrorExtensions {
  return {
    code: error.code,
    errorType: ERROR_CATALOGUE[error.code].errorType,
    ...(error.field === undefined ? {} : { field: error.field }),
    suggestedFix: localized(error.fix, language),
    documentation: `${baseUrl}/docs/errors/${error.code.toLowerCase()}`,
    retryable: error.retryable,
    ...(error.conflict === undefined ? {} : { conflict: error.conflict }),
  };
}
