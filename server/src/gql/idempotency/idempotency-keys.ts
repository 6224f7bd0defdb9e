import { createHash } from 'node:crypto';
import type { SqlClient } from '@reelgraph/sql-planner';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

const HEADER = 'Idempotency-Key';
const KEY = /^[\x21-\x7e]{1,200}$/;

/** The state of a key when a request arrives. */
export type Claim =
  /** The first request, or earlier ones committed nothing: execute it under the hold. */
  | { readonly kind: 'held'; readonly hold: Hold }
  /** The same request has completed. */
  | { readonly kind: 'answered'; readonly answer: string }
  /** The same request is running. */
  | { readonly kind: 'running' }
  /** The same request was executed, at least in part, by a process that died before it stored the response. */
  | { readonly kind: 'lost' }
  /** The key was used with another request. */
  | { readonly kind: 'different' };

/** The right to execute a request. Everything committed under it is marked in the same transaction. */
export interface Hold {
  /** Sends statements in one transaction with the mark. */
  readonly db: SqlClient;
  /** Runs `work`; each transaction it commits carries the mark, and none commits once the hold is lost. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Whether anything was committed. */
  readonly committed: boolean;
  /** Stores the response for repeated requests. */
  answered(answer: string): Promise<void>;
  /** Releases the key: nothing was committed, and the request may be repeated. */
  release(): Promise<void>;
}

/** The keys of all accounts; a port of the engine. */
export interface IdempotencyKeys {
  /** Claims a key; waits briefly while the same request is running. */
  claim(accountId: string, key: string, fingerprint: Buffer, signal: AbortSignal): Promise<Claim>;
}

/** The key of the header. Throws INVALID_INPUT unless it is 1 to 200 visible ASCII characters. */
export function readIdempotencyKey(value: string): string {
  if (KEY.test(value)) return value;
  throw new AppError('INVALID_INPUT', t`The header ${HEADER} must have 1 to 200 visible ASCII characters.`, {
    field: HEADER,
    suggestedFix: t`Send a random value such as a UUID, once, and the same one when you repeat the request.`,
  });
}

/** Identifies equal requests: the document, its operation and the variables, in any order of members. */
export function fingerprintOf(request: {
  readonly query?: string | undefined;
  readonly documentId?: string | undefined;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}): Buffer {
  const { query = null, documentId = null, operationName, variables } = request;
  return createHash('sha256')
    .update(JSON.stringify([query, documentId, operationName ?? null, sorted(variables ?? {})]))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

/** The error of a request that is not executed under its key. */
export function keyRefusal(kind: 'running' | 'lost' | 'different'): AppError {
  if (kind === 'running') {
    return new AppError('SERVICE_UNAVAILABLE', t`The same request is still running under this key.`, {
      field: HEADER,
      suggestedFix: t`Repeat the request with the same key in a moment; it is answered when the first one is.`,
      retryAfterSeconds: 1,
    });
  }
  if (kind === 'lost') {
    return new AppError(
      'RESOURCE_ALREADY_EXISTS',
      t`An earlier request with this key was carried out, but its answer was lost.`,
      {
        field: HEADER,
        suggestedFix: t`Read what it was to change; send a new key only if the change is not there.`,
      },
    );
  }
  return new AppError('INVALID_INPUT', t`This key was used with another request within the last 24 hours.`, {
    field: HEADER,
    suggestedFix: t`Use a new key for each request, and the same one only to repeat it unchanged.`,
  });
}
