import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../../kernel/errors.ts';
import { attemptTo } from '../errors/error-kinds.ts';
import type { OperationRunner } from '../operation-runner.ts';
import type { Attempt, GraphqlResult } from '../requests.ts';
import type { ResponseBuilder } from '../response-builder.ts';
import type { SqlClient } from '../sql.ts';
import { fingerprintOf, type Hold, type IdempotencyKeys, readIdempotencyKey, refusalOf } from './idempotency-keys.ts';

/** Points for the stored answer of a mutation. */
const REPLAY_COST = 1;
/** Statuses of what the specification of the header (draft-ietf-httpapi-idempotency-key-header, section 2.7) describes. */
const KEY_STATUS = { running: 503, lost: 409, different: 422 } as const;

/** Runs a mutation; its statements are sent to this database instead of the engine's. */
type Work = (db: SqlClient) => Promise<GraphqlResult>;

interface OnceParts {
  readonly keys: IdempotencyKeys | undefined;
  readonly runner: OperationRunner;
  readonly answers: ResponseBuilder;
  readonly log: { error(context: object, message: string): void };
}

/** Mutations that are sent with an idempotency key. */
export class IdempotentMutations {
  readonly #parts: OnceParts;

  constructor(parts: OnceParts) {
    this.#parts = parts;
  }

  /** Carries a mutation out once for all requests of the account with this key. */
  async run(attempt: Attempt, header: string, work: Work): Promise<GraphqlResult> {
    const { request, payer } = attempt;
    const { keys, runner, answers } = this.#parts;
    const key = attemptTo(() => readIdempotencyKey(header));
    if (key instanceof Error || !keys) return { ...answers.failed(attempt, key), status: 400 };
    const run = answers.begin(attempt);
    await runner.authenticate(run, request.credential);
    if (!run.viewer)
      throw new AppError('UNAUTHENTICATED', 'Idempotency keys belong to accounts.', {
        suggestedFix: 'Leave the header Idempotency-Key out.',
      });
    const claim = await keys.claim(run.viewer.accountId, key, fingerprintOf(request), request.signal);
    if (claim.kind === 'held') return this.#held(attempt, claim.hold, work);
    payer.settle(run.viewer, REPLAY_COST);
    // What #held stored.
    if (claim.kind === 'answered') return { ...(JSON.parse(claim.answer) as GraphqlResult), replayed: true };
    return { ...answers.failed(attempt, refusalOf(claim.kind)), status: KEY_STATUS[claim.kind] };
  }

  /** Runs the first request with a key and stores its answer, unless nothing was done and a repetition may fare better. */
  async #held(attempt: Attempt, hold: Hold, work: Work): Promise<GraphqlResult> {
    const { answers, log } = this.#parts;
    const result = await hold.during(() => work(hold.db)).catch((error: unknown) => answers.failed(attempt, error));
    try {
      if (hold.committed || isFinal(result)) await hold.answered(JSON.stringify(result));
      else await hold.release();
    } catch (err) {
      // The lease runs out; a repetition is then told what is known.
      log.error({ err, requestId: attempt.request.requestId }, 'the answer under an idempotency key was not stored');
    }
    return result;
  }
}

/** Whether the operation ran and none of its failures is one that passes. */
function isFinal({ failure, body }: GraphqlResult): boolean {
  // Every rendered error has a code of the catalogue.
  return (
    failure === null && !(body.errors ?? []).some(({ extensions }) => ERROR_CATALOGUE[extensions?.['code'] as ErrorCode]?.retryable ?? true)
  );
}
