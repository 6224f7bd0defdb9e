import { type ErrorCode, NetworkError, ProcessingError, ReelgraphError } from '../../client/src/index.ts';

/** What the command line ends with, and when. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAuthorised: 3,
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
  [EXIT.failed, 'failed for a reason that is none of the following'],
  [EXIT.usage, 'the command line is not understood'],
  [EXIT.notAuthorised, 'no key, a wrong key, or a permission is missing'],
  [EXIT.notFound, 'there is no such thing, or you may not see it'],
  [EXIT.rateLimited, 'the limit of requests is used up for the moment'],
  [EXIT.invalid, 'the platform does not accept a value'],
  [EXIT.unreachable, 'the platform does not answer'],
  [EXIT.media, 'the file could not be uploaded or processed'],
  [EXIT.interrupted, 'interrupted with Ctrl-C'],
];

/** Every code of the error catalogue; a new one does not compile until it is placed here. */
const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  UNAUTHENTICATED: EXIT.notAuthorised,
  UNAUTHORIZED: EXIT.notAuthorised,
  TOKEN_EXPIRED: EXIT.notAuthorised,
  RESOURCE_NOT_FOUND: EXIT.notFound,
  RATE_LIMIT_EXCEEDED: EXIT.rateLimited,
  GRAPHQL_VALIDATION_FAILED: EXIT.invalid,
  INVALID_INPUT: EXIT.invalid,
  FIELD_REQUIRED: EXIT.invalid,
  RESOURCE_ALREADY_EXISTS: EXIT.invalid,
  TRANSCODE_FAILED: EXIT.media,
  UPLOAD_FAILED: EXIT.media,
  INTERNAL_SERVER_ERROR: EXIT.unreachable,
  SERVICE_UNAVAILABLE: EXIT.unreachable,
};

/** What went wrong, as it is told and as the process ends. */
export interface Failure {
  readonly message: string;
  /** Of the error catalogue; null for what the platform did not say. */
  readonly code: string | null;
  readonly field: string | null;
  readonly suggestedFix: string | null;
  readonly documentation: string | null;
  readonly requestId: string | null;
  readonly exitCode: ExitCode;
}

/** The command line is not understood, or asks for what cannot be done here. */
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

/** Somebody pressed Ctrl-C, or the system asked the process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The command did what it should and found that something is wrong, which it has told already. */
export class Told extends Error {
  override readonly name = 'Told';
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

/** Whatever was thrown, as it is told. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ReelgraphError) return refusal(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CliError) return ownFailure(message, error.exitCode, error.suggestedFix);
  if (error instanceof Interrupted) return ownFailure('Interrupted.', EXIT.interrupted);
  if (error instanceof NetworkError)
    return ownFailure(message, EXIT.unreachable, 'Check the address and the connection; `reelgraph doctor` looks at both.');
  if (error instanceof ProcessingError) return ownFailure(message, EXIT.media, 'Try another file.');
  return ownFailure(message, EXIT.failed);
}

/** What the platform did not say. */
function ownFailure(message: string, exitCode: ExitCode, suggestedFix: string | null = null): Failure {
  return { message, code: null, field: null, suggestedFix, documentation: null, requestId: null, exitCode };
}

function refusal(error: ReelgraphError): Failure {
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
