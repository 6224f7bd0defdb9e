import { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AttemptKind, addressSubject } from './attempt.policy.ts';
import { blockedUntil, type Counter, clearAttempts, giveBackAttempt, takeAttempt } from './attempts.store.ts';

/** An attempt, counted in advance so that concurrent attempts count too. */
export interface Attempt {
  /** It succeeded: resets the account's counter and uncounts it for the address. */
  succeeded(): Promise<void>;
  /** Removes an attempt that did not happen. */
  withdrawn(): Promise<void>;
}

/** Limits on guessing, the same on every instance because the counters are in the database. */
export interface Attempts {
  /** One sign-in attempt. An e-mail address without an account counts, too. Throws RATE_LIMIT_EXCEEDED. */
  signIn(email: string, clientAddress: string): Promise<Attempt>;
  /** One attempt to create an account; those that succeed count too. Throws RATE_LIMIT_EXCEEDED. */
  signUp(clientAddress: string): Promise<void>;
  /** One attempt of a signed-in account to prove its password. Throws RATE_LIMIT_EXCEEDED. */
  passwordChange(accountId: string): Promise<Attempt>;
  /** One attempt of an account to become an operator. Throws RATE_LIMIT_EXCEEDED. */
  operatorCode(accountId: string): Promise<Attempt>;
  /** A new password was set with authorization: the account's counter is reset. */
  forgive(account: { readonly id: string; readonly email: string }): Promise<void>;
}

export function attemptsOf({ db, clock, secrets }: Pick<Platform, 'db' | 'clock' | 'secrets'>): Attempts {
  const counter = (kind: AttemptKind, subject: string): Counter => ({
    kind,
    subject: secrets.mac('attempt-counter', subject),
  });
  const take = async (taken: Counter): Promise<void> => {
    const nowMs = clock.now();
    if (await takeAttempt(db, taken, new Date(nowMs).toISOString())) return;
    throw tooMany(Date.parse((await blockedUntil(db, taken)) ?? ''), nowMs);
  };
  const ofAccount = async (kind: AttemptKind, subject: string): Promise<Attempt> => {
    const taken = counter(kind, subject);
    await take(taken);
    return { succeeded: () => clearAttempts(db, taken), withdrawn: () => giveBackAttempt(db, taken) };
  };
  return {
    async signIn(email, clientAddress) {
      const address = counter('SIGN_IN_ADDRESS', addressSubject(clientAddress));
      await take(address);
      const account = await ofAccount('SIGN_IN_ACCOUNT', email.trim().toLowerCase());
      const both = async (one: Promise<void>): Promise<void> => {
        await Promise.all([one, giveBackAttempt(db, address)]);
      };
      return { succeeded: () => both(account.succeeded()), withdrawn: () => both(account.withdrawn()) };
    },
    signUp: (clientAddress) => take(counter('SIGN_UP_ADDRESS', addressSubject(clientAddress))),
    passwordChange: (accountId) => ofAccount('PASSWORD_CHANGE', accountId),
    operatorCode: (accountId) => ofAccount('OPERATOR_CODE', accountId),
    async forgive({ id, email }) {
      const counters = [counter('SIGN_IN_ACCOUNT', email.toLowerCase()), counter('PASSWORD_CHANGE', id)];
      await Promise.all(counters.map((each) => clearAttempts(db, each)));
    },
  };
}

/** The same for every counter, so that the error reveals nothing about the account. */
function tooMany(untilMs: number, nowMs: number): AppError {
  // NaN: the counter was cleared between the two statements.
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1_000) || 1);
  return new AppError('RATE_LIMIT_EXCEEDED', 'Too many attempts.', {
    suggestedFix: `Wait ${waitText(retryAfterSeconds)}, then try again.`,
    retryAfterSeconds,
  });
}

function waitText(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
