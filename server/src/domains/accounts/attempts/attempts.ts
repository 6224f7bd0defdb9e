import { AppError } from '../../../kernel/errors.ts';
import { type Message, phrase, plural, t } from '../../../kernel/languages/message.ts';
import { limitHeaders, type ServiceLimit } from '../../../kernel/service-limits.ts';
import type { Platform } from '../../../platform/platform.ts';
import { ATTEMPT_LIMITS, type AttemptKind, addressSubject, attemptsLeft, waitAfter } from './attempt.policy.ts';
import { blockedUntil, type Counter, clearAttempts, giveBackAttempt, takeAttempt } from './attempts.store.ts';

/** An attempt, counted in advance so that concurrent attempts count too. */
export interface Attempt {
  /** What is left if it fails. */
  readonly left: ServiceLimit;
  /** It succeeded: resets the account's counter and uncounts it for the address. */
  succeeded(): Promise<void>;
  /** Removes an attempt that did not happen. */
  withdrawn(): Promise<void>;
}

/** Limits on guessing, the same on every instance because the counters are in the database. */
export interface Attempts {
  /** One sign-in attempt. An email address without an account counts, too. Throws RATE_LIMIT_EXCEEDED. */
  signIn(email: string, clientAddress: string): Promise<Attempt>;
  /** One attempt to create an account; those that succeed count too. Throws RATE_LIMIT_EXCEEDED. */
  signUp(clientAddress: string): Promise<void>;
  /** One attempt of a signed-in account to prove its password. Throws RATE_LIMIT_EXCEEDED. */
  passwordChange(accountId: string): Promise<Attempt>;
  /** One attempt of an account to become an operator. Throws RATE_LIMIT_EXCEEDED. */
  operatorCode(accountId: string): Promise<Attempt>;
  /**
   * One request for a link that resets a password; all count. An email address without an account counts, too. Throws
   * RATE_LIMIT_EXCEEDED.
   */
  passwordReset(email: string, clientAddress: string): Promise<void>;
  /** One link that confirms an address, whether it has an account or not; all count. Throws RATE_LIMIT_EXCEEDED. */
  confirmation(email: string): Promise<void>;
  /** One attempt to open a link with its password. Throws RATE_LIMIT_EXCEEDED. */
  shareLink(linkId: string, clientAddress: string): Promise<Attempt>;
  /** A new password was set with authorization: the account's counter is reset. */
  forgive(account: { readonly id: string; readonly email: string }): Promise<void>;
}

export function attemptsOf({ db, clock, secrets }: Pick<Platform, 'db' | 'clock' | 'secrets'>): Attempts {
  const counter = (kind: AttemptKind, subject: string): Counter => ({
    kind,
    subject: secrets.mac('attempt-counter', subject),
  });
  const take = async (taken: Counter): Promise<ServiceLimit> => {
    const nowMs = clock.now();
    const { kind } = taken;
    const attempts = await takeAttempt(db, taken, new Date(nowMs).toISOString());
    if (attempts === null) throw tooMany(kind, Date.parse((await blockedUntil(db, taken)) ?? ''), nowMs);
    return attemptsLeft(kind, ATTEMPT_LIMITS[kind].free - attempts, waitAfter(kind, attempts));
  };
  const ofAccount = async (kind: AttemptKind, subject: string): Promise<Attempt> => {
    const taken = counter(kind, subject);
    const left = await take(taken);
    return { left, succeeded: () => clearAttempts(db, taken), withdrawn: () => giveBackAttempt(db, taken) };
  };
  return {
    async signIn(email, clientAddress) {
      const address = counter('SIGN_IN_ADDRESS', addressSubject(clientAddress));
      const ofAddress = await take(address);
      const account = await ofAccount('SIGN_IN_ACCOUNT', email.trim().toLowerCase());
      const both = async (one: Promise<void>): Promise<void> => {
        await Promise.all([one, giveBackAttempt(db, address)]);
      };
      const left = ofAddress.remaining < account.left.remaining ? ofAddress : account.left;
      return { left, succeeded: () => both(account.succeeded()), withdrawn: () => both(account.withdrawn()) };
    },
    signUp: async (clientAddress) => void (await take(counter('SIGN_UP_ADDRESS', addressSubject(clientAddress)))),
    passwordChange: (accountId) => ofAccount('PASSWORD_CHANGE', accountId),
    operatorCode: (accountId) => ofAccount('OPERATOR_CODE', accountId),
    async passwordReset(email, clientAddress) {
      await take(counter('RESET_ADDRESS', addressSubject(clientAddress)));
      await take(counter('RESET_ACCOUNT', email.trim().toLowerCase()));
    },
    confirmation: async (email) => void (await take(counter('CONFIRM_EMAIL', email.trim().toLowerCase()))),
    async shareLink(linkId, clientAddress) {
      const all = counter('SHARE_LINK', linkId);
      const ofLink = await take(all);
      const one = await ofAccount('SHARE_LINK_ADDRESS', `${linkId} ${addressSubject(clientAddress)}`);
      const both = async (settled: Promise<void>): Promise<void> => {
        await Promise.all([settled, giveBackAttempt(db, all)]);
      };
      const left = ofLink.remaining < one.left.remaining ? ofLink : one.left;
      return { left, succeeded: () => both(one.succeeded()), withdrawn: () => both(one.withdrawn()) };
    },
    async forgive({ id, email }) {
      const counters = [counter('SIGN_IN_ACCOUNT', email.toLowerCase()), counter('PASSWORD_CHANGE', id)];
      await Promise.all(counters.map((each) => clearAttempts(db, each)));
    },
  };
}

/** The same for every counter, so that the error reveals nothing about the account. */
function tooMany(kind: AttemptKind, untilMs: number, nowMs: number): AppError {
  // NaN: the counter was cleared between the two statements.
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1_000) || 1);
  return new AppError('RATE_LIMIT_EXCEEDED', t`Too many attempts.`, {
    suggestedFix: t`Wait ${waitTime(retryAfterSeconds)}, then try again.`,
    retryAfterSeconds,
    headers: { ...limitHeaders([attemptsLeft(kind, 0, retryAfterSeconds)]) },
  });
}

const waitTime = (seconds: number): Message =>
  seconds < 120
    ? phrase`${plural(seconds, { one: '# second', other: '# seconds' })}`
    : phrase`${plural(Math.ceil(seconds / 60), { one: '# minute', other: '# minutes' })}`;
