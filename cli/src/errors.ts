import { type ErrorCode, NetworkError, ProcessingError, ReelgraphError } from '../../clients/typescript/src/index.ts';

/** Exit codes. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  rateLimited: 5,
  invalid: 6,
  unreachable: 7,
  media: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Meaning of each exit code, for the help. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'failed for another reason'],
  [EXIT.usage, 'invalid command line'],
  [EXIT.unauthorized, 'no API key, an invalid key, or a missing permission'],
  [EXIT.notFound, 'not found, or not visible to you'],
  [EXIT.rateLimited, 'rate limit exceeded'],
  [EXIT.invalid, 'the platform rejected a value'],
  [EXIT.unreachable, 'the platform is unreachable'],
  [EXIT.media, 'the file could not be uploaded or processed'],
  [EXIT.interrupted, 'interrupted with Ctrl-C'],
];

/** Every code of the error catalogue: a new one does not compile until it has an exit code. */
const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  UNAUTHENTICATED: EXIT.unauthorized,
  UNAUTHORIZED: EXIT.unauthorized,
  ACCOUNT_SUSPENDED: EXIT.unauthorized,
  TOKEN_EXPIRED: EXIT.unauthorized,
  RESOURCE_NOT_FOUND: EXIT.notFound,
  RATE_LIMIT_EXCEEDED: EXIT.rateLimited,
  QUOTA_EXCEEDED: EXIT.invalid,
  GRAPHQL_VALIDATION_FAILED: EXIT.invalid,
  INVALID_INPUT: EXIT.invalid,
  FIELD_REQUIRED: EXIT.invalid,
  RESOURCE_ALREADY_EXISTS: EXIT.invalid,
  CONFLICT: EXIT.invalid,
  TRANSCODE_FAILED: EXIT.media,
  PROCESSING_FAULT: EXIT.media,
  UPLOAD_FAILED: EXIT.media,
  INTERNAL_SERVER_ERROR: EXIT.unreachable,
  SERVICE_UNAVAILABLE: EXIT.unreachable,
};

/** A printable error with its exit code. */
export interface ErrorDetails {
  readonly message: string;
  /** Of the error catalogue; null for other errors. */
  readonly code: string | null;
  readonly field: string | null;
  readonly suggestedFix: string | null;
  readonly documentation: string | null;
  readonly requestId: string | null;
  readonly exitCode: ExitCode;
}

/** An invalid command line, or a request that cannot be carried out here. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly suggestedFix: string;
  readonly exitCode: ExitCode;

  constructor(message: string, suggestedFix: string, exitCode: ExitCode = EXIT.usage) {
    super(message);
    this.suggestedFix = suggestedFix;
    this.exitCode = exitCode;
  }
}

/** Ctrl-C was pressed, or the system asked the process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The command failed and has printed why. */
export class AlreadyReported extends Error {
  override readonly name = 'AlreadyReported';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super('');
    this.exitCode = exitCode;
  }
}

/** Exit code for a code of the error catalogue. */
export function exitCodeOf(code: string): ExitCode {
  const known: Readonly<Record<string, ExitCode>> = EXIT_OF;
  return known[code] ?? EXIT.failed;
}

/** Details of anything that was thrown. */
export function describeError(error: unknown): ErrorDetails {
  if (error instanceof ReelgraphError) return platformError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CliError) return localError(message, error.exitCode, error.suggestedFix);
  if (error instanceof Interrupted) return localError('Interrupted.', EXIT.interrupted);
  if (error instanceof NetworkError)
    return localError(
      message,
      EXIT.unreachable,
      'Check the address and the connection; `reelgraph doctor` tests both.',
    );
  if (error instanceof ProcessingError) return localError(message, EXIT.media, 'Try another file.');
  return localError(message, EXIT.failed);
}

function localError(message: string, exitCode: ExitCode, suggestedFix: string | null = null): ErrorDetails {
  return { message, code: null, field: null, suggestedFix, documentation: null, requestId: null, exitCode };
}

function platformError(error: ReelgraphError): ErrorDetails {
  const { message, code, field = null, suggestedFix, documentation, requestId } = error;
  return {
    message,
    code,
    field,
    suggestedFix: suggestedFix || null,
    documentation: documentation || null,
    requestId,
    exitCode: exitCodeOf(code),
  };
}
