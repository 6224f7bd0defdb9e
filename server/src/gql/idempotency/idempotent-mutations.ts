import { createHash } from 'node:crypto';
import type { SqlClient } from '@reelgraph/sql-planner';
import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Attempt, GraphqlResult } from '../requests.ts';
import type { ResponseBuilder } from '../response-builder.ts';
import type { Viewer } from '../viewer.ts';
import { fingerprintOf, type Hold, type IdempotencyKeys, keyRefusal, readIdempotencyKey } from './idempotency-keys.ts';

/** Points for the stored response of a mutation. */
const REPLAY_COST = 1;
/** Statuses by the header's specification (draft-ietf-httpapi-idempotency-key-header, section 2.7). */
const KEY_STATUS = { running: 503, lost: 409, different: 422 } as const;

interface IdempotencyOptions {
  /** Without them, requests with an idempotency key are refused. */
  readonly keys: IdempotencyKeys | undefined;
  readonly responses: ResponseBuilder;
  /** The sender of a request. */
  readonly identify: (attempt: Attempt) => Promise<Viewer | null>;
  readonly log: { error(context: object, message: string): void };
}

/** Executes a mutation. Never rejects; its statements are sent to this database instead of the engine's. */
type Execute = (writes: SqlClient) => Promise<GraphqlResult>;

/** Mutations with an idempotency key. */
export class IdempotentMutations {
  readonly #options: IdempotencyOptions;

  constructor(options: IdempotencyOptions) {
    this.#options = options;
  }

  /** Executes a mutation once for all of the account's requests with this key. */
  async run(attempt: Attempt, header: string, execute: Execute): Promise<GraphqlResult> {
    const { request, payer } = attempt;
    const { keys, responses, identify } = this.#options;
    const key = readKey(header);
    if (key instanceof Error || !keys) return { ...responses.failed(attempt, key), status: 400 };
    const viewer = await identify(attempt);
    if (!viewer)
      throw new AppError('UNAUTHENTICATED', t`Idempotency keys belong to accounts.`, {
        suggestedFix: t`Leave the header Idempotency-Key out.`,
      });
    const claim = await keys.claim(viewer.accountId, keyFor(viewer, key), fingerprintOf(request), request.signal);
    if (claim.kind === 'held') return this.#held(attempt, claim.hold, execute);
    payer.settle(viewer, REPLAY_COST);
    // Stored by #held.
    if (claim.kind === 'answered') return { ...(JSON.parse(claim.answer) as GraphqlResult), replayed: true };
    return { ...responses.failed(attempt, keyRefusal(claim.kind)), status: KEY_STATUS[claim.kind] };
  }

  /**
   * Executes the first request with a key and stores its response, unless nothing was committed and a retry may
   * succeed.
   */
  async #held(attempt: Attempt, hold: Hold, execute: Execute): Promise<GraphqlResult> {
    const { responses, log } = this.#options;
    const result = await hold
      .during(() => execute(hold.db))
      .catch((error: unknown) => responses.failed(attempt, error));
    try {
      if (hold.committed || isFinal(result)) await hold.answered(JSON.stringify(result));
      else await hold.release();
    } catch (err) {
      // The lease expires; a retry then gets the stored state.
      log.error({ err, requestId: attempt.request.requestId }, 'the answer under an idempotency key was not stored');
    }
    return result;
  }
}

/** A token has keys of its own: it must not get responses to mutations that it may not use. */
function keyFor({ token }: Viewer, key: string): string {
  return token ? `token ${createHash('sha256').update(`${token.id} ${key}`).digest('base64url')}` : key;
}

function readKey(header: string): string | Error {
  try {
    return readIdempotencyKey(header);
  } catch (error) {
    return error as Error; // only AppErrors are thrown
  }
}

/** Whether the operation was executed without transient errors. */
function isFinal({ failure, body }: GraphqlResult): boolean {
  // Every rendered error has a catalogue code.
  return (
    failure === null &&
    !(body.errors ?? []).some(({ extensions }) => ERROR_CATALOGUE[extensions?.['code'] as ErrorCode]?.retryable ?? true)
  );
}
